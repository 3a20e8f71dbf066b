import type { AuthChallenge } from '../outcome.ts';
import { isArray, isObject, readProperty } from '../redact/safe-read.ts';
import {
  ambiguousRpcCodes,
  authErrorClasses,
  brokenConnectionClasses,
  brokenConnectionCodes,
  brokenConnectionPrefixes,
  connectingSystemCalls,
  type ErrorSign,
  errorSigns,
  httpBodyFields,
  httpStatusFields,
  impliedStatuses,
  neverConnectedCodes,
  neverConnectedPrefixes,
  rpcErrorClasses,
  scopeErrorClass,
  temporaryOAuthClasses,
  temporaryOAuthCodes,
  transportErrorClasses,
} from './error-tables.ts';

/** One error of a chain: the value, and the names of its classes (v1 of the SDK leaves `name` at "Error"). */
export interface ErrorNode {
  readonly value: unknown;
  readonly classNames: readonly string[];
  /** 0 for the thrown value itself. */
  readonly depth: number;
}

const maxDepth = 10;
const maxNodes = 1_000;

/** A thrown value and everything below its `cause` and `errors`, nearest first, each once. */
export function readErrorNodes(thrown: unknown): readonly ErrorNode[] {
  const nodes: ErrorNode[] = [];
  const seen = new Set<unknown>();
  let level: readonly unknown[] = [thrown];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
    const fresh = level
      .filter((value) => isObject(value) && !seen.has(value))
      .slice(0, maxNodes - nodes.length);
    for (const value of fresh) {
      seen.add(value);
      nodes.push({ value, classNames: readClassNames(value), depth });
    }
    level = fresh.flatMap(readChildren);
  }
  return nodes;
}

function readChildren(value: unknown): readonly unknown[] {
  return [readProperty(value, 'cause'), ...readList(readProperty(value, 'errors'))];
}

function readList(value: unknown): readonly unknown[] {
  try {
    return isArray(value) ? Array.from(value.slice(0, maxNodes)) : [];
  } catch {
    return [];
  }
}

/** SDK v2 marks its errors with the names of their classes, which minifying does not change. */
const brands = Symbol.for('mcp.sdk.errorBrands');

/** The error's own name, its class and the classes above it, its brands: two copies of a package share names, not classes. */
export function readClassNames(value: unknown): readonly string[] {
  const names: unknown[] = [readProperty(value, 'name'), ...readBrands(value)];
  let prototype = prototypeOf(value);
  for (let depth = 0; depth < maxDepth && prototype !== null; depth += 1) {
    names.push(readProperty(readProperty(prototype, 'constructor'), 'name'));
    prototype = prototypeOf(prototype);
  }
  return names.filter((name) => typeof name === 'string');
}

function readBrands(value: unknown): readonly string[] {
  const carried = readProperty(value, brands);
  try {
    return carried instanceof Set ? [...carried].map((brand) => String(brand).replace(/^mcp\./, '')) : [];
  } catch {
    return [];
  }
}

function prototypeOf(value: unknown): unknown {
  try {
    return Object.getPrototypeOf(value);
  } catch {
    return null;
  }
}

export function isRpcErrorNode(node: ErrorNode): boolean {
  return isA(node, rpcErrorClasses) && Number.isInteger(readProperty(node.value, 'code'));
}

/** Whether a transport made the error itself, of the answer to its request. */
export function isTransportError(node: ErrorNode | undefined): boolean {
  return node !== undefined && isA(node, transportErrorClasses);
}

/** An HTTP status, and the error that has it. */
export interface HttpFailure {
  readonly status: number;
  readonly node: ErrorNode;
}

/**
 * The HTTP status that the errors carry in a typed field: of several, 401 or 403 before 404 before the rest.
 * `sentByTransport` trusts a bare numeric `code` too: `send()` rejects with nothing else that has one.
 */
export function readHttpFailure(
  nodes: readonly ErrorNode[],
  sentByTransport: boolean,
): HttpFailure | undefined {
  const found = nodes
    .filter((node) => !isRpcErrorNode(node))
    .flatMap((node) => {
      const status = statusOf(node, sentByTransport);
      return status === undefined ? [] : [{ status, node }];
    });
  return (
    found.find(({ status }) => status === 401 || status === 403) ??
    found.find(({ status }) => status === 404) ??
    found[0]
  );
}

function statusOf(node: ErrorNode, sentByTransport: boolean): number | undefined {
  for (const { className, path } of httpStatusFields) {
    const applies = className === undefined || node.classNames.includes(className);
    const status = applies ? readPath(node.value, path) : undefined;
    if (isHttpFailure(status)) {
      return status;
    }
  }
  const code = sentByTransport ? readProperty(node.value, 'code') : undefined;
  return isHttpFailure(code) ? code : node.classNames.map((name) => impliedStatus(name)).find(isHttpFailure);
}

function readPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, key) => readProperty(part, key), value);
}

function impliedStatus(className: string): number | undefined {
  return Object.hasOwn(impliedStatuses, className) ? impliedStatuses[className] : undefined;
}

function isHttpFailure(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 300 && status <= 599;
}

/** Whether authorization is what failed: for good, or with the authorization server saying "later". */
export function readAuthorization(nodes: readonly ErrorNode[]): 'refused' | 'temporary' | undefined {
  const found = nodes.filter((node) => isA(node, authErrorClasses));
  // The nearest says it; of several side by side, each must say "later".
  const nearest = found.filter(({ depth }) => depth === found[0]?.depth);
  if (nearest.length === 0) {
    return undefined;
  }
  return nearest.every(isTemporary) ? 'temporary' : 'refused';
}

