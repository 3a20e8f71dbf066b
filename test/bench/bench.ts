/** `npm run bench`: every bound of docs/performance.md, measured in one run. `-- --json` prints the rows as JSON. */
import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { httpRows, inMemoryRows, observedRows } from './call-path.ts';
import { classificationRows } from './classification.ts';
import { importRows } from './import-time.ts';
import { inFlightRows } from './in-flight.ts';
import { otherClientRows } from './other-clients.ts';
import { redactionRows } from './redaction.ts';
import { type BenchRow, toTable, toVerdict } from './rows.ts';

// `fetch` hangs a listener for each request on the one signal of an SDK transport, and Node.js takes that for a leak.
setMaxListeners(0);

const sections: readonly (() => Promise<readonly BenchRow[]>)[] = [
  inMemoryRows,
  httpRows,
  inFlightRows,
  async () => classificationRows(),
  async () => redactionRows(),
  importRows,
  // From here on an `AsyncLocalStorage` is in use, LangChain's or ours, and every promise of the process costs more.
  otherClientRows,
  observedRows,
];

const started = performance.now();
const before = loadavg()[0] ?? 0;
const rows: BenchRow[] = [];
for (const section of sections) {
  rows.push(...(await section()));
}
const machine = {
  node: process.version,
  processor: `${cpus().length} × ${cpus()[0]?.model}`,
  load: `${before.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`,
  sdk: `v1 ${await versionOf('@modelcontextprotocol/sdk')}, v2 ${await versionOf('@modelcontextprotocol/client')}`,
  seconds: Math.round((performance.now() - started) / 1_000),
};

async function versionOf(name: string): Promise<unknown> {
  const path = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return Object(JSON.parse(await readFile(path, 'utf8'))).version;
}

if (process.argv.includes('--json')) {
  process.stdout.write(`${JSON.stringify({ machine, rows }, null, 2)}\n`);
} else {
  const facts = Object.entries(machine).map(([name, value]) => `${name}: ${value}`);
  process.stdout.write(`${toTable(rows)}\n\n${toVerdict(rows)}\n\n${facts.join('\n')}\n`);
}
