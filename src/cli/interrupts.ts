/** Ctrl-C, and the signals with which a supervisor ends a program. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupts {
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  /** There is nothing left to abort: from now on the first interrupt quits. */
  readonly disarm: () => void;
}

/** The first interrupt aborts, the next one calls `quit`. */
export function listenForInterrupts(quit: () => void): Interrupts {
  const controller = new AbortController();
  let armed = true;
  for (const name of signals) {
    process.on(name, () => {
      if (armed) {
        armed = false;
        controller.abort(new Error(`interrupted by ${name}`));
      } else {
        quit();
      }
    });
  }
  return {
    signal: controller.signal,
    disarm: () => {
      armed = false;
    },
  };
}
