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

type EndReason = 'timeout' | 'connection_closed' | 'invalid_answer';

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
