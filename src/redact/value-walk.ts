/** A redacted copy of any value, as plain JSON data. Objects are entered by key name, never blanked. */
import { types } from 'node:util';
import { looksRandom } from './randomness.ts';
import { isArray, readProperty } from './safe-read.ts';
import { leadingScheme } from './secret-parts.ts';

/** What a walk does with the texts that it meets. */
export interface WalkRules<KeyClass> {
  readonly text: (text: string) => string;
  /** The class of a member's name, when it names a secret. */
  readonly classify: (name: string) => KeyClass | undefined;
  /** The text of a string or number beside such a name; `undefined` when it is no secret. */
  readonly mask: (keyClass: KeyClass, value: string) => string | undefined;
}

const deepest = 12;
const mostNodes = 20_000;
const truncated = '[truncated]';
const unreadable = '[unreadable]';
const circular = '[circular]';

interface Walk<KeyClass> {
  readonly rules: WalkRules<KeyClass>;
  readonly ancestors: Set<unknown>;
  nodes: number;
}

/**
 * Never throws and never changes its input. At most 12 levels and 20,000 values; what is beyond, circular or
 * unreadable is named in brackets. Errors give a fixed list of fields, bytes and functions nothing.
 */
export function walkValue<KeyClass>(value: unknown, rules: WalkRules<KeyClass>): unknown {
  return visit(value, undefined, { rules, ancestors: new Set(), nodes: 0 });
}

function visit<KeyClass>(value: unknown, keyClass: KeyClass | undefined, walk: Walk<KeyClass>): unknown {
  walk.nodes++;
  switch (typeof value) {
    case 'string':
      return maskedText(value, keyClass, walk.rules);
    case 'number':
      return Number.isFinite(value) ? maskedNumber(value, keyClass, walk.rules) : null;
    case 'bigint':
      return maskedText(String(value), keyClass, walk.rules);
    case 'symbol':
      return walk.rules.text(String(value));
    case 'function':
      return '[function]';
    case 'boolean':
    case 'undefined':
      return value;
    case 'object':
      return value === null ? null : visitObject(value, keyClass, walk);
  }
}

function maskedText<KeyClass>(
  value: string,
  keyClass: KeyClass | undefined,
  rules: WalkRules<KeyClass>,
): string {
  return (keyClass === undefined ? undefined : rules.mask(keyClass, value)) ?? rules.text(value);
}

function maskedNumber<KeyClass>(
  value: number,
  keyClass: KeyClass | undefined,
  rules: WalkRules<KeyClass>,
): string | number {
  return (keyClass === undefined ? undefined : rules.mask(keyClass, String(value))) ?? value;
}

function visitObject<KeyClass>(value: object, keyClass: KeyClass | undefined, walk: Walk<KeyClass>): unknown {
  if (walk.ancestors.has(value)) {
    return circular;
  }
  if (walk.ancestors.size >= deepest) {
    return truncated;
  }
  walk.ancestors.add(value);
  try {
    return visitKnownObject(value, keyClass, walk);
  } catch {
    // A proxy may throw from anything, even from the question what it is.
    return unreadable;
  } finally {
    walk.ancestors.delete(value);
  }
}

function visitKnownObject<KeyClass>(
  value: object,
  keyClass: KeyClass | undefined,
  walk: Walk<KeyClass>,
): unknown {
  if (isArray(value)) {
    return visitItems(value, keyClass, walk);
  }
  if (value instanceof Error || types.isNativeError(value)) {
    return visitMembers(errorMembers(value), walk);
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) {
    return '[binary]';
  }
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  }
  if (value instanceof URL || value instanceof URLSearchParams || value instanceof RegExp) {
    return walk.rules.text(String(value));
  }
  if (value instanceof Map) {
    const entries = [...value.entries()];
    return entries.every(([key]) => typeof key === 'string')
      ? visitMembers(
          entries.map(([key, member]): Member => [String(key), () => member]),
          walk,
        )
      : visitItems(entries, keyClass, walk);
  }
  if (value instanceof Set) {
    return visitItems([...value], keyClass, walk);
  }
  if (value instanceof Headers) {
    return visitMembers(
      [...value].map(([name, text]): Member => [name, () => text]),
      walk,
    );
  }
  if (value instanceof String || value instanceof Number || value instanceof Boolean) {
    return visit(value.valueOf(), keyClass, walk);
  }
  const toJson = readProperty(value, 'toJSON');
  return typeof toJson === 'function'
    ? visit(Reflect.apply(toJson, value, []), keyClass, walk)
    : visitMembers(ownMembers(value), walk);
}

