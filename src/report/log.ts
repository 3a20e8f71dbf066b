import { Buffer } from 'node:buffer';
import * as v from 'valibot';
import {
  type CallFailureOutcome,
  callFailureReasons,
  type Failure,
  failureCategories,
  outcomeKinds,
  type SchemaIssue,
  type SchemaMismatchOutcome,
  type ToolOutcome,
} from '../outcome.ts';
import { cutText, oneLine } from '../redact/bounded-text.ts';
import { type ErrorRecord, toErrorRecord } from '../redact/error-record.ts';
import { defaultRedactor, type Redactor } from '../redact/redactor.ts';
import { isArray, readProperty } from '../redact/safe-read.ts';

/** Anything with pino's `warn`. */
export interface OutcomeLogger {
  warn(record: object, message: string): void;
}

/** The fields of an outcome that are safe to log. Absent ones are not known. */
export interface OutcomeFields {
  readonly server: string;
  readonly tool: string;
  readonly callId: string;
  readonly kind: ToolOutcome['kind'];
  readonly category: ToolOutcome['category'];
  readonly reason?: CallFailureOutcome['reason'];
  readonly delivery: ToolOutcome['delivery'];
  readonly durationMs: number;
  readonly httpStatus?: number;
  readonly rpcCode?: number;
  readonly retryAfterMs?: number;
  readonly sessionExpired?: true;
  readonly failure?: Failure;
  readonly issues?: readonly SchemaIssue[];
  readonly error?: ErrorRecord;
}

/** What stands in the log of a failed call, beside the message. */
export interface LogRecord extends OutcomeFields {
  readonly event: 'mcp.tool_call.failed';
}

const errorRecordSchema: v.GenericSchema<unknown, ErrorRecord> = v.looseObject({
  type: v.string(),
  message: v.string(),
  code: v.exactOptional(v.union([v.string(), v.number()])),
  stack: v.exactOptional(v.string()),
  cause: v.exactOptional(v.lazy(() => errorRecordSchema)),
});

/** Parses a line of the log, with whatever the logger itself adds to it. */
export const logRecordSchema: v.GenericSchema<unknown, LogRecord> = v.looseObject({
  event: v.literal('mcp.tool_call.failed'),
  server: v.string(),
  tool: v.string(),
  callId: v.string(),
  kind: v.picklist(outcomeKinds),
  category: v.picklist([...failureCategories, 'success', 'tool_error', 'schema_mismatch', 'cancelled']),
  reason: v.exactOptional(v.picklist(callFailureReasons)),
  delivery: v.picklist(['not_sent', 'answered', 'unknown']),
  durationMs: v.number(),
  httpStatus: v.exactOptional(v.number()),
  rpcCode: v.exactOptional(v.number()),
  retryAfterMs: v.exactOptional(v.number()),
  sessionExpired: v.exactOptional(v.literal(true)),
  failure: v.exactOptional(
    v.looseObject({
      recognizer: v.string(),
      tag: v.exactOptional(v.string()),
      code: v.exactOptional(v.string()),
      message: v.exactOptional(v.string()),
    }),
  ),
  issues: v.exactOptional(v.array(v.looseObject({ path: v.string(), message: v.string() }))),
  error: v.exactOptional(errorRecordSchema),
});

/** By outcome: `cause` is redacted when it is logged, and by then nobody else knows the secrets of the call. */
const redactors = new WeakMap<ToolOutcome, Redactor>();

/** Has everything that is logged of an outcome, now or later, go through the redactor of its call. */
export function keepRedactor(outcome: ToolOutcome, redactor: Redactor): void {
  redactors.set(outcome, redactor);
}

/**
 * Logs one warning for an outcome that is neither a success nor the caller's own abort; nothing for those two.
 *
 * For runtimes that classify by themselves: `withOutcomes` does this for every call. A logger that throws changes nothing.
 */
