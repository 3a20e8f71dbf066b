import type { ToolOutcome } from '../outcome.ts';
import { partsText } from './content.ts';
import { failureLead, modelContent } from './model-content.ts';

/**
 * What a model reads. A success is the tool's text, other blocks as markers, or its structured content as JSON when
 * there is no text. A failure is a sentence: `Error: MCP tool '<server>/<tool>' reported a failure: <the tool's own
 * words>` when the tool said so, else `… failed: <message>`. The tool's words are passed on unchanged, of any length.
 */
export function outcomeText(outcome: ToolOutcome): string {
  const text = partsText(modelContent(outcome).parts);
  return outcome.kind === 'tool_error' || outcome.kind === 'failure_body'
    ? `${failureLead(outcome)} reported a failure: ${text}`
    : text;
}
