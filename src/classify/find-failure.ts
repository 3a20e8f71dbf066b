import { Buffer } from 'node:buffer';
import { type Failure, type FailureCategory, failureCategories } from '../outcome.ts';
import type { Redactor } from '../redact/redactor.ts';
import { isArray, isObject, readProperty } from '../redact/safe-read.ts';
import type { RecognizedFailure, Recognizer } from './failure-bodies.ts';

type Body = Readonly<Record<string, unknown>>;

export interface FoundFailure {
  readonly failure: Failure;
  readonly category: 'tool_error' | FailureCategory;
}

/** Texts above this are never parsed: a failure body is small, and content is not to be scanned. */
const parsedBytesLimit = 16 * 1024;
const identifierLimit = 128;
const messageLimit = 2_048;

/** The first failure body that a recognizer knows in a tool result: in `structuredContent`, else in the only text block, else under `structuredContent.error`. */
export function findFailure(
  result: unknown,
  recognizers: readonly Recognizer[],
  redactor: Redactor,
  options: { readonly exactTagOnly: boolean },
): FoundFailure | undefined {
  if (recognizers.length === 0) {
    return undefined;
  }
  for (const body of candidateBodies(result)) {
    for (const recognizer of recognizers) {
      const found = recognize(recognizer, body, redactor, options.exactTagOnly);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

function* candidateBodies(result: unknown): Generator<Body> {
  const structured = asBody(readProperty(result, 'structuredContent'));
  const body = structured ?? parseOnlyText(readProperty(result, 'content'));
  if (body !== undefined) {
    yield body;
  }
  const nested = asBody(readProperty(structured, 'error'));
  if (nested !== undefined) {
    yield nested;
  }
}

/** A body with nothing inherited but `Object.prototype`: only own properties may speak for the server. */
function asBody(value: unknown): Body | undefined {
  if (!isObject(value) || isArray(value)) {
    return undefined;
  }
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null
      ? value
      : Object.assign(Object.create(null), value);
  } catch {
    return undefined;
  }
}

function parseOnlyText(content: unknown): Body | undefined {
  const text = onlyText(content);
  if (text === undefined || !text.startsWith('{') || text.length > parsedBytesLimit) {
    return undefined;
  }
  if (Buffer.byteLength(text) > parsedBytesLimit) {
    return undefined;
  }
  try {
    return asBody(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function onlyText(content: unknown): string | undefined {
  try {
    let only: unknown;
    for (const block of isArray(content) ? content : []) {
      if (readProperty(block, 'type') === 'text') {
        if (only !== undefined) {
          return undefined;
        }
        only = block;
      }
    }
    const text = readProperty(only, 'text');
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A recognizer is the caller's code: whatever it throws, and whatever shape it returns, it decides nothing but its match. */
function recognize(
  recognizer: Recognizer,
  body: Body,
  redactor: Redactor,
  exactTagOnly: boolean,
): FoundFailure | undefined {
  try {
    const recognized: unknown = recognizer.recognize(body);
    if (!isRecognized(recognized) || (exactTagOnly && !goesByTag(recognizer, body))) {
      return undefined;
    }
    const category = failureCategories.find((known) => known === recognized.category);
    return { category: category ?? 'tool_error', failure: toFailure(recognizer.name, recognized, redactor) };
  } catch {
    return undefined;
  }
}

/** What an untyped recognizer answers instead — `true`, a promise — is no match. */
function isRecognized(value: unknown): value is RecognizedFailure {
  return isObject(value) && !isArray(value) && typeof readProperty(value, 'then') !== 'function';
}

/** Whether a recognizer matched for the body's own `_tag`: under another tag, it does not know the same body. */
function goesByTag(recognizer: Recognizer, body: Body): boolean {
  return Object.hasOwn(body, '_tag') && !isRecognized(recognizer.recognize({ ...body, _tag: 'another tag' }));
}

function toFailure(recognizer: string, recognized: RecognizedFailure, redactor: Redactor): Failure {
  const { tag, code, message } = recognized;
  return {
    recognizer,
    ...(typeof tag === 'string' ? { tag: redactor.bounded(tag, identifierLimit) } : {}),
    ...(typeof code === 'string' ? { code: redactor.bounded(code, identifierLimit) } : {}),
    ...(typeof message === 'string' ? { message: redactor.bounded(message, messageLimit) } : {}),
  };
}
