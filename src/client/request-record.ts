import type { HttpExchange } from '../classify/evidence.ts';
import type { RpcResponse } from '../classify/wire-schemas.ts';

/**
 * Carries a request's record through the client, from `callTool` to the tapped `send`: spreads keep an own enumerable
 * symbol, JSON drops it.
 */
export const recordSymbol: unique symbol = Symbol('mcp-outcome.request');

/** How the wrapper's wait for one request ended. */
export type Settlement =
  | { readonly how: 'resolved'; readonly value: unknown }
  | { readonly how: 'rejected'; readonly thrown: unknown }
  | { readonly how: 'aborted' }
  | { readonly how: 'not_started'; readonly problem: string; readonly thrown: unknown }
  | { readonly how: 'ended'; readonly reason: EndReason; readonly message: string };

export type EndReason = 'timeout' | 'connection_closed' | 'invalid_answer';

/**
 * What is known of one `tools/call` (or `tools/list`) while it runs. The tap and the observed fetch write into it; it is
 * read once, when the request has settled. What belongs to the last id sent starts anew with each `send`.
 */
export interface RequestRecord {
  /** The tool's name; absent for a listing. */
  readonly name: unknown;
  readonly arguments: unknown;
  lastId: number | undefined;
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
  /** Ends the wait. The first settlement counts, later ones do nothing. */
  readonly settle: (settlement: Settlement) => void;
  settled: boolean;
}

/** An error body grows while it is read. */
export type MutableHttpExchange = Omit<HttpExchange, 'body'> & { body?: string };

/** The timer of one request. */
export interface Deadline {
  /** A request went out: the answer is due. */
  readonly sent: () => void;
  /** The server reported progress. */
  readonly progressed: () => void;
  /** Nothing is due from the server: the request waits in a queue, or a person answers its question. Only the total counts. */
  readonly waiting: () => void;
  readonly clear: () => void;
  /** Milliseconds until the bound that was set last, also after `clear`. */
  readonly remaining: () => number;
}
