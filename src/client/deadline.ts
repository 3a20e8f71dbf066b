import { type RequestRecord, settle } from './request-record.ts';

/** Longer delays make `setTimeout` fire at once. */
export const longestTimeout = 2_147_483_647;

/** What the SDK's own timer gets as a head start, so that its error is seen when it does its work. */
const graceMs = 1_000;

/** A request went out: the answer is due within `timeout`, and within what is left of `maxTotalTimeout`. */
export function expectAnswer(record: RequestRecord): void {
  arm(record, record.deadline.timeout);
}

/** The server reported progress, which moves the deadline only for callers who asked for that. */
export function noteProgress(record: RequestRecord): void {
  if (record.deadline.resetTimeoutOnProgress) {
    arm(record, record.deadline.timeout);
  }
}

/** Nothing is due from the server: the request waits in a queue, or a person answers its question. Only the total counts. */
export function expectNothing(record: RequestRecord): void {
  arm(record, Number.POSITIVE_INFINITY);
}

export function disarm({ deadline }: RequestRecord): void {
  clearTimeout(deadline.timer);
}

/** Milliseconds until the bound that was set last, also after it was disarmed. */
export function remainingMs(record: RequestRecord | undefined): number {
  return record === undefined ? 0 : Math.max(0, record.deadline.dueAt - performance.now());
}

/** One timer for one request, set to whichever bound comes first, each with a grace of one second. */
function arm(record: RequestRecord, requestMs: number): void {
  const { deadline } = record;
  const { startedAt, timeout, maxTotalTimeout } = deadline;
  clearTimeout(deadline.timer);
  const now = performance.now();
  const totalMs = Math.max(0, startedAt + maxTotalTimeout - now);
  const delay = Math.min(Math.min(requestMs, totalMs) + graceMs, longestTimeout);
  deadline.dueAt = now + delay;
  deadline.timer = setTimeout(expire, delay, record, requestMs <= totalMs ? timeout : maxTotalTimeout);
}

function expire(record: RequestRecord, boundMs: number): void {
  settle(record, { how: 'ended', reason: 'timeout', message: `no answer within ${boundMs} ms` });
}
