/**
 * Results: what `classifyResult` says of everything that a `tools/call` or a `tasks/result` can return. The rows
 * follow the order of the contract: no object, `isError`, unfinished answers, the shape of a result, success.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CallContext, classifyResult, type SchemaIssue } from '../src/index.ts';
import {
  assertOutcome,
  context,
  malformed,
  type RightOutcome,
  success,
  toolError,
  transient,
} from './support/right-outcome.ts';

interface Row {
  readonly name: string;
  readonly result: unknown;
  readonly right: RightOutcome;
}

function text(...texts: readonly string[]): readonly object[] {
  return texts.map((part) => ({ type: 'text', text: part }));
}

const fine = text('fine');

function play(rows: readonly Row[]): void {
  for (const { name, result, right } of rows) {
    test(name, () => {
      const outcome = classifyResult(result, context);
      assertOutcome(outcome, right);
      if (outcome.kind !== 'call_failure' && outcome.kind !== 'cancelled') {
        assert.equal(outcome.result, result, 'the result is verbatim, the very object');
      }
    });
  }
}

describe('a result that is no object breaks the shape of MCP', () => {
  const values = [null, undefined, 'fine', '', 0, 5, true, Number.NaN, 5n, Symbol('fine'), () => fine, []];
  play(values.map((result) => ({ name: typeof result, result, right: malformed })));
  play([{ name: 'but an empty result is one', result: { content: [] }, right: success }]);
});

describe('`isError: true` decides, whatever else the result holds', () => {
  const withFlag: readonly Row[] = [
    {
      name: 'with a text',
      result: { content: fine, isError: true },
      right: { ...toolError, message: 'fine' },
    },
    { name: 'with malformed content', result: { content: 'no', isError: true }, right: toolError },
    { name: 'without content', result: { isError: true }, right: toolError },
    { name: 'with bad blocks', result: { content: [null, 5, {}], isError: true }, right: toolError },
    { name: 'with `_meta: null`', result: { content: fine, _meta: null, isError: true }, right: toolError },
    { name: 'with another resultType', result: { resultType: 'foo', isError: true }, right: toolError },
    {
      name: 'with `input_required`',
      result: { resultType: 'input_required', content: [], isError: true },
      right: toolError,
    },
    { name: 'with a task', result: { task: { taskId: 't1' }, isError: true }, right: toolError },
    {
      name: 'the words of the text change nothing',
      result: { content: text('HTTP 401 Unauthorized: not found, timed out'), isError: true },
      right: toolError,
    },
    {
      name: 'nor does a category that the server made up',
      result: { content: text('{"category":"access_denied","message":"no"}'), isError: true },
      right: toolError,
    },
    {
      name: 'nor a code that no recognizer knows',
      result: {
        content: [],
        structuredContent: { err: { code: 'NOT_FOUND', status: 404 }, code: 401 },
        isError: true,
      },
      right: toolError,
    },
    {
      name: 'a recognized body gives its category and stands on `failure`',
      result: {
        content: text('{"_tag":"OrchestratorMcpFailure","code":"capability_denied","message":"not here"}'),
        isError: true,
      },
      right: {
        ...toolError,
        category: 'access_denied',
        message: 'not here',
        failure: {
          recognizer: 'orchestratorMcpFailure',
          tag: 'OrchestratorMcpFailure',
          code: 'capability_denied',
          message: 'not here',
        },
      },
    },
  ];
  play(withFlag);

  const withoutFlag: readonly Row[] = [
    { name: 'false is no flag', result: { content: fine, isError: false }, right: success },
    { name: 'null counts as absent', result: { content: fine, isError: null }, right: success },
    { name: 'undefined counts as absent', result: { content: fine, isError: undefined }, right: success },
    { name: 'another name is an unknown key', result: { content: fine, is_error: true }, right: success },
    {
      name: 'inside structured content it is data',
      result: { content: [], structuredContent: { isError: true } },
      right: success,
    },
    { name: 'inside a text it is data', result: { content: text('{"isError":true}') }, right: success },
    {
      name: 'inside `_meta` it is data',
      result: { content: fine, _meta: { isError: true } },
      right: success,
    },
  ];
  play(withoutFlag);
});

describe('the message of a tool error', () => {
  const rows: readonly (Row & { readonly right: { readonly message: string } })[] = [
    {
      name: 'is one line of its texts',
      result: { content: text('no such link', 'in this space'), isError: true },
      right: { message: 'no such link in this space' },
    },
    {
      name: 'has spaces for control characters',
      result: { content: text('a\tb\u001b[31mc\u0085d\u2028e'), isError: true },
      right: { message: 'a b [31mc d e' },
    },
    {
      name: 'leaves other blocks out',
      result: {
        content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }, ...text('blurred')],
        isError: true,
      },
      right: { message: 'blurred' },
    },
    {
      name: 'takes a string in place of blocks, which some servers send',
      result: { content: 'disk full', isError: true },
      right: { message: 'disk full' },
    },
    {
      name: 'takes strings among the blocks',
      result: { content: ['disk full', { type: 'text', text: 'at /' }], isError: true },
      right: { message: 'disk full at /' },
    },
    {
      name: 'takes the text of an embedded resource',
      result: {
        content: [{ type: 'resource', resource: { uri: 'file:///build.log', text: 'disk full' } }],
        isError: true,
      },
      right: { message: 'disk full' },
    },
    {
      name: 'leaves the bytes of an embedded resource out',
      result: {
        content: [{ type: 'resource', resource: { uri: 'file:///build.log', blob: 'ZGlzaw==' } }],
        isError: true,
      },
      right: { message: '(no detail provided)' },
    },
    {
      name: 'falls back to the structured content',
      result: { content: [], structuredContent: { step: 2 }, isError: true },
      right: { message: '{"step":2}' },
    },
    {
      name: 'prefers a text to the structured content',
      result: { content: fine, structuredContent: { step: 2 }, isError: true },
      right: { message: 'fine' },
    },
    {
      name: 'says so when there is nothing',
      result: { content: [], isError: true },
      right: { message: '(no detail provided)' },
    },
    {
      name: 'says so when there is only white space',
      result: { content: text(' \n'), isError: true },
      right: { message: '(no detail provided)' },
    },
    {
      name: 'says so for structured content that is null',
      result: { content: [], structuredContent: null, isError: true },
      right: { message: '(no detail provided)' },
    },
    {
      name: 'holds 2,048 units whole',
      result: { content: text('A'.repeat(2_048)), isError: true },
      right: { message: 'A'.repeat(2_048) },
    },
    {
      name: 'is cut after 2,048 units',
      result: { content: text('A'.repeat(2_097_152)), isError: true },
      right: { message: `${'A'.repeat(2_048)}…` },
    },
    {
      name: 'is never cut inside a surrogate pair',
      result: { content: text(`${'A'.repeat(2_047)}😀tail`), isError: true },
      right: { message: `${'A'.repeat(2_047)}…` },
    },
  ];
  play(rows);
});

describe('an unfinished answer is a failure of the call', () => {
  const inputRequired = { ...transient, reason: 'input_required', delivery: 'answered', taskId: undefined };
  const taskCreated = { ...transient, reason: 'task_created', delivery: 'answered', taskId: 't1' };
  const task = { taskId: 't1', status: 'working', createdAt: '2026-03-01T10:00:00Z', ttl: 60_000 };
  play([
    { name: 'input_required alone', result: { resultType: 'input_required' }, right: inputRequired },
    {
      name: 'input_required with requests',
      result: {
        resultType: 'input_required',
        inputRequests: { e1: { method: 'elicitation/create', params: {} } },
      },
      right: inputRequired,
    },
    {
      name: 'input_required beside content',
      result: { resultType: 'input_required', content: fine },
      right: inputRequired,
    },
    {
      name: 'input_required beside malformed content',
      result: { resultType: 'input_required', content: 5 },
      right: inputRequired,
    },
    { name: 'a task', result: { task }, right: taskCreated },
    {
      name: 'a task with the empty content that SDK v1 puts beside it',
      result: { content: [], task },
      right: taskCreated,
    },
    {
      name: 'a task that failed is still no result',
      result: { task: { ...task, status: 'failed' } },
      right: taskCreated,
    },
    // The negative neighbours.
    { name: 'complete', result: { resultType: 'complete', content: fine }, right: success },
    { name: 'resultType null', result: { resultType: null, content: fine }, right: success },
    {
      name: 'almost input_required',
      result: { resultType: 'input-required', content: fine },
      right: malformed,
    },
    { name: 'requests without the type', result: { inputRequests: { e1: {} } }, right: malformed },
    {
      name: 'input_required as data',
      result: { content: [], structuredContent: { resultType: 'input_required' } },
      right: success,
    },
    { name: 'a task beside content', result: { content: fine, task }, right: success },
    {
      name: 'a task beside structured content',
      result: { content: [], structuredContent: {}, task },
      right: success,
    },
    { name: 'a task as data', result: { content: [], structuredContent: { task } }, right: success },
    { name: 'a task that is a string', result: { task: 't1' }, right: malformed },
    {
      name: 'the result of a task, which names it in `_meta`',
      result: { content: fine, _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't1' } } },
      right: success,
    },
    {
      name: 'the result of a task with nothing in it',
      result: { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't1' } } },
      right: malformed,
    },
  ]);

  test('a task without an id is never a success', () => {
    assert.equal(classifyResult({ task: { status: 'working' } }, context).ok, false);
  });
});

describe('a result that breaks the shape of MCP', () => {
  interface BadRow {
    readonly name: string;
    readonly result: unknown;
    /** JSON Pointer of the first issue. */
    readonly path: string;
  }
  const withBlock = (name: string, block: unknown, path: string): BadRow => ({
    name: `block: ${name}`,
    result: { content: [...fine, block] },
    path: `/content/1${path}`,
  });
  const rows: readonly BadRow[] = [
    { name: 'empty', result: {}, path: '' },
    { name: 'the legacy toolResult', result: { toolResult: { a: 1 } }, path: '' },
    {
      name: 'an error object in place of content',
      result: { error: { code: 403, message: 'no' } },
      path: '',
    },
    {
      name: 'a whole JSON-RPC response',
      result: { jsonrpc: '2.0', id: 1, result: { content: fine } },
      path: '',
    },
    ...['true', 'false', '', 1, 0, {}, []].map((isError) => ({
      name: `isError is ${JSON.stringify(isError)}`,
      result: { content: fine, isError },
      path: '/isError',
    })),
    ...[null, 'Hello', {}, 5, true, { 0: fine[0], length: 1 }].map((content) => ({
      name: `content is ${JSON.stringify(content)}`,
      result: { content, structuredContent: {} },
      path: '/content',
    })),
    ...[null, 'x', 5, false, []].map((_meta) => ({
      name: `_meta is ${JSON.stringify(_meta)}`,
      result: { content: fine, _meta },
      path: '/_meta',
    })),
    ...['foo', '', 5, 'Complete', 'task', {}, true].map((resultType) => ({
      name: `resultType is ${JSON.stringify(resultType)}`,
      result: { content: fine, resultType },
      path: '/resultType',
    })),
    withBlock('null', null, ''),
    withBlock('a string', 'fine', ''),
    withBlock('a number', 5, ''),
    withBlock('no type', {}, '/type'),
    withBlock('type null', { type: null, text: 'x' }, '/type'),
    withBlock('type 5', { type: 5 }, '/type'),
    withBlock('a list', [], '/type'),
    withBlock('text without text', { type: 'text' }, '/text'),
    withBlock('text null', { type: 'text', text: null }, '/text'),
    withBlock('text as an object', { type: 'text', text: {} }, '/text'),
    withBlock('image without data', { type: 'image', mimeType: 'image/png' }, '/data'),
    withBlock('image without mimeType', { type: 'image', data: 'AAAA' }, '/mimeType'),
    withBlock('image with data 5', { type: 'image', data: 5, mimeType: 'image/png' }, '/data'),
    withBlock('audio without data', { type: 'audio', mimeType: 'audio/wav' }, '/data'),
    withBlock('audio without mimeType', { type: 'audio', data: 'AAAA' }, '/mimeType'),
    withBlock('link without uri', { type: 'resource_link', name: 'r' }, '/uri'),
    withBlock('link without name', { type: 'resource_link', uri: 'file:///r' }, '/name'),
    withBlock('resource without resource', { type: 'resource' }, '/resource'),
    withBlock('resource null', { type: 'resource', resource: null }, '/resource'),
    withBlock('resource without uri', { type: 'resource', resource: { text: 'x' } }, '/resource/uri'),
    withBlock(
      'resource with neither text nor blob',
      { type: 'resource', resource: { uri: 'a:b' } },
      '/resource',
    ),
    withBlock('resource text 5', { type: 'resource', resource: { uri: 'a:b', text: 5 } }, '/resource'),
  ];
  for (const { name, result, path } of rows) {
    test(name, () => {
      const outcome = classifyResult(result, context);
      assertOutcome(outcome, { ...malformed, result });
      assert.equal(firstIssue(outcome)?.path, path);
      assert.ok(outcome.message.includes(path), 'the message names the place');
    });
  }

  // An issue that says "an object" about a member that has to be a string sends its reader the wrong way.
  for (const { name, block } of [
    { name: 'a block without a type', block: {} },
    { name: 'a text block without text', block: { type: 'text' } },
    { name: 'a resource without uri', block: { type: 'resource', resource: { text: 'x' } } },
  ]) {
    test(`${name}: the issue asks for a string`, () => {
      const message = firstIssue(classifyResult({ content: [block] }, context))?.message ?? '';
      assert.match(message, /string/);
      assert.doesNotMatch(message, /object/);
    });
  }

  test('at most 10 issues, in order', () => {
    const content = Array.from({ length: 12 }, () => ({ type: 'text' }));
    const outcome = classifyResult({ content }, context);
    assert.equal(outcome.kind, 'schema_mismatch');
    const paths = outcome.kind === 'schema_mismatch' ? outcome.issues.map((issue) => issue.path) : [];
    assert.deepEqual(
      paths,
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => `/content/${index}/text`),
    );
  });

  test('one issue of a result with very many blocks', () => {
    const content = Array.from({ length: 100_000 }, () => ({ type: 'text' }));
    const outcome = classifyResult({ content }, context);
    assert.deepEqual(outcome.kind === 'schema_mismatch' && outcome.issues, [
      { path: '/content/0/text', message: 'must be a string' },
    ]);
  });

  function firstIssue(outcome: ReturnType<typeof classifyResult>): SchemaIssue | undefined {
    return outcome.kind === 'schema_mismatch' ? outcome.issues[0] : undefined;
  }
});

