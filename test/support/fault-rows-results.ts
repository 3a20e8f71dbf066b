/**
 * Results of `tools/call` (family T), over every transport. `isError: true` is the tool's own failure, whatever else is
 * wrong. Without it a result must have MCP's shape; what the SDK refuses beyond that (unknown blocks, odd annotations)
 * is fine, and what it accepts below that (`{}`, a flag that is no boolean) is not.
 */

import type { Play } from './fault-play.ts';
import {
  byV2,
  type FaultRow,
  malformedResult,
  noAnswer,
  outputMismatch,
  type Right,
  success,
  toolError,
} from './fault-row.ts';
import { healthyTool, plainTool, resultFrame } from './fault-script.ts';

const everywhere = ['http-json', 'http-sse', 'sse', 'stdio', 'mem'] as const;

const text = { type: 'text', text: 'fine' };
const content = [text];

function row(id: string, what: string, result: unknown, right: Right, why: string): FaultRow {
  const play: Play = { script: { calls: { fault: { frames: [resultFrame(result)] } } } };
  return { id, what, transports: everywhere, play, right, why };
}

const wellFormed = 'well formed, and nothing in it says failure';
const flagged = 'the server said isError: true; nothing else is asked';
const badFlag = 'isError is there, and neither a boolean nor null: whether the tool failed cannot be told';
const badBlock = 'a block of a known type lacks what that type requires, or is no block at all';
const emptyResult = 'neither content nor structuredContent: there is no result in it';

/** A result with one block in it. */
function block(name: string, value: unknown, right: Right, why: string): FaultRow {
  return row(`res-block-${name}`, `content block ${JSON.stringify(value)}`, { content: [value] }, right, why);
}

/** Structured content where the tool has no output schema. */
function structured(name: string, value: unknown): FaultRow {
  return row(
    `res-sc-${name}`,
    `structuredContent ${JSON.stringify(value)}, no outputSchema`,
    { content, structuredContent: value },
    success,
    'without a schema any JSON value will do',
  );
}

const schemaTool = {
  ...plainTool,
  outputSchema: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
};

/** A tool with an output schema that asks for a number `x`. */
function scripted(
  id: string,
  what: string,
  result: unknown,
  list: { readonly list?: 'once' },
  right: Right,
  why: string,
): FaultRow {
  const play: Play = {
    script: {
      pages: [[schemaTool, healthyTool]],
      calls: { fault: { frames: [resultFrame(result)] } },
    },
    ...list,
  };
  return { id, what, transports: everywhere, play, right, why };
}

const listed = { list: 'once' } as const;

function outputPair(
  name: string,
  structuredContent: unknown,
  right: Right,
  why: string,
): readonly FaultRow[] {
  const what = `outputSchema; structuredContent ${JSON.stringify(structuredContent) ?? 'missing'}`;
  return [
    scripted(`os-${name}`, what, { content, structuredContent }, listed, right, why),
    scripted(
      `os-${name}-err`,
      `${what}; isError true`,
      { content, structuredContent, isError: true },
      listed,
      toolError,
      'an error result owes the schema nothing',
    ),
  ];
}

const breaksSchema = 'the structured content does not fit the schema that the tool advertises';
const taskResult = (status: string) => ({
  task: {
    taskId: 't1',
    status,
    createdAt: '2025-01-01T00:00:00Z',
    lastUpdatedAt: '2025-01-01T00:00:00Z',
    ttl: 60_000,
  },
});
const taskCreated: Right = { ...noAnswer('task_created'), delivery: 'answered', taskId: 't1' };
const inputRequired: Right = { ...noAnswer('input_required'), delivery: 'answered' };
const elicitation = {
  e1: {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
  },
};
const needsInput =
  'the server wants input and gave no result; what the client was set up to do about it changes nothing';

type InputClient = Pick<Play, 'elicitation' | 'run'>;

const inputRounds: readonly ({ readonly name: string; readonly what: string } & InputClient)[] = [
  { name: 'nohandler', what: 'input_required with an elicitation; client has no handler' },
  { name: 'manual', what: 'input_required; autoFulfill:false', elicitation: 'manual' },
  {
    name: 'allow',
    what: 'input_required; allowInputRequired:true on the call',
    elicitation: 'accept',
    run: (stage) => stage.call(undefined, allowInputRequired),
  },
  { name: 'loop', what: 'input_required for ever, handler accepts', elicitation: 'accept' },
  { name: 'decline', what: 'input_required for ever, handler declines', elicitation: 'decline' },
  { name: 'throws', what: 'input_required, handler throws', elicitation: 'throw' },
  {
    name: 'hang',
    what: 'input_required, handler never answers',
    elicitation: 'hang',
    run: (stage) => stage.call(undefined, { maxTotalTimeout: 300 }),
  },
];

/** An option of SDK v2. */
const allowInputRequired: object = { allowInputRequired: true };

