/**
 * A thrown value as a log may hold it: a fixed list of fields, each redacted and bounded. Errors of HTTP
 * clients carry whole requests, so no other member is ever read.
 */
import type { Redactor } from './redactor.ts';
import { isArray, isObject, readProperty } from './safe-read.ts';

export interface ErrorRecord {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: ErrorRecord;
}

export interface ErrorRecordOptions {
  /** Whether the stack is wanted, of the thrown value itself and not of its causes. */
  readonly stack: boolean;
}

const nameLimit = 128;
const messageLimit = 512;
const stackLimit = 1024;
/** How many causes are followed. Two errors may name each other as their cause. */
const causeLimit = 4;

/**
 * The record of any thrown value. `type` and a string `code` hold at most 128 UTF-16 units, `message` 512,
 * `stack` 1,024, each then with `…`; at most 4 causes. Never throws.
 */
export function toErrorRecord(thrown: unknown, redactor: Redactor, options: ErrorRecordOptions): ErrorRecord {
  return errorRecord(thrown, redactor, options.stack, new Set());
}

function errorRecord(
  thrown: unknown,
  redactor: Redactor,
  withStack: boolean,
  seen: Set<unknown>,
): ErrorRecord {
  seen.add(thrown);
  const code = errorCode(thrown, redactor);
  const stack = readProperty(thrown, 'stack');
  const cause = readProperty(thrown, 'cause');
  const hasCause = cause !== undefined && cause !== null && !seen.has(cause) && seen.size <= causeLimit;
  return {
    type: bounded(errorType(thrown), nameLimit, redactor),
    message: bounded(errorMessage(thrown), messageLimit, redactor),
    ...(code !== undefined && { code }),
    ...(withStack && typeof stack === 'string' && { stack: bounded(stack, stackLimit, redactor) }),
    ...(hasCause && { cause: errorRecord(cause, redactor, false, seen) }),
  };
}

/** `name`, but the class's name when that says more: SDK error classes often leave `name` at `Error`. */
function errorType(thrown: unknown): string {
  if (!isObject(thrown)) {
    return thrown === null ? 'null' : typeof thrown;
  }
  const name = readProperty(thrown, 'name');
  const className = readProperty(readProperty(thrown, 'constructor'), 'name');
  const candidates = [name, className].filter(
    (candidate) => typeof candidate === 'string' && candidate !== '',
  );
  const telling = candidates.find((candidate) => candidate !== 'Error');
  return String(telling ?? candidates[0] ?? 'unknown');
}

/** An `AggregateError` (two addresses refused the connection) has no message of its own: its code or first part. */
function errorMessage(thrown: unknown): string {
  if (!isObject(thrown)) {
    return typeof thrown === 'string' ? thrown : String(thrown);
  }
  const message = readProperty(thrown, 'message');
  if (typeof message === 'string' && message !== '') {
    return message;
  }
  const parts = readProperty(thrown, 'errors');
  if (!isArray(parts)) {
    return '';
  }
  const code = readProperty(thrown, 'code');
  if (typeof code === 'string') {
    return code;
  }
  const firstMessage = readProperty(readProperty(parts, 0), 'message');
  return typeof firstMessage === 'string' ? firstMessage : '';
}

function errorCode(thrown: unknown, redactor: Redactor): string | number | undefined {
  const code = readProperty(thrown, 'code');
  if (typeof code === 'number') {
    return code;
  }
  return typeof code === 'string' && code !== '' ? bounded(code, nameLimit, redactor) : undefined;
}

/** A caller's own redactor may throw; then nothing of the text is shown. */
function bounded(text: string, limit: number, redactor: Redactor): string {
  try {
    return redactor.bounded(text, limit);
  } catch {
    return '';
  }
}
