import { isObject, readProperty } from '../redact/safe-read.ts';

/** Where an instance of a LangChain class holds what it was made from: it serializes the members that are named here. */
const kwargsKey = 'lc_kwargs';

/** A copy with other members, and with its prototype: the messages of some frameworks are objects of classes. */
export function withMembers<O extends object>(object: O, members: object): O {
  const kwargs = readProperty(object, kwargsKey);
  const copy = {
    ...object,
    ...members,
    ...(isObject(kwargs) && { [kwargsKey]: { ...kwargs, ...members } }),
  };
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(object));
}

/** A copy without a member, and with its prototype. */
export function withoutMember<O extends object>(object: O, key: string): O {
  const copy = withMembers(object, {});
  for (const holder of [copy, readProperty(copy, kwargsKey)]) {
    if (isObject(holder)) {
      Reflect.deleteProperty(holder, key);
    }
  }
  return copy;
}

/** Whether an object holds a member of its own, or was made with one that its class did not take. */
export function hasMember(object: object, key: string): boolean {
  const kwargs = readProperty(object, kwargsKey);
  return Object.hasOwn(object, key) || (isObject(kwargs) && Object.hasOwn(kwargs, key));
}
