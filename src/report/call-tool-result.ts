import type { ToolOutcome } from '../outcome.ts';
import { readProperty } from '../redact/safe-read.ts';
import { contentBlocks, isBlank } from './content.ts';
import { isRecord, jsonText } from './json.ts';
import { failureSentence, noDetail, structuredText } from './model-content.ts';
import { type CallToolResultBlock, toWireBlock } from './wire-blocks.ts';

/** An MCP `CallToolResult` that clients of every protocol version take. */
export interface CallToolResult {
  readonly content: CallToolResultBlock[];
  readonly structuredContent?: { [key: string]: unknown };
  readonly isError?: boolean;
  readonly _meta?: { [key: string]: unknown };
  readonly [key: string]: unknown;
}

/** Whether a failure's structured content may stand in its place. Rendering knows no JSON Schema; its caller does. */
export type Fits = (structuredContent: unknown) => boolean;

/** Where structured content goes that must not stand in its own place. */
const movedKey = 'mcp-outcome/structuredContent';

/** Members of `_meta` that belong to the exchange they came with, and that clients check. */
const exchangeKeys: readonly string[] = ['progressToken', 'io.modelcontextprotocol/related-task'];

/** The outcome as a tool result: what `toCallToolResult` documents, with the check of the schema handed in. */
export function renderCallToolResult(outcome: ToolOutcome, fits: Fits = () => true): CallToolResult {
  switch (outcome.kind) {
    case 'success': {
      const { content, structuredContent, isError, _meta, ...others } = outcome.result;
      return { ...others, ...wireResult(outcome.result), ...(isError === false && { isError }) };
    }
    case 'tool_error':
    case 'failure_body':
      return failedResult(outcome.result, [], fits);
    case 'schema_mismatch':
      return failedResult(outcome.result, [textBlock(failureSentence(outcome))], fits);
    case 'call_failure':
    case 'cancelled':
      return failedResult(undefined, [textBlock(failureSentence(outcome))], fits);
  }
}

function wireResult(result: unknown): CallToolResult {
  const blocks = contentBlocks(result).map(toWireBlock);
  const given = readProperty(result, 'structuredContent');
  const speaks = blocks.some((block) => block.type === 'text' && !isBlank(block.text));
  // Some servers write an absent member as `null`; it is the answer only where there is no other.
  const structured = given === null && speaks ? undefined : given;
  if (structured === undefined || isRecord(structured)) {
    return { content: blocks, ...structuredMember(structured), ...metaMember(result) };
  }
  return { content: withJson(blocks, structured), ...metaMember(result, structured) };
}

function failedResult(result: unknown, lead: readonly CallToolResultBlock[], fits: Fits): CallToolResult {
  const blocks = contentBlocks(result)
    .map(toWireBlock)
    .filter((block) => block.type !== 'text' || !isBlank(block.text));
  const structured = readProperty(result, 'structuredContent') ?? undefined;
  const stays = isRecord(structured) && fits(structured);
  const readable = stays && blocks.some((block) => block.type === 'text');
  const said = structured === undefined || readable ? blocks : withJson(blocks, structured);
  const content = [...lead, ...said];
  return {
    content: content.length === 0 ? [textBlock(noDetail)] : content,
    ...(stays ? structuredMember(structured) : {}),
    isError: true,
    ...metaMember(result, stays ? undefined : structured),
  };
}

/** The structured content as one more text block, unless a block already holds it. */
function withJson(blocks: readonly CallToolResultBlock[], structured: unknown): CallToolResultBlock[] {
  const json = structuredText(structured);
  const held = blocks.some((block) => block.type === 'text' && jsonText(parse(block.text)) === json);
  return held ? [...blocks] : [...blocks, textBlock(json)];
}

function structuredMember(structured: { [key: string]: unknown } | undefined): Partial<CallToolResult> {
  return structured === undefined ? {} : { structuredContent: structured };
}

function metaMember(result: unknown, moved?: unknown): Partial<CallToolResult> {
  const entries = metaEntries(readProperty(result, '_meta'));
  if (moved !== undefined && jsonText(moved) !== undefined) {
    entries.push([movedKey, moved]);
  }
  return entries.length === 0 ? {} : { _meta: Object.fromEntries(entries) };
}

function metaEntries(meta: unknown): [string, unknown][] {
  try {
    return isRecord(meta) ? Object.entries(meta).filter(([key]) => !exchangeKeys.includes(key)) : [];
  } catch {
    return [];
  }
}

/** `undefined` for a text that is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textBlock(text: string): CallToolResultBlock {
  return { type: 'text', text };
}
