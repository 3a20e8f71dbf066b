import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import spawn from 'cross-spawn';
import type { StdioTarget } from './server-target.ts';

export interface StdioTransport extends Transport {
  /** Ends the server at once, with every process that it started. */
  readonly kill: () => void;
}

/**
 * The stdio transport of the SDK, for a server with a process group of its own. `npx` and its like start the server as a
 * grandchild, which the SDK's transport leaves behind when it is busy, and which a Ctrl-C in a terminal would end before
 * the call could be cancelled. Windows has no such groups: there the one process is ended.
 */
export function createStdioTransport(target: StdioTarget): StdioTransport {
  const received = new ReadBuffer();
  let child: ChildProcess | undefined;
  let closing: Promise<void> | undefined;

  const transport: StdioTransport = {
    start: () => {
      child = spawnServer(target);
      child.stdin?.on('error', (error) => transport.onerror?.(error));
      child.stdout?.on('error', (error) => transport.onerror?.(error));
      child.stdout?.on('data', (chunk: Buffer) => {
        letOthersRun(child?.stdout);
        // What comes later is read, so that the server can write its last words, and dropped.
        if (closing === undefined) {
          receive(chunk, received, transport);
        }
      });
      child.on('close', () => transport.onclose?.());
      return started(child, (error) => transport.onerror?.(error));
    },
    send: (message) =>
      new Promise((resolve) => {
        // A server that is gone shows as a closed connection, not here.
        child?.stdin?.write(serializeMessage(message), () => resolve());
      }),
    // The SDK closes by itself after a failed handshake and waits for nothing: one close for all can be waited for.
    close: () => {
      closing ??= child === undefined ? Promise.resolve() : endServer(child);
      return closing;
    },
    kill: () => {
      if (child !== undefined) {
        signalGroup(child, 'SIGKILL');
      }
    },
  };
  return transport;
}

const hasGroups = process.platform !== 'win32';

function spawnServer({ command, args, env, cwd }: StdioTarget): ChildProcess {
  return spawn(command, [...args], {
    env: { ...getDefaultEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: hasGroups,
    windowsHide: true,
    ...(cwd === undefined ? {} : { cwd }),
  });
}

async function started(child: ChildProcess, onError: (error: Error) => void): Promise<void> {
  await once(child, 'spawn');
  child.on('error', onError);
}

/** One chunk a turn: timers and signals must get theirs while a server writes without end. */
function letOthersRun(stream: Readable | null | undefined): void {
  stream?.pause();
  setImmediate(() => stream?.resume());
}

function receive(chunk: Buffer, received: ReadBuffer, transport: Transport): void {
  try {
    received.append(chunk);
  } catch (error) {
    // The message is larger than the SDK takes: what follows cannot be understood.
    transport.onerror?.(toError(error));
    void transport.close();
    return;
  }
  while (deliver(received, transport)) {
    // Until there is no whole message left.
  }
}

/** Whether there was a line to read. */
function deliver(received: ReadBuffer, transport: Transport): boolean {
  try {
    const message = received.readMessage();
    if (message !== null) {
      transport.onmessage?.(message);
    }
    return message !== null;
  } catch (error) {
    transport.onerror?.(toError(error));
    return true;
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** How long a server may take to end when its input does, and again after SIGTERM, as in the SDK. */
const graceMs = 2_000;
const stragglerMs = 200;

async function endServer(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (!(await hasExited(child, graceMs))) {
    signalGroup(child, 'SIGTERM');
    await hasExited(child, graceMs);
  }
  if (signalGroup(child, 'SIGTERM')) {
    await delay(stragglerMs);
    signalGroup(child, 'SIGKILL');
  }
}

async function hasExited(child: ChildProcess, withinMs: number): Promise<boolean> {
  if (child.exitCode === null && child.signalCode === null) {
    const end = new AbortController();
    await Promise.race([once(child, 'exit', end), delay(withinMs, undefined, end)]);
    end.abort();
  }
  return child.exitCode !== null || child.signalCode !== null;
}

/** Whether there was anybody left to get the signal. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): boolean {
  if (child.pid === undefined) {
    return false;
  }
  try {
    return hasGroups ? process.kill(-child.pid, signal) : child.kill(signal);
  } catch {
    return false;
  }
}
