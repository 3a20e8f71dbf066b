import { cutText, oneLine } from '../redact/bounded-text.ts';
import { asyncProblem, type Dialect, prepareSchema } from './output-schema-dialect.ts';
import { jsonLength } from './output-schema-length.ts';

/** A schema that can be compiled: a plain JSON copy that nobody else holds, without what ajv must not see. */
export interface ReadableSchema {
  readonly dialect: Dialect;
  readonly json: object;
  /** Of its JSON text, in UTF-16 units. */
  readonly length: number;
  /** Has a keyword that can make the work grow faster than the schema's length times the content's. */
  readonly costly: boolean;
  readonly hasPatterns: boolean;
  /** Refers to the meta-schema of a dialect, which is built in. */
  readonly refersToMetaSchema: boolean;
}

export interface UnreadableSchema {
  readonly problem: string;
}

/** The longest schema, in UTF-16 units of JSON: 256 KiB. */
const lengthLimit = 262_144;

/** The longest piece of server text in a reason, in UTF-16 units: whoever shows it redacts first and cuts after. */
const excerptLimit = 4_096;

// As JSON text shows keys: no string value contains one of these, its quotes are escaped.
const patternKeys = [
  '"pattern":',
  '"patternProperties":',
  '"__proto__":', // becomes one
];
const costlyKeys = [
  ...patternKeys, // may backtrack
  '"$ref":', // meets the same content any number of times
  '"$dynamicRef":',
  '"uniqueItems":', // compares each item with each
];

/** Reads the schema of a server that nobody trusts; `problem` says why it cannot be used. Never throws. */
export function readSchema(schema: object): ReadableSchema | UnreadableSchema {
  try {
    return read(schema);
  } catch (error) {
    return { problem: withExcerpt('the output schema cannot be read', errorMessage(error)) };
  }
}

function read(schema: object): ReadableSchema | UnreadableSchema {
  const text = jsonText(schema);
  if (text === undefined) {
    return { problem: 'the output schema is longer than 256 KiB' };
  }
  const refers = text.includes('"$ref":') || text.includes('"$dynamicRef":');
  if (refers && text.includes('"$async":')) {
    // A reference may lead to where no schema belongs, and ajv follows it.
    return { problem: asyncProblem };
  }
  const prepared = prepareSchema(JSON.parse(text));
  if ('problem' in prepared) {
    const { problem, excerpt = '' } = prepared;
    return { problem: withExcerpt(problem, excerpt) };
  }
  return {
    ...prepared,
    length: text.length,
    costly: costlyKeys.some((key) => text.includes(key)),
    hasPatterns: patternKeys.some((key) => text.includes(key)),
    refersToMetaSchema: /"\$ref":"https?:\/\/json-schema\.org\/draft/.test(text),
  };
}

/** Through JSON text and back: a copy without getters, proxies or prototypes, which nobody can change later. */
function jsonText(schema: object): string | undefined {
  if (jsonLength(schema, lengthLimit) === undefined) {
    return undefined;
  }
  const text = JSON.stringify(schema) ?? 'null'; // of a function
  return text.length > lengthLimit ? undefined : text;
}

/** `words`, then the start of a text that may be the server's, as one line. */
export function withExcerpt(words: string, text: string): string {
  return text === '' ? words : `${words}: ${oneLine(cutText(text, excerptLimit))}`;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
