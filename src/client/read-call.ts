import { randomUUID } from 'node:crypto';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import * as v from 'valibot';
import { callIdText } from '../classify/call-context.ts';
import { typeName } from '../redact/options-error.ts';
import { describeValue } from '../redact/options-issue.ts';
import { isObject, readProperty } from '../redact/safe-read.ts';
import type { OutcomeLogger } from '../report/log.ts';
import { longestTimeout } from './deadline.ts';
import { milliseconds, nonEmptyText, outcomeLogger, type Settings } from './options.ts';
import type { OwnParams } from './request-record.ts';
import type { RequestOptionsOf, ToolCallingClient } from './sdk-client.ts';

/** MCP's `CallToolRequest.params`. */
export interface CallParams {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** Options of one call, for any client. */
export interface CallOptions {
  /** Joins the outcome with the caller's own records. Default: a UUID. */
  readonly callId?: string | undefined;
  /** For this call, in place of the wrapper's. */
  readonly logger?: OutcomeLogger | false | undefined;
  /** Stops the call: the outcome is then `cancelled`, or a `timeout` for `AbortSignal.timeout()`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds from a request to its answer. */
  readonly timeout?: number | undefined;
  /** Milliseconds for the call in all. */
  readonly maxTotalTimeout?: number | undefined;
  /** Whether progress notifications start `timeout` anew. */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  readonly onprogress?: ((progress: Progress) => void) | undefined;
  /** Any Standard Schema (valibot, zod, ArkType): on success its output is `value`, else the outcome is a `schema_mismatch`. */
  readonly output?: StandardSchemaV1 | undefined;
}

/** Options of one call through a client `C`: these, and every request option of its own `callTool`. */
export type CallOptionsFor<C extends ToolCallingClient> = CallOptions & Beside<RequestOptionsOf<C>>;

/** The same with a schema of its own. Not `CallOptionsFor<C> & { output: S }`: some schemas make that too deep for `tsc`. */
export type SchemaCallOptionsFor<C extends ToolCallingClient, S extends StandardSchemaV1> = Omit<
  CallOptions,
  'output'
> &
  Beside<RequestOptionsOf<C>> & { readonly output: S };

type Beside<O> = [O] extends [never]
  ? AnyOptions
  : [keyof O] extends [never]
    ? AnyOptions
    : Omit<O, keyof CallOptions>;

/** For a client that does not say what it takes. */
type AnyOptions = object | Readonly<Record<string, unknown>>;

/** A progress notification of MCP. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** A call that can be made. `requestOptions` go to the client as they are. */
export interface Call {
  readonly tool: string;
  /** A copy of the caller's object. */
  readonly params: OwnParams;
  readonly callId: string;
  readonly logger: OutcomeLogger | false;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly maxTotalTimeout: number;
  /** Whether the caller set a bound on the whole call. */
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

const toolName = 'the name of a tool';

function isToolName(name: unknown): name is string {
  return typeof name === 'string' && name !== '';
}

function isArguments(value: unknown): value is object | null | undefined {
  return value === undefined || value === null || typeName(value) === 'object';
}

const paramsSchema = v.object(
  {
    name: v.custom<string>(isToolName, toolName),
    arguments: v.optional(
      v.custom<object | null | undefined>(isArguments, 'an object with the tool arguments'),
    ),
  },
  toolName,
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
    callId: v.optional(callIdText),
    logger: v.optional(outcomeLogger),
    signal: v.optional(abortSignal),
    timeout: v.optional(milliseconds),
    maxTotalTimeout: v.optional(milliseconds),
    output: v.optional(standardSchema),
    resetTimeoutOnProgress: v.optional(v.boolean('a boolean')),
    onprogress: v.optional(v.function('a function')),
  },
  'an object',
);

/** What nearly all calls are; the schema tells what is wrong with the others. */
function isCallParams(params: OwnParams): params is OwnParams & { readonly name: string } {
  return isToolName(params.name) && isArguments(params.arguments);
}

const noOptions = { copy: {}, output: {} };

/** Reads a call, touching the caller's objects once. Never throws: what cannot be read is a bad call. */
export function readCall(params: unknown, options: unknown, settings: Settings): Call | BadCall {
  const checkedParams = checkObject(argument, paramsSchema, params, isCallParams);
  if ('problem' in checkedParams) {
    return toBadCall(checkedParams, params, options, settings);
  }
  const checkedOptions = options === undefined ? noOptions : checkObject(option, optionsSchema, options);
  if ('problem' in checkedOptions) {
    return toBadCall(checkedOptions, params, options, settings);
  }
  // The copy, not valibot's output: that one has lost what other wrappers hung on it under symbols.
  return toCall(checkedParams.output.name, checkedParams.copy, checkedOptions.output, settings);
}

/** Keeps what can be read of the caller's own name, id and logger, so that the outcome finds its call. */
function toBadCall(problem: Problem, params: unknown, options: unknown, settings: Settings): BadCall {
  const tool = v.safeParse(nonEmptyText, readProperty(params, 'name'));
  const callId = v.safeParse(callIdText, readProperty(options, 'callId'));
  const logger = v.safeParse(outcomeLogger, readProperty(options, 'logger'));
  return {
    tool: tool.success ? tool.output : '(unnamed)',
    callId: callId.success ? callId.output : randomUUID(),
    logger: logger.success ? logger.output : settings.logger,
    ...problem,
  };
}

/** What a complaint is about, and what the whole of it has to be. */
interface Subject {
  readonly word: 'Argument' | 'Option';
  readonly root: string;
  readonly expected: string;
}

const argument: Subject = { word: 'Argument', root: 'params', expected: `an object with ${toolName}` };
const option: Subject = { word: 'Option', root: 'options', expected: 'an object' };

interface Problem {
  readonly problem: string;
  readonly thrown: unknown;
}

interface CheckedObject<T> {
  readonly copy: OwnParams;
  readonly output: T;
}

/** A copy of a caller's object, checked; else what is wrong with it: `Argument "name": expected the name of a tool, got undefined.` */
function checkObject<T>(
  subject: Subject,
  schema: v.GenericSchema<unknown, T>,
  value: unknown,
  isValid: (copy: OwnParams) => copy is OwnParams & T = (_copy): _copy is OwnParams & T => false,
): CheckedObject<T> | Problem {
  try {
    const copy = isObject(value) && typeName(value) === 'object' ? { ...value } : undefined;
    if (copy !== undefined && isValid(copy)) {
      return { copy, output: copy };
    }
    const parsed = copy === undefined ? undefined : v.safeParse(schema, copy);
    if (copy !== undefined && parsed?.success === true) {
      return { copy, output: parsed.output };
    }
    const issue = parsed?.issues?.[0];
    const path = issue?.path?.map((step) => String(step.key)).join('.') ?? subject.root;
    const [expected, got] = issue === undefined ? [subject.expected, value] : [issue.message, issue.input];
    return {
      problem: `${subject.word} "${path}": expected ${expected}, got ${describeValue(got)}.`,
      thrown: undefined,
    };
  } catch (thrown) {
    return {
      problem: `${subject.word} "${subject.root}": expected an object that can be read, got one that throws.`,
      thrown,
    };
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
