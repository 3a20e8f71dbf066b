import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, FuncKeywordDefinition, Options, ValidateFunction } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
import type { SchemaIssue } from '../outcome.ts';
import { cutText, oneLine } from '../redact/bounded-text.ts';
import { readProperty } from '../redact/safe-read.ts';
import type { Dialect } from './output-schema-dialect.ts';
import { toPattern } from './output-schema-pattern.ts';
import type { ReadableSchema } from './output-schema-read.ts';

/** The issues of one content: none when it is valid, else 1 to 10. */
export type Validate = (content: unknown) => readonly SchemaIssue[];

/** A new validator for one schema: instances are never shared, so that equal `$id`s of two schemas cannot meet. */
export type CreateAjv = (options: Options) => Pick<Ajv, 'compile' | 'removeKeyword' | 'addKeyword'>;

const issueLimit = 10;
const textLimit = 256;

/**
 * The longest generated function, in UTF-16 units. V8 compiles one at its first call, in one native step that no timer
 * ends: 50 to 80 ms at this length.
 */
const codeLimit = 400_000;

/**
 * `process` and `source` must stay unset: with them, ajv copies `$id` into a comment of the code it generates, where a
 * server could end the comment.
 */
const codeOptions = { optimize: false, regExp: Object.assign(toPattern, { code: 'new RegExp' }) };

const baseOptions: Options = {
  strict: false, // unknown keywords are annotations
  validateFormats: false, // formats too
  validateSchema: false, // compiling the meta-schema costs 45 ms, and each keyword checks its own value anyway
  logger: false,
  ownProperties: true, // else `{}` has a property `constructor`
  code: codeOptions,
};

/** Of other dialects: here they are unknown keywords, so annotations, but ajv acts on them or throws. */
const foreignKeywords = ['id', '$recursiveRef', '$recursiveAnchor'];

/** ajv's own knows binary fractions only: with it, 19.99 is no multiple of 0.01. */
const multipleOf: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  validate: isMultipleOf,
  error: { message: ({ schema }) => `must be multiple of ${schema}` },
};

/** Off by no more than what the division may have rounded. */
function isMultipleOf(factor: number, value: number): boolean {
  const quotient = value / factor;
  return Number.isFinite(quotient)
    ? Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 2 * Number.EPSILON
    : value % factor === 0;
}

const combiners: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'if', 'not', 'contains', 'propertyNames']);

const load = createRequire(import.meta.url);

/** Loads ajv: 35 to 70 ms for the first dialect, then nothing. */
export function ajvFor(dialect: Dialect): CreateAjv {
  switch (dialect) {
    case '2020-12': {
      const { Ajv2020 }: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js');
      return (options) => new Ajv2020(options);
    }
    case 'draft-07': {
      const { Ajv: Ajv07 }: typeof import('ajv') = load('ajv');
      return (options) => new Ajv07(options);
    }
  }
}

/** Throws when the schema cannot be used. `allErrors` collects every issue instead of the first. */
export function compileSchema(create: CreateAjv, schema: ReadableSchema, allErrors: boolean): Validate {
  const ajv = create({ ...baseOptions, allErrors, meta: schema.refersToMetaSchema });
  for (const keyword of foreignKeywords) {
    ajv.removeKeyword(keyword);
  }
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword(multipleOf);
  const validate = compile(ajv, schema.json);
  return (content) => {
    if (validate(content)) {
      return [];
    }
    const errors = validate.errors ?? [];
    validate.errors = null;
    return toIssues(errors);
  };
}

/** Compiles a schema as the clients of SDK v1 read it; throws when it cannot be used. */
type CompileAsSdkV1 = (json: object) => (content: unknown) => boolean;

/**
 * Loads what the clients of SDK v1 read every output schema with, for whom draft-07 and formats count whatever its
 * `$schema` says.
 */
export function loadSdkV1Reading(): CompileAsSdkV1 {
  const { Ajv: Ajv07 }: typeof import('ajv') = load('ajv');
  const addFormats: FormatsPlugin = load('ajv-formats');
  return (json) => {
    const ajv = new Ajv07({ strict: false, validateSchema: false, logger: false, code: codeOptions });
    addFormats(ajv);
    const validate = compile(ajv, json);
    return (content) => validate(content);
  };
}

function compile(ajv: Pick<Ajv, 'compile'>, json: object): ValidateFunction {
  const validate = ajv.compile(json);
  if (longestFunction(validate) > codeLimit) {
    throw new Error('it has too many keywords');
  }
  return validate;
}

/** Each definition that others refer to is a function of its own. */
function longestFunction(validate: ValidateFunction): number {
  const others = Object.values(validate.schemaEnv.refs).map((env) => readProperty(env, 'validate'));
  return Math.max(
    ...[validate, ...others].map((code) => (typeof code === 'function' ? `${code}`.length : 0)),
  );
}

/** ajv reports each refused branch before the `anyOf` that refused them all; the verdict itself comes first here. */
function toIssues(errors: readonly ErrorObject[]): readonly SchemaIssue[] {
  const combined = errors.filter(({ keyword }) => combiners.has(keyword)).reverse();
  const simple = errors.filter(({ keyword }) => !combiners.has(keyword));
  return [...combined, ...simple].slice(0, issueLimit).map(toIssue);
}

function toIssue({ instancePath, message = 'is not valid' }: ErrorObject): SchemaIssue {
  return { path: boundedPath(instancePath), message: oneLine(cutText(message, textLimit - 1)) };
}

/** Cut between two segments, so that what is left is the pointer of an ancestor. */
function boundedPath(path: string): string {
  if (path.length <= textLimit) {
    return oneLine(path);
  }
  const start = path.slice(0, textLimit - 1);
  return oneLine(`${start.slice(0, start.lastIndexOf('/') + 1)}…`);
}
