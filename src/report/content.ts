import { cutText, oneLine } from '../redact/bounded-text.ts';
import { isArray, readProperty } from '../redact/safe-read.ts';

/** One content block of a tool result, as far as a model can take it. */
export type ContentPart = TextPart | MediaPart;

/** `text` is what a text block says, `resource` an embedded resource's text, `note` a stand-in that we wrote. */
export interface TextPart {
  readonly kind: 'text';
  readonly source: 'text' | 'resource' | 'note';
  readonly text: string;
}

/** Bytes in base64, never shown as text. `uri` names an embedded resource. */
export interface MediaPart {
  readonly kind: 'media';
  readonly source: 'image' | 'audio' | 'resource';
  readonly data: string;
  readonly mediaType: string;
  readonly uri?: string;
}

/** The longest media type, block type or name in a marker, in UTF-16 units. */
const labelLimit = 128;

/** The blocks of a result in their order. A text in place of the list counts as one text block. */
export function contentParts(result: unknown): readonly ContentPart[] {
  return contentBlocks(result).map(toPart);
}

/** The members of `content`, whatever the result's shape: nobody checked it when `isError` decided. Never throws. */
export function contentBlocks(result: unknown): readonly unknown[] {
  const content = readProperty(result, 'content');
  if (typeof content === 'string') {
    return [{ type: 'text', text: content }];
  }
  try {
    return isArray(content) ? Array.from(content) : [];
  } catch {
    return [];
  }
}

/** What stands in a text for something that is no text: its type and its media type, never its bytes. */
export function marker(part: MediaPart): string {
  return `[${part.source}: ${label(part.mediaType)}]`;
}

/** All parts as one text, media as markers. */
export function partsText(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : marker(part))).join('\n');
}

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

function toPart(block: unknown): ContentPart {
  const type = readProperty(block, 'type');
  switch (type) {
    case 'text':
      return textPart('text', readProperty(block, 'text')) ?? unsupported(type);
    case 'image':
    case 'audio':
      return mediaPart(type, block, readProperty(block, 'data')) ?? unsupported(type);
    case 'resource':
      return resourcePart(readProperty(block, 'resource')) ?? unsupported(type);
    case 'resource_link':
      return linkNote(block) ?? unsupported(type);
  }
  return unsupported(typeof type === 'string' ? type : 'unknown');
}

function textPart(source: 'text' | 'resource', text: unknown): TextPart | undefined {
  return typeof text === 'string' ? { kind: 'text', source, text } : undefined;
}

function mediaPart(source: MediaPart['source'], block: unknown, data: unknown): MediaPart | undefined {
  if (typeof data !== 'string') {
    return undefined;
  }
  const mimeType = readProperty(block, 'mimeType');
  const mediaType = typeof mimeType === 'string' && !isBlank(mimeType) ? mimeType : 'unknown media type';
  const uri = readProperty(block, 'uri');
  return { kind: 'media', source, data, mediaType, ...(typeof uri === 'string' && { uri }) };
}

function resourcePart(resource: unknown): ContentPart | undefined {
  return (
    textPart('resource', readProperty(resource, 'text')) ??
    mediaPart('resource', resource, readProperty(resource, 'blob'))
  );
}

/** No provider fetches a resource of an MCP server, so that a link reaches the model as its address. */
function linkNote(block: unknown): TextPart | undefined {
  const uri = readProperty(block, 'uri');
  if (typeof uri !== 'string') {
    return undefined;
  }
  const mimeType = readProperty(block, 'mimeType');
  const mediaType = typeof mimeType === 'string' ? label(mimeType) : 'unknown media type';
  // A `data:` URI is the bytes themselves.
  const address = /^data:/i.test(uri) ? '' : ` ${oneLine(uri)}`;
  return { kind: 'text', source: 'note', text: `[resource_link: ${mediaType}${address}]` };
}

function unsupported(type: string): TextPart {
  return { kind: 'text', source: 'note', text: `[unsupported content: ${label(type)}]` };
}

function label(text: string): string {
  return oneLine(cutText(text, labelLimit));
}
