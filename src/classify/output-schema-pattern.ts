import { createRequire } from 'node:module';

/** What ajv needs of a `RegExp`. */
export interface Pattern {
  test(text: string): boolean;
  /** The source: ajv takes patterns of the same text for the same pattern. */
  toString(): string;
}

/** Longer ones are no patterns that anybody wrote. */
const lengthLimit = 2_048;

/** Even a syntax check is one native step; a character property costs it 20 µs. */
const propertyLimit = 100;

/** Of a pattern that only the native engine knows. The e-mail pattern of zod, with its lookaheads, has 107. */
const nativeLengthLimit = 200;

const load = createRequire(import.meta.url);

/** Loads what patterns need: a timer that ends this midway would leave half a module behind. */
export function loadPatterns(): typeof import('re2js') {
  return load('re2js');
}

/**
 * A pattern of JSON Schema, matched in linear time with the semantics of RE2. For what RE2 does not have (lookaround,
 * back references, some character properties) a short native pattern stands in, which a timer can stop while it
 * backtracks, but not while V8 compiles it: with `\b` in alternatives, 200 characters of it took six minutes. Throws
 * for what is no pattern, and for what neither of them may run.
 */
export function toPattern(source: string): Pattern {
  if (source.length > lengthLimit) {
    throw new Error('a pattern is longer than 2,048 UTF-16 units');
  }
  if (source.split(/\\p/i).length - 1 > propertyLimit) {
    throw new Error('a pattern has more than 100 character properties');
  }
  const native = checkSyntax(source);
  const expression = linearPattern(source) ?? native;
  if (expression === native && (source.length > nativeLengthLimit || /\\b/i.test(source))) {
    throw new Error('a pattern is too complex to be run safely');
  }
  return { test: (text) => expression.test(text), toString: () => source };
}

/** Compiles nothing yet: V8 does that at the first match. */
function checkSyntax(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    // Written for engines without the flag: `\-` outside a class.
    return new RegExp(source);
  }
}

function linearPattern(source: string): Pick<Pattern, 'test'> | undefined {
  // RE2JS takes `\k` for the letter.
  if (source.includes('\\k')) {
    return undefined;
  }
  const { RE2JS } = loadPatterns();
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { test: (text) => compiled.matcher(text).find() };
  } catch {
    return undefined;
  }
}
