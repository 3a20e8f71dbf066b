/** The JSON Pointer (RFC 6901) of a path of keys; `''` for none. */
export function toJsonPointer(keys: readonly unknown[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
