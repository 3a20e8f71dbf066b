import * as v from 'valibot';
import {
  type CallFailureOutcome,
  type CancelledOutcome,
  callFailureReasons,
  type FailureBodyOutcome,
  failureCategories,
  type SchemaMismatchOutcome,
  type SuccessOutcome,
  type ToolErrorOutcome,
} from '../outcome.ts';
import { isRecord } from './json.ts';

/** Every enumerable member of an outcome but a success's `value`, which its result holds. */
export type SerializedOutcome =
  | Omit<SuccessOutcome, 'value'>
  | ToolErrorOutcome
  | FailureBodyOutcome
  | (Omit<SchemaMismatchOutcome, 'result'> & { readonly result?: unknown })
  | Omit<CallFailureOutcome, 'cause'>
  | Omit<CancelledOutcome, 'cause'>;

const text = v.string();
const category = v.picklist(['tool_error', ...failureCategories]);

const common = {
  server: text,
  tool: text,
  callId: text,
  message: text,
  delivery: v.picklist(['not_sent', 'answered', 'unknown']),
  startedAt: v.pipe(text, v.isoTimestamp()),
  durationMs: v.pipe(v.number(), v.minValue(0)),
  replaySafe: v.exactOptional(v.boolean()),
};

const failed = { ...common, ok: v.literal(false) };

const failure = v.strictObject({
  recognizer: text,
  tag: v.exactOptional(text),
  code: v.exactOptional(text),
  message: v.exactOptional(text),
});

const toolResult = v.looseObject({
  content: v.exactOptional(v.array(v.looseObject({ type: text }))),
  isError: v.exactOptional(v.nullable(v.literal(false))),
  resultType: v.exactOptional(v.nullable(v.literal('complete'))),
  _meta: v.exactOptional(v.custom<Readonly<Record<string, unknown>>>(isRecord)),
});

const success = v.strictObject({
  ...common,
  kind: v.literal('success'),
  ok: v.literal(true),
  category: v.literal('success'),
  result: toolResult,
  warnings: v.array(
    v.strictObject({
      code: v.picklist(['output_schema_unusable', 'output_schema_unchecked']),
      reason: text,
    }),
  ),
});

const toolError = v.strictObject({
  ...failed,
  kind: v.literal('tool_error'),
  category,
  result: v.looseObject({ isError: v.literal(true) }),
  failure: v.exactOptional(failure),
});

const failureBody = v.strictObject({
  ...failed,
  kind: v.literal('failure_body'),
  category,
  result: toolResult,
  failure,
});

const schemaMismatch = v.strictObject({
  ...failed,
  kind: v.literal('schema_mismatch'),
  category: v.literal('schema_mismatch'),
  schema: v.picklist(['call_tool_result', 'output_schema', 'caller_schema']),
  issues: v.pipe(v.array(v.strictObject({ path: text, message: text })), v.maxLength(10)),
  result: v.exactOptional(v.unknown()),
});

const callFailure = v.strictObject({
  ...failed,
  kind: v.literal('call_failure'),
  category: v.picklist(failureCategories),
  reason: v.picklist(callFailureReasons),
  httpStatus: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599))),
  rpcCode: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
  rpcData: v.exactOptional(v.unknown()),
  retryAfterMs: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
  challenge: v.exactOptional(v.strictObject({ error: v.exactOptional(text), scope: v.exactOptional(text) })),
  sessionExpired: v.exactOptional(v.literal(true)),
  taskId: v.exactOptional(text),
  body: v.exactOptional(text),
});

const cancelled = v.strictObject({
  ...failed,
  kind: v.literal('cancelled'),
  category: v.literal('cancelled'),
});

const serializedOutcome: v.GenericSchema<SerializedOutcome> = v.variant('kind', [
  success,
  toolError,
  failureBody,
  schemaMismatch,
  callFailure,
  cancelled,
]);

/** The first place where a value is no serialized outcome; `undefined` when it is one. */
export function firstIssue(
  value: unknown,
): { readonly path: readonly string[]; readonly expected: string } | undefined {
  const issue = v.safeParse(serializedOutcome, value, { abortEarly: true }).issues?.[0];
  return issue && { path: issue.path?.map(({ key }) => String(key)) ?? [], expected: expectedBy(issue) };
}

export function isSerializedOutcome(value: unknown): value is SerializedOutcome {
  return v.is(serializedOutcome, value);
}

/** Not valibot's message, which quotes the value. Its `never` stands for a member that does not belong there. */
function expectedBy({ expected }: v.BaseIssue<unknown>): string {
  return expected === 'never' ? 'absent' : (expected ?? 'valid');
}
