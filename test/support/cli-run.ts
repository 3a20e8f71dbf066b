/** Spawns the installed command as a shell would, and reads what it writes. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { installPackage } from './cli-install.ts';

export interface CliOptions {
  /** What stdin holds; empty without it. */
  readonly input?: string | Uint8Array;
  /** On top of PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
  /** stdout goes to the null device. */
  readonly discardOutput?: true;
}

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedCli {
  readonly child: ChildProcess;
  readonly finished: Promise<CliRun>;
}

const project = await installPackage();

/** The project that the package is installed in. */
export const projectFolder: string = project;

export function startCli(args: readonly string[], options: CliOptions = {}): StartedCli {
  const command = join(project, 'node_modules', '.bin', 'mcp-outcome');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), command, ...args], {
    cwd: project,
    env: { PATH, HOME, ...options.env },
    stdio: ['pipe', options.discardOutput ? 'ignore' : 'pipe', 'pipe'],
  });
  // A command that wants no input closes it while it is written.
  child.stdin?.on('error', () => {}).end(options.input ?? '');
  const all = (stream: Readable | null): Promise<string> => (stream ? text(stream) : Promise.resolve(''));
  const finished = Promise.all([all(child.stdout), all(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [exitCode]]): CliRun => ({ exitCode, stdout, stderr }),
  );
  return { child, finished };
}

export function runCli(args: readonly string[], options?: CliOptions): Promise<CliRun> {
  return startCli(args, options).finished;
}

/** The JSON values of NDJSON. */
export function parseLines(ndjson: string): readonly unknown[] {
  return ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}

/** Asserts some members of a line of JSON. */
export function assertHas(line: string, expected: object): void {
  const actual: unknown = JSON.parse(line);
  for (const [key, value] of Object.entries(expected)) {
    assert.deepEqual(Reflect.get(Object(actual), key), value, `${key} of ${line}`);
  }
}
