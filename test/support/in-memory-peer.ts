/**
 * A raw peer over the SDK's in-memory pair, for tests that answer each `tools/call` by hand: in any order, twice, late
 * or with any object. Messages pass by reference, so a test sees what the client really sent.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';

export interface PeerMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<PropertyKey, unknown>> | undefined;
}

export interface PeerCall {
  readonly id: number;
  readonly name: unknown;
  /** The very object that the transport delivered. */
  readonly message: PeerMessage;
  answer(result: object): void;
  fail(error: object): void;
  progress(progress: number): void;
}

export interface MemoryPeer {
  readonly clientTransport: InMemoryTransport;
  /** Everything that the client sent, oldest first. */
  readonly received: readonly PeerMessage[];
  /** All calls so far, as soon as there are `count` of them. */
  calls(count: number): Promise<readonly PeerCall[]>;
  /** All messages of a method, as soon as there are `count` of them. */
  arrived(method: string, count: number): Promise<readonly PeerMessage[]>;
  /** Delivers any value to the client, unchecked. */
  send(message: unknown): void;
  close(): Promise<void>;
}

export interface MemoryPeerOptions {
  /** Answers at once, inside the client's `send`. Without it, calls wait for the test. */
  readonly onCall?: (call: PeerCall) => void;
  /** What `tools/list` answers with. */
  readonly tools?: readonly object[];
}

export function createMemoryPeer(options: MemoryPeerOptions = {}): MemoryPeer {
  const [clientTransport, own] = InMemoryTransport.createLinkedPair();
  const received: PeerMessage[] = [];
  const calls: PeerCall[] = [];
  const waiting = new Set<() => void>();

  const send = (message: unknown): void => {
    // A client that is gone by now is what some tests are about.
    Promise.resolve(Reflect.apply(own.send, own, [message])).catch(() => {});
  };
  const when = async <T>(ready: () => T | undefined): Promise<T> => {
    for (;;) {
      const value = ready();
      if (value !== undefined) return value;
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  };

  own.onmessage = (message: PeerMessage) => {
    received.push(message);
    const { id, method } = message;
    if (method === 'tools/call') {
      const call = toPeerCall(message, send);
      calls.push(call);
      options.onCall?.(call);
    } else if (id !== undefined) {
      send({ jsonrpc: '2.0', id, result: answerTo(method, options.tools ?? []) });
    }
    for (const resolve of waiting) resolve();
    waiting.clear();
  };

  return {
    clientTransport,
    received,
    calls: (count) => when(() => (calls.length >= count ? [...calls] : undefined)),
    arrived: (method, count) =>
      when(() => {
        const found = received.filter((message) => message.method === method);
        return found.length >= count ? found : undefined;
      }),
    send,
    close: async () => own.close().catch(() => {}),
  };
}

function toPeerCall(message: PeerMessage, send: (message: unknown) => void): PeerCall {
  const id = Number(message.id);
  return {
    id,
    name: message.params?.name,
    message,
    answer: (result) => send({ jsonrpc: '2.0', id, result }),
    fail: (error) => send({ jsonrpc: '2.0', id, error }),
    progress: (progress) =>
      send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: id, progress },
      }),
  };
}

/** What a server without surprises says to everything but a call. */
export function answerTo(method: string | undefined, tools: readonly object[]): object {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'peer', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools };
    default:
      return {};
  }
}

export function createClient(): Client {
  return new Client({ name: 'behaviour-tests', version: '1.0.0' });
}

export interface MemoryConnection<C extends Client = Client> {
  readonly client: C;
  readonly peer: MemoryPeer;
}

export async function connectInMemory(options?: MemoryPeerOptions): Promise<MemoryConnection> {
  return connectClient(createClient(), options);
}

/** For a client of the test's own making, such as a subclass. */
export async function connectClient<C extends Client>(
  client: C,
  options?: MemoryPeerOptions,
): Promise<MemoryConnection<C>> {
  const peer = createMemoryPeer(options);
  await client.connect(peer.clientTransport);
  return { client, peer };
}

export function textResult(text: string): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text }] };
}
