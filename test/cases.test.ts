/**
 * Public bug reports of other projects as acceptance tests: what a server or a client did there, and what is right. The
 * rows are in `fixtures/outcomes.json`; one row: `--test-name-pattern='D03 '`.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type OutcomeCase, outcomeCases, type Played } from './support/outcome-case-rows.ts';
import { playCase } from './support/outcome-cases.ts';
import type { RightOutcome } from './support/right-outcome.ts';

/** Variants for which the row itself says that something else is right. */
const exceptions: Readonly<Record<string, RightOutcome>> = {
  'H05 {"isError":null}': { kind: 'success', category: 'success', schema: undefined },
};

/** What the rows say in prose about the rest of the outcome. `undefined` means absent. */
const alsoRight: Readonly<Record<string, RightOutcome>> = {
  A01: { reason: 'http_error', httpStatus: 500 },
  A07: {
    failure: { recognizer: 'moraineError', code: 'invalid_id', message: 'session id is not valid' },
  },
  D02: { httpStatus: 429, delivery: 'answered' },
  D03: { httpStatus: 404, sessionExpired: true, rpcCode: undefined },
  D05: { httpStatus: undefined },
  D07: { reason: 'invalid_answer', httpStatus: undefined },
  D09: { httpStatus: 401, sessionExpired: undefined },
  D10: { httpStatus: 404, rpcCode: undefined },
  D13: { httpStatus: 404, sessionExpired: undefined },
  E02: { reason: 'network_error', httpStatus: undefined, delivery: 'not_sent' },
  E03: { httpStatus: 404 },
  E07: { rpcCode: -32_000, httpStatus: undefined, delivery: 'answered' },
  F01: { delivery: 'unknown' },
  F03: { reason: 'connection_closed', delivery: 'unknown' },
  F05: { reason: 'timeout', delivery: 'unknown' },
  G03: { rpcCode: -32_602, delivery: 'answered' },
  G05: { reason: 'protocol_error', rpcCode: -32_001, rpcData: { retryAfter: 5 } },
  G07: { reason: 'protocol_error', httpStatus: undefined, rpcData: { accepts: [] } },
  G09: { reason: 'timeout', rpcCode: undefined, httpStatus: undefined, delivery: 'unknown' },
  I01: { message: 'Build failed: 3 errors' },
  I02: { message: 'quota exceeded' },
  K03: { reason: 'http_error', httpStatus: 401 },
  K05: { reason: 'network_error', delivery: 'not_sent' },
  'D02 bare': { retryAfterMs: undefined },
  'D02 observed': { retryAfterMs: 52_000 },
  'D05 observed': { reason: 'invalid_answer' },
  'F01 observed': { reason: 'invalid_answer' },
};

/** Words that must stand in the message, because a person needs them. */
const messages: Readonly<Record<string, RegExp>> = {
  A01: /500/,
  D03: /session/,
  G03: /-32602.*missing field `project`/,
  K05: /ECONNREFUSED/,
};

function judge(row: OutcomeCase, { label, outcome, logged }: Played): readonly string[] {
  const { kind, category, reason, schema, warning, mustContain, mustNotContain } = row.right;
  const variant = `${row.id} ${label}`;
  const said =
    row.via === 'log' ? {} : { kind, category, ...(reason && { reason }), ...(schema && { schema }) };
  const right = { ...said, ...alsoRight[row.id], ...alsoRight[variant], ...exceptions[variant] };
  const problems = Object.entries(right)
    .filter(([key, value]) => !isDeepStrictEqual(Reflect.get(outcome, key), value))
    .map(([key, value]) => `${key}: right ${show(value)}, got ${show(Reflect.get(outcome, key))}`);
  const warnings = outcome.kind === 'success' ? outcome.warnings.map(({ code }) => code) : [];
  if (!isDeepStrictEqual(warnings, warning === undefined ? [] : [warning])) {
    problems.push(`warnings: ${show(warnings)}`);
  }
  if (!(messages[row.id]?.test(outcome.message) ?? true)) {
    problems.push(`message: ${outcome.message}`);
  }
  const lines = outcome.kind === 'success' || outcome.kind === 'cancelled' ? 0 : 1;
  if (logged.length !== lines) {
    problems.push(`logged ${logged.length} times`);
  }
  const log = JSON.stringify(logged);
  const leaked = [...mustNotContain, 'EXAMPLE-STATE'].filter((word) => log.includes(word));
  const lost = mustContain.filter((word) => !log.includes(word));
  return [
    ...problems,
    ...leaked.map((word) => `the log holds ${word}`),
    ...lost.map((word) => `the log has lost ${word}`),
  ].map((problem) => `${label}: ${problem}`);
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

describe('public bug reports', () => {
  for (const row of outcomeCases) {
    test(`${row.id} ${row.thread}: ${row.title}`, async () => {
      const plays = await playCase(row);
      assert.ok(plays.length > 0);
      assert.deepEqual(
        plays.flatMap((played) => judge(row, played)),
        [],
      );
    });
  }

  test('every id that the tables of this file name is a row', () => {
    const ids = new Set(outcomeCases.map(({ id }) => id));
    const named = [exceptions, alsoRight, messages].flatMap((table) => Object.keys(table));
    const unknown = named.filter((name) => !ids.has(name.split(' ')[0] ?? ''));
    assert.deepEqual(unknown, []);
    assert.equal(outcomeCases.length, 64);
  });
});
