import type { SchemaIssue } from '../outcome.ts';
import { isObject } from '../redact/safe-read.ts';
import { ajvFor, type CreateAjv, compileSchema, type Validate } from './output-schema-compile.ts';
import { jsonLength } from './output-schema-length.ts';
import { loadPatterns } from './output-schema-pattern.ts';
import { errorMessage, type ReadableSchema, readSchema, withExcerpt } from './output-schema-read.ts';
import { type RunStep, type TimeSpent, timeCheck } from './output-schema-timer.ts';

/**
 * What an output schema says of a structured content. `unusable` is about the schema and lasts; `unchecked` is
 * about this one content. A reason is plain words on one line, with at most 4,096 UTF-16 units of server text, which is not redacted.
 */
export type OutputSchemaVerdict =
  | { readonly verdict: 'valid' }
  | { readonly verdict: 'invalid'; readonly issues: readonly SchemaIssue[] }
  | UnusableSchema
  | { readonly verdict: 'unchecked'; readonly reason: string };

interface UnusableSchema {
  readonly verdict: 'unusable';
  readonly reason: string;
}

interface UsableSchema {
  readonly verdict: 'usable';
  readonly schema: ReadableSchema;
  readonly create: CreateAjv;
  /** Stops at the first issue. */
  first?: Validate;
  /** Finds every issue: for schemas and contents where that is cheap. */
  all?: Validate;
  readonly spent: TimeSpent;
}

/** The longest structured content that is checked, in UTF-16 units of JSON: 1 MiB. */
const contentLimit = 1_048_576;

/** Contents up to this length get all their issues. */
const allIssuesLimit = 65_536;

/**
 * Unless a schema is `costly`, each of its parts meets each part of the content at most once, so the product of
 * both lengths bounds the work: at this one, 1 KB of each, to 25 ms for the worst and to microseconds for the
 * usual. A timer would cost 0.1 ms.
 */
const untimedProduct = 1_048_576;

const missingContent: SchemaIssue = {
  path: '',
  message: 'structuredContent is missing: the tool has an output schema',
};

const states = new WeakMap<object, UsableSchema | UnusableSchema>();

const checkTookTooLong = 'checking against the output schema took too long';
const compilingTookTooLong = 'compiling the output schema took too long';
const outOfTime = [checkTookTooLong, compilingTookTooLong];

const exhausted = new WeakSet<object>();

/** Whether a schema has used up its time: no other schema of the same tool should get any. */
export function isExhausted(schema: unknown): boolean {
  return isObject(schema) && exhausted.has(schema);
}

/**
 * Checks the structured content of a result against the output schema of its tool: JSON Schema 2020-12, or
 * draft-07 by `$schema`. `undefined` stands for a result without structured content. Never throws; at most 10
 * issues. What is known of a schema is kept for as long as the schema object lives, so one that was found to be
 * unusable costs nothing again.
 */
export function checkOutputSchema(schema: unknown, structuredContent: unknown): OutputSchemaVerdict {
  if (!isObject(schema)) {
    return { verdict: 'unusable', reason: 'the output schema is not a JSON object' };
  }
  let state = states.get(schema);
  if (state === undefined) {
    state = firstState(schema);
    states.set(schema, state);
  }
  if (state.verdict === 'unusable') {
    return state;
  }
  const usable = state;
  const verdict = timeCheck(usable.spent, (run) => check(usable, structuredContent, run));
  if (verdict.verdict === 'unusable') {
    states.set(schema, verdict);
    if (outOfTime.includes(verdict.reason)) {
      exhausted.add(schema);
    }
  }
  return verdict;
}

function firstState(schema: object): UsableSchema | UnusableSchema {
  const spent: TimeSpent = { slowMs: 0, since: performance.now() };
  const read = timeCheck(spent, () => readSchema(schema));
  if ('problem' in read) {
    return { verdict: 'unusable', reason: read.problem };
  }
  try {
    // Outside of any check: to load a library takes a while, once, and cut short it would stay half loaded.
    if (read.hasPatterns) {
      loadPatterns();
    }
    return { verdict: 'usable', schema: read, create: ajvFor(read.dialect), spent };
  } catch (error) {
    return {
      verdict: 'unusable',
      reason: withExcerpt('the validator ajv cannot be loaded', errorMessage(error)),
    };
  }
}

function check(state: UsableSchema, content: unknown, run: RunStep): OutputSchemaVerdict {
  const length = contentLength(content);
  if (typeof length === 'string') {
    return { verdict: 'unchecked', reason: length };
  }
  const { costly, length: schemaLength } = state.schema;
  const validate = validator(state, costly || length > allIssuesLimit ? 'first' : 'all', run);
  if (typeof validate !== 'function') {
    return validate;
  }
  if (content === undefined) {
    return { verdict: 'invalid', issues: [missingContent] };
  }
  try {
    const untimed = !costly && schemaLength * length <= untimedProduct;
    const issues = untimed ? validate(content) : run(() => validate(content))?.value;
    if (issues === undefined) {
      return { verdict: 'unusable', reason: checkTookTooLong };
    }
    return issues.length === 0 ? { verdict: 'valid' } : { verdict: 'invalid', issues };
  } catch {
    return { verdict: 'unchecked', reason: 'the structured content could not be checked' };
  }
}

/** The length of a content that can be checked, else why it cannot. */
function contentLength(content: unknown): number | string {
  try {
    return jsonLength(content, contentLimit) ?? 'the structured content is longer than 1 MiB';
  } catch {
    return 'the structured content cannot be read';
  }
}

function validator(state: UsableSchema, which: 'first' | 'all', run: RunStep): Validate | UnusableSchema {
  const known = state[which];
  if (known !== undefined) {
    return known;
  }
  try {
    const compiled = run(() => compileSchema(state.create, state.schema, which === 'all'))?.value;
    if (compiled === undefined) {
      return { verdict: 'unusable', reason: compilingTookTooLong };
    }
    state[which] = compiled;
    return compiled;
  } catch (error) {
    const words = 'the output schema does not compile';
    return { verdict: 'unusable', reason: withExcerpt(words, errorMessage(error)) };
  }
}