export function logOutcome(logger: OutcomeLogger, outcome: ToolOutcome): void {
  if (outcome.kind === 'success' || outcome.kind === 'cancelled') {
    return;
  }
  try {
    const { fields, message } = fitLine(toFields(outcome), toLogMessage(outcome));
    const record: LogRecord = { event: 'mcp.tool_call.failed', ...fields };
    warn(logger, record, message);
  } catch {
    // A broken logger is not the caller's failure, and there is nobody left to tell.
  }
}

/** Some loggers answer with a promise, of any realm or library, which may reject. */
function warn(logger: OutcomeLogger, record: object, message: string): void {
  const logged: unknown = logger.warn(record, message);
  if (typeof readProperty(logged, 'then') === 'function') {
    Promise.resolve(logged).catch(() => undefined);
  }
}

/** Logs that a tool's output schema cannot be used; the caller sees to it that this happens once per tool. */
export function logUnusableSchema(logger: OutcomeLogger, server: string, tool: string, reason: string): void {
  const name = `'${toName(server)}/${toName(tool)}'`;
  const message = `MCP tool ${name} advertises an output schema that cannot be used: ${cutText(reason, nameLimit * 2)}`;
  try {
    warn(
      logger,
      {
        event: 'mcp.output_schema.unusable',
        server: toName(server),
        tool: toName(tool),
        reason: cutText(reason, nameLimit * 2),
      },
      oneLine(message),
    );
  } catch {
    // As in `logOutcome`.
  }
}

/** A pino serializer: `pino({ serializers: { outcome: outcomeSerializer } })` makes `logger.info({ outcome })` safe. */
export function outcomeSerializer(value: unknown): unknown {
  if (!isOutcome(value)) {
    return defaultRedactor.value(value);
  }
  const { fields, message } = fitLine(toFields(value), value.message);
  return { ...fields, message };
}

/** Receipts and marks of messages share some members with outcomes, and are none. */
function isOutcome(value: unknown): value is ToolOutcome {
  const kind = readProperty(value, 'kind');
  const issues = readProperty(value, 'issues');
  return (
    outcomeKinds.some((known) => known === kind) &&
    ['server', 'tool', 'callId', 'message'].every((key) => typeof readProperty(value, key) === 'string') &&
    typeof readProperty(value, 'ok') === 'boolean' &&
    (kind !== 'schema_mismatch' || isArray(issues))
  );
}

/** The whole line stays under 4 KiB, with what pino itself adds. */
const recordBytes = 3_840;
const messageBytes = 2_304;
const nameLimit = 128;
/** As long as a caller's own id may be. */
const callIdLimit = 256;

