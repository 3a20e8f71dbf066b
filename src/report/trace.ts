import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ToolOutcome } from '../outcome.ts';
import { toJsonPointer } from '../redact/json-pointer.ts';
import { typeName } from '../redact/options-error.ts';
import { readProperty } from '../redact/safe-read.ts';
import { renderCallToolResult } from './call-tool-result.ts';
import { toJsonValue } from './json.ts';
import { firstIssue, isSerializedOutcome, type SerializedOutcome } from './trace-schema.ts';

/** The members that no trace carries: what was thrown, and a value that the result holds already. */
const leftOut: readonly string[] = ['cause', 'value'];

/**
 * The outcome as one line of JSON, the tool's result verbatim and not redacted. Lossless but for `cause`, the
 * `value` of a caller's schema, and negative zero.
 * @throws TypeError that names the place (JSON Pointer) of what JSON cannot carry in it.
 */
export function serializeOutcome(outcome: ToolOutcome): string {
  const members = Object.entries(outcome).filter(([key]) => !leftOut.includes(key));
  return JSON.stringify(toJsonValue(Object.fromEntries(members)));
}

/**
 * The outcome that `serializeOutcome` wrote. `cause` is `undefined`, `value` the structured content.
 * @throws TypeError for anything else, naming the place (JSON Pointer) of what is wrong and what is expected there.
 */
export function parseOutcome(json: string): ToolOutcome {
  const value = parseJson(json);
  assertSerializedOutcome(value);
  switch (value.kind) {
    case 'success':
      return { ...value, value: value.result.structuredContent };
    case 'schema_mismatch':
      return { ...value, result: value.result };
    case 'call_failure':
    case 'cancelled':
      return Object.defineProperty({ ...value, cause: undefined }, 'cause', { enumerable: false });
    case 'tool_error':
    case 'failure_body':
      return value;
  }
}

/**
 * What tells results apart in a trace: the hex SHA-256 of the canonical JSON (RFC 8785) of `content`, `isError` and
 * `structuredContent` of `toCallToolResult(outcome)`. Lone surrogates, which UTF-8 cannot hold, count as U+FFFD.
 * @throws TypeError as `serializeOutcome` does.
 */
export function outcomeDigest(outcome: ToolOutcome): string {
  const { content, isError, structuredContent } = renderCallToolResult(outcome);
  const value = toJsonValue({ content, isError, structuredContent }, withoutLoneSurrogates);
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}

function withoutLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

function parseJson(json: unknown): unknown {
  if (typeof json !== 'string') {
    throw new TypeError(`Not a serialized outcome: expected a JSON text, got ${typeName(json)}.`);
  }
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new TypeError('Not a serialized outcome: the text is not JSON.', { cause });
  }
}

function assertSerializedOutcome(value: unknown): asserts value is SerializedOutcome {
  if (isSerializedOutcome(value)) {
    return;
  }
  const { path, expected } = firstIssue(value) ?? { path: [], expected: 'an object' };
  // Never the value itself: what was tampered with may hold anything.
  const got = typeName(path.reduce<unknown>(readProperty, value));
  const problem = got === 'undefined' ? 'is missing' : `must be ${expected}, not ${got}`;
  throw new TypeError(`Not a serialized outcome: '${toJsonPointer(path)}' ${problem}.`);
}
