import { readClassNames } from '../classify/error-facts.ts';
import { isRpcResponse } from '../classify/wire-schemas.ts';
import { isObject, readProperty, writeProperty } from '../redact/safe-read.ts';
import { expectAnswer, expectNothing, noteProgress } from './deadline.ts';
import { observedRecord, runObserved } from './observe-fetch.ts';
import {
  isAnswered,
  isSettled,
  type PendingRequests,
  type RequestId,
  type RequestRecord,
  recordOf,
  removeFrom,
  settle,
  withoutRecord,
} from './request-record.ts';

/** What really crossed one transport. Shared by every wrapper of the client that holds the transport. */
export interface Tap {
  readonly transport: object;
  /** The requests that wait for an answer, by the id last sent for them. */
  readonly pending: PendingRequests;
  /** The calls that the client was asked for and that have not been seen leaving. */
  readonly unsent: RequestRecord[];
  /** The tools that the client would not call because of their output schemas. */
  readonly refused: Set<string>;
  /** How often the server has said that its tools changed. */
  toolsVersion: number;
  /** Whether answers are seen, and not only requests; `undefined` while nobody is connected to the transport. */
  listening: boolean | undefined;
}

const taps = new WeakMap<object, Tap>();

/** The tap of a transport that has one. */
export function tapOf(transport: unknown): Tap | undefined {
  return isObject(transport) ? taps.get(transport) : undefined;
}

/**
 * Wraps `send`, `onmessage` and `onclose` of a connected transport in place, once. Everybody else sees the same calls,
 * messages, promises and errors. Answers `undefined` when there is nothing to wrap.
 */
export function tapTransport(transport: unknown, unsent: RequestRecord[]): Tap | undefined {
  const tap = tapRequests(transport, unsent);
  return tap !== undefined && listen(tap) ? tap : undefined;
}

function tapRequests(transport: unknown, unsent: RequestRecord[]): Tap | undefined {
  if (!isObject(transport)) {
    return undefined;
  }
  const known = tapOf(transport);
  if (known !== undefined) {
    return known;
  }
  const send = readProperty(transport, 'send');
  if (!isCallable(send)) {
    return undefined;
  }
  const tap: Tap = {
    transport,
    pending: new Map(),
    unsent,
    refused: new Set(),
    toolsVersion: 0,
    listening: undefined,
  };
  if (!writeProperty(transport, 'send', (...args: readonly unknown[]) => tappedSend(tap, send, args))) {
    return undefined;
  }
  taps.set(transport, tap);
  return tap;
}

function listen(tap: Tap): boolean {
  if (tap.listening !== undefined) {
    return tap.listening;
  }
  const { transport } = tap;
  const onmessage = readProperty(transport, 'onmessage');
  const onclose = readProperty(transport, 'onclose');
  if (!isCallable(onmessage)) {
    return false;
  }
  const wrapped = {
    onmessage: (...args: readonly unknown[]): unknown => {
      receive(tap, args[0]);
      return runObserved(undefined, () => Reflect.apply(onmessage, transport, args));
    },
    onclose: (...args: readonly unknown[]): unknown => {
      try {
        return isCallable(onclose) ? Reflect.apply(onclose, transport, args) : undefined;
      } catch (thrown) {
        // SDK v1 never settles its pending calls then. Else it does, and an override may go on from there.
        closed(tap, (message) => Reflect.apply(onmessage, transport, [message]));
        throw thrown;
      }
    },
  };
  tap.listening = Object.entries(wrapped).every(([key, value]) => writeProperty(transport, key, value));
  return tap.listening;
}

/** What is known of a client: the calls that it has not sent yet, and whether its `connect` is watched. */
interface WatchedClient {
  readonly unsent: RequestRecord[];
  readonly connecting: boolean;
}

const watchedClients = new WeakMap<object, WatchedClient>();

/**
 * Sees the requests of every later `connect` from the start: a call that a subclass holds back may be sent before the
 * next `callTool` would find the new transport. The handlers of a connection are not there yet: SDK v2 negotiates its
 * protocol version with others, which it takes off again.
 */
export function watchClient(client: object): WatchedClient {
  const known = watchedClients.get(client);
  if (known !== undefined) {
    return known;
  }
  const unsent: RequestRecord[] = [];
  const watched = { unsent, connecting: watchConnect(client, unsent) };
  watchedClients.set(client, watched);
  return watched;
}

function watchConnect(client: object, unsent: RequestRecord[]): boolean {
  const connect = readProperty(client, 'connect');
  if (!isCallable(connect)) {
    return false;
  }
  const value = (...args: readonly unknown[]): unknown => {
    const connecting = Reflect.apply(connect, client, args);
    tapRequests(args[0], unsent);
    return connecting;
  };
  try {
    return Reflect.defineProperty(client, 'connect', { value, writable: true, configurable: true });
  } catch {
    return false;
  }
}

type Callable = (...args: unknown[]) => unknown;

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function';
}