function toFields(outcome: ToolOutcome): OutcomeFields {
  const { server, tool, callId, kind, category, delivery, durationMs } = outcome;
  const common = {
    server: toName(server),
    tool: toName(tool),
    // Whole, or it joins nothing. Longer ones come from traces that somebody else wrote.
    callId: cutText(callId, callIdLimit),
    kind,
    category,
    delivery,
    durationMs,
  };
  switch (outcome.kind) {
    case 'success':
    case 'cancelled':
      return common;
    case 'tool_error':
    case 'failure_body':
      return outcome.failure === undefined ? common : { ...common, failure: outcome.failure };
    case 'schema_mismatch':
      return { ...common, issues: outcome.issues };
    case 'call_failure': {
      const { reason, httpStatus, rpcCode, retryAfterMs, sessionExpired } = outcome;
      const error = toOutcomeError(outcome);
      return {
        ...common,
        reason,
        ...(httpStatus === undefined ? {} : { httpStatus }),
        ...(rpcCode === undefined ? {} : { rpcCode }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        ...(sessionExpired === undefined ? {} : { sessionExpired }),
        ...(error === undefined ? {} : { error }),
      };
    }
  }
}

function toOutcomeError(outcome: CallFailureOutcome): ErrorRecord | undefined {
  const { cause, reason, httpStatus, message } = outcome;
  if (cause === undefined && reason !== 'unknown_error') {
    return undefined;
  }
  const error = toErrorRecord(cause, redactors.get(outcome) ?? defaultRedactor, {
    stack: reason === 'unknown_error',
  });
  if (httpStatus === undefined && reason !== 'auth_required') {
    return error;
  }
  // These quote whole bodies in their own text and in their causes'; `message` holds what of it is wanted.
  const { type, code } = error;
  return { type, message: cutText(message, 512), ...(code === undefined ? {} : { code }) };
}

function toLogMessage(outcome: Exclude<ToolOutcome, { kind: 'success' | 'cancelled' }>): string {
  const name = `MCP tool '${toName(outcome.server)}/${toName(outcome.tool)}'`;
  switch (outcome.kind) {
    case 'tool_error':
    case 'failure_body':
      return `${name} reported a failure: ${outcome.message}`;
    case 'schema_mismatch':
      return `${name} returned a result that does not match its output schema: ${firstIssue(outcome)}`;
    case 'call_failure': {
      const { httpStatus, message } = outcome;
      const status = `HTTP ${httpStatus}`;
      if (httpStatus === undefined || message === status) {
        return httpStatus === undefined ? `${name} failed: ${message}` : `${name} failed (${status})`;
      }
      // A redactor of the caller's own may have changed the words.
      const detail = message.startsWith(`${status}: `) ? message.slice(status.length + 2) : message;
      return `${name} failed (${status}): ${detail}`;
    }
  }
}

function firstIssue({ issues, message }: SchemaMismatchOutcome): string {
  const [issue] = issues;
  return issue === undefined ? message : oneLine(`${issue.path} ${issue.message}`).trim();
}

function toName(name: string): string {
  return oneLine(cutText(name, nameLimit));
}

function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Cuts by the bytes of the JSON text: an escape or a character outside ASCII counts for what it costs in the log. */
function cutToBytes(text: string, limit: number): string {
  let cut = text;
  for (let units = limit; byteLength(cut) > limit; units = Math.floor(units * 0.75)) {
    cut = cutText(text, units);
  }
  return cut;
}

/** What a record can do without, first things first, until it fits. */
const reductions: readonly ((fields: OutcomeFields) => OutcomeFields)[] = [
  ({ error, ...rest }) => (error === undefined ? rest : { ...rest, error: withoutStack(error) }),
  ({ error, ...rest }) => (error === undefined ? rest : { ...rest, error: withoutCause(error) }),
  ({ issues, ...rest }) => (issues === undefined ? rest : { ...rest, issues: issues.slice(0, 3) }),
  (fields) => shorten(fields, 256),
  (fields) => shorten(fields, 64),
  ({ error: _error, issues: _issues, failure: _failure, ...rest }) => rest,
  ({ server, tool, ...rest }) => ({ server: cutText(server, 40), tool: cutText(tool, 40), ...rest }),
];

/** The fields and the message of one line, cut to what a line may hold. */
function fitLine(fields: OutcomeFields, text: string): { fields: OutcomeFields; message: string } {
  // An id that JSON has to escape takes its room from the message.
  const idBytes = Math.max(0, byteLength(fields.callId) - callIdLimit);
  const message = cutToBytes(text, messageBytes - idBytes);
  return { fields: fit(fields, recordBytes - byteLength(message)), message };
}

function fit(fields: OutcomeFields, limit: number): OutcomeFields {
  return reductions.reduce(
    (fitted, reduce) => (byteLength(fitted) > limit ? reduce(fitted) : fitted),
    fields,
  );
}

function withoutStack({ stack: _stack, ...rest }: ErrorRecord): ErrorRecord {
  return rest;
}

function withoutCause({ cause: _cause, ...rest }: ErrorRecord): ErrorRecord {
  return rest;
}

function shorten(fields: OutcomeFields, limit: number): OutcomeFields {
  const { error, issues, failure } = fields;
  return {
    ...fields,
    ...(error === undefined ? {} : { error: { ...error, message: cutText(error.message, limit) } }),
    ...(issues === undefined ? {} : { issues: issues.map((issue) => shortenIssue(issue, limit)) }),
    ...(failure?.message === undefined
      ? {}
      : { failure: { ...failure, message: cutText(failure.message, limit) } }),
  };
}

function shortenIssue({ path, message }: SchemaIssue, limit: number): SchemaIssue {
  return { path: cutText(path, limit), message: cutText(message, limit) };
}
