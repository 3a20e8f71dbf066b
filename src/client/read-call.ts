import { randomUUID } from 'node:crypto';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import * as v from 'valibot';
import { isArray, isObject, readProperty } from '../redact/safe-read.ts';
import type { OutcomeLogger } from '../report/log.ts';
import { longestTimeout } from './deadline.ts';
import { describeValue, milliseconds, nonEmptyText, outcomeLogger, type Settings } from './options.ts';

/** MCP's `CallToolRequest.params`. */
export interface CallParams {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** Options of one call: these, and every request option of the client's own `callTool`. */
export interface CallOptions {
  /** Joins the outcome with the caller's own records. Default: a UUID. */
  readonly callId?: string;
  /** For this call, in place of the wrapper's. */
  readonly logger?: OutcomeLogger | false;
  /** Stops the call: the outcome is then `cancelled`, or a `timeout` for `AbortSignal.timeout()`. */
  readonly signal?: AbortSignal;
  /** Milliseconds from a request to its answer. */
  readonly timeout?: number;
  /** Milliseconds for the call in all. */
  readonly maxTotalTimeout?: number;
  /** Whether progress notifications start `timeout` anew. */
  readonly resetTimeoutOnProgress?: boolean;
  readonly onprogress?: (progress: Progress) => void;
  /** Any Standard Schema (valibot, zod, ArkType): on success its output is `value`, else the outcome is a `schema_mismatch`. */
  readonly output?: StandardSchemaV1;
  readonly [requestOption: string]: unknown;
}

/** A progress notification of MCP. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A call that can be made. `requestOptions` go to the client as they are. */
export interface Call {
  readonly tool: string;
  readonly params: Readonly<Record<PropertyKey, unknown>>;
  readonly callId: string;
  readonly logger: OutcomeLogger | false;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly maxTotalTimeout: number;
  /** Whether the caller set a bound on the whole call, which the client may not keep by itself. */
  readonly bounded: boolean;
  readonly output: StandardSchemaV1 | undefined;
  readonly requestOptions: Readonly<Record<string, unknown>>;
}

/** A call that cannot be made, with what was wrong. */
export interface BadCall {
  readonly tool: string;
  readonly callId: string;
  readonly logger: OutcomeLogger | false;
  readonly problem: string;
  readonly thrown: unknown;
}

const paramsSchema = v.looseObject(
  {
    name: v.pipe(v.string('the name of a tool'), v.nonEmpty('the name of a tool')),
    arguments: v.nullish(
      v.custom<object>((value) => isObject(value) && !isArray(value), 'an object with the tool arguments'),
    ),
  },
  'an object with the name of a tool',
);

const abortSignal = v.custom<AbortSignal>(
  (value) =>
    typeof readProperty(value, 'aborted') === 'boolean' &&
    typeof readProperty(value, 'addEventListener') === 'function' &&
    typeof readProperty(value, 'removeEventListener') === 'function',
  'an AbortSignal',
);

const standardSchema = v.custom<StandardSchemaV1>(
  (value) => typeof readProperty(readProperty(value, '~standard'), 'validate') === 'function',
  'a Standard Schema',
);

const optionsSchema = v.looseObject(
  {
    callId: v.optional(nonEmptyText),
    logger: v.optional(outcomeLogger),
    signal: v.optional(abortSignal),
    timeout: v.optional(milliseconds),
    maxTotalTimeout: v.optional(milliseconds),
    output: v.optional(standardSchema),
  },
  'an object',
);

/** Reads a call, touching the caller's objects once. Never throws: what cannot be read is a bad call. */
export function readCall(params: unknown, options: unknown, settings: Settings): Call | BadCall {
  const tool = readProperty(params, 'name');
  const callId = readProperty(options, 'callId');
  const logger = v.safeParse(outcomeLogger, readProperty(options, 'logger'));
  const bad = (problem: string, thrown: unknown): BadCall => ({
    tool: typeof tool === 'string' && tool !== '' ? tool : '(unnamed)',
    callId: typeof callId === 'string' && callId !== '' ? callId : randomUUID(),
    logger: logger.success ? logger.output : settings.logger,
    problem,
    thrown,
  });
  try {
    const copy = isObject(params) ? { ...params } : undefined;
    const readParams = v.safeParse(paramsSchema, copy ?? params);
    if (copy === undefined || !readParams.success) {
      return bad(describeIssue('Argument', readParams.issues?.[0], 'params'), undefined);
    }
    const readOptions = v.safeParse(optionsSchema, options === undefined ? {} : options);
    if (!readOptions.success) {
      return bad(describeIssue('Option', readOptions.issues[0], 'options'), undefined);
    }
    // The copy, not valibot's output: that one has lost what other wrappers hung on it under symbols.
    return toCall(readParams.output.name, copy, readOptions.output, settings);
  } catch (thrown) {
    return bad('the arguments of the call could not be read', thrown);
  }
}

function toCall(
  tool: string,
  params: Call['params'],
  options: v.InferOutput<typeof optionsSchema>,
  settings: Settings,
): Call {
  const {
    callId,
    logger,
    signal,
    output,
    timeout: ownTimeout,
    maxTotalTimeout: ownTotal,
    ...requestOptions
  } = options;
  const timeout = Math.min(ownTimeout ?? settings.timeout, longestTimeout);
  const total = ownTotal ?? settings.maxTotalTimeout;
  return {
    tool,
    params,
    callId: callId ?? randomUUID(),
    logger: logger ?? settings.logger,
    signal,
    timeout,
    maxTotalTimeout: Math.min(total ?? Math.max(defaultTotal, timeout), longestTimeout),
    bounded: total !== undefined,
    output,
    requestOptions,
  };
}

const defaultTotal = 600_000;

/** `Argument "name": expected the name of a tool, got undefined.` */
function describeIssue(subject: string, issue: v.BaseIssue<unknown> | undefined, root: string): string {
  const path = issue?.path?.map((step) => String(step.key)).join('.') ?? root;
  return `${subject} "${path}": expected ${issue?.message ?? 'an object'}, got ${describeValue(issue?.input)}.`;
}