function tappedSend(tap: Tap, send: Callable, args: readonly unknown[]): unknown {
  const { transport } = tap;
  const [message, ...rest] = args;
  const method = readProperty(message, 'method');
  if (method !== 'tools/call' && method !== 'tools/list') {
    return runObserved(undefined, () => Reflect.apply(send, transport, args));
  }
  const params = readProperty(message, 'params');
  const record = listen(tap) ? recordOf(params) : undefined;
  if (record !== undefined && isSettled(record) && record.lastId === undefined) {
    // Its outcome says that it was not sent: a request that was held back for so long must not leave any more.
    return Promise.reject(new Error('The call was over before its request could be sent.'));
  }
  const id = toKey(readProperty(message, 'id'));
  const name = readProperty(params, 'name');
  const plain = record === undefined ? args : [plainMessage(message), ...rest];
  if (record === undefined || id === undefined || isSettled(record) || !speaksFor(record, name)) {
    noteStranger(tap, name);
    return runObserved(resent(tap, id), () => Reflect.apply(send, transport, plain));
  }
  noteSent(tap, record, id, name);
  try {
    const sending: unknown = runObserved(record, () => Reflect.apply(send, transport, plain));
    watchSending(record, id, sending);
    return sending;
  } catch (thrown) {
    record.sendRejection = { thrown };
    record.onSendSettled();
    throw thrown;
  }
}

/** After an authorization, a transport sends the very message again that its `send` was called with. */
function resent({ pending }: Tap, id: RequestId | undefined): RequestRecord | undefined {
  const record = observedRecord();
  return record !== undefined && record.pending === pending && record.lastId === id ? record : undefined;
}

/** A call that a subclass makes on the side, from a copy of the parameters, is none of the record's own. */
function speaksFor({ params, sentName }: RequestRecord, name: unknown): boolean {
  return sentName === undefined || name === sentName || name === readProperty(params, 'name');
}

/** It may be any call of this tool that has not been seen leaving, with its parameters built anew. */
function noteStranger({ unsent }: Tap, name: unknown): void {
  for (const record of unsent) {
    record.mayHaveLeft ||= readProperty(record.params, 'name') === name;
  }
}

/** The SDKs take `"1"` for `1` too; other clients may count in any way. */
function toKey(id: unknown): RequestId | undefined {
  if (typeof id !== 'string' && typeof id !== 'number') {
    return undefined;
  }
  return Number.isFinite(Number(id)) ? Number(id) : id;
}

/** Peers in the same process see the message object itself: it must look as if nobody had tapped. */
function plainMessage(message: unknown): unknown {
  const params = readProperty(message, 'params');
  return isObject(message) && isObject(params) ? { ...message, params: withoutRecord(params) } : message;
}

function noteSent(tap: Tap, record: RequestRecord, id: RequestId, name: unknown): void {
  forget(record);
  removeFrom(tap.unsent, record);
  record.lastId = id;
  record.sentName = name;
  record.pending = tap.pending;
  record.answer = undefined;
  record.malformedAnswer = false;
  record.sendRejection = undefined;
  record.exchange = undefined;
  record.legacySse = isLegacySse(tap.transport);
  record.hasSession = typeof readProperty(tap.transport, 'sessionId') === 'string';
  tap.pending.set(id, record);
  expectAnswer(record);
}

/** Stops listening for a request: what comes later for its id does not count. */
export function forget(record: RequestRecord): void {
  const { lastId, pending } = record;
  if (lastId !== undefined && pending?.get(lastId) === record) {
    pending.delete(lastId);
  }
}

function watchSending(record: RequestRecord, id: RequestId, sending: unknown): void {
  if (typeof readProperty(sending, 'then') !== 'function') {
    record.onSendSettled();
    return;
  }
  Promise.resolve(sending).then(record.onSendSettled, (thrown: unknown) => {
    if (record.lastId === id) {
      record.sendRejection = { thrown };
    }
    record.onSendSettled();
  });
}

/** The legacy SSE transport is told by its class, or the class below its own: a status in an error's text counts there alone. */
function isLegacySse(transport: object): boolean {
  return readClassNames(transport).includes('SSEClientTransport');
}

function receive(tap: Tap, message: unknown): void {
  const method = readProperty(message, 'method');
  if (method === undefined) {
    receiveAnswer(tap, message);
  } else if (method === 'notifications/progress') {
    const token = toKey(readProperty(readProperty(message, 'params'), 'progressToken'));
    const record = token === undefined ? undefined : tap.pending.get(token);
    if (record !== undefined) {
      noteProgress(record);
    }
  } else if (method === 'notifications/tools/list_changed') {
    tap.toolsVersion += 1;
  }
}

function receiveAnswer(tap: Tap, message: unknown): void {
  const id = toKey(readProperty(message, 'id'));
  const record = id === undefined ? undefined : tap.pending.get(id);
  if (record === undefined || record.answer !== undefined) {
    return;
  }
  if (!isRpcResponse(message)) {
    record.malformedAnswer = true;
    return;
  }
  record.answer = message;
  if (!isAnswered(record)) {
    expectNothing(record);
  }
}

/** Settles what the client left open. */
function closed(tap: Tap, deliver: (message: unknown) => void): void {
  for (const [id, record] of [...tap.pending]) {
    setImmediate(() => {
      if (!isSettled(record)) {
        settle(record, { how: 'ended', reason: 'connection_closed', message: 'the connection was closed' });
        // The client still waits, and its timer holds the process: tell it what its own `onclose` would have.
        deliver({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'Connection closed' } });
      }
    });
  }
}
