import type { Deadline } from './call-record.ts';

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

  const arm = (requestMs: number): void => {
    clearTimeout(timer);
    const totalMs = Math.max(0, maxTotalTimeout - (performance.now() - startedAt));
    const bound = requestMs <= totalMs ? timeout : maxTotalTimeout;
    timer = setTimeout(onExpired, Math.min(Math.min(requestMs, totalMs) + graceMs, longestTimeout), bound);
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
  };
}
