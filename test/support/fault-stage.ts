/**
 * Puts a row on stage: starts its peer, connects a real SDK client to it, and takes everything down again. It knows
 * nothing of the package under test, so that other tests and a bare client can use it.
 */
import type { Stream } from 'node:stream';
import { createFaultProvider, createFaultTokens } from './fault-auth.ts';
import { faultChildCommand } from './fault-child.ts';
import { startMemoryPeer } from './fault-memory.ts';
import type { ChildPeer, Connection, Play } from './fault-play.ts';
import { type FaultTransport, type PeerScript, signal } from './fault-script.ts';
import type { ClientSetup, FaultClient, FaultSdk, OpenedChild } from './fault-sdk.ts';
import { startFaultServer } from './fault-server.ts';

type WrapFetch = (fetch?: typeof globalThis.fetch) => typeof globalThis.fetch;

/** Starts the peer and connects. `wrapFetch` is what HTTP transports get their `fetch` through. */
export async function connect(
  sdk: FaultSdk,
  play: Play,
  transport: FaultTransport,
  wrapFetch?: WrapFetch,
): Promise<Connection> {
  const set = await startPeer(sdk, play, transport, wrapFetch ?? ((fetch) => fetch));
  const close = async (): Promise<void> => {
    // First the peer: the SDK would wait four seconds for a child that ignores it.
    await set.peer.close();
    await set.client.close().catch(() => {});
  };
  try {
    if (!play.notConnected) await set.connect();
    if (set.child && !play.notConnected) await set.child.ready;
    if (play.list) await listTools(set.client, play.list).catch(() => {});
  } catch (error) {
    await close();
    throw error;
  }
  set.provider?.setArmed(true);
  return { ...set, close };
}

async function startPeer(
  sdk: FaultSdk,
  play: Play,
  transport: FaultTransport,
  wrapFetch: (fetch?: typeof globalThis.fetch) => typeof globalThis.fetch | undefined,
): Promise<Omit<Connection, 'close'>> {
  const setup = {
    strictCapabilities: play.strictCapabilities === true,
    ...(play.elicitation ? { elicitation: play.elicitation } : {}),
  };
  if (transport === 'mem') {
    const opened = sdk.memory(setup);
    return { ...opened, peer: await startMemoryPeer(play.script, opened.end) };
  }
  if (transport === 'stdio') return startChild(sdk, setup, play.script);
  const server = await startFaultServer(play.script, transport);
  const provider = play.provider && createFaultProvider(play.provider, `${server.origin}/`);
  const tokens = play.tokens && createFaultTokens(play.tokens);
  const fetch = wrapFetch(play.fetch);
  const { redirectPolicy, onInsufficientScope } = play;
  const httpSetup = {
    ...setup,
    url: server.url,
    ...(fetch ? { fetch } : {}),
    ...(provider ? { provider: provider.provider } : {}),
    ...(redirectPolicy ? { redirectPolicy } : {}),
    ...(tokens ? { tokens: tokens.source } : {}),
    ...(onInsufficientScope ? { onInsufficientScope } : {}),
  };
  const opened = transport === 'sse' ? sdk.legacySse(httpSetup) : sdk.streamableHttp(httpSetup);
  const armed = provider ?? tokens;
  return { ...opened, peer: server, server, ...(armed ? { provider: armed } : {}) };
}

function startChild(sdk: FaultSdk, setup: ClientSetup, script: PeerScript): Omit<Connection, 'close'> {
  // In the 2026 era a client that knows its server sends nothing before the first call.
  const startsReady = sdk.name === 'v2-2026' ? { startsReady: true as const } : {};
  const childScript = { ...script, child: { ...script.child, ...startsReady } };
  const opened = sdk.stdio(setup, faultChildCommand(childScript));
  const gone = signal();
  opened.client.onclose = gone.fire;
  const child = toChildPeer(opened, script, gone.promise);
  return { ...opened, peer: child, child };
}

function toChildPeer(opened: OpenedChild, script: PeerScript, gone: Promise<void>): ChildPeer {
  const arrived = signal();
  const ready = signal();
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
  if (script.child?.unreadStderr) ready.fire();
  else readLines(opened.stderr(), onLine);
  const kill = (): void => {
    for (const target of [opened.pid(), ...grandchildren.splice(0)]) if (target !== null) killQuietly(target);
  };
  return {
    arrived: arrived.promise,
    callCount: () => calls,
    ready: ready.promise,
    gone,
    answer: () => {
      throw new Error('A stdio child answers by its script alone.');
    },
    drop: kill,
    kill,
    close: async () => {
      kill();
      // The SDK waits for the end of a pipe that nobody reads.
      opened.stderr()?.on('data', () => {});
    },
  };
}

function readLines(stream: Stream | null, onLine: (line: string) => void): void {
  let rest = '';
  stream?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

async function listTools(client: FaultClient, how: 'once' | 'page-by-page'): Promise<void> {
  let { nextCursor } = await client.listTools();
  while (how === 'page-by-page' && nextCursor !== undefined) {
    ({ nextCursor } = await client.listTools({ cursor: nextCursor }));
  }
}
