import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { observeFetch } from '../index.ts';
import type { HttpTarget, ServerTarget, StdioTarget } from './server-target.ts';
import { createStdioTransport } from './stdio-transport.ts';
import { readVersion } from './version.ts';

/** A client and the way to its server, not connected yet. */
export interface Connection {
  readonly client: Client;
  /** Resolves after the handshake; rejects with what stopped it, with a `TimeoutError`, or with the abort reason. */
  readonly open: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
  /** Ends the session and the server's process. Never rejects. */
  readonly close: () => Promise<void>;
  /** Ends the server's process at once. */
  readonly kill: () => void;
}

/** The HTTP status of a refused handshake, which the SDK's legacy SSE transport has in its texts alone. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the server refused the connection', { cause });
    this.status = status;
  }
}

export function createConnection(target: ServerTarget): Connection {
  return target.over === 'stdio' ? connectionOverStdio(target) : connectionOverHttp(target);
}

function connectionOverStdio(target: StdioTarget): Connection {
  const client = createClient();
  const transport = createStdioTransport(target);
  return {
    client,
    open: (timeoutMs, signal) => connect(client, transport, timeoutMs, signal),
    close: () => transport.close().catch(() => undefined),
    kill: transport.kill,
  };
}

function connectionOverHttp(target: HttpTarget): Connection {
  const client = createClient();
  const statuses: number[] = [];
  const options = httpOptions(target, statuses);
  const transport =
    target.over === 'http'
      ? new StreamableHTTPClientTransport(target.url, options)
      : new SSEClientTransport(target.url, options);
  return {
    client,
    open: async (timeoutMs, signal) => {
      try {
        await connect(client, transport, timeoutMs, signal);
      } catch (thrown) {
        const status = statuses.at(-1);
        throw target.over === 'sse' && status !== undefined ? new RefusedError(status, thrown) : thrown;
      }
    },
    close: async () => {
      if (transport instanceof StreamableHTTPClientTransport) {
        await endSession(transport);
      }
      await transport.close().catch(() => undefined);
    },
    kill: () => undefined,
  };
}

function createClient(): Client {
  return new Client({ name: 'mcp-outcome', version: readVersion() });
}

/** The SDK's own timer does not cover the start of a transport, so that it never gets to run. */
function connect(
  client: Client,
  transport: Transport,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  return within(client.connect(transport, { timeout: longestTimeout }), timeoutMs, signal);
}

interface HttpOptions {
  readonly requestInit: { readonly headers: Record<string, string> };
  readonly fetch: typeof fetch;
}

function httpOptions({ headers }: HttpTarget, statuses: number[]): HttpOptions {
  const noticing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok) {
      statuses.push(response.status);
    }
    return response;
  };
  return { requestInit: { headers: { ...headers } }, fetch: observeFetch(noticing) };
}

const sessionEndMs = 1_000;

/** A client that needs its session no longer says so (MCP, "Session Management"); a server need not listen. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  await within(transport.terminateSession(), sessionEndMs).catch(() => undefined);
}

/** The longest time that a timer can hold. */
const longestTimeout = 2_147_483_647;

async function within(work: Promise<void>, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    const expired = new DOMException(`not connected within ${timeoutMs} ms`, 'TimeoutError');
    timer = setTimeout(() => reject(expired), timeoutMs);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
