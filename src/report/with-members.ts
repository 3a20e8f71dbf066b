/** A copy with other members, and with its prototype: the messages of some frameworks are objects of classes. */
export function withMembers<O extends object>(object: O, members: object): O {
  return Object.setPrototypeOf({ ...object, ...members }, Object.getPrototypeOf(object));
}
