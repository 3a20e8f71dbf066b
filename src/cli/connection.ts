import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { observeFetch } from '../index.ts';
import { toHeaders } from './headers.ts';
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

/** An HTTP answer that refused the handshake: the SDK's errors keep nothing of its headers, and with SSE less than that. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly answer: Response;

  constructor(answer: Response, cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the server refused the connection', { cause });
    this.status = answer.status;
    this.answer = answer;
  }
}

/** The server's JSON-RPC error for `initialize`, as it was sent: the SDK's error for it looks like one of its own. */
export class HandshakeError extends Error {
  override readonly name = 'HandshakeError';
  readonly error: JsonRpcError;

  constructor(error: JsonRpcError, cause: unknown) {
    super(error.message, { cause });
    this.error = error;
  }
}

type JsonRpcError = Extract<JSONRPCMessage, { readonly error: unknown }>['error'];

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
  const refusals = watchRefusals();
  const options = {
    requestInit: { headers: toHeaders(target.headers) },
    fetch: observeFetch(refusals.fetch),
  };
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
        const answer = refusals.last();
        const refused = answer !== undefined && isAbout(thrown, answer.status, target.over);
        throw refused ? new RefusedError(answer, thrown) : thrown;
      } finally {
        refusals.end();
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
async function connect(
  client: Client,
  transport: Transport,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const refusal = watchHandshake(transport);
  try {
    await within(client.connect(transport, { timeout: longestTimeout }), timeoutMs, signal);
  } catch (thrown) {
    const error = refusal();
    throw error === undefined ? thrown : new HandshakeError(error, thrown);
  }
}

/** The error that the server answered `initialize` with, once it did. The SDK calls a handler that was there before. */
function watchHandshake(transport: Transport): () => JsonRpcError | undefined {
  const send = transport.send.bind(transport);
  let id: RequestId | undefined;
  let refusal: JsonRpcError | undefined;
  transport.send = (message, options) => {
    if ('method' in message && message.method === 'initialize' && 'id' in message) {
      id = message.id;
    }
    return send(message, options);
  };
  transport.onmessage = (message) => {
    if ('error' in message && message.id !== undefined && message.id === id) {
      refusal ??= message.error;
    }
  };
  return () => refusal;
}

interface Refusals {
  readonly fetch: typeof fetch;
  /** A copy of the last answer that was none of success. */
  readonly last: () => Response | undefined;
  /** From now on answers are not copied: those to calls may be large. */
  readonly end: () => void;
}

function watchRefusals(): Refusals {
  let last: Response | undefined;
  let watching = true;
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (watching && !response.ok) {
        last = response.clone();
      }
      return response;
    },
    last: () => last,
    end: () => {
      watching = false;
    },
  };
}

/** Streamable HTTP lives with some refusals, such as that of the event stream, and puts the status of all others on its error. */
function isAbout(thrown: unknown, status: number, over: HttpTarget['over']): boolean {
  return over === 'sse'
    ? !(thrown instanceof HandshakeError)
    : thrown instanceof Error && 'code' in thrown && thrown.code === status;
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
