import * as v from 'valibot';
import type { FailureCategory } from '../outcome.ts';
import { OptionsError, typeName } from '../redact/options-error.ts';
import { isObject, readProperty } from '../redact/safe-read.ts';

/** What a recognizer reads from a failure body. `code` and `message` are the server's own words. */
export interface FailureReading {
  readonly tag?: string;
  readonly code?: string;
  readonly message?: string;
}

export interface RecognizedFailure extends FailureReading {
  readonly category?: FailureCategory;
}

/** Tells one shape of failure body from everything else. Made by `defineFailureBody`. */
export interface Recognizer {
  readonly name: string;
  /** Gets one JSON object; answers `undefined` for every other shape. A recognizer that throws does not match. */
  readonly recognize: (body: Readonly<Record<string, unknown>>) => RecognizedFailure | undefined;
}

export interface FailureBodyDefinition<T> {
  /** Stands as `failure.recognizer` on the outcome. */
  readonly name: string;
  /** A synchronous valibot schema. Only own properties of the body are seen by it. */
  readonly schema: v.GenericSchema<unknown, T>;
  readonly failure: (body: T) => FailureReading;
  /** `undefined` leaves the category at `tool_error`. */
  readonly category?: (failure: FailureReading) => FailureCategory | undefined;
}

/**
 * Defines a failure body that a server sends under a success envelope.
 *
 * @throws OptionsError when the definition has no name, no synchronous valibot schema or no `failure` function.
 */
export function defineFailureBody<T>(definition: FailureBodyDefinition<T>): Recognizer {
  checkDefinition(definition);
  const { name, schema, failure, category } = definition;
  return {
    name,
    recognize: (body) => {
      const parsed = v.safeParse(schema, body);
      if (!parsed.success) {
        return undefined;
      }
      const reading = failure(parsed.output);
      const known = category?.(reading);
      return known === undefined ? reading : { ...reading, category: known };
    },
  };
}

function checkDefinition(definition: unknown): void {
  const name = readProperty(definition, 'name');
  if (typeof name !== 'string' || name === '') {
    throw new OptionsError('name', 'a non-empty string', name === '' ? 'an empty one' : typeName(name));
  }
  const schema = readProperty(definition, 'schema');
  if (readProperty(schema, 'kind') !== 'schema' || readProperty(schema, 'async') !== false) {
    throw new OptionsError('schema', 'a synchronous valibot schema', typeName(schema));
  }
  for (const option of ['failure', 'category']) {
    const value = readProperty(definition, option);
    if (typeof value !== 'function' && (option === 'failure' || value !== undefined)) {
      throw new OptionsError(option, 'a function', typeName(value));
    }
  }
}

/** The codes of `OrchestratorMcpFailure` by category; any other code stays a `tool_error`. */
const orchestratorCategories: readonly {
  readonly category: FailureCategory;
  readonly codes: readonly string[];
  readonly endings: readonly string[];
}[] = [
  // The capability, the requested mode or the thread's own credential refuses the action.
  {
    category: 'access_denied',
    codes: ['capability_denied', 'thread_credential_required'],
    endings: ['_escalation_denied'],
  },
  // The task, thread or run that the arguments name is not there.
  { category: 'not_found', codes: [], endings: ['_not_found'] },
  // The arguments themselves are refused.
  { category: 'invalid_input', codes: ['invalid_request', 'target_required'], endings: [] },
  // The orchestrator, a provider or a model did not do its part.
  {
    category: 'transient_failure',
    codes: ['orchestration_error', 'provider_unavailable', 'model_unavailable'],
    endings: [],
  },
];

function orchestratorCategory(code: string): FailureCategory | undefined {
  return orchestratorCategories.find(
    ({ codes, endings }) => codes.includes(code) || endings.some((ending) => code.endsWith(ending)),
  )?.category;
}

/** t3code's orchestrator: `{ _tag: 'OrchestratorMcpFailure', code, message }`, sent by Effect servers with `isError: false`. */
export const orchestratorMcpFailure: Recognizer = defineFailureBody({
  name: 'orchestratorMcpFailure',
  schema: v.object({
    _tag: v.literal('OrchestratorMcpFailure'),
    code: v.optional(v.unknown()),
    message: v.optional(v.unknown()),
  }),
  failure: ({ _tag, code, message }) => reading(_tag, code, message),
  category: ({ code = '' }) => orchestratorCategory(code),
});

