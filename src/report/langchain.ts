import type { ToolOutcome } from '../outcome.ts';
import { type ContentPart, marker } from './content.ts';
import { dataUrl, imageType } from './media-type.ts';
import { modelContent } from './model-content.ts';
import { outcomeText } from './text.ts';

/** The fields of a LangChain `ToolMessage`. */
export interface LangChainToolMessage {
  readonly tool_call_id: string;
  readonly name: string;
  readonly status: 'success' | 'error';
  readonly content: string | LangChainContentBlock[];
}

export type LangChainContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/**
 * The outcome as the fields of a `ToolMessage`, `status: 'error'` for a failure. Not every chat model integration
 * passes `status` on, so that a failure's text says it too; images are passed on in a success, other media are markers.
 */
export function toLangChainToolMessage(
  outcome: ToolOutcome,
  { toolCallId }: { readonly toolCallId: string },
): LangChainToolMessage {
  const common = { tool_call_id: toolCallId, name: outcome.tool };
  const content = modelContent(outcome).parts.map(toBlock);
  if (!outcome.ok || content.every((block) => block.type === 'text')) {
    return { ...common, status: outcome.ok ? 'success' : 'error', content: outcomeText(outcome) };
  }
  return { ...common, status: 'success', content };
}

function toBlock(part: ContentPart): LangChainContentBlock {
  if (part.kind === 'text') {
    return { type: 'text', text: part.text };
  }
  const image = imageType(part);
  return image === undefined
    ? { type: 'text', text: marker(part) }
    : { type: 'image_url', image_url: { url: dataUrl(image, part.data) } };
}
