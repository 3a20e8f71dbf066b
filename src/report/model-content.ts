import type {
  CallFailureOutcome,
  CancelledOutcome,
  FailedOutcome,
  SchemaMismatchOutcome,
  ToolOutcome,
} from '../outcome.ts';
import { cutText, oneLine } from '../redact/bounded-text.ts';
import { readProperty } from '../redact/safe-read.ts';
import { type ContentPart, contentParts, isBlank, type TextPart } from './content.ts';
import { type JsonValue, jsonText, toJsonValue } from './json.ts';

/** What a model gets of an outcome, before a provider's message shape. */
export interface ModelContent {
  readonly failed: boolean;
  /** Never empty for a failure, and never all blank. */
  readonly parts: readonly ContentPart[];
  /** The structured content, when it is all that `parts` say. */
  readonly json?: JsonValue;
}

/** What a failure says that says nothing. */
export const noDetail: string = '(no detail provided)';

/** The tool's own words where it wrote any; else a sentence of ours, from the redacted `message`. */
export function modelContent(outcome: ToolOutcome): ModelContent {
  switch (outcome.kind) {
    case 'success':
      return { failed: false, ...readable(outcome.result, (structured) => structured !== undefined) };
    case 'tool_error':
    case 'failure_body': {
      const content = readable(outcome.result, isDetail);
      return {
        failed: true,
        ...content,
        parts: content.parts.length === 0 ? [note(noDetail)] : content.parts,
      };
    }
    case 'schema_mismatch': {
      const { parts } = readable(outcome.result, isDetail);
      const answered = parts.length === 0 ? '' : '\nThe tool answered:';
      return { failed: true, parts: [note(failureSentence(outcome) + answered), ...parts] };
    }
    case 'call_failure':
    case 'cancelled':
      return { failed: true, parts: [note(failureSentence(outcome))] };
  }
}

/** Our own words for a call whose failure the tool did not put into words. Redacted and bounded, as `message` is. */
export function failureSentence(
  outcome: SchemaMismatchOutcome | CallFailureOutcome | CancelledOutcome,
): string {
  return `${failureLead(outcome)} failed: ${outcome.message || noDetail}`;
}

export function failureLead(outcome: FailedOutcome): string {
  return `Error: ${toolLabel(outcome)}`;
}

/** Names come from servers and models: one line, at most 256 UTF-16 units. */
export function toolLabel({ server, tool }: FailedOutcome): string {
  return `MCP tool '${oneLine(cutText(`${server}/${tool}`, 256))}'`;
}

/** The blocks of a result; its structured content too when `wanted` and no text block says anything. */
function readable(result: unknown, wanted: (structured: unknown) => boolean): Omit<ModelContent, 'failed'> {
  const all = contentParts(result);
  const isText = (part: ContentPart) => part.kind === 'text' && part.source === 'text' && !isBlank(part.text);
  if (all.some(isText)) {
    return { parts: all };
  }
  const parts = all.filter((part) => part.kind === 'media' || !isBlank(part.text));
  const structured = readProperty(result, 'structuredContent');
  if (!wanted(structured)) {
    return { parts };
  }
  const withJson = [...parts, note(structuredText(structured))];
  return parts.length === 0 ? { parts: withJson, ...asJson(structured) } : { parts: withJson };
}

/** Structured content as a model reads it. */
export function structuredText(structured: unknown): string {
  return jsonText(structured) ?? '[structured content that JSON cannot carry]';
}

function isDetail(structured: unknown): boolean {
  return structured !== undefined && structured !== null;
}

function asJson(value: unknown): Pick<ModelContent, 'json'> {
  try {
    return { json: toJsonValue(value) };
  } catch {
    return {};
  }
}

function note(text: string): TextPart {
  return { kind: 'text', source: 'note', text };
}
