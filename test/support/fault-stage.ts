/**
 * Puts a row on stage: starts its peer, connects a real SDK client to it, and takes everything down again. It knows
 * nothing of the package under test, so that other tests and a bare client can use it.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createFaultProvider } from './fault-auth.ts';
import { faultChildCommand } from './fault-child.ts';
import { startMemoryPeer } from './fault-memory.ts';
import type { ChildPeer, Connection, Play } from './fault-play.ts';
import { type FaultTransport, type PeerScript, signal } from './fault-script.ts';
import { startFaultServer } from './fault-server.ts';

/** Starts the peer and connects. `wrapFetch` is what HTTP transports get their `fetch` through. */
export async function connect(
  play: Play,
  transport: FaultTransport,
  wrapFetch?: (fetch?: typeof globalThis.fetch) => typeof globalThis.fetch,
): Promise<Connection> {
  const set = await startPeer(play, transport, wrapFetch ?? ((fetch) => fetch));
  const client = new Client(
    { name: 'fault-table', version: '1.0.0' },
    { enforceStrictCapabilities: play.strictCapabilities === true },
  );
  if (set.child) client.onclose = set.child.onClientClose;
  const close = async (): Promise<void> => {
    // First the peer: the SDK would wait four seconds for a child that ignores it.
    await set.peer.close();
    await client.close().catch(() => {});
  };
  try {
    if (!play.notConnected) await client.connect(set.clientTransport);
    if (set.child && !play.notConnected) await set.child.ready;
    if (play.list) await listTools(client, play.list).catch(() => {});
  } catch (error) {
    await close();
    throw error;
  }
  set.provider?.setArmed(true);
  return { ...set, client, close };
}

type Peers = Omit<Connection, 'client' | 'close' | 'child'> & {
  readonly child?: ChildPeer & { readonly onClientClose: () => void };
};

async function startPeer(
  play: Play,
  transport: FaultTransport,
  wrapFetch: (fetch?: typeof globalThis.fetch) => typeof globalThis.fetch | undefined,
): Promise<Peers> {
  if (transport === 'mem') {
    const peer = await startMemoryPeer(play.script);
    return { peer, clientTransport: peer.clientTransport };
  }
  if (transport === 'stdio') {
    const child = startChild(play.script);
    return { peer: child, child, clientTransport: child.clientTransport };
  }
  const server = await startFaultServer(play.script, transport);
  const provider = play.provider && createFaultProvider(play.provider, `${server.origin}/`);
  const fetch = wrapFetch(play.fetch);
  const options = {
    ...(fetch ? { fetch } : {}),
    ...(provider ? { authProvider: provider.provider } : {}),
    ...(play.redirectPolicy ? { redirectPolicy: play.redirectPolicy } : {}),
  };
  const reconnectionOptions = {
    initialReconnectionDelay: 10,
    maxReconnectionDelay: 20,
    reconnectionDelayGrowFactor: 1,
    maxRetries: 2,
  };
  const clientTransport =
    transport === 'sse'
      ? new SSEClientTransport(server.url, options)
      : new StreamableHTTPClientTransport(server.url, { ...options, reconnectionOptions });
  return { peer: server, server, clientTransport, ...(provider ? { provider } : {}) };
}

function startChild(script: PeerScript): ChildPeer & { readonly onClientClose: () => void } {
  const clientTransport = new StdioClientTransport({ ...faultChildCommand(script), stderr: 'pipe' });
  const arrived = signal();
  const ready = signal();
  const gone = signal();
  const grandchildren: number[] = [];
  let calls = 0;
  const onLine = (line: string): void => {
    if (line === 'arrived') {
      calls += 1;
      arrived.fire();
    }
    if (line === 'ready') ready.fire();
    if (line.startsWith('pid ')) grandchildren.push(Number(line.slice(4)));
  };
  let rest = '';
  const onStderr = (chunk: Buffer): void => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
  if (script.child?.unreadStderr) ready.fire();
  else clientTransport.stderr?.on('data', onStderr);
  const kill = (): void => {
    const { pid } = clientTransport;
    for (const target of [pid, ...grandchildren.splice(0)]) if (target !== null) killQuietly(target);
  };
  return {
    clientTransport,
    arrived: arrived.promise,
    callCount: () => calls,
    ready: ready.promise,
    gone: gone.promise,
    onClientClose: gone.fire,
    answer: () => {
      throw new Error('A stdio child answers by its script alone.');
    },
    drop: kill,
    kill,
    close: async () => {
      kill();
      // The SDK waits for the end of a pipe that nobody reads.
      clientTransport.stderr?.on('data', () => {});
    },
  };
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

async function listTools(client: Client, how: 'once' | 'page-by-page'): Promise<void> {
  let { nextCursor } = await client.listTools();
  while (how === 'page-by-page' && nextCursor !== undefined) {
    ({ nextCursor } = await client.listTools({ cursor: nextCursor }));
  }
}