/** A name, and how to read what it holds: getters run only when their turn comes. */
type Member = readonly [name: string, read: () => unknown];

function ownMembers(value: object): readonly Member[] {
  return Object.keys(value).map((key): Member => [key, () => Reflect.get(value, key)]);
}

const errorFields = ['name', 'message', 'code', 'errno', 'syscall', 'status', 'statusCode', 'stack'] as const;

/** Clients hang whole requests on their errors, so no other field is read. */
function errorMembers(error: Error): readonly Member[] {
  const present = [...errorFields, 'cause' as const, 'errors' as const].filter(
    (field) => readProperty(error, field) !== undefined,
  );
  return present.map((field): Member => [field, () => readProperty(error, field)]);
}

function visitMembers<KeyClass>(members: readonly Member[], walk: Walk<KeyClass>): Record<string, unknown> {
  const named = namedClass(members, walk.rules);
  const entries = new Map<string, unknown>();
  const repeats = new Map<string, number>();
  for (const [name, read] of members) {
    if (walk.nodes >= mostNodes) {
      entries.set(freeName(truncated, entries, repeats), truncated);
      break;
    }
    const keyClass = (name === 'value' ? named : undefined) ?? walk.rules.classify(name);
    const copy = visitMember(read, keyClass, walk);
    if (copy !== undefined) {
      entries.set(freeName(walk.rules.text(name), entries, repeats), copy);
    }
  }
  // Unlike an assignment, this also copies a key `__proto__` as a plain member.
  return Object.fromEntries(entries);
}

/** Names may differ in their secrets only; then they are numbered, so that no member vanishes. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>, repeats: Map<string, number>): string {
  let free = name;
  while (taken.has(free)) {
    const number = (repeats.get(name) ?? 1) + 1;
    repeats.set(name, number);
    free = `${name} (${number})`;
  }
  return free;
}

function visitMember<KeyClass>(
  read: () => unknown,
  keyClass: KeyClass | undefined,
  walk: Walk<KeyClass>,
): unknown {
  let member: unknown;
  try {
    member = read();
  } catch {
    return unreadable;
  }
  return visit(member, keyClass, walk);
}

const nameMembers: ReadonlySet<string> = new Set(['name', 'key', 'header', 'field']);

/** `{ name: 'Authorization', value: 'Bearer x' }`: the class that the name gives to `value`. */
function namedClass<KeyClass>(members: readonly Member[], rules: WalkRules<KeyClass>): KeyClass | undefined {
  if (!members.some(([name]) => name === 'value')) {
    return undefined;
  }
  for (const [name, read] of members) {
    const named = nameMembers.has(name) ? readQuietly(read) : undefined;
    const keyClass = typeof named === 'string' ? rules.classify(named) : undefined;
    if (keyClass !== undefined) {
      return keyClass;
    }
  }
  return undefined;
}

function readQuietly(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function visitItems<KeyClass>(
  items: readonly unknown[],
  keyClass: KeyClass | undefined,
  walk: Walk<KeyClass>,
): unknown[] {
  const copies: unknown[] = [];
  let previous: unknown;
  for (let i = 0; i < items.length; i++) {
    if (walk.nodes >= mostNodes) {
      copies.push(truncated);
      break;
    }
    const item = readProperty(items, i);
    copies.push(visit(item, keyClass ?? listedClass(previous, item, walk.rules), walk) ?? null);
    previous = item;
  }
  return copies;
}

/** `['--api-key', 'x']` and `['Authorization', 'Bearer x']`: the item before may name what this one is. */
function listedClass<KeyClass>(
  previous: unknown,
  item: unknown,
  rules: WalkRules<KeyClass>,
): KeyClass | undefined {
  if (typeof previous !== 'string' || typeof item !== 'string' || item.startsWith('-')) {
    return undefined;
  }
  const looksListed =
    previous.startsWith('-') || looksRandom(item, 0, item.length) || leadingScheme(item) !== undefined;
  return looksListed ? rules.classify(previous) : undefined;
}
