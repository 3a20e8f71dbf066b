/** What importing the package costs a process, beside importing pino, which it depends on; each in fresh processes. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { spreadOf } from './measure.ts';
import type { BenchRow } from './rows.ts';

const rounds = 11;

/** Prints the milliseconds of one import. */
function source(name: string): string {
  return `
    const start = process.hrtime.bigint();
    await import('${name}');
    process.stdout.write(String(Number(process.hrtime.bigint() - start) / 1e6));
  `;
}

export async function importRows(): Promise<readonly BenchRow[]> {
  const pino: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pino.push(await importTime('pino'));
    own.push(await importTime('mcp-outcome'));
  }
  const added = spreadOf(own.map((ms, round) => ms - (pino[round] ?? 0)));
  const sdkFiles = await loadedSdkFiles();
  return [
    { what: 'import of pino, fresh process', unit: 'ms', wall: spreadOf(pino) },
    {
      what: 'import of mcp-outcome, fresh process: added to pino',
      unit: 'ms',
      wall: added,
      bound: '≤ 60 ms',
      met: added.median <= 60,
    },
    {
      what: 'files of an MCP SDK that the import loads',
      unit: 'files',
      wall: spreadOf([sdkFiles.length]),
      bound: 'none',
      met: sdkFiles.length === 0,
    },
  ];
}

async function importTime(name: string): Promise<number> {
  const [output] = await run(['--input-type=module', '-e', source(name)]);
  return Number(output);
}

/** Node.js names every module that it loads in its own debug output. */
async function loadedSdkFiles(): Promise<readonly string[]> {
  const [, trace] = await run(['--input-type=module', '-e', "await import('mcp-outcome')"], {
    NODE_DEBUG: 'esm',
  });
  return trace.split('\n').filter((line) => line.includes('@modelcontextprotocol'));
}

async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<[string, string]> {
  const child = spawn(process.execPath, args, {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return Promise.all([text(child.stdout), text(child.stderr)]);
}
