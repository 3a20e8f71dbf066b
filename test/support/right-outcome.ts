/** Comparing an outcome with what a row says is right, member by member. */
import assert from 'node:assert/strict';
import type { CallContext, ToolOutcome } from '../../src/index.ts';

type KeysOf<T> = T extends unknown ? keyof T : never;

/** Members and their right values; `undefined` means that the member must be absent. What is not here is not judged. */
export type RightOutcome = Readonly<Partial<Record<KeysOf<ToolOutcome>, unknown>>>;

/** A call whose outcome depends on nothing but its evidence. */
export const context: CallContext = {
  server: 'shortener',
  tool: 'search-links',
  callId: 'call-1',
  startedAt: '2026-03-01T10:00:00.000Z',
  durationMs: 12,
};

export function assertOutcome(outcome: ToolOutcome, right: RightOutcome): void {
  const got = Object.fromEntries(Object.keys(right).map((key) => [key, Reflect.get(outcome, key)]));
  assert.deepEqual(got, right, `the outcome was: ${outcome.message}`);
}

export const success = { kind: 'success', ok: true, category: 'success', delivery: 'answered' } as const;

export const toolError = {
  kind: 'tool_error',
  ok: false,
  category: 'tool_error',
  delivery: 'answered',
  failure: undefined,
} as const;

/** A result that breaks MCP's own shape. */
export const malformed = {
  kind: 'schema_mismatch',
  ok: false,
  category: 'schema_mismatch',
  schema: 'call_tool_result',
  delivery: 'answered',
} as const;

/** A call that ended without a result, for a reason that says neither "no" nor "not there". */
export const transient = { kind: 'call_failure', ok: false, category: 'transient_failure' } as const;