function isTemporary(node: ErrorNode): boolean {
  const codes: readonly unknown[] = [readProperty(node.value, 'errorCode'), readProperty(node.value, 'code')];
  return (
    isA(node, temporaryOAuthClasses) ||
    codes.some((code) => typeof code === 'string' && temporaryOAuthCodes.includes(code))
  );
}

/** The challenge that an error itself carries; all others are lost with the headers of the answer. */
export function readScopeChallenge(nodes: readonly ErrorNode[]): AuthChallenge | undefined {
  const node = nodes.find(({ classNames }) => classNames.includes(scopeErrorClass));
  const scope = readProperty(node?.value, 'requiredScope');
  const error = 'insufficient_scope';
  return node === undefined ? undefined : typeof scope === 'string' ? { error, scope } : { error };
}

/** Whether the network is what failed, and if so, before a connection stood. */
export function readNetworkFailure(nodes: readonly ErrorNode[]): 'never_connected' | 'broken' | undefined {
  const signs = nodes.flatMap((node) => networkSign(node) ?? []);
  if (signs.length === 0) {
    return undefined;
  }
  return signs.every((sign) => sign === 'never_connected') ? 'never_connected' : 'broken';
}

function networkSign(node: ErrorNode): 'never_connected' | 'broken' | undefined {
  const code = readProperty(node.value, 'code');
  if (typeof code !== 'string') {
    return isA(node, brokenConnectionClasses) ? 'broken' : undefined;
  }
  const systemCall = readProperty(node.value, 'syscall');
  const connecting = typeof systemCall === 'string' && connectingSystemCalls.includes(systemCall);
  const startsWith = (prefix: string): boolean => code.startsWith(prefix);
  if (connecting || neverConnectedCodes.includes(code) || neverConnectedPrefixes.some(startsWith)) {
    return 'never_connected';
  }
  const broken = brokenConnectionCodes.includes(code) || brokenConnectionPrefixes.some(startsWith);
  return broken ? 'broken' : undefined;
}

/** What the class and code of the thrown value say by themselves; causes do not speak for it. */
export function readErrorSign(node: ErrorNode | undefined, neverSent: boolean): ErrorSign | undefined {
  const code = readProperty(node?.value, 'code');
  return errorSigns.find(
    (row) =>
      node?.classNames.includes(row.className) === true &&
      (row.code === undefined || row.code === code) &&
      (row.notSentOnly !== true || neverSent),
  )?.sign;
}

export function isAmbiguousRpcCode(node: ErrorNode, code: number): boolean {
  return ambiguousRpcCodes.some((row) => node.classNames.includes(row.className) && row.codes.includes(code));
}

function isA(node: ErrorNode, classes: readonly string[]): boolean {
  return node.classNames.some((name) => classes.includes(name));
}

/** The words of a thrown value: its message with its nearest cause's, else its code, else the first error inside it. */
export function readErrorMessage(thrown: unknown): string {
  if (!isObject(thrown)) {
    if (typeof thrown === 'symbol') {
      return 'a symbol was thrown';
    }
    return `${thrown}`.trim() === '' ? 'an empty string was thrown' : `${thrown}`;
  }
  const texts = readErrorNodes(thrown).map(
    ({ value }) => readText(value, 'message') ?? readText(value, 'code'),
  );
  const [own, ...inner] = texts;
  const nearest = inner.find((text) => text !== undefined && text !== own);
  return (
    [own, nearest].filter((text) => text !== undefined).join(': ') || 'a value that is no error was thrown'
  );
}

function readText(value: unknown, key: string): string | undefined {
  const text = readProperty(value, key);
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

const legacySsePrefix: RegExp = /^Error POSTing to endpoint \(HTTP (\d{3})\): /;

/** The texts that the SDK's transports put before the body of an HTTP error answer. */
const bodyPrefixes: readonly { readonly className?: string; readonly prefix: RegExp }[] = [
  { className: 'StreamableHTTPError', prefix: /^Streamable HTTP error: Error POSTing to endpoint: / },
  // The legacy SSE transport throws a plain Error, and puts the status nowhere else.
  { prefix: legacySsePrefix },
];

/**
 * The body of an HTTP error answer: a typed field, or what follows v1's own prefix; `''` when it was empty or could not
 * be read. Extraction, not classification.
 */
export function readHttpBody(nodes: readonly ErrorNode[], legacySse: boolean): string | undefined {
  for (const node of nodes) {
    const row = httpBodyFields.find(({ className }) => node.classNames.includes(className));
    const typed = row === undefined ? undefined : readPath(node.value, row.path);
    // SDK v2 has `null` for a body that could not be read.
    const body = typeof typed === 'string' ? typed : typed === null ? '' : bodyAfterPrefix(node, legacySse);
    if (body !== undefined) {
      return body;
    }
  }
  return undefined;
}

function bodyAfterPrefix(node: ErrorNode, legacySse: boolean): string | undefined {
  const message = readProperty(node.value, 'message');
  const row = bodyPrefixes.find(({ className }) =>
    className === undefined ? legacySse : node.classNames.includes(className),
  );
  const prefix = typeof message === 'string' ? row?.prefix.exec(message)?.[0] : undefined;
  if (prefix === undefined) {
    return undefined;
  }
  const body = String(message).slice(prefix.length);
  // The transports write "null" for a body that could not be read.
  return body === 'null' ? '' : body;
}

/**
 * The status in the text of the legacy SSE transport's own error: the only text that decides anything. Trusted at the
 * very start of the message alone, on an error that this transport's `send()` rejected with; the body comes after it.
 */
export function readLegacySseFailure(nodes: readonly ErrorNode[]): HttpFailure | undefined {
  return nodes
    .map((node) => ({
      node,
      status: Number(legacySsePrefix.exec(readText(node.value, 'message') ?? '')?.[1]),
    }))
    .find(({ status }) => isHttpFailure(status));
}
