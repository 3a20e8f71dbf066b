/**
 * A raw server over the SDK's in-memory pair, for tests of listings: each `tools/list` is answered as the test says, at
 * once or by hand, and everything that the client sent is on record.
 */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { answerTo, createClient, type PeerMessage } from './in-memory-peer.ts';

/** A request that waits for its answer. */
export interface OpenRequest {
  /** Of a listing; absent on the first page. */
  readonly cursor: unknown;
  /** Of a call. */
  readonly name: unknown;
  answer(result: unknown): void;
  fail(error: object): void;
}

export interface ToolServer {
  readonly clientTransport: InMemoryTransport;
  /** The methods of everything that the client sent, oldest first. */
  readonly methods: readonly string[];
  /** The cursors of all listings, oldest first. */
  readonly cursors: readonly unknown[];
  /** How many listings were open at the same time, at most. */
  readonly mostListings: number;
  /** All requests of a method, as soon as there are `count` of them. */
  arrived(method: 'tools/list' | 'tools/call', count: number): Promise<readonly OpenRequest[]>;
  /** Sends `notifications/tools/list_changed`. */
  changeTools(): void;
}

export interface ToolServerOptions {
  /** Answers a listing at once, inside the client's `send`. Without it, listings wait for the test. */
  readonly onList?: (list: OpenRequest) => void;
  /** Likewise for calls. */
  readonly onCall?: (call: OpenRequest) => void;
}

export function createToolServer(options: ToolServerOptions = {}): ToolServer {
  const [clientTransport, own] = InMemoryTransport.createLinkedPair();
  const methods: string[] = [];
  const requests = { 'tools/list': [] as OpenRequest[], 'tools/call': [] as OpenRequest[] };
  const waiting = new Set<() => void>();
  const openListings = new Set<unknown>();
  let mostListings = 0;

  const send = (message: object): void => {
    Promise.resolve(Reflect.apply(own.send, own, [{ jsonrpc: '2.0', ...message }])).catch(() => {});
  };
  const toRequest = ({ id, params }: PeerMessage): OpenRequest => {
    const say = (answer: object): void => {
      openListings.delete(id);
      send({ id, ...answer });
    };
    return {
      cursor: params?.cursor,
      name: params?.name,
      answer: (result) => say({ result }),
      fail: (error) => say({ error }),
    };
  };

  own.onmessage = (message: PeerMessage) => {
    const { id, method = '' } = message;
    methods.push(method);
    if (method === 'tools/list') {
      openListings.add(id);
      mostListings = Math.max(mostListings, openListings.size);
    }
    if (method === 'tools/list' || method === 'tools/call') {
      const request = toRequest(message);
      requests[method].push(request);
      (method === 'tools/list' ? options.onList : options.onCall)?.(request);
    } else if (id !== undefined) {
      send({ id, result: answerTo(method, []) });
    }
    for (const resolve of waiting) resolve();
    waiting.clear();
  };

  return {
    clientTransport,
    methods,
    get cursors() {
      return requests['tools/list'].map(({ cursor }) => cursor);
    },
    get mostListings() {
      return mostListings;
    },
    arrived: async (method, count) => {
      while (requests[method].length < count) {
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
      return [...requests[method]];
    },
    changeTools: () => send({ method: 'notifications/tools/list_changed' }),
  };
}

export interface ToolConnection {
  readonly client: Client;
  readonly server: ToolServer;
}

export async function connectToTools(
  options?: ToolServerOptions,
  client: Client = createClient(),
): Promise<ToolConnection> {
  const server = createToolServer(options);
  await client.connect(server.clientTransport);
  return { client, server };
}

/** Answers listings with these pages, in this order; each but the last has a cursor to the next. */
export function inPages(...pages: readonly (readonly unknown[])[]): (list: OpenRequest) => void {
  return ({ cursor, answer }) => {
    const index = cursor === undefined ? 0 : Number(cursor);
    const nextCursor = index + 1 < pages.length ? { nextCursor: String(index + 1) } : {};
    answer({ tools: pages[index] ?? [], ...nextCursor });
  };
}

/** Answers each call with the result under its tool's name. */
export function withResults(results: Readonly<Record<string, object>>): (call: OpenRequest) => void {
  const byName = new Map(Object.entries(results));
  return ({ name, answer }) => answer(byName.get(String(name)) ?? { content: [] });
}
