import type { Deadline } from './request-record.ts';

/** Longer delays make `setTimeout` fire at once. */
export const longestTimeout = 2_147_483_647;

/** What the SDK's own timer gets as a head start, so that its error is seen when it does its work. */
const graceMs = 1_000;

export interface DeadlineOptions {
  readonly timeout: number;
  readonly maxTotalTimeout: number;
  readonly resetTimeoutOnProgress: boolean;
  /** Gets the bound that was passed, in milliseconds. */
  readonly onExpired: (boundMs: number) => void;
}

/**
 * One timer for one call, set to whichever comes first: `timeout` after the last request, or `maxTotalTimeout` after the
 * start, each with a grace of one second. Before the first request and while input is gathered only the total runs.
 */
export function createDeadline(options: DeadlineOptions): Deadline {
  const { timeout, maxTotalTimeout, resetTimeoutOnProgress, onExpired } = options;
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  const arm = (requestMs: number): void => {
    clearTimeout(timer);
    const now = performance.now();
    const totalMs = Math.max(0, startedAt + maxTotalTimeout - now);
    const delay = Math.min(Math.min(requestMs, totalMs) + graceMs, longestTimeout);
    dueAt = now + delay;
    timer = setTimeout(onExpired, delay, requestMs <= totalMs ? timeout : maxTotalTimeout);
  };

  return {
    sent: () => arm(timeout),
    progressed: () => {
      if (resetTimeoutOnProgress) {
        arm(timeout);
      }
    },
    waiting: () => arm(Number.POSITIVE_INFINITY),
    clear: () => clearTimeout(timer),
    remaining: () => Math.max(0, dueAt - performance.now()),
  };
}
