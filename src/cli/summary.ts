import Table from 'cli-table3';
import { type OutcomeKind, outcomeKinds, type ToolOutcome } from '../index.ts';
import { terminalLine } from './terminal-text.ts';

/** What a log held, in numbers. Its size does not grow with the log. */
export interface Summary {
  readonly add: (line: number, outcome: ToolOutcome) => void;
  readonly outcomes: () => number;
  readonly failed: () => number;
  /** A table of kinds with the first example of each; when there are several tools, one of those called most. */
  readonly toText: (width: number) => string;
}

interface KindCount {
  count: number;
  readonly example: string;
}

interface ToolCount {
  calls: number;
  failed: number;
}

const mostTools = 1_000;
const shownTools = 10;
const otherTools = '(other tools)';

export function createSummary(): Summary {
  const kinds = new Map<OutcomeKind, KindCount>();
  const tools = new Map<string, ToolCount>();

  const toolCount = (tool: string): ToolCount => {
    const key = tools.has(tool) || tools.size < mostTools ? tool : otherTools;
    const count = tools.get(key) ?? { calls: 0, failed: 0 };
    tools.set(key, count);
    return count;
  };
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const outcomes = (): number => sum([...kinds.values()].map(({ count }) => count));

  return {
    add: (line, outcome) => {
      const { kind, ok, tool } = outcome;
      const known = kinds.get(kind) ?? { count: 0, example: ok ? '' : `line ${line}: ${outcome.message}` };
      known.count += 1;
      kinds.set(kind, known);
      const count = toolCount(tool);
      count.calls += 1;
      count.failed += ok ? 0 : 1;
    },
    outcomes,
    failed: () => outcomes() - (kinds.get('success')?.count ?? 0),
    toText: (width) =>
      tools.size > 1 ? `${kindTable(kinds, width)}\n${toolTable(tools, width)}` : kindTable(kinds, width),
  };
}

function kindTable(kinds: ReadonlyMap<OutcomeKind, KindCount>, width: number): string {
  const rows = outcomeKinds.flatMap((kind) => {
    const known = kinds.get(kind);
    return known === undefined ? [] : [[kind, known.count, known.example]];
  });
  return toTable(['kind', 'count', 'first example'], rows, [17, 12, Math.max(20, width - 33)]);
}

function toolTable(tools: ReadonlyMap<string, ToolCount>, width: number): string {
  const rows = [...tools]
    .sort(([, a], [, b]) => b.calls - a.calls)
    .slice(0, shownTools)
    .map(([tool, { calls, failed }]) => [tool, calls, failed]);
  return toTable(['tool', 'calls', 'failed'], rows, [Math.max(20, Math.min(60, width - 28)), 12, 12]);
}

function toTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  widths: readonly number[],
): string {
  const table = new Table({
    head: [...head],
    colWidths: [...widths],
    colAligns: ['left', 'right', head[2] === 'failed' ? 'right' : 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) {
    table.push(
      row.map((cell, index) =>
        typeof cell === 'number' ? String(cell) : terminalLine(cell, (widths[index] ?? 0) - 2),
      ),
    );
  }
  return table.toString();
}
