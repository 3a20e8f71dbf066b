import { fitsSdkV1 } from '../classify/output-schema-sdk-v1.ts';
import type { ToolOutcome } from '../outcome.ts';
import { type CallToolResult, renderCallToolResult } from '../report/call-tool-result.ts';

export interface CallToolResultOptions {
  /** The tool's output schema, when the reader of the result knows it and may hold failures against it too. */
  readonly outputSchema?: object;
}

/**
 * The outcome as an MCP `CallToolResult` that a client of any protocol version takes, `isError: true` for everything
 * that is not `ok`. Blocks, structured content and `_meta` are passed on as they came, save what a client would refuse
 * the whole result for.
 *
 * With `outputSchema`, a failure's structured content that does not fit moves to a text block and to
 * `_meta['mcp-outcome/structuredContent']`: SDK v1 clients that listed the tools throw a failure away for it. What fits
 * the schema but not their reading of it (formats, draft-07 alone) moves too.
 */
export function toCallToolResult(outcome: ToolOutcome, options: CallToolResultOptions = {}): CallToolResult {
  const { outputSchema } = options;
  return renderCallToolResult(
    outcome,
    (structuredContent) => outputSchema === undefined || fitsSdkV1(outputSchema, structuredContent),
  );
}