/** SDK v1, and v2 in the 2025 era, know no input rounds: to them all of these are one wire message. */
function inputRow(id: string, what: string, result: unknown, why: string, client: InputClient): FaultRow {
  const base = row(id, what, result, inputRequired, why);
  const by: FaultRow['by'] = {
    'v2-2026': {
      resends: true,
      why: 'the client asks its user and sends the call again; the last answer counts',
    },
  };
  return { ...base, play: { ...base.play, ...client }, by };
}

/** The SDK's own envelope check drops these; only in memory do they reach the client. */
function badMeta(name: string, meta: unknown, inMemory: Right, why: string): FaultRow {
  return {
    ...row(
      `res-meta-${name}`,
      `_meta ${JSON.stringify(meta)}`,
      { content, _meta: meta },
      noAnswer('timeout'),
      why,
    ),
    rightOn: { 'http-json': noAnswer('invalid_answer'), mem: inMemory },
    observedOn: { 'http-sse': { reason: 'invalid_answer' } },
    endedByTimer: ['mem'],
  };
}

export const resultRows: readonly FaultRow[] = [
  row('res-ok', 'ok', { content }, success, wellFormed),
  row('res-empty-object', 'result {}', {}, malformedResult, emptyResult),
  row(
    'res-iserror-true',
    'isError true',
    { content: [{ type: 'text', text: 'nope' }], isError: true },
    toolError,
    flagged,
  ),
  row('res-iserror-str', 'isError "true"', { content, isError: 'true' }, malformedResult, badFlag),
  row('res-iserror-one', 'isError 1', { content, isError: 1 }, malformedResult, badFlag),
  row('res-iserror-null', 'isError null', { content, isError: null }, success, 'null says nothing'),
  row('res-iserror-false', 'isError false', { content, isError: false }, success, wellFormed),
  row('res-iserror-obj', 'isError {}', { content, isError: {} }, malformedResult, badFlag),
  row('res-iserror-zero', 'isError 0', { content, isError: 0 }, malformedResult, badFlag),
  row('res-iserror-strfalse', 'isError "false"', { content, isError: 'false' }, malformedResult, badFlag),
  row(
    'res-is_error',
    'is_error true (wrong key)',
    { content, is_error: true },
    success,
    'an unknown key; MCP names the flag isError',
  ),
  row('res-iserror-nocontent', 'isError true without content', { isError: true }, toolError, flagged),
  row('res-content-null', 'content null', { content: null }, malformedResult, 'content is no array'),
  row('res-content-string', 'content "txt"', { content: 'txt' }, malformedResult, 'content is no array'),
  row(
    'res-content-object',
    'content {"type":"text","text":"x"}',
    { content: { type: 'text', text: 'x' } },
    malformedResult,
    'content is no array',
  ),
  row('res-content-empty', 'content []', { content: [] }, success, 'an empty list is a list'),
  row('res-content-number', 'content 5', { content: 5 }, malformedResult, 'content is no array'),
  block('unknown', { type: 'video', data: 'x' }, success, 'a type that we do not know yet'),
  block('notype', { text: 'x' }, malformedResult, badBlock),
  block('notext', { type: 'text' }, malformedResult, badBlock),
  block('textnum', { type: 'text', text: 5 }, malformedResult, badBlock),
  block('textnull', { type: 'text', text: null }, malformedResult, badBlock),
  block('string', 'x', malformedResult, badBlock),
  block('null', null, malformedResult, badBlock),
  block(
    'badb64',
    { type: 'image', data: '!!!', mimeType: 'image/png' },
    success,
    'content is never scanned, so base64 is not checked',
  ),
  block('link', { type: 'resource_link', uri: 'file:///x', name: 'x' }, success, wellFormed),
  block('extra', { type: 'text', text: 'x', foo: 1 }, success, 'unknown keys are fine'),
  block(
    'badannot',
    { type: 'text', text: 'x', annotations: { priority: 7 } },
    success,
    'odd annotations are fine',
  ),
  block('res', { type: 'resource', resource: { uri: 'a', text: 't' } }, success, wellFormed),
  block('resbad', { type: 'resource', resource: { uri: 'a' } }, malformedResult, badBlock),
  block(
    'tooluse',
    { type: 'tool_use', name: 'x', id: '1', input: {} },
    success,
    'no block type of a tool result, so an unknown one',
  ),
  row(
    'res-iserror-unknownblock',
    'isError true with an unknown content block',
    { content: [{ type: 'video', data: 'x' }], isError: true },
    toolError,
    flagged,
  ),
  structured('null', null),
  structured('array', [1]),
  structured('string', 's'),
  structured('zero', 0),
  structured('false', false),
  structured('object', { a: 1 }),
  structured('empty', {}),
  ...outputPair('ok', { x: 1 }, success, 'it fits the schema'),
  ...outputPair('bad', { x: 'no' }, outputMismatch, breaksSchema),
  ...outputPair('empty', {}, outputMismatch, breaksSchema),
  ...outputPair('null', null, outputMismatch, breaksSchema),
  ...outputPair('array', [1], outputMismatch, breaksSchema),
  ...outputPair('string', 's', outputMismatch, breaksSchema),
  ...outputPair('zero', 0, outputMismatch, breaksSchema),
  ...outputPair('missing', undefined, outputMismatch, 'a tool with an output schema owes structured content'),
  scripted(
    'os-bad-nolist',
    'outputSchema exists but listTools was never called; bad structuredContent',
    { content, structuredContent: { x: 'no' } },
    {},
    outputMismatch,
    'the wrapper lists the tools itself',
  ),
  scripted(
    'os-missing-nolist',
    'outputSchema exists but listTools was never called; no structuredContent',
    { content },
    {},
    outputMismatch,
    'the wrapper lists the tools itself',
  ),
  row('res-toolresult', 'legacy {toolResult}', { toolResult: { a: 1 } }, malformedResult, emptyResult),
  row('res-toolresult-null', 'legacy {toolResult: null}', { toolResult: null }, malformedResult, emptyResult),
  row(
    'res-task',
    'CreateTaskResult where none was asked',
    taskResult('working'),
    taskCreated,
    'a task is running; that is no result',
  ),
  row(
    'res-task-failed',
    'CreateTaskResult status failed',
    taskResult('failed'),
    taskCreated,
    'a task was created, whatever its status: that is no result',
  ),
  row('res-meta', '_meta present', { content, _meta: { progressToken: 3, 'a.b/c': 1 } }, success, wellFormed),
  badMeta(
    'null',
    null,
    malformedResult,
    '_meta must be an object; where the SDK drops the message, nothing arrived',
  ),
  badMeta(
    'string',
    'x',
    malformedResult,
    '_meta must be an object; where the SDK drops the message, nothing arrived',
  ),
  {
    ...badMeta(
      'relatedtask-bad',
      { 'io.modelcontextprotocol/related-task': 5 },
      success,
      'keys inside _meta are not ours to judge; but where the SDK drops the message, nothing arrived',
    ),
    by: byV2({
      right: success,
      rightOn: {},
      observedOn: {},
      endedByTimer: [],
      why: 'SDK v2 does not look into _meta, and neither do we',
    }),
  },
  row(
    'res-error-in-result',
    'result {error:{code,message}} (error body in result)',
    { error: { code: 403, message: 'Forbidden' } },
    malformedResult,
    emptyResult,
  ),
  row(
    'res-error-in-result-content',
    'result {content, error}',
    { content, error: 'Forbidden' },
    success,
    'an unknown key beside well-formed content',
  ),
  row(
    'res-body-403',
    'isError absent; text says {"error":"forbidden","status":403}',
    { content: [{ type: 'text', text: '{"error":"forbidden","status":403}' }] },
    success,
    'no success: false or ok: false, so no recognizer that is on by default matches',
  ),
  row(
    'res-jsonrpc-in-text',
    'isError absent; text is a JSON-RPC error',
    { content: [{ type: 'text', text: '{"jsonrpc":"2.0","error":{"code":-32603,"message":"x"}}' }] },
    success,
    'text that quotes an error is text',
  ),
  row(
    'rt-complete',
    'resultType "complete" + content',
    { content, resultType: 'complete' },
    success,
    wellFormed,
  ),
  row(
    'rt-input_required',
    'resultType "input_required" + content',
    { content, resultType: 'input_required' },
    inputRequired,
    'the server says itself that this is not the result yet',
  ),
  ...[
    ['task', 'task'],
    ['foo', 'foo'],
    ['empty', ''],
    ['5', 5],
  ].map(([name, resultType]) =>
    row(
      `rt-${name}`,
      `resultType ${JSON.stringify(resultType)} + content`,
      { content, resultType },
      malformedResult,
      'a result type that MCP does not have: what it means cannot be told',
    ),
  ),
  row('rt-null', 'resultType null + content', { content, resultType: null }, success, 'null says nothing'),
  {
    ...row('rt-absent', 'resultType absent (2026 era: violation)', { content }, success, wellFormed),
    play: { script: { asWritten: true, calls: { fault: { frames: [resultFrame({ content })] } } } },
  },
  ...inputRounds.map(({ name, what, ...client }) =>
    inputRow(
      `rt-ir-${name}`,
      what,
      { resultType: 'input_required', inputRequests: elicitation },
      needsInput,
      client,
    ),
  ),
  inputRow(
    'rt-ir-unknown',
    'input_required with an unknown input request method',
    { resultType: 'input_required', inputRequests: { q: { method: 'foo/bar', params: {} } } },
    needsInput,
    { elicitation: 'accept' },
  ),
  inputRow(
    'rt-ir-stateonly',
    'input_required with requestState only (for ever)',
    { resultType: 'input_required', requestState: 'st' },
    needsInput,
    { elicitation: 'accept' },
  ),
];
