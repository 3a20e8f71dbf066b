import type { ToolOutcome } from '../outcome.ts';
import { cutText } from '../redact/bounded-text.ts';
import { type ContentPart, type MediaPart, marker, partsText } from './content.ts';
import { flagPrefix } from './flag-prefix.ts';
import { dataUrl, imageType, isPdf } from './media-type.ts';
import { modelContent } from './model-content.ts';

/** A `tool` message of the OpenAI Chat Completions API. */
export interface OpenAIToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/** A `function_call_output` item of the OpenAI Responses API. */
export interface OpenAIFunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string | OpenAIOutputPart[];
}

export type OpenAIOutputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' }
  | { readonly type: 'input_file'; readonly file_data: string; readonly filename: string };

/** The outcome as a `tool` message. The API takes text alone: media become markers, a failure's text a prefix. */
export function toOpenAIToolMessage(
  outcome: ToolOutcome,
  { toolCallId }: { readonly toolCallId: string },
): OpenAIToolMessage {
  const { failed, parts } = modelContent(outcome);
  const text = partsText(parts);
  return { role: 'tool', tool_call_id: toolCallId, content: flagPrefix(failed, text) + text };
}

/** The outcome as a `function_call_output` item: a text, or a list of parts when there is an image or a PDF in it. */
export function toOpenAIFunctionCallOutput(
  outcome: ToolOutcome,
  { callId }: { readonly callId: string },
): OpenAIFunctionCallOutput {
  const { failed, parts } = modelContent(outcome);
  const text = partsText(parts);
  const list = parts.map(toOutputPart);
  if (list.every((part) => part.type === 'input_text')) {
    return { type: 'function_call_output', call_id: callId, output: flagPrefix(failed, text) + text };
  }
  const prefix = flagPrefix(failed, text);
  const flag: OpenAIOutputPart[] = prefix === '' ? [] : [{ type: 'input_text', text: prefix }];
  return { type: 'function_call_output', call_id: callId, output: [...flag, ...list] };
}

function toOutputPart(part: ContentPart): OpenAIOutputPart {
  if (part.kind === 'text') {
    return { type: 'input_text', text: part.text };
  }
  const image = imageType(part);
  if (image !== undefined) {
    return { type: 'input_image', image_url: dataUrl(image, part.data), detail: 'auto' };
  }
  return isPdf(part)
    ? { type: 'input_file', file_data: dataUrl('application/pdf', part.data), filename: fileName(part) }
    : { type: 'input_text', text: marker(part) };
}

function fileName({ uri = '' }: MediaPart): string {
  const name = /[^/\\?#]+\.pdf$/i.exec(uri.slice(-256))?.[0];
  return name === undefined ? 'document.pdf' : cutText(name, 128);
}
