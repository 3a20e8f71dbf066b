import type { ToolOutcome } from '../outcome.ts';
import { type ContentPart, marker, partsText } from './content.ts';
import type { JsonValue } from './json.ts';
import { modelContent } from './model-content.ts';

/** The `output` of a tool-result part of the Vercel AI SDK (versions 6 and 7). */
export type AISDKToolResultOutput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'json' | 'error-json'; readonly value: JsonValue }
  | { readonly type: 'content'; readonly value: AISDKContentPart[] };

export type AISDKContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image-data' | 'file-data'; readonly data: string; readonly mediaType: string };

/**
 * The outcome as a tool-result output: `error-text` for a failure, `error-json` when its structured content is all
 * there is. A success with media is `content`; a failure has no place for media, which become markers.
 */
export function toAISDKToolResultOutput(outcome: ToolOutcome): AISDKToolResultOutput {
  const { failed, parts, json } = modelContent(outcome);
  if (json !== undefined) {
    return { type: failed ? 'error-json' : 'json', value: json };
  }
  if (failed || parts.every((part) => part.kind === 'text')) {
    return { type: failed ? 'error-text' : 'text', value: partsText(parts) };
  }
  return { type: 'content', value: parts.map(toContentPart) };
}

function toContentPart(part: ContentPart): AISDKContentPart {
  if (part.kind === 'text') {
    return { type: 'text', text: part.text };
  }
  const { data, mediaType } = part;
  if (data === '' || !mediaType.includes('/')) {
    return { type: 'text', text: marker(part) };
  }
  return { type: part.source === 'image' ? 'image-data' : 'file-data', data, mediaType };
}
