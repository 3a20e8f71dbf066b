import type { FailedOutcome, ToolOutcome } from '../outcome.ts';
import { OptionsError, typeName } from '../redact/options-error.ts';
import { isObject } from '../redact/safe-read.ts';
import { sayFailed, saysFailed } from './message-shapes.ts';
import { withMembers } from './with-members.ts';

export interface TranscriptOptions {
  /** The private key of a failed message. Default `_mcp_outcome`. */
  readonly key?: string | undefined;
}

/** What stands under the private key. */
export interface ToolMessageMark {
  readonly kind: FailedOutcome['kind'];
  readonly category: FailedOutcome['category'];
  readonly callId: string;
}

/**
 * The message of a call, with a private key when the call failed; the same object when it did not. The content stays
 * as it is: saying it to a provider is the part of `publishToolMessages`.
 * @throws OptionsError for a key that is not a non-empty string.
 */
export function markToolMessage<M extends object>(
  message: M,
  outcome: ToolOutcome,
  options: TranscriptOptions = {},
): M {
  const key = markKey(options);
  if (outcome.ok) {
    return message;
  }
  const { kind, category, callId } = outcome;
  const mark: ToolMessageMark = { kind, category, callId };
  return withMembers(message, { [key]: mark });
}

/**
 * The messages as a provider takes them. A marked one loses its key and says in its provider's way that the call
 * failed: by its error flag, else by the prefix `Tool execution failed:\n` (a leading text part in a list of parts).
 * All others stay the same objects, so that applying it twice changes nothing.
 * @throws OptionsError for a key that is not a non-empty string.
 */
export function publishToolMessages<M extends object>(
  messages: readonly M[],
  options: TranscriptOptions = {},
): M[] {
  const key = markKey(options);
  return messages.map((message) => (isMarked(message, key) ? sayFailed(withoutKey(message, key)) : message));
}

/**
 * Whether a tool message stands for a failed call: every shape that this package writes, as a whole message or as a
 * block, part or item of one, and every message that `markToolMessage` marked.
 * @throws OptionsError for a key that is not a non-empty string.
 */
export function isFailedToolMessage(message: unknown, options: TranscriptOptions = {}): boolean {
  const key = markKey(options);
  return isObject(message) && (isMarked(message, key) || saysFailed(message));
}

function isMarked(message: object, key: string): boolean {
  return Object.hasOwn(message, key);
}

function withoutKey<M extends object>(message: M, key: string): M {
  const copy = withMembers(message, {});
  Reflect.deleteProperty(copy, key);
  return copy;
}

function markKey({ key = '_mcp_outcome' }: TranscriptOptions): string {
  if (typeof key !== 'string' || key === '') {
    throw new OptionsError('key', 'a non-empty string', key === '' ? 'an empty string' : typeName(key));
  }
  return key;
}
