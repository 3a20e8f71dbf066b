import { isArray, isObject, readProperty } from '../redact/safe-read.ts';
import { failedPrefix } from './flag-prefix.ts';
import { noDetail } from './model-content.ts';
import { withMembers } from './with-members.ts';

/** One provider's way to say that a tool call failed. */
interface MessageShape {
  readonly matches: (message: object) => boolean;
  readonly isFailed: (message: object) => boolean;
  readonly asFailed: <M extends object>(message: M) => M;
}

/** A shape that may stand beside others of its kind in one message, each with the id of its call. */
interface BlockShape extends MessageShape {
  readonly id: (block: object) => unknown;
}

/** Messages, blocks and parts with an error flag of their own. */
const flagShapes: readonly BlockShape[] = [
  {
    // Anthropic
    matches: (block) => readProperty(block, 'type') === 'tool_result',
    isFailed: (block) => readProperty(block, 'is_error') === true,
    asFailed: (block) => withMembers(block, { is_error: true }),
    id: (block) => readProperty(block, 'tool_use_id'),
  },
  {
    // Vercel AI SDK
    matches: (part) => readProperty(part, 'type') === 'tool-result',
    isFailed: (part) => isErrorOutput(readProperty(part, 'output')),
    asFailed: (part) => withMembers(part, { output: errorOutput(readProperty(part, 'output')) }),
    id: (part) => readProperty(part, 'toolCallId'),
  },
  {
    // Gemini, as a part
    matches: (part) => isObject(readProperty(part, 'functionResponse')),
    isFailed: (part) => hasError(readProperty(part, 'functionResponse')),
    asFailed: (part) =>
      withMembers(part, { functionResponse: errorResponse(readProperty(part, 'functionResponse')) }),
    id: (part) => readProperty(readProperty(part, 'functionResponse'), 'id'),
  },
  {
    // LangChain
    matches: (message) =>
      typeof readProperty(message, 'tool_call_id') === 'string' &&
      readProperty(message, 'role') === undefined,
    isFailed: (message) => readProperty(message, 'status') === 'error',
    asFailed: (message) => withMembers(message, { status: 'error' }),
    id: (message) => readProperty(message, 'tool_call_id'),
  },
];

/** Messages whose text alone can say it. */
const textShapes: readonly MessageShape[] = [
  {
    // OpenAI Responses
    matches: (item) => readProperty(item, 'type') === 'function_call_output',
    isFailed: (item) => startsFailed(readProperty(item, 'output')),
    asFailed: (item) => withMembers(item, { output: withPrefix(readProperty(item, 'output'), 'input_text') }),
  },
  {
    // OpenAI chat
    matches: (message) => readProperty(message, 'role') === 'tool',
    isFailed: (message) => startsFailed(readProperty(message, 'content')),
    asFailed: (message) =>
      withMembers(message, { content: withPrefix(readProperty(message, 'content'), 'text') }),
  },
];

/** What of the outcome renderings stands alone: an AI SDK output, a Gemini `functionResponse`, an MCP tool result. */
const bareShapes: readonly ((value: object) => boolean)[] = [isErrorOutput, hasError, isErrorResult];

/** Whether a message, or a block or part in it, says that a tool call failed. */
export function saysFailed(message: object): boolean {
  const blocks = flaggedBlocks(message);
  if (blocks !== undefined) {
    return blocks.items.some((item) => isObject(item) && shapeOf(item, flagShapes)?.isFailed(item) === true);
  }
  const shape = shapeOf(message, [...flagShapes, ...textShapes]);
  return shape === undefined ? bareShapes.some((isFailed) => isFailed(message)) : shape.isFailed(message);
}

