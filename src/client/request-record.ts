import type { HttpExchange } from '../classify/evidence.ts';
import type { RpcResponse } from '../classify/wire-schemas.ts';
import { isObject, readProperty } from '../redact/safe-read.ts';

/** Carries a request's record through the client to the tapped `send`: spreads keep an own enumerable symbol, JSON drops it. */
const recordSymbol: unique symbol = Symbol('mcp-outcome.request');

/** For clients that build `params` anew: the `arguments` object that one request alone was given. */
const recordsByArguments = new WeakMap<object, RequestRecord>();

/** Marks the wrapper's own copy of the parameters: what of them is sent is the same to the byte. */
export function markWithRecord(params: OwnParams, record: RequestRecord): void {
  params[recordSymbol] = record;
}

/** The same parameters, with an `arguments` object that tells the record too: callers share theirs between calls. */
export function withOwnArguments(params: Params): Params {
  const record = params[recordSymbol];
  const ownArguments = copyPlain(params.arguments);
  if (ownArguments === undefined || !isRecord(record)) {
    return params;
  }
  recordsByArguments.set(ownArguments, record);
  return { ...params, arguments: ownArguments };
}

/** The record that the parameters of a sent request carry. */
export function recordOf(params: unknown): RequestRecord | undefined {
  const carried = readProperty(params, recordSymbol);
  if (isRecord(carried)) {
    return carried;
  }
  const sentArguments = readProperty(params, 'arguments');
  return isObject(sentArguments) ? recordsByArguments.get(sentArguments) : undefined;
}

function isRecord(value: unknown): value is RequestRecord {
  return isObject(value);
}

/** Parameters as if nobody had marked them: peers in the same process see the object itself. */
export function withoutRecord(params: Params): Params {
  const { [recordSymbol]: _record, ...plain } = params;
  return plain;
}

/** Parameters that nobody else holds yet. */
export interface OwnParams {
  [member: PropertyKey]: unknown;
}

export type Params = Readonly<Record<PropertyKey, unknown>>;

/** Anything with a prototype of its own may serialize in its own way, and stays. */
function copyPlain(value: unknown): object | undefined {
  try {
    const isPlain = isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
    return isPlain ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** A JSON-RPC id. */
export type RequestId = string | number;

/** The requests of one transport, by id. */
export type PendingRequests = Map<RequestId, RequestRecord>;

/** How the wrapper's wait for one request ended. */
export type Settlement =
  | { readonly how: 'resolved'; readonly value: unknown }
  | { readonly how: 'rejected'; readonly thrown: unknown }
  | { readonly how: 'aborted' }
  | { readonly how: 'not_started'; readonly problem: string; readonly thrown: unknown }
  | { readonly how: 'ended'; readonly reason: EndReason; readonly message: string };

type EndReason = 'timeout' | 'connection_closed' | 'invalid_answer';

/**
 * What is known of one `tools/call` (or `tools/list`) while it runs. The tap and the observed fetch write into it; it is
 * read once, when the request has settled. What belongs to the last id sent starts anew with each `send`.
 */
export interface RequestRecord {
  readonly params: unknown;
  lastId: RequestId | undefined;
  /** The tool's name as it was sent: a gateway may call its tools otherwise. */
  sentName: unknown;
  /** A request went out that carried no record, and may have been this one. */
  mayHaveLeft: boolean;
  /** Where the last id waits for its answer. */
  pending: PendingRequests | undefined;
  /** The first valid answer to the last id. */
  answer: RpcResponse | undefined;
  malformedAnswer: boolean;
  sendRejection: { readonly thrown: unknown } | undefined;
  exchange: MutableHttpExchange | undefined;
  /** What an observed `fetch` was asked to send: its credentials are known secrets of this call. */
  httpRequest: { readonly url: unknown; readonly headers: unknown } | undefined;
  legacySse: boolean;
  hasSession: boolean;
  readonly deadline: Deadline;
  /** Called when the transport's `send` has settled, either way. */
  readonly onSendSettled: () => void;
  /** Takes the first settlement; gone after it. */
  onSettled: ((settlement: Settlement) => void) | undefined;
}

/** An error body grows while it is read. */
type MutableHttpExchange = Omit<HttpExchange, 'body'> & { body?: string };

/** The bounds of one request and its one timer. */
interface Deadline {
  readonly timeout: number;
  readonly maxTotalTimeout: number;
  readonly resetTimeoutOnProgress: boolean;
  readonly startedAt: number;
  dueAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Mostly the last one: a client that sends at once has one unsent request at a time. */
export function removeFrom(records: RequestRecord[] | undefined, record: RequestRecord): void {
  const index = records?.lastIndexOf(record) ?? -1;
  if (index !== -1) {
    records?.splice(index, 1);
  }
}

/** Ends the wait for a request. The first settlement counts, later ones do nothing. */
export function settle(record: RequestRecord, settlement: Settlement): void {
  const { onSettled } = record;
  record.onSettled = undefined;
  onSettled?.(settlement);
}

export function isSettled(record: RequestRecord): boolean {
  return record.onSettled === undefined;
}

/** Whether the server has said its last word on the request: a question for more input is none. */
export function isAnswered({ answer }: RequestRecord): boolean {
  return answer !== undefined && answer.result?.resultType !== 'input_required';
}
