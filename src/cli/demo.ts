import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import Table from 'cli-table3';
import { pino } from 'pino';
import { type DemoRow, runScenarios } from './demo/run-scenarios.ts';
import { readOptions } from './read-options.ts';
import { print } from './streams.ts';
import { UsageError } from './usage-error.ts';

const help = `Usage: mcp-outcome demo

Starts a server on 127.0.0.1 and one over stdio that fail in every way, calls each of their tools with the plain SDK
and with this package, and prints both verdicts side by side, and the log.

Options:
  --help  Prints this text.

Exit codes: 0 every verdict is the right one, 1 one is not, 2 bad usage.
`;

/** `mcp-outcome demo`: resolves with the exit code, 0 when every verdict is the right one. */
export async function demo(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { help: { type: 'boolean' } });
  if (values.help === true) {
    await print(help);
    return 0;
  }
  if (positionals.length > 0) {
    throw new UsageError('Demo: expected no arguments, got some.');
  }
  const warnings: string[] = [];
  const sink = new Writable({
    write: (line, _encoding, done) => {
      warnings.push(String(line).trim());
      done();
    },
  });
  const rows = await runScenarios(pino({ level: 'warn', base: null }, sink));
  const wrong = rows.filter((row) => !isExpected(row));
  const parts = [
    toTable(rows),
    `The log, one warning for each failed call (${warnings.length}):`,
    warnings.join('\n'),
    ...wrong.map(
      ({ scenario, outcome }) => `${scenario.tool}: expected ${scenario.expected.kind}, got ${outcome.kind}`,
    ),
    `${rows.length - wrong.length} of ${rows.length} verdicts are the right ones.`,
  ];
  await print(`${parts.join('\n\n')}\n`);
  return wrong.length === 0 ? 0 : 1;
}

function isExpected({ scenario, outcome }: DemoRow): boolean {
  return outcome.kind === scenario.expected.kind && outcome.category === scenario.expected.category;
}

/** 120 columns in all, borders and padding included. */
const columns: readonly { readonly head: string; readonly width: number }[] = [
  { head: 'tool', width: 14 },
  { head: 'what the server sends', width: 33 },
  { head: 'what the bare SDK says', width: 31 },
  { head: 'mcp-outcome', width: 37 },
];

function toTable(rows: readonly DemoRow[]): string {
  const table = new Table({
    head: columns.map(({ head }) => head),
    colWidths: columns.map(({ width }) => width),
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) {
    table.push(toCells(row));
  }
  return table.toString();
}

/** Two lines a cell at most; the table cuts what is too long. */
function toCells({ scenario, bare, outcome }: DemoRow): string[] {
  const kind = outcome.kind === outcome.category ? outcome.kind : `${outcome.kind} / ${outcome.category}`;
  const verdict = styleText(outcome.ok ? 'green' : 'yellow', kind);
  return [
    scenario.tool,
    scenario.sends,
    `${bare.verdict}\n${toLine(bare.detail)}`,
    outcome.ok ? verdict : `${verdict}\n${toLine(outcome.message)}`,
  ];
}

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
