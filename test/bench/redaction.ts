/** The redactor: throughput, bounded excerpts, and time per byte on input made to be slow. */
import { readFile } from 'node:fs/promises';
import { createRedactor } from 'mcp-outcome';
import { logText } from './log-text.ts';
import { measureSync, spreadOf } from './measure.ts';
import type { BenchRow } from './rows.ts';

const redactor = createRedactor();
const megabyte = 1_048_576;

interface HostileInput {
  readonly id: string;
  readonly head: string;
  readonly unit: string;
  readonly tail: string;
}

export async function redactionRows(): Promise<readonly BenchRow[]> {
  const inputs = await hostileInputs();
  return [...throughputRows(), boundedRow(inputs), ...flatnessRows(inputs)];
}

/** The texts of the corpus are stored in parts, so that no scanner takes them for secrets. */
async function hostileInputs(): Promise<readonly HostileInput[]> {
  const corpus: unknown = JSON.parse(
    await readFile(new URL('../fixtures/redaction.json', import.meta.url), 'utf8'),
  );
  const rows: readonly Readonly<Record<string, unknown>>[] = Object(corpus).perf;
  return rows.map(({ id, head, unit, tail }) => ({
    id: String(id),
    head: joined(head),
    unit: joined(unit),
    tail: joined(tail),
  }));
}

function joined(text: unknown): string {
  return Array.isArray(text) ? text.join('') : typeof text === 'string' ? text : '';
}

function ofSize({ head, unit, tail }: HostileInput, size: number): string {
  const room = Math.max(0, size - head.length - tail.length);
  // Flat, as a text from the network is: a rope would be flattened at the first look.
  return Buffer.from(head + unit.repeat(Math.ceil(room / unit.length)).slice(0, room) + tail).toString();
}

function throughputRows(): readonly BenchRow[] {
  const text = logText(megabyte);
  const bytes = Buffer.byteLength(text);
  const warmUp = { rounds: 10, runs: 1 };
  measureSync(() => redactor.text(text), warmUp);
  const { wall, cpu, quiet } = measureSync(() => redactor.text(text), { rounds: 40, runs: 1 });
  const speed = (microseconds: number): number => bytes / microseconds;
  return [
    {
      what: 'redactor, warm, on log-like text',
      unit: 'MB/s',
      wall: { median: speed(wall.median), low: speed(wall.high), high: speed(wall.low) },
      cpu: { median: speed(cpu.median), low: speed(cpu.high), high: speed(cpu.low) },
      quiet: speed(quiet),
      bound: '≥ 25 MB/s',
      held: speed(wall.median) >= 25,
    },
  ];
}

/** One figure for each body: the median of its runs, so that a moment in which the machine was busy is no figure. */
function boundedRow(inputs: readonly HostileInput[]): BenchRow {
  const sizes = [1_024, 64 * 1_024, megabyte, 16 * megabyte];
  const bodies = [...inputs.map((input) => ofSize(input, megabyte)), ...sizes.map((size) => logText(size))];
  const times = bodies.map((body) => {
    measureSync(() => redactor.bounded(body, 2_048), { rounds: 3, runs: 1 });
    return measureSync(() => redactor.bounded(body, 2_048), { rounds: 9, runs: 1 }).wall.median / 1_000;
  });
  const { median } = spreadOf(times);
  const worst = Math.max(...times);
  return {
    what: `redactor.bounded, ${bodies.length} bodies up to 16 MB (best–worst body)`,
    unit: 'ms',
    wall: { median, low: Math.min(...times), high: worst },
    bound: 'median ≤ 0.5 ms, worst ≤ 3 ms',
    held: median <= 0.5 && worst <= 3,
  };
}

/** Nanoseconds per byte over the hostile inputs. What is quadratic takes 16 times as long per byte at 16 times the size. */
function flatnessRows(inputs: readonly HostileInput[]): readonly BenchRow[] {
  const sizes = [
    { name: '1 KB', size: 1_024, runs: 64 },
    { name: '64 KB', size: 64 * 1_024, runs: 4 },
    { name: '1 MB', size: megabyte, runs: 1 },
    { name: '16 MB', size: 16 * megabyte, runs: 1 },
  ];
  const figures = inputs.map((input) => ({
    id: input.id,
    perByte: sizes.map(({ size, runs }) => nanosecondsPerByte(ofSize(input, size), runs)),
  }));
  const rows = sizes.map(
    ({ name }, index): BenchRow => ({
      what: `redactor, per byte at ${name}, ${inputs.length} hostile inputs`,
      unit: 'ns',
      wall: spreadOf(figures.map(({ perByte }) => perByte[index] ?? Number.NaN)),
    }),
  );
  const growth = figures
    .map(({ id, perByte }) => ({ id, times: (perByte[3] ?? 0) / (perByte[1] ?? 1) }))
    .toSorted((a, b) => a.times - b.times);
  const worst = growth.at(-1);
  return [
    ...rows,
    {
      what: `redactor, per byte at 16 MB: of that at 64 KB (worst ${worst?.id}, ${worst?.times.toFixed(2)})`,
      unit: '×',
      wall: spreadOf(growth.map(({ times }) => times)),
      bound: 'flat: none above 3 ×',
      held: (worst?.times ?? 0) <= 3,
    },
  ];
}

function nanosecondsPerByte(text: string, runs: number): number {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = process.hrtime.bigint();
    redactor.text(text);
    times.push(Number(process.hrtime.bigint() - start) / text.length);
  }
  return spreadOf(times).median;
}
