import { isObject } from '../redact/safe-read.ts';

/**
 * The length of a value as JSON, in UTF-16 units, without the white space and the escapes; `undefined` as soon as it is
 * over `limit`. Looks at no more of the value than that, so cycles and huge values end early. Members that JSON
 * drops count too. Throws only what a getter or a proxy throws.
 */
export function jsonLength(value: unknown, limit: number): number | undefined {
  const pending: unknown[] = [value];
  let length = 0;
  while (pending.length > 0) {
    const next = pending.pop();
    if (!isObject(next)) {
      length += scalarLength(next);
    } else if (Array.isArray(next)) {
      length += next.length + 1;
      for (let i = 0; length <= limit && i < next.length; i++) {
        pending.push(next[i]);
      }
    } else {
      const keys = Object.keys(next);
      length += keys.length * 4 + 1;
      for (let i = 0; length <= limit && i < keys.length; i++) {
        const key = keys[i] ?? '';
        length += key.length;
        pending.push(next[key]);
      }
    }
    if (length > limit) {
      return undefined;
    }
  }
  return length;
}

function scalarLength(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return value.length + 2;
    case 'number':
      return Number.isInteger(value) && value >= 0 && value < 10 ? 1 : String(value).length;
    case 'bigint':
      return 20;
    case 'boolean':
    case 'undefined':
    case 'object':
    case 'symbol':
    case 'function':
      return 4;
  }
}
