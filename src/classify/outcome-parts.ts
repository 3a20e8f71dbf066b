import type { Delivery } from '../outcome.ts';
import { oneLine } from '../redact/bounded-text.ts';
import type { ClassifyContext } from './evidence.ts';

/** The longest `message` and `body` of an outcome, in UTF-16 units, before the `…` of a cut. */
export const messageLimit = 2_048;

/** The members that every kind of outcome has. */
export interface CommonParts {
  readonly server: string;
  readonly tool: string;
  readonly callId: string;
  readonly message: string;
  readonly delivery: Delivery;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly replaySafe?: boolean;
}

/** `message` is taken as it stands: safe text of our own, or text that went through `safeMessage`. */
export function commonParts(context: ClassifyContext, message: string, delivery: Delivery): CommonParts {
  const { server, tool, callId, startedAt, durationMs, replaySafe } = context;
  const parts = { server, tool, callId, message, delivery, startedAt, durationMs };
  return replaySafe === undefined ? parts : { ...parts, replaySafe };
}

/** Redacted first, cut second, and one line last: a private key is recognized by its line breaks. */
export function safeMessage(context: ClassifyContext, text: string): string {
  return oneLine(context.redactor.bounded(text, messageLimit)).trim();
}

/** Hides `cause` from JSON, spreads and loggers, without touching the value. */
export function hideCause<T extends { readonly cause: unknown }>(outcome: T): T {
  return Object.defineProperty(outcome, 'cause', { enumerable: false });
}