describe('a well-formed result is a success', () => {
  const rows: readonly Row[] = [
    { name: 'a text', result: { content: fine }, right: success },
    { name: 'no blocks', result: { content: [] }, right: success },
    {
      name: 'an unknown block type',
      result: { content: [{ type: 'json', json: { a: 1 } }] },
      right: success,
    },
    { name: 'unknown keys', result: { content: fine, error: 'Forbidden', status: 500 }, right: success },
    {
      name: 'unknown keys in a block',
      result: { content: [{ type: 'text', text: 'x', foo: 1 }] },
      right: success,
    },
    {
      name: 'odd annotations',
      result: { content: [{ type: 'text', text: 'x', annotations: 5, _meta: null }] },
      right: success,
    },
    {
      name: 'data that is no base64',
      result: { content: [{ type: 'image', data: '%%%', mimeType: 'image/png' }] },
      right: success,
    },
    {
      name: 'every known block',
      result: {
        content: [
          ...fine,
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
          { type: 'resource_link', uri: 'file:///r.pdf', name: 'r.pdf' },
          { type: 'resource', resource: { uri: 'a:b', text: '' } },
          { type: 'resource', resource: { uri: 'a:b', blob: '' } },
        ],
      },
      right: success,
    },
    { name: 'an empty `_meta`', result: { content: fine, _meta: {} }, right: success },
    {
      name: 'prose about an error',
      result: { content: text('Error: permission denied (HTTP 403)') },
      right: success,
    },
    {
      name: 'JSON about an error, without a flag',
      result: { content: text('{"error":"forbidden","status":403}') },
      right: success,
    },
    {
      name: 'a JSON-RPC error as text',
      result: { content: text('{"jsonrpc":"2.0","error":{"code":-32603,"message":"x"}}') },
      right: success,
    },
  ];
  play(rows);

  for (const structuredContent of [{ rows: 3 }, {}, [1], 's', '', 0, false, null]) {
    const value = JSON.stringify(structuredContent);
    test(`structured content ${value} needs no content, and is the value`, () => {
      for (const result of [{ structuredContent }, { content: fine, structuredContent }]) {
        assertOutcome(classifyResult(result, context), {
          ...success,
          result,
          value: structuredContent,
          warnings: [],
        });
      }
    });
  }

  test('structured content that is undefined is absent', () => {
    assertOutcome(classifyResult({ structuredContent: undefined }, context), malformed);
  });
});

describe('what the caller says of the call', () => {
  test('stands on every outcome', () => {
    const { server, tool, callId, startedAt, durationMs } = context;
    const said: RightOutcome = { server, tool, callId, startedAt, durationMs, replaySafe: undefined };
    for (const result of [{ content: fine }, { isError: true }, {}, { resultType: 'input_required' }]) {
      assertOutcome(classifyResult(result, context), said);
    }
  });

  test('has defaults: a new UUID, the time, no duration', () => {
    const bare: CallContext = { server: 'shortener', tool: 'search-links' };
    const before = Date.now();
    const [first, second] = [classifyResult({ content: [] }, bare), classifyResult({ content: [] }, bare)];
    assert.match(first.callId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.notEqual(first.callId, second.callId);
    assert.match(first.startedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Date.parse(first.startedAt) >= before && Date.parse(first.startedAt) <= Date.now());
    assert.equal(first.durationMs, 0);
  });
});
