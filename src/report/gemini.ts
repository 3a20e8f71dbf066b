import type { ToolOutcome } from '../outcome.ts';
import { type ContentPart, partsText } from './content.ts';
import type { JsonValue } from './json.ts';
import { imageType, isPdf } from './media-type.ts';
import { modelContent } from './model-content.ts';

/** A `functionResponse` of the Gemini API, to be put into a part of a `user` content. */
export interface GeminiFunctionResponse {
  readonly id?: string;
  readonly name: string;
  /** `output` for a success, `error` for a failure; never both. */
  readonly response: { output: JsonValue } | { error: string };
  readonly parts?: GeminiFunctionResponsePart[];
}

export interface GeminiFunctionResponsePart {
  readonly inlineData: { readonly mimeType: string; readonly data: string };
}

/**
 * The outcome as a `functionResponse`. Images and PDFs are markers in the text and data in `parts`, which models
 * before Gemini 3 do not take: leave `parts` out for them. `name` is the function's name as the model knows it
 * (default: the tool's), `id` the id of the function call where it has one.
 */
export function toGeminiFunctionResponse(
  outcome: ToolOutcome,
  { id, name = outcome.tool }: { readonly id?: string | undefined; readonly name?: string | undefined } = {},
): GeminiFunctionResponse {
  const { failed, parts, json } = modelContent(outcome);
  const text = partsText(parts);
  const media = parts.flatMap(toMediaPart);
  return {
    ...(id !== undefined && { id }),
    name,
    response: failed ? { error: text } : { output: json === undefined ? text : json },
    ...(media.length > 0 && { parts: media }),
  };
}

function toMediaPart(part: ContentPart): GeminiFunctionResponsePart[] {
  if (part.kind === 'text') {
    return [];
  }
  const image = imageType(part);
  const mimeType = isPdf(part) ? 'application/pdf' : image;
  // Of the common image types, GIF alone is not among those that Gemini takes here.
  return mimeType === undefined || mimeType === 'image/gif'
    ? []
    : [{ inlineData: { mimeType, data: part.data } }];
}
