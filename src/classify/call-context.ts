import * as v from 'valibot';
import { OptionsError, typeName } from '../redact/options-error.ts';
import { toOptionsError } from '../redact/options-issue.ts';
import { isObject, readProperty } from '../redact/safe-read.ts';
import type { Recognizer } from './failure-bodies.ts';

/** Where a result, a JSON-RPC error or a thrown value came from, for runtimes with a client of their own. */
export interface CallContext {
  readonly server: string;
  readonly tool: string;
  /** At most 256 UTF-16 units. Default: a UUID. */
  readonly callId?: string | undefined;
  /** The caller's own signal: when it is aborted, a thrown value is a cancelled call. */
  readonly signal?: AbortSignal | undefined;
  /** The tool's advertised output schema (JSON Schema 2020-12 or draft-07); for `classifyResult`. */
  readonly outputSchema?: object | undefined;
  /** Replaces `defaultFailureBodies`. */
  readonly failureBodies?: readonly Recognizer[] | undefined;
  /** ISO 8601. Default: now. */
  readonly startedAt?: string | undefined;
  /** Default: 0. */
  readonly durationMs?: number | undefined;
}

const text = v.string('a string');
const time = 'an ISO 8601 time with its zone';
const duration = 'a number of milliseconds, 0 or more';

export const recognizer: v.GenericSchema<unknown, Recognizer> = v.custom<Recognizer>(
  (value) =>
    typeof readProperty(value, 'name') === 'string' && typeof readProperty(value, 'recognize') === 'function',
  'recognizers, as defineFailureBody makes them',
);

/** As long as the log keeps one whole: an id that was cut joins nothing. */
const longestCallId = 256;

export const callIdText: v.GenericSchema<unknown, string> = v.pipe(
  v.string('a non-empty string'),
  v.nonEmpty('a non-empty string'),
  v.maxLength(longestCallId, `a string of at most ${longestCallId} UTF-16 units`),
);

const callContext = v.object(
  {
    server: text,
    tool: text,
    callId: v.optional(callIdText),
    outputSchema: v.optional(
      v.custom<object>((value) => typeName(value) === 'object', 'a JSON Schema object'),
    ),
    failureBodies: v.optional(v.array(recognizer, 'an array of recognizers')),
    startedAt: v.optional(v.pipe(v.string(time), v.isoTimestamp(time))),
    durationMs: v.optional(v.pipe(v.number(duration), v.minValue(0, duration))),
  },
  // Said of a missing member: only `server` and `tool` may be missed.
  'a string',
);

/**
 * All of a context but its signal: one that is none is never aborted.
 * @throws OptionsError for a context that is missing, cannot be read, or is wrong in a member.
 */
export function readCallContext(context: unknown): Omit<CallContext, 'signal'> {
  if (!isObject(context)) {
    throw new OptionsError('context', 'an object with server and tool', typeName(context));
  }
  const parsed = parseContext(context);
  if (parsed === undefined) {
    throw new OptionsError('context', 'an object that can be read', 'one that throws');
  }
  if (parsed.success) {
    return parsed.output;
  }
  throw toOptionsError(parsed.issues[0], 'context');
}

/** `undefined` for a proxy or a getter that throws. */
function parseContext(context: object): v.SafeParseResult<typeof callContext> | undefined {
  try {
    return v.safeParse(callContext, context);
  } catch {
    return undefined;
  }
}
