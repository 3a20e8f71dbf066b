import { toJsonPointer } from '../redact/json-pointer.ts';
import { isArray } from '../redact/safe-read.ts';

/** A value that `JSON.stringify` and `JSON.parse` carry without a change. */
export type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue };

/** Deeper than any real result; shallow enough for every recursive JSON writer. */
const depthLimit = 1_000;

/**
 * A copy that JSON carries, every string of it run through `text`. Members that are `undefined` are left out, as
 * JSON does.
 * @throws TypeError that names the place (JSON Pointer) of what JSON cannot carry: a BigInt, a function, a symbol,
 * `NaN`, an infinity, `undefined` in an array, an object of a class, a cycle, more than 1,000 levels.
 */
export function toJsonValue(value: unknown, text: (text: string) => string = (same) => same): JsonValue {
  const path: (string | number)[] = [];
  const ancestors = new Set<object>();

  const copyAt = (key: string | number, member: unknown): JsonValue => {
    path.push(key);
    const copied = copy(member);
    path.pop();
    return copied;
  };

  const copyObject = (object: object): JsonValue => {
    if (Array.isArray(object)) {
      return Array.from(object, (item: unknown, index) => copyAt(index, item));
    }
    if (!isPlain(object)) {
      throw notJson(path, 'an object of a class');
    }
    const entries: readonly [string, unknown][] = Object.entries(object);
    // `fromEntries` defines its keys, so that a member named `__proto__` stays a member.
    return Object.fromEntries(
      entries
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [text(key), copyAt(key, member)]),
    );
  };

  const copy = (member: unknown): JsonValue => {
    if (typeof member === 'string') {
      return text(member);
    }
    if (
      member === null ||
      typeof member === 'boolean' ||
      (typeof member === 'number' && Number.isFinite(member))
    ) {
      return member;
    }
    if (typeof member !== 'object') {
      throw notJson(path, typeof member === 'number' ? String(member) : `a value of type ${typeof member}`);
    }
    if (ancestors.has(member)) {
      throw notJson(path, 'an object that contains itself');
    }
    if (ancestors.size === depthLimit) {
      throw notJson(path, `more than ${depthLimit} levels of nesting`);
    }
    ancestors.add(member);
    const copied = copyObject(member);
    ancestors.delete(member);
    return copied;
  };

  return copy(value);
}

/** The JSON text of a value; `undefined` for what JSON cannot carry. Never throws. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Whether a value is what JSON calls an object. */
export function isRecord(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !isArray(value);
}

function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  // By shape, not by identity: plain objects of another realm are plain too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function notJson(path: readonly (string | number)[], what: string): TypeError {
  return new TypeError(`JSON cannot carry what stands at '${toJsonPointer(path)}': ${what}.`);
}
