import type { ContentBlock, ToolOutcome } from '../outcome.ts';
import { isArray, readProperty } from '../redact/safe-read.ts';
import { type ContentPart, isBlank, marker } from './content.ts';
import { type ImageType, imageType, isPdf } from './media-type.ts';
import { modelContent } from './model-content.ts';

/** A `tool_result` block of the Anthropic Messages API. */
export interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  /** Absent when there is nothing to say. */
  readonly content?: AnthropicToolResultContent[];
  readonly is_error?: true;
}

export type AnthropicToolResultContent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly source: { readonly type: 'base64'; readonly media_type: ImageType; readonly data: string };
    }
  | {
      readonly type: 'document';
      readonly source: {
        readonly type: 'base64';
        readonly media_type: 'application/pdf';
        readonly data: string;
      };
    };

/**
 * The outcome as a `tool_result` block, `is_error: true` for a failure. JPEG, PNG, GIF, WebP and PDF are passed on in
 * a success; a failure is text alone, because the API refuses a request where a block with `is_error` holds more.
 */
export function toAnthropicToolResult(
  outcome: ToolOutcome,
  { toolUseId }: { readonly toolUseId: string },
): AnthropicToolResult {
  const { failed, parts } = modelContent(outcome);
  const content = parts
    .map((part) => (failed ? toText(part) : toContent(part)))
    // The API refuses blank text blocks.
    .filter((block) => block.type !== 'text' || !isBlank(block.text));
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    ...(content.length > 0 && { content }),
    ...(failed && { is_error: true }),
  };
}

/** What a `tool_result` block says, in MCP's words: a `CallToolResult` and the id it belongs to. */
export interface ToolResultFromAnthropic {
  readonly toolUseId: string;
  readonly isError: boolean;
  readonly content: ContentBlock[];
}

/** The way back. `is_error` decides, its absence and `null` are a success; blocks that MCP has no word for stay as they are. */
export function fromAnthropicToolResult(block: {
  readonly tool_use_id: string;
  readonly content?: unknown;
  readonly is_error?: boolean | null | undefined;
}): ToolResultFromAnthropic {
  const { content } = block;
  return {
    toolUseId: block.tool_use_id,
    isError: block.is_error === true,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : fromContent(content),
  };
}

function toContent(part: ContentPart): AnthropicToolResultContent {
  if (part.kind === 'text') {
    return toText(part);
  }
  const { data } = part;
  const mediaType = imageType(part);
  if (mediaType !== undefined) {
    return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
  }
  return isPdf(part)
    ? { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }
    : toText(part);
}

function toText(part: ContentPart): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: part.kind === 'text' ? part.text : marker(part) };
}

function fromContent(content: unknown): ContentBlock[] {
  return isArray(content) ? content.filter(isBlock).map(fromBlock) : [];
}

function isBlock(block: unknown): block is ContentBlock {
  return typeof readProperty(block, 'type') === 'string';
}

function fromBlock(block: ContentBlock): ContentBlock {
  const source = readProperty(block, 'source');
  const data = readProperty(source, 'data');
  const mimeType = readProperty(source, 'media_type');
  if (typeof data !== 'string' || typeof mimeType !== 'string') {
    return block;
  }
  if (block.type === 'image') {
    return { type: 'image', data, mimeType };
  }
  if (block.type !== 'document') {
    return block;
  }
  const title = readProperty(block, 'title');
  const uri = typeof title === 'string' ? title : 'document';
  const bytes = readProperty(source, 'type') === 'base64' ? { blob: data } : { text: data };
  return { type: 'resource', resource: { uri, mimeType, ...bytes } };
}
