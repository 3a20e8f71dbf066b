/** Holds an outcome against the right one, field by field. Each problem is one line for a person. */
import { isDeepStrictEqual } from 'node:util';
import type { ToolOutcome } from '../../src/outcome.ts';
import type { FaultRow, Right } from './fault-row.ts';
import { completeResults, type PeerScript } from './fault-script.ts';

const judgedFields = [
  'kind',
  'category',
  'delivery',
  'reason',
  'httpStatus',
  'rpcCode',
  'sessionExpired',
  'taskId',
  'schema',
  'warnings',
  'retryAfterMs',
  'challenge',
] as const satisfies readonly (keyof Right)[];

/** What an observed fetch may change. Ids and times differ between any two calls. */
const freeFields: ReadonlySet<string> = new Set([
  'callId',
  'startedAt',
  'durationMs',
  'message',
  'reason',
  'retryAfterMs',
  'challenge',
  'body',
]);

function show(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

/** Of a warning the code alone: its text may tell how far a listing came in its time. */
function enumerableFields(outcome: ToolOutcome): Readonly<Record<string, unknown>> {
  const codes = outcome.kind === 'success' ? outcome.warnings.map(({ code }) => code) : undefined;
  return { ...outcome, warnings: codes };
}

function fieldMatches(field: keyof Right, want: unknown, got: unknown): boolean {
  if (want === null) return got === undefined;
  if (field === 'retryAfterMs' && Array.isArray(want)) {
    return typeof got === 'number' && got >= Number(want[0]) && got <= Number(want[1]);
  }
  if (field === 'warnings' || !Array.isArray(want)) return isDeepStrictEqual(got, want);
  return want.includes(got);
}

/** Every stated field that is not as stated, and what must be true of every outcome. */
export function judge(right: Right, outcome: ToolOutcome): readonly string[] {
  const fields = enumerableFields(outcome);
  const wrong = judgedFields
    .filter((field) => right[field] !== undefined && !fieldMatches(field, right[field], fields[field]))
    .map((field) => `${field}: right ${show(right[field] ?? undefined)}, got ${show(fields[field])}`);
  return [...wrong, ...judgeCause(right, outcome), ...judgeAlways(outcome)];
}

function judgeCause(right: Right, outcome: ToolOutcome): readonly string[] {
  if (!('cause' in right)) return [];
  const same = 'cause' in outcome && Object.is(outcome.cause, right.cause);
  return same ? [] : [`cause: right ${String(right.cause)}, got another value`];
}

function judgeAlways(outcome: ToolOutcome): readonly string[] {
  const { ok, message, callId, startedAt, durationMs } = outcome;
  const checks: readonly (readonly [boolean, string])[] = [
    [ok === (outcome.kind === 'success'), `ok: ${show(ok)} for ${outcome.kind}`],
    [typeof callId === 'string' && callId !== '', `callId: ${show(callId)}`],
    [message.length <= 2_049, `message: ${message.length} UTF-16 units`],
    [!/\p{Cc}/u.test(message), `message: control characters in ${show(message.slice(0, 200))}`],
    [!Number.isNaN(Date.parse(startedAt)), `startedAt: ${show(startedAt)}`],
    [durationMs >= 0, `durationMs: ${show(durationMs)}`],
    [!Object.keys(outcome).includes('cause'), 'cause: enumerable'],
  ];
  return checks.filter(([holds]) => !holds).map(([, problem]) => problem);
}

/** What differs between the two outcomes of one fault, with and without an observed fetch, but must not. */
export function judgeObservation(bare: ToolOutcome, observed: ToolOutcome): readonly string[] {
  const [one, other] = [enumerableFields(bare), enumerableFields(observed)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((field) => !freeFields.has(field) && !isDeepStrictEqual(one[field], other[field]))
    .map((field) => `${field}: ${show(one[field])} bare, ${show(other[field])} observed`);
}

/** One warning for a call that failed, none for success and the caller's own abort, none too large. */
export function judgeLog(records: readonly object[], outcome: ToolOutcome): readonly string[] {
  const own = records.filter((record) => 'callId' in record && record.callId === outcome.callId);
  const right = outcome.kind === 'success' || outcome.kind === 'cancelled' ? 0 : 1;
  const problems = own.length === right ? [] : [`warnings logged: right ${right}, got ${own.length}`];
  const large = own.map((record) => Buffer.byteLength(JSON.stringify(record))).filter((size) => size > 4_096);
  return [...problems, ...large.map((size) => `log record: ${size} bytes`)];
}

/** A call of the 2026 era. */
const modernCall = { params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } };

/** Server data that must come through verbatim: the result, or the `data` of a JSON-RPC error. */
export function judgeVerbatim(script: PeerScript, outcome: ToolOutcome, modern: boolean): readonly string[] {
  const [frame, ...others] = script.calls?.fault?.frames ?? [];
  if (frame === undefined || others.length > 0) return [];
  const written = modern ? completeResults(script, modernCall, frame) : frame;
  const sent: { readonly result?: unknown; readonly error?: { readonly data?: unknown } } =
    JSON.parse(written);
  if ('result' in outcome && !isDeepStrictEqual(outcome.result, sent.result)) {
    return [`result: sent ${show(sent.result)}, got ${show(outcome.result)}`];
  }
  if ('rpcData' in outcome && !isDeepStrictEqual(outcome.rpcData, sent.error?.data)) {
    return [`rpcData: sent ${show(sent.error?.data)}, got ${show(outcome.rpcData)}`];
  }
  return [];
}

/** Nothing is retried: beside redirects, authorization and input rounds, which are the SDK's own, a call arrives once. */
export function judgeCallCount({ play, resends }: FaultRow, calls: number): readonly string[] {
  const status = play.script.calls?.fault?.post?.status ?? 200;
  const ownRequests =
    resends === true ||
    play.run !== undefined ||
    play.provider !== undefined ||
    play.tokens !== undefined ||
    (status >= 300 && status < 400);
  return ownRequests || calls <= 1 ? [] : [`the server got ${calls} calls`];
}
