import type { FailedOutcome, ToolOutcome } from '../outcome.ts';
import { OptionsError, typeName } from '../redact/options-error.ts';
import { isArray, isObject, readProperty } from '../redact/safe-read.ts';
import { resultBlocks, sayFailed, sayFailedItem, saysFailed } from './message-shapes.ts';
import { hasMember, withMembers, withoutMember } from './with-members.ts';

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
 * The message of a call, or a block or part of one, with a private key when the call failed; the same object when it
 * did not. The content stays as it is: saying it to a provider is the part of `publishToolMessages`.
 *
 * In a message that holds the results of several calls, the block gets the key whose `tool_use_id` (AI SDK:
 * `toolCallId`, Gemini: `functionResponse.id`) is the outcome's `callId`. When none is, the message gets it, which says
 * of each of its calls that it failed.
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
  const blocks = resultBlocks(message);
  const own = blocks.filter((block) => block.id === callId);
  if (blocks.length < 2 || own.length === 0) {
    return withMembers(message, { [key]: mark });
  }
  return mapItems(message, (item) =>
    own.some((block) => block.item === item) ? withMembers(item, { [key]: mark }) : item,
  );
}

/**
 * The messages as a provider takes them. What is marked, a message or an item of its `content` or `parts`, loses its
 * key and says in its provider's way that the call failed: by its error flag, else by the prefix `Tool execution
 * failed:\n` (a leading text part in a list of parts). All else stays the same object, so that applying it twice
 * changes nothing.
 * @throws OptionsError for a key that is not a non-empty string.
 */
export function publishToolMessages<M extends object>(
  messages: readonly M[],
  options: TranscriptOptions = {},
): M[] {
  const key = markKey(options);
  return messages.map((message) => {
    const published = mapItems(message, (item) =>
      isMarked(item, key) ? sayFailedItem(withoutKey(item, key)) : item,
    );
    return isMarked(published, key) ? sayFailed(withoutKey(published, key)) : published;
  });
}

/**
 * Whether a tool message stands for a failed call: every shape that this package writes, as a whole message or as a
 * block, part or item of one, and every message that `markToolMessage` marked or that holds a marked item.
 * @throws OptionsError for a key that is not a non-empty string.
 */
export function isFailedToolMessage(message: unknown, options: TranscriptOptions = {}): boolean {
  const key = markKey(options);
  return (
    isObject(message) &&
    (isMarked(message, key) || itemsOf(message).some((item) => isMarked(item, key)) || saysFailed(message))
  );
}

const listKeys = ['content', 'parts'] as const;

function itemsOf(message: object): readonly object[] {
  return listKeys.flatMap((list) => {
    const items = readProperty(message, list);
    return isArray(items) ? items.filter(isObject) : [];
  });
}

/** The message with other items; the same object when they are all the same. */
function mapItems<M extends object>(message: M, change: (item: object) => object): M {
  return listKeys.reduce((changed, list) => {
    const items = readProperty(changed, list);
    if (!isArray(items)) {
      return changed;
    }
    const mapped = items.map((item) => (isObject(item) ? change(item) : item));
    return mapped.every((item, index) => item === items[index])
      ? changed
      : withMembers(changed, { [list]: mapped });
  }, message);
}

/** Renderings that stand inside a part, and that may have been marked before they were put there. */
const innerKeys = ['functionResponse', 'output'] as const;

function isMarked(message: object, key: string): boolean {
  return hasKey(message, key) || innerKeys.some((inner) => hasKey(readProperty(message, inner), key));
}

function withoutKey<M extends object>(message: M, key: string): M {
  const inner = innerKeys.flatMap((name) => {
    const value = readProperty(message, name);
    return isObject(value) && hasKey(value, key) ? [[name, withoutMember(value, key)]] : [];
  });
  return withoutMember(withMembers(message, Object.fromEntries(inner)), key);
}

function hasKey(value: unknown, key: string): boolean {
  return isObject(value) && hasMember(value, key);
}

function markKey({ key = '_mcp_outcome' }: TranscriptOptions): string {
  if (typeof key !== 'string' || key === '') {
    throw new OptionsError('key', 'a non-empty string', key === '' ? 'an empty string' : typeName(key));
  }
  return key;
}
