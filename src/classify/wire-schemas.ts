import * as v from 'valibot';
import type { SchemaIssue, ToolResult } from '../outcome.ts';
import { toJsonPointer } from '../redact/json-pointer.ts';
import { isArray, isObject, readProperty } from '../redact/safe-read.ts';

/**
 * The shapes of MCP (schema.ts of 2025-06-18 to 2026-07-28) and JSON-RPC 2.0, as strict as a verdict needs and no
 * stricter. Messages are our own words: valibot's defaults quote the received value.
 */

const text = v.string('must be a string');

/** valibot says "an object" of a member that is missing, too, and quotes it. */
const requires =
  (what: string) =>
  (issue: v.BaseIssue<unknown>): string =>
    issue.expected === 'Object' ? 'must be an object' : `must be ${what}`;

const object = requires('a string');

/** Members that a block of a known type cannot do without. Other types and other members are not judged. */
const knownBlocks: Readonly<Record<string, v.GenericSchema>> = {
  text: v.looseObject({ text }, object),
  image: v.looseObject({ data: text, mimeType: text }, object),
  audio: v.looseObject({ data: text, mimeType: text }, object),
  resource_link: v.looseObject({ uri: text, name: text }, object),
  resource: v.looseObject(
    {
      resource: v.pipe(
        v.looseObject({ uri: text }, object),
        v.check(
          (contents) => typeof contents.text === 'string' || typeof contents.blob === 'string',
          'must have a text or a blob that is a string',
        ),
      ),
    },
    requires('an object'),
  ),
};

const anyBlock = v.looseObject({ type: text }, object);

const contentBlock = v.lazy((block) => {
  const type = readProperty(block, 'type');
  return (typeof type === 'string' && Object.hasOwn(knownBlocks, type) && knownBlocks[type]) || anyBlock;
});

const callToolResult = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(isRecord, 'must be an object'),
  v.looseObject(
    {
      content: v.optional(v.array(contentBlock, 'must be an array')),
      isError: v.nullish(v.boolean('must be a boolean')),
      _meta: v.optional(v.custom(isRecord, 'must be an object')),
      resultType: v.nullish(v.literal('complete', 'must be "complete"')),
    },
    object,
  ),
  v.check(
    (result) => result.content !== undefined || result.structuredContent !== undefined,
    'must have content or structuredContent',
  ),
);

/** A JSON-RPC error object. Its `code` is an integer: servers send `"403"` and `1.5`, and no client takes them. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Where a value breaks MCP's `CallToolResult`; none when it is one. At most 10 issues. */
export function callToolResultIssues(value: unknown): readonly SchemaIssue[] {
  try {
    // Ten issues out of a hundred thousand broken blocks cost as many.
    const abortEarly = countBlocks(value) > 1_000;
    const parsed = v.safeParse(callToolResult, value, { abortEarly });
    return parsed.success ? [] : parsed.issues.slice(0, 10).map(toSchemaIssue);
  } catch {
    return [{ path: '', message: 'must be readable' }];
  }
}

export function isToolResult(value: unknown): value is ToolResult {
  try {
    return v.safeParse(callToolResult, value, { abortEarly: true }).success;
  } catch {
    return false;
  }
}

function countBlocks(result: unknown): number {
  const count = readProperty(readProperty(result, 'content'), 'length');
  return typeof count === 'number' ? count : 0;
}

/** The three members of a JSON-RPC error object, each read once. */
export function readRpcError(value: unknown): RpcError | undefined {
  const code = readProperty(value, 'code');
  const message = readProperty(value, 'message');
  if (typeof code !== 'number' || !Number.isSafeInteger(code) || typeof message !== 'string') {
    return undefined;
  }
  const data = readProperty(value, 'data');
  return data === undefined ? { code, message } : { code, message, data };
}

/** Whether a message is a JSON-RPC response that a strict client takes: version 2.0, no foreign keys, a result object or an error object. */
export function isRpcResponse(message: unknown): message is RpcResponse {
  return (
    readProperty(message, 'jsonrpc') === '2.0' &&
    countKeys(message) === 3 &&
    (isRecord(readProperty(message, 'result')) || readRpcError(readProperty(message, 'error')) !== undefined)
  );
}

function countKeys(value: unknown): number {
  try {
    return isObject(value) ? Object.keys(value).length : 0;
  } catch {
    return 0;
  }
}

export type RpcResponse = {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
} & (
  | { readonly result: Readonly<Record<string, unknown>>; readonly error?: never }
  | { readonly error: RpcError; readonly result?: never }
);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !isArray(value);
}

function toSchemaIssue(issue: v.BaseIssue<unknown>): SchemaIssue {
  return { path: toJsonPointer(issue.path?.map((step) => step.key) ?? []), message: issue.message };
}
