/** Content is never scanned: a large result is judged in the time of a small one. */
import { classifyResult } from 'mcp-outcome';
import { spreadOf } from './measure.ts';
import type { BenchRow } from './rows.ts';

const context = {
  server: 'bench',
  tool: 'small',
  callId: 'call-1',
  startedAt: '2026-03-01T10:00:00.000Z',
  durationMs: 0,
};

const runs = 500;

export function classificationRows(): readonly BenchRow[] {
  const small = { content: [{ type: 'text', text: 'x'.repeat(1_024) }] };
  // Flat, as a text from the network is.
  const large = { content: [{ type: 'text', text: Buffer.alloc(10 * 1_048_576, 'x').toString() }] };
  timeOf(small);
  timeOf(large);
  const pairs = Array.from({ length: 400 }, () => [timeOf(small), timeOf(large)] as const);
  const ratio = spreadOf(pairs.map(([one, ten]) => ten / one));
  return [
    { what: 'classification of a 1 KB text result', unit: 'µs', wall: spreadOf(pairs.map(([one]) => one)) },
    {
      what: 'classification of a 10 MB text result: of the 1 KB one',
      unit: '×',
      wall: ratio,
      bound: '≤ 1.15 ×: noise',
      met: ratio.median <= 1.15,
    },
  ];
}

function timeOf(result: object): number {
  const start = process.hrtime.bigint();
  for (let run = 0; run < runs; run += 1) {
    classifyResult(result, context);
  }
  return Number(process.hrtime.bigint() - start) / 1_000 / runs;
}