/** Effect's own failure of an AI tool: `{ _tag: 'AiError', reason: { _tag, description } }`. */
export const effectAiError: Recognizer = defineFailureBody({
  name: 'effectAiError',
  schema: v.object({
    _tag: v.literal('AiError'),
    reason: v.optional(v.unknown()),
    message: v.optional(v.unknown()),
  }),
  failure: ({ _tag, reason, message }) =>
    reading(
      _tag,
      ownProperty(reason, '_tag'),
      firstText(ownProperty(reason, 'description'), ownProperty(reason, 'message'), message),
    ),
  category: ({ code }) => (code === 'ToolParameterValidationError' ? 'invalid_input' : undefined),
});

const flagAndError = {
  success: v.optional(v.unknown()),
  ok: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
  error_code: v.optional(v.unknown()),
  code: v.optional(v.unknown()),
  message: v.optional(v.unknown()),
  reason: v.optional(v.unknown()),
  status: v.optional(v.unknown()),
};

type FlagAndError = Readonly<Partial<Record<keyof typeof flagAndError, unknown>>>;

/** A body that says so itself: `success` or `ok` is `false`, and an `error` or `error_code` says what. */
export const declaredFailure: Recognizer = defineFailureBody({
  name: 'declaredFailure',
  schema: v.pipe(
    v.object(flagAndError),
    // An empty object counts: it is what `JSON.stringify` makes of an `Error`.
    v.check(
      (body) =>
        saysFalse(body) && (isText(body.error) || isPlainObject(body.error) || isText(body.error_code)),
    ),
  ),
  failure: readFlagAndError,
});

/** Weaker signs of a failure. Opt-in per server: plenty of good results look like this. */
export const looseFailure: Recognizer = defineFailureBody({
  name: 'looseFailure',
  schema: v.pipe(
    v.object(flagAndError),
    v.check((body) => !saysTrue(body) && looseSigns.some((holds) => holds(body))),
  ),
  failure: readFlagAndError,
});

const looseSigns: readonly ((body: FlagAndError) => boolean)[] = [
  // A negative flag with anything that explains it.
  (body) => saysFalse(body) && [body.message, body.reason].some(isText),
  (body) => saysFalse(body) && (isText(body.code) || typeof body.code === 'number'),
  (body) => isText(body.error) || (isObject(body.error) && Object.keys(body.error).length > 0),
  // A status word alone is data (job records); with an explanation beside it, it describes the call.
  (body) => body.status === 'error' && [body.error, body.message, body.reason].some(isText),
];

/** What `withOutcomes` and `classifyResult` look for unless `failureBodies` replaces it. Spread it to add your own. */
export const defaultFailureBodies: readonly Recognizer[] = [
  orchestratorMcpFailure,
  effectAiError,
  declaredFailure,
];

function readFlagAndError(body: FlagAndError): FailureReading {
  const said = isText(body.error) ? body.error : firstText(ownProperty(body.error, 'message'));
  const explained = firstText(body.message, body.reason);
  const message =
    said !== undefined && explained !== undefined && said !== explained
      ? `${said}: ${explained}`
      : (said ?? explained);
  return reading(undefined, firstCode(body.error_code, body.code, ownProperty(body.error, 'code')), message);
}

function saysFalse(body: FlagAndError): boolean {
  return body.success === false || body.ok === false;
}

function saysTrue(body: FlagAndError): boolean {
  return body.success === true || body.ok === true;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPlainObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find(isText);
}

function firstCode(...values: readonly unknown[]): unknown {
  return values.find((value) => isText(value) || typeof value === 'number');
}

function ownProperty(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? readProperty(value, key) : undefined;
}

function reading(tag: string | undefined, code: unknown, message: unknown): FailureReading {
  const codeText = typeof code === 'number' ? String(code) : code;
  return {
    ...(tag === undefined ? {} : { tag }),
    ...(isText(codeText) ? { code: codeText } : {}),
    ...(isText(message) ? { message } : {}),
  };
}
