import type { Spread, Timing } from './measure.ts';

/** One line of the benchmark: what was measured, and whether it keeps its bound. Without a bound it is there to compare. */
export interface BenchRow {
  readonly what: string;
  readonly unit: string;
  readonly wall: Spread;
  readonly cpu?: number;
  readonly quiet?: number;
  readonly bound?: string;
  readonly met?: boolean;
}

/** A row whose bound is on the median, by the wall clock. */
export function boundedRow(
  what: string,
  unit: string,
  timing: Timing,
  bound: string,
  limit: number,
): BenchRow {
  return { what, unit, ...timing, bound, met: timing.wall.median <= limit };
}

const head = ['what', 'median (10 %–90 %)', 'fastest 10 %', 'processor', 'bound', 'verdict'];

/** A Markdown table that can be read as it is. */
export function toTable(rows: readonly BenchRow[]): string {
  const cells = [head, ...rows.map(toCells)];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const [titles, ...lines] = cells.map((row) =>
    toLine(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))),
  );
  return [titles, toLine(widths.map((width) => '-'.repeat(width))), ...lines].join('\n');
}

function toLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function toCells({ what, unit, wall, cpu, quiet, bound = '', met }: BenchRow): readonly string[] {
  const verdict = met === undefined ? '' : met ? 'met' : 'NOT met';
  const [fastest, processor] = [quiet, cpu].map((value) => (value === undefined ? '' : digits(value)));
  return [what, `${show(wall)} ${unit}`, fastest ?? '', processor ?? '', bound, verdict];
}

export function toVerdict(rows: readonly BenchRow[]): string {
  const bounds = rows.filter(({ met }) => met !== undefined);
  const missed = bounds.filter(({ met }) => met === false);
  return missed.length === 0
    ? `All ${bounds.length} bounds are met.`
    : `${missed.length} of ${bounds.length} bounds are NOT met:\n${missed.map(({ what }) => `- ${what}`).join('\n')}`;
}

function show({ median, low, high }: Spread): string {
  return low === high ? digits(median) : `${digits(median)} (${digits(low)}–${digits(high)})`;
}

function digits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 || value === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}
