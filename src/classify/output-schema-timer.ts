import { type Context, createContext, Script } from 'node:vm';
import { readProperty } from '../redact/safe-read.ts';

/** How long the checks of one schema held the event loop. */
export interface TimeSpent {
  slowMs: number;
  since: number;
}

/** Runs one step of a check in the time that is left; `undefined` when it had to be stopped. Throws what the step throws. */
export type RunStep = <T>(step: () => T) => { readonly value: T } | undefined;

/** For how long one schema may hold the event loop: in one check, and in all checks of a minute that were not quick. */
const slowLimitMs = 150;

/** A check up to this long is quick: it does not count. Every step gets at least this long. */
const quickMs = 25;

const minuteMs = 60_000;

/** Does one check of a schema and adds the time that it took to what the schema has spent. */
export function timeCheck<T>(spent: TimeSpent, check: (run: RunStep) => T): T {
  const start = performance.now();
  if (start - spent.since > minuteMs) {
    spent.slowMs = 0;
    spent.since = start;
  }
  const deadline = start + slowLimitMs - spent.slowMs;
  try {
    return check((step) => runBounded(step, Math.max(quickMs, deadline - performance.now())));
  } finally {
    const elapsed = performance.now() - start;
    spent.slowMs += elapsed > quickMs ? elapsed : 0;
  }
}

let sandbox: Context | undefined;
let entry: Script | undefined;

/**
 * The timer of `vm` ends whatever runs meanwhile, in this realm too: loops, backtracking patterns, code generation.
 * A native step ends first (V8 compiling one function or one pattern, `Object.keys`, collecting garbage), so whatever
 * could grow such a step has a limit of its own.
 */
function runBounded<T>(step: () => T, milliseconds: number): { readonly value: T } | undefined {
  sandbox ??= createContext({ __proto__: null });
  entry ??= new Script('run()');
  const state: { done?: { readonly value: T } } = {};
  sandbox.run = () => {
    state.done = { value: step() };
  };
  try {
    entry.runInContext(sandbox, { timeout: Math.ceil(milliseconds) });
  } catch (error) {
    if (!isTimeout(error)) {
      throw error;
    }
  } finally {
    sandbox.run = undefined;
  }
  return state.done;
}

/** Not by `instanceof`: the error is made in the sandbox's realm. */
function isTimeout(error: unknown): boolean {
  return readProperty(error, 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
