/** Connects a real client over a transport, with every secret of a request in its place, and plays rows on it. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type OutcomeOptions, observeFetch, type ToolOutcome, withOutcomes } from '../../src/index.ts';
import {
  type CanaryScript,
  type HttpAnswers,
  memoryTransport,
  startHttpServer,
  stdioTransport,
} from './canary-peers.ts';
import { type CanaryRow, type CanaryTransport, canaryRows, rowsOver, toolOf } from './canary-rows.ts';
import { basicCredentials, secret } from './canary-secrets.ts';

export interface StageOptions {
  readonly transport: CanaryTransport;
  readonly observed: boolean;
  readonly outcomes?: OutcomeOptions;
  readonly childStderr?: 'pipe' | 'inherit';
}

export interface CanaryStage {
  play(row: CanaryRow): Promise<ToolOutcome>;
  close(): Promise<void>;
}

export async function openStage(options: StageOptions): Promise<CanaryStage> {
  const { transport: kind } = options;
  const rows = rowsOver(kind);
  const script = toScript(rows);
  const server =
    kind === 'stdio' || kind === 'memory'
      ? undefined
      : await startHttpServer(kind, script, toHttpAnswers(rows));
  const headers = requestHeaders();
  const transport =
    server === undefined
      ? await localTransport(kind, script, options)
      : httpTransport(kind, server.origin, headers, options.observed);
  const client = new Client({ name: 'canary-tests', version: '1.0.0' });
  await client.connect(transport);
  throwFromSend(transport, rows);
  const caller = withOutcomes(client, options.outcomes);
  return {
    play: async (row) => {
      if (row.invalidHeader !== undefined) headers['x-trace'] = row.invalidHeader;
      const outcome = await caller.callTool(
        {
          name: toolOf(row),
          arguments: { password: secret('argument "password"'), query: secret('argument "query"') },
        },
        { callId: 'call-1', ...row.options?.() },
      );
      delete headers['x-trace'];
      return outcome;
    },
    close: async () => {
      await client.close().catch(() => {});
      await server?.close();
    },
  };
}

function toScript(rows: readonly CanaryRow[]): CanaryScript {
  const dying = rows.find(({ dump }) => dump === true);
  return {
    serverName: `shop api_key=${secret('server name')}`,
    tools: rows.map((row) => ({
      name: toolOf(row),
      inputSchema: { type: 'object' },
      ...(row.outputSchema === undefined ? {} : { outputSchema: row.outputSchema }),
    })),
    answers: Object.fromEntries(rows.flatMap((row) => (row.answer ? [[toolOf(row), row.answer]] : []))),
    ...(dying === undefined ? {} : { dumpAt: toolOf(dying) }),
  };
}

function toHttpAnswers(rows: readonly CanaryRow[]): HttpAnswers {
  return Object.fromEntries(rows.flatMap((row) => (row.http ? [[toolOf(row), row.http]] : [])));
}

async function localTransport(
  kind: CanaryTransport,
  script: CanaryScript,
  { childStderr = 'pipe' }: StageOptions,
): Promise<Transport> {
  return kind === 'stdio' ? stdioTransport(script, childStderr) : memoryTransport(script);
}

/** Read by the transports at every request. */
function requestHeaders(): Record<string, string> {
  return {
    authorization: `Bearer ${secret('Authorization header')}`,
    'x-api-key': secret('x-api-key header'),
    'x-tenant': secret('x-tenant header'),
    cookie: `session=${secret('session cookie')}; theme=dark`,
  };
}

function httpTransport(
  kind: CanaryTransport,
  host: string,
  headers: Record<string, string>,
  observed: boolean,
): Transport {
  const userinfo = `${secret('user in the URL')}:${secret('password in the URL')}`;
  const query = new URLSearchParams({
    api_key: secret('api_key in the URL'),
    tenant: secret('tenant in the URL'),
  });
  if (kind === 'sse') query.set('key', secret('api_key of the event stream'));
  const url = new URL(`http://${userinfo}@${host}/mcp?${query}`);
  const options = {
    requestInit: { headers },
    fetch: observed ? observeFetch(fetchWithUserinfo) : fetchWithUserinfo,
  };
  return kind === 'sse'
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, options);
}

/** `fetch` takes no URL with a user in it, so callers with such a URL bring a fetch that moves them into a header. */
async function fetchWithUserinfo(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  if (
    refusedTools.some((tool) => typeof init?.body === 'string' && init.body.includes(JSON.stringify(tool)))
  ) {
    return fetch(input, init);
  }
  const url = new URL(String(input));
  url.username = '';
  url.password = '';
  const headers = new Headers(init?.headers);
  headers.set('proxy-authorization', `Basic ${basicCredentials()}`);
  return fetch(url, { ...init, headers });
}

const refusedTools = canaryRows.filter(({ refusedUrl }) => refusedUrl === true).map(toolOf);

/** A transport that fails before anything is sent: no server can make it do so. */
function throwFromSend(transport: Transport, rows: readonly CanaryRow[]): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const name = calledTool(message);
    const row = rows.find((candidate) => candidate.thrown !== undefined && toolOf(candidate) === name);
    return row?.thrown === undefined ? send(message, options) : Promise.reject(row.thrown());
  };
}

function calledTool(message: JSONRPCMessage): unknown {
  return 'method' in message && message.method === 'tools/call' ? message.params?.name : undefined;
}
