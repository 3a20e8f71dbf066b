/** Waiting without time: turns of the event loop, and a clock that only the test moves. */
import type { TestContext } from 'node:test';

/** Lets everything run that waits for nothing but its turn. */
export async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Whether a promise is settled once everything else has had its turn. */
export async function isSettled(pending: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  pending.then(settle, settle);
  await idle();
  return settled;
}

export interface Clock {
  advance(ms: number): void;
}

/** Stops timers and `performance.now` until the end of the test. `setImmediate` goes on. */
export function stopClock(t: TestContext): Clock {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // Whole milliseconds: the sums of fractions are not exact.
  let now = Math.round(performance.now());
  t.mock.method(performance, 'now', () => now);
  return {
    advance: (ms) => {
      now += ms;
      t.mock.timers.tick(ms);
    },
  };
}
