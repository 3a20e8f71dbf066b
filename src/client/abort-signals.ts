import { readProperty } from '../redact/safe-read.ts';

/**
 * One listener on each caller's signal, however many calls share it: more than ten make Node warn of a leak. It goes
 * when the last call has gone.
 */
const listeners = new WeakMap<
  AbortSignal,
  { readonly calls: Set<() => void>; readonly listener: () => void }
>();

/** Calls `onAbort` when the signal is aborted. Answers a function that stops listening. Throws what the signal throws. */
export function listenForAbort(signal: AbortSignal, onAbort: () => void): () => void {
  const shared = listeners.get(signal) ?? startListening(signal);
  shared.calls.add(onAbort);
  return () => {
    if (shared.calls.delete(onAbort) && shared.calls.size === 0) {
      listeners.delete(signal);
      try {
        signal.removeEventListener('abort', shared.listener);
      } catch {
        // A signal of the caller's own making; the call has its outcome all the same.
      }
    }
  };
}

function startListening(signal: AbortSignal): {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
} {
  const calls = new Set<() => void>();
  const listener = (): void => {
    for (const call of [...calls]) {
      call();
    }
  };
  signal.addEventListener('abort', listener);
  const shared = { calls, listener };
  listeners.set(signal, shared);
  return shared;
}

/** Whether a signal is aborted, also one that throws when it is asked. */
export function isAborted(signal: unknown): boolean {
  return readProperty(signal, 'aborted') === true;
}
