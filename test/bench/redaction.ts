/** The redactor: throughput, bounded excerpts, and time per byte on input made to be slow. */
import { createRedactor } from 'mcp-outcome';
import { type HostileText, loadRedactionCorpus } from '../support/redaction-corpus.ts';
import { logText } from './log-text.ts';
import { measureSync, type Spread, spreadOf } from './measure.ts';
import type { BenchRow } from './rows.ts';

const redactor = createRedactor();
const megabyte = 1_048_576;

export function redactionRows(): readonly BenchRow[] {
  const inputs = [
    ...loadRedactionCorpus().hostile,
    { name: 'log lines', head: '', unit: logText(65_536), tail: '' },
  ];
  return [throughputRow(), boundedRow(inputs), ...flatnessRows(inputs)];
}

function ofSize({ head, unit, tail }: HostileText, size: number): string {
  const room = Math.max(0, size - head.length - tail.length);
  // Flat, as a text from the network is: a rope would be flattened at the first look.
  return Buffer.from(head + unit.repeat(Math.ceil(room / unit.length)).slice(0, room) + tail).toString();
}

function throughputRow(): BenchRow {
  const text = logText(megabyte);
  const bytes = Buffer.byteLength(text);
  measureSync(() => redactor.text(text), { rounds: 10, runs: 1 });
  const { wall, cpu, quiet } = measureSync(() => redactor.text(text), { rounds: 40, runs: 1 });
  const speed = (microseconds: number): number => bytes / microseconds;
  return {
    what: 'redactor, warm, on log-like text',
    unit: 'MB/s',
    wall: { median: speed(wall.median), low: speed(wall.high), high: speed(wall.low) },
    cpu: speed(cpu),
    quiet: speed(quiet),
    bound: '≥ 25 MB/s',
    met: speed(wall.median) >= 25,
  };
}

/** One figure for each body: the median of its runs, so that a moment in which the machine was busy is no figure. */
function boundedRow(inputs: readonly HostileText[]): BenchRow {
  const bodies = [
    ...inputs.flatMap((input) =>
      [1_024, 16_384, megabyte].map((size) => ({ name: input.name, text: ofSize(input, size) })),
    ),
    { name: '16 MB of log lines', text: logText(16 * megabyte) },
  ];
  const figures = bodies.map(({ name, text }) => {
    const work = (): string => redactor.bounded(text, 2_048);
    measureSync(work, { rounds: 5, runs: 1 });
    return { name, ms: measureSync(work, { rounds: 15, runs: 1 }).wall.median / 1_000 };
  });
  figures.sort((a, b) => a.ms - b.ms);
  const [best, worst] = [figures.at(0), figures.at(-1)];
  const { median } = spreadOf(figures.map(({ ms }) => ms));
  return {
    what: `redactor.bounded, ${bodies.length} bodies up to 16 MB (best–worst body; worst: ${worst?.name})`,
    unit: 'ms',
    wall: { median, low: best?.ms ?? 0, high: worst?.ms ?? 0 },
    bound: 'median ≤ 0.5 ms, worst ≤ 3 ms',
    met: median <= 0.5 && worst !== undefined && worst.ms <= 3,
  };
}

const sizes = [
  { name: '1 KB', size: 1_024, runs: 64 },
  { name: '64 KB', size: 64 * 1_024, runs: 4 },
  { name: '1 MB', size: megabyte, runs: 1 },
  { name: '16 MB', size: 16 * megabyte, runs: 1 },
] as const;

/** What is quadratic takes 16 times as long per byte at 16 times the size. */
const mostGrowth = 3;

interface Figures {
  readonly name: string;
  /** Nanoseconds, in the order of `sizes`. */
  readonly perByte: readonly number[];
  /** The slower of the large sizes, of the faster of the small ones. */
  readonly growth: number;
}

function flatnessRows(inputs: readonly HostileText[]): readonly BenchRow[] {
  for (const input of inputs) {
    redactor.text(ofSize(input, 64 * 1_024));
  }
  const figures = inputs.map(measuredAgain).toSorted((a, b) => a.growth - b.growth);
  const worst = figures.at(-1);
  return [
    ...sizes.map(
      ({ name }, index): BenchRow => ({
        what: `redactor, per byte at ${name}, ${inputs.length} inputs`,
        unit: 'ns',
        wall: known(figures.map(({ perByte }) => perByte[index])),
      }),
    ),
    {
      what: `redactor, per byte above 64 KB: of that below (worst: ${worst?.name}, ${worst?.growth.toFixed(2)})`,
      unit: '×',
      wall: spreadOf(figures.map(({ growth }) => growth)),
      bound: `flat: none above ${mostGrowth} ×`,
      met: worst !== undefined && worst.growth <= mostGrowth,
    },
  ];
}

function known(values: readonly (number | undefined)[]): Spread {
  return spreadOf(values.filter((value) => value !== undefined));
}

/** An input that looks slow is measured again: a busy moment passes, a slow scanner stays. */
function measuredAgain(input: HostileText): Figures {
  const figures = [measureGrowth(input)];
  while (figures.length < 2 && figures.every(({ growth }) => growth > mostGrowth)) {
    figures.push(measureGrowth(input));
  }
  return figures.reduce((best, one) => (one.growth < best.growth ? one : best));
}

function measureGrowth(input: HostileText): Figures {
  const perByte: number[] = [];
  for (const { size, runs } of sizes) {
    const last = perByte.at(-1) ?? 0;
    // A quadratic scanner would take hours for the next size.
    if (last > mostGrowth * 4 * (perByte.at(-2) ?? last)) {
      break;
    }
    perByte.push(nanosecondsPerByte(ofSize(input, size), runs));
  }
  const [smallest = 0, small = 0, ...large] = perByte;
  return { name: input.name, perByte, growth: Math.max(...large) / Math.min(smallest, small) };
}

function nanosecondsPerByte(text: string, runs: number): number {
  const { wall } = measureSync(() => redactor.text(text), { rounds: runs, runs: 1 });
  return (wall.median * 1_000) / text.length;
}
