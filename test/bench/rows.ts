import Table from 'cli-table3';
import type { Spread, Timing } from './measure.ts';

/** One line of the benchmark: what was measured, and whether it keeps its bound. Without a bound it is there to compare. */
export interface BenchRow {
  readonly what: string;
  readonly unit: string;
  readonly wall: Spread;
  readonly cpu?: Spread;
  readonly quiet?: number;
  readonly bound?: string;
  readonly held?: boolean;
}

/** A row whose bound is on the median, by the wall clock. */
export function boundedRow(
  what: string,
  unit: string,
  timing: Timing,
  bound: string,
  limit: number,
): BenchRow {
  return { what, unit, ...timing, bound, held: timing.wall.median <= limit };
}

export function toTable(rows: readonly BenchRow[]): string {
  const table = new Table({
    head: ['what', 'median (10 %–90 %)', 'processor time', 'fastest 10 %', 'bound', 'held'],
    style: { head: [], border: [], compact: true },
  });
  for (const { what, unit, wall, cpu, quiet, bound, held } of rows) {
    const verdict = held === undefined ? '' : held ? 'yes' : 'NO';
    const processor = cpu === undefined ? '' : digits(cpu.median);
    const fastest = quiet === undefined ? '' : digits(quiet);
    table.push([what, `${show(wall)} ${unit}`, processor, fastest, bound ?? '', verdict]);
  }
  return table.toString();
}

function show({ median, low, high }: Spread): string {
  return low === high ? digits(median) : `${digits(median)} (${digits(low)}–${digits(high)})`;
}

function digits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}
