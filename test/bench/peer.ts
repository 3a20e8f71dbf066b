/** A server that answers at once, over the transports that the benchmark compares. Raw, so that no SDK's server counts. */
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';

function textResult(text: string): object {
  return { content: [{ type: 'text', text }] };
}

const results: Readonly<Record<string, () => object>> = {
  small: () => textResult('x'.repeat(1_024)),
  large: () => textResult(megabyte),
  failed: () => ({ ...textResult('Internal Server Error'), isError: true }),
  typed: () => ({ content: [], structuredContent: { total: 3, items: ['a', 'b', 'c'] } }),
};

const outputSchema: object = {
  type: 'object',
  properties: { total: { type: 'integer' }, items: { type: 'array', items: { type: 'string' } } },
  required: ['total', 'items'],
};

const tools: readonly object[] = Object.keys(results).map((name) => ({
  name,
  inputSchema: { type: 'object' },
  ...(name === 'typed' ? { outputSchema } : {}),
}));

const megabyte = 'x'.repeat(1_048_576);

export interface RpcMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly protocolVersion?: string;
    readonly arguments?: { readonly call?: number };
  };
}

/** The answer to a request; `undefined` for a notification. */
export function answerTo({ id, method, params = {} }: RpcMessage): object | undefined {
  if (id === undefined) {
    return undefined;
  }
  const say = (result: object): object => ({ jsonrpc: '2.0', id, result });
  switch (method) {
    case 'initialize':
      return say({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'bench', version: '1.0.0' },
      });
    case 'tools/list':
      return say({ tools });
    case 'tools/call':
      return say(results[params.name ?? '']?.() ?? {});
    default:
      return say({});
  }
}

export interface MemoryEnd {
  onmessage?: (message: never) => void;
  send(message: never): Promise<void>;
}

/** Answers at the other end of an SDK's in-memory pair. */
export function answerInMemory(end: MemoryEnd): void {
  const onmessage = (message: RpcMessage): void => {
    const answer = answerTo(message);
    if (answer !== undefined) {
      void Reflect.apply(end.send, end, [answer]);
    }
  };
  Reflect.set(end, 'onmessage', onmessage);
}

export interface HttpPeer {
  readonly url: URL;
  close(): void;
}

/** Streamable HTTP on loopback with JSON answers, in this process. */
export async function startHttpPeer(): Promise<HttpPeer> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const answer = answerTo(Object(await json(request)));
    if (answer === undefined) {
      response.writeHead(202).end();
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    }
  });
  return listenOnLoopback(server);
}

/** Takes as many connections at once as a soak opens. */
export async function listenOnLoopback(server: Server): Promise<HttpPeer> {
  // A client must not find a socket of its pool closed between two rows.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
