/**
 * The servers of the canary calls, raw, without an SDK. Over HTTP an answer may be made from the request as it arrived,
 * so that what is echoed is what was really sent. Answers are chosen by the name of the tool.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { secret } from './canary-secrets.ts';

export type HttpMode = 'http-json' | 'http-sse' | 'sse';

/** A request as the server got it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a server says, as data, so that a child process can say it too. */
export interface CanaryScript {
  readonly serverName: string;
  readonly tools: readonly object[];
  /** By tool: the members that follow `jsonrpc` and `id` in the answer. */
  readonly answers: Readonly<Record<string, object>>;
  /** The stdio child writes its environment to stderr at a call of this tool, and exits. */
  readonly dumpAt?: string;
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly protocolVersion?: string;
  };
}

/** The answer to a message, `undefined` for a notification. Shipped to the child as source, so it uses nothing from outside. */
function respond(script: CanaryScript, { id, method, params = {} }: Message): string | undefined {
  const say = (part: object): string => JSON.stringify({ jsonrpc: '2.0', id, ...part });
  if (id === undefined) return undefined;
  switch (method) {
    case 'initialize':
      return say({
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: script.serverName, version: '1.0.0' },
        },
      });
    case 'tools/list':
      return say({ result: { tools: script.tools } });
    case 'tools/call':
      return say(script.answers[params.name ?? ''] ?? { result: { content: [] } });
    default:
      return say({ result: {} });
  }
}

/** Runs in the child: uses nothing from outside but its parameters. */
function runChild(script: CanaryScript, answer: typeof respond): void {
  const { writeSync } = process.getBuiltinModule('node:fs');
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message: Message = JSON.parse(line);
      if (message.method === 'tools/call' && message.params?.name === script.dumpAt) {
        const variables = Object.entries(process.env).filter(([name]) => name.startsWith('CANARY_'));
        for (const [name, value] of variables) writeSync(2, `${name}=${value}\n`);
        process.exit(1);
      }
      const said = answer(script, message);
      if (said !== undefined) process.stdout.write(`${said}\n`);
    }
  });
  process.stdin.on('end', () => process.exit(0));
}

/** The variables that the child dumps. */
export const childEnvironment: Readonly<Record<string, string>> = {
  CANARY_API_KEY: secret('environment of the server'),
  CANARY_TENANT: secret('environment of the server'),
};

export function stdioTransport(script: CanaryScript, stderr: 'pipe' | 'inherit'): StdioClientTransport {
  // tsx wraps named functions in a call of `__name`, which the child does not have.
  const source = `const __name = (f) => f; (${runChild})(JSON.parse(process.argv[1]), ${respond})`;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['-e', source, JSON.stringify(script)],
    env: { ...childEnvironment },
    stderr,
  });
  // A pipe that nobody reads keeps the process open.
  transport.stderr?.on('data', () => {});
  return transport;
}

export async function memoryTransport(script: CanaryScript): Promise<InMemoryTransport> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  serverSide.onmessage = (message: object) => {
    const answer = respond(script, message);
    if (answer !== undefined) {
      const parsed: JSONRPCMessage = JSON.parse(answer);
      serverSide.send(parsed).catch(() => {});
    }
  };
  await serverSide.start();
  return clientSide;
}

/** By tool: an answer made from the request, where the script's own will not do. */
export type HttpAnswers = Readonly<Record<string, (seen: SeenRequest) => HttpAnswer | object>>;

export interface HttpServer {
  readonly origin: string;
  close(): Promise<void>;
}

export async function startHttpServer(
  mode: HttpMode,
  script: CanaryScript,
  answers: HttpAnswers,
): Promise<HttpServer> {
  let events: ServerResponse | undefined;
  const deliver = (response: ServerResponse, frame: string): void => {
    if (mode === 'http-json') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(frame);
    } else if (mode === 'http-sse') {
      response.writeHead(200, eventStream).end(`event: message\ndata: ${frame}\n\n`);
    } else {
      response.writeHead(202).end();
      events?.write(`event: message\ndata: ${frame}\n\n`);
    }
  };
  const onPost = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message: Message = JSON.parse(await text(request));
    const { id, method, params = {} } = message;
    if (method === 'initialize' && mode !== 'sse') {
      response.setHeader('mcp-session-id', secret('session id of the server'));
    }
    const made = method === 'tools/call' ? answers[params.name ?? ''] : undefined;
    const answer = made?.(toSeen(request, params.arguments ?? {}));
    if (answer !== undefined && isHttpAnswer(answer)) {
      response.writeHead(answer.status, answer.headers).end(answer.body);
    } else if (answer !== undefined) {
      deliver(response, JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    } else {
      const normal = respond(script, message);
      normal === undefined ? response.writeHead(202).end() : deliver(response, normal);
    }
  };
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      onPost(request, response).catch(() => response.destroy());
    } else if (request.method === 'GET' && mode === 'sse') {
      events = response.writeHead(200, eventStream);
      events.write(`event: endpoint\ndata: /messages?sessionId=${secret('session id of the server')}\n\n`);
    } else {
      response.writeHead(405).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const eventStream = { 'content-type': 'text/event-stream' };

function toSeen(request: IncomingMessage, args: SeenRequest['arguments']): SeenRequest {
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    arguments: args,
  };
}

function isHttpAnswer(answer: HttpAnswer | object): answer is HttpAnswer {
  return 'status' in answer;
}
