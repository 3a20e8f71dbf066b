import { isArray, isObject, readProperty } from '../redact/safe-read.ts';
import type { OwnParams } from './request-record.ts';
import { runRequest } from './run-request.ts';
import { listToolsOf, type ToolCallingClient } from './sdk-client.ts';

/** What the server's list says of a tool. */
export interface ListedTool {
  readonly outputSchema?: unknown;
  /** The tool as listed, but for its output schema; absent when it has none. */
  readonly withoutSchema?: object;
  readonly replaySafe?: boolean;
}

/** By name. */
export type Tools = ReadonlyMap<string, ListedTool>;

/** A listing may take longer than anybody waits for it: later calls profit. */
const pageTimeoutMs = 10_000;

/** More pages than any real server has. */
const maxPages = 256;

/** Every page of the list, or `undefined` when one of them does not come or the last one never does. Never rejects. */
export async function listTools(client: ToolCallingClient): Promise<Tools | undefined> {
  const tools = new Map<string, ListedTool>();
  const cursors = new Set<string>();
  let params: OwnParams = {};
  for (let page = 0; page < maxPages; page += 1) {
    const result = await listPage(client, params);
    const listed = readProperty(result, 'tools');
    if (!isArray(listed)) {
      return undefined;
    }
    for (const tool of listed) {
      addTool(tools, tool);
    }
    const cursor = readProperty(result, 'nextCursor');
    if (typeof cursor !== 'string') {
      return tools;
    }
    if (cursors.has(cursor)) {
      // An empty one is a cursor like any other, and with many servers the end: those repeat it.
      return cursor === '' ? tools : undefined;
    }
    cursors.add(cursor);
    params = { cursor };
  }
  return undefined;
}

/** Read on the tap: a client that refuses the list for one bad tool must not cost the others their schemas. */
async function listPage(client: ToolCallingClient, params: OwnParams): Promise<unknown> {
  const { record } = await runRequest(
    {
      params,
      requestOptions: {},
      signal: undefined,
      timeout: pageTimeoutMs,
      maxTotalTimeout: pageTimeoutMs,
      bounded: false,
    },
    { unsent: [] },
    (sentParams, options) => listToolsOf(client, sentParams, options),
  );
  return record.answer?.result;
}

/** Of two tools with one name the last counts, as in the SDKs. */
function addTool(tools: Map<string, ListedTool>, tool: unknown): void {
  const name = readProperty(tool, 'name');
  if (typeof name !== 'string') {
    return;
  }
  // Some servers write an absent member as `null`.
  const outputSchema = readProperty(tool, 'outputSchema') ?? undefined;
  tools.set(name, {
    ...(outputSchema === undefined ? {} : { outputSchema, ...readDefinition(tool) }),
    ...readReplaySafe(readProperty(tool, 'annotations')),
  });
}

function readDefinition(tool: unknown): { readonly withoutSchema?: object } {
  try {
    const { outputSchema: _, ...withoutSchema } = isObject(tool) ? tool : {};
    return { withoutSchema };
  } catch {
    return {};
  }
}

/** Hints that say nothing of repeating a call leave it unknown. */
function readReplaySafe(annotations: unknown): { readonly replaySafe?: boolean } {
  const safe = ['readOnlyHint', 'idempotentHint'].some((hint) => readProperty(annotations, hint) === true);
  const said = ['readOnlyHint', 'idempotentHint', 'destructiveHint'].some(
    (hint) => typeof readProperty(annotations, hint) === 'boolean',
  );
  return said ? { replaySafe: safe } : {};
}
