/** Reading values that nobody vouches for: revoked proxies, throwing getters, missing members. */

/** Whether a value can have members: objects, arrays and functions. Never throws. */
export function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** One member, inherited ones included; `undefined` for primitives and for whatever throws when it is read. */
export function readProperty(value: unknown, key: PropertyKey): unknown {
  if (!isObject(value)) {
    return undefined;
  }
  try {
    return value[key];
  } catch {
    return undefined;
  }
}

/** `Array.isArray` that answers `false` for a revoked proxy, where the original throws. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Sets a property; answers whether it is set. Never throws. */
export function writeProperty(target: object, key: PropertyKey, value: unknown): boolean {
  try {
    return Reflect.set(target, key, value);
  } catch {
    return false;
  }
}