/** The message, saying that its tool call failed. A shape that nobody knows is taken for an OpenAI chat message. */
export function sayFailed<M extends object>(message: M): M {
  if (saysFailed(message)) {
    return message;
  }
  const blocks = flaggedBlocks(message);
  if (blocks !== undefined) {
    const items = blocks.items.map((item) =>
      isObject(item) && shapeOf(item, flagShapes) !== undefined ? sayFailedItem(item) : item,
    );
    return withMembers(message, { [blocks.key]: items });
  }
  const shape = shapeOf(message, [...flagShapes, ...textShapes]);
  return shape === undefined
    ? withMembers(message, { content: withPrefix(readProperty(message, 'content'), 'text') })
    : shape.asFailed(message);
}

/** The same of one block or part in a message. One that is no tool result says it in its text, where it has one. */
export function sayFailedItem(item: object): object {
  const shape = shapeOf(item, flagShapes);
  if (shape !== undefined) {
    return shape.isFailed(item) ? item : shape.asFailed(item);
  }
  const text = readProperty(item, 'text');
  return typeof text === 'string' && !text.startsWith(failedPrefix)
    ? withMembers(item, { text: failedPrefix + text })
    : item;
}

/** The tool results in a message, each with the id of its call where it has one. */
export function resultBlocks(message: object): readonly { readonly item: object; readonly id: unknown }[] {
  const items = flaggedBlocks(message)?.items ?? [];
  return items.flatMap((item) => {
    const shape = isObject(item) ? shapeOf(item, flagShapes) : undefined;
    return isObject(item) && shape !== undefined ? [{ item, id: shape.id(item) }] : [];
  });
}

function shapeOf<S extends MessageShape>(message: object, shapes: readonly S[]): S | undefined {
  return shapes.find((shape) => shape.matches(message));
}

/** The blocks of a message that holds tool results, Anthropic's and the AI SDK's `content` or Gemini's `parts`. */
function flaggedBlocks(
  message: object,
): { readonly key: 'content' | 'parts'; readonly items: readonly unknown[] } | undefined {
  for (const key of ['content', 'parts'] as const) {
    const items = readProperty(message, key);
    if (isArray(items) && items.some((item) => isObject(item) && shapeOf(item, flagShapes) !== undefined)) {
      return { key, items };
    }
  }
  return undefined;
}

function startsFailed(content: unknown): boolean {
  const text = isArray(content) ? readProperty(content[0], 'text') : content;
  return typeof text === 'string' && text.startsWith(failedPrefix);
}

function withPrefix(content: unknown, partType: 'text' | 'input_text'): unknown {
  if (isArray(content) && content.length > 0) {
    return [{ type: partType, text: failedPrefix }, ...content];
  }
  return failedPrefix + (typeof content === 'string' && content !== '' ? content : noDetail);
}

function isErrorOutput(output: unknown): boolean {
  const type = readProperty(output, 'type');
  return type === 'error-text' || type === 'error-json';
}

function errorOutput(output: unknown): unknown {
  const value = readProperty(output, 'value') ?? '';
  if (readProperty(output, 'type') === 'content' && isArray(value)) {
    return { type: 'error-text', value: value.map(partText).join('\n') || noDetail };
  }
  return typeof value === 'string'
    ? { type: 'error-text', value: value || noDetail }
    : { type: 'error-json', value };
}

/** An error output has no place for media. */
function partText(part: unknown): string {
  const text = readProperty(part, 'text');
  const { type, mediaType } = {
    type: readProperty(part, 'type'),
    mediaType: readProperty(part, 'mediaType'),
  };
  return typeof text === 'string' ? text : `[${type}: ${mediaType ?? 'unknown media type'}]`;
}

function hasError(functionResponse: unknown): boolean {
  const response = readProperty(functionResponse, 'response');
  return isObject(response) && Object.hasOwn(response, 'error');
}

function isErrorResult(result: unknown): boolean {
  return readProperty(result, 'isError') === true && isArray(readProperty(result, 'content'));
}

function errorResponse(functionResponse: unknown): unknown {
  const response = readProperty(functionResponse, 'response');
  const error = readProperty(response, 'output') ?? response ?? noDetail;
  return { ...(isObject(functionResponse) && functionResponse), response: { error } };
}
