import { isRpcErrorNode, readErrorNodes } from '../classify/error-facts.ts';
import { checkOutputSchema } from '../classify/output-schema.ts';
import { isObject, readProperty } from '../redact/safe-read.ts';
import type { FinishedRequest } from './run-request.ts';
import { isSdkV2 } from './sdk-client.ts';
import type { ToolCatalog } from './tool-catalog.ts';

/**
 * SDK v2 refuses a call before it is sent when it cannot compile the output schema that it listed for the tool. Its own
 * option `toolDefinition` avoids that: the tool as listed, without the schema. It is given where it is needed and nowhere
 * else, because with it the client no longer lists anew when a server refuses its `Mcp-Param-*` headers.
 */
export function withToolDefinition(catalog: ToolCatalog, params: unknown, options: unknown): unknown {
  const tool = String(readProperty(params, 'name'));
  const listed = readProperty(options, 'toolDefinition') === undefined ? catalog.find(tool) : undefined;
  const toolDefinition = listed?.withoutSchema;
  return toolDefinition !== undefined && (catalog.isRefused(tool) || isUnusable(listed?.outputSchema))
    ? { ...Object(options), toolDefinition }
    : options;
}

/** Asked once: a schema that compiled, and only later took too long, is none that the client refuses. */
const unusable = new WeakMap<object, boolean>();

function isUnusable(outputSchema: unknown): boolean {
  if (!isObject(outputSchema)) {
    return false;
  }
  const known = unusable.get(outputSchema);
  const verdict = known ?? checkOutputSchema(outputSchema, undefined).verdict === 'unusable';
  if (known === undefined) {
    unusable.set(outputSchema, verdict);
  }
  return verdict;
}

/** Its compiler may refuse what ours takes. Nothing else of SDK v2 ends a call like this before it is sent. */
export function isSchemaRefusal(client: unknown, { record, settlement }: FinishedRequest): boolean {
  const [node] =
    settlement.how === 'rejected' && record.lastId === undefined && isSdkV2(client)
      ? readErrorNodes(settlement.thrown)
      : [];
  return node !== undefined && isRpcErrorNode(node) && readProperty(node.value, 'code') === -32_602;
}
