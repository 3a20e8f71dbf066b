/**
 * Failure bodies under a success envelope: what each recognizer knows, where it may look, and the long list of bodies
 * that look like failures and are data.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as v from 'valibot';
import {
  classifyResult,
  declaredFailure,
  defaultFailureBodies,
  defineFailureBody,
  effectAiError,
  type FailureCategory,
  looseFailure,
  OptionsError,
  orchestratorMcpFailure,
  type Recognizer,
  type ToolOutcome,
} from '../src/index.ts';
import { assertOutcome, context, type RightOutcome, success } from './support/right-outcome.ts';

function classify(result: unknown, failureBodies?: readonly Recognizer[]): ToolOutcome {
  return classifyResult(result, { ...context, ...(failureBodies === undefined ? {} : { failureBodies }) });
}

/** A body where servers put it: as structured content, and as the only text. */
function places(body: unknown): readonly { readonly place: string; readonly result: object }[] {
  const texts = [{ type: 'text', text: JSON.stringify(body) }];
  return [
    { place: 'as structured content', result: { content: [], structuredContent: body } },
    { place: 'as the only text', result: { content: texts } },
    { place: 'as both', result: { content: texts, structuredContent: body, isError: false } },
    { place: 'as the text beside null', result: { content: texts, structuredContent: null } },
  ];
}

interface Row {
  readonly name: string;
  readonly body: unknown;
  readonly right: RightOutcome;
}

function play(rows: readonly Row[], failureBodies?: readonly Recognizer[]): void {
  for (const { name, body, right } of rows) {
    for (const { place, result } of places(body)) {
      test(`${name}, ${place}`, () => {
        const outcome = classify(result, failureBodies);
        assertOutcome(outcome, { delivery: 'answered', ...right });
        assert.ok(outcome.kind === 'success' || outcome.kind === 'failure_body');
        assert.equal(outcome.result, result);
      });
    }
  }
}

function failureBody(category: string, failure: object): RightOutcome {
  return { kind: 'failure_body', ok: false, category, failure };
}

describe('orchestratorMcpFailure', () => {
  const recognizer = 'orchestratorMcpFailure';
  const tag = 'OrchestratorMcpFailure';
  const codes: readonly (readonly [code: string, category: string])[] = [
    // The codes that the orchestrator has.
    ['capability_denied', 'access_denied'],
    ['parent_not_active', 'tool_error'],
    ['provider_unavailable', 'transient_failure'],
    ['model_unavailable', 'transient_failure'],
    ['runtime_mode_escalation_denied', 'access_denied'],
    ['interaction_mode_escalation_denied', 'access_denied'],
    ['task_not_found', 'not_found'],
    ['task_not_cancellable', 'tool_error'],
    ['thread_not_found', 'not_found'],
    ['run_not_found', 'not_found'],
    ['thread_not_sendable', 'tool_error'],
    ['thread_not_interruptible', 'tool_error'],
    ['invalid_request', 'invalid_input'],
    ['orchestration_error', 'transient_failure'],
    ['thread_credential_required', 'access_denied'],
    ['target_required', 'invalid_input'],
    // Codes of its forks: two fit a pattern, the others are unknown.
    ['permission_escalation_denied', 'access_denied'],
    ['binding_not_found', 'not_found'],
    ['review_not_found', 'not_found'],
    ['invalid_model_options', 'tool_error'],
    ['permission_envelope_unverifiable', 'tool_error'],
    ['idempotency_conflict', 'tool_error'],
    ['architect_denied', 'tool_error'],
    ['executor_required', 'tool_error'],
    ['feature_disabled', 'tool_error'],
    // What a `*` of the contract stands for is not only letters, and has no length.
    ['oauth2_client_not_found', 'not_found'],
    [`${'a'.repeat(80)}_not_found`, 'not_found'],
    // The negative neighbours of the patterns.
    ['not_found', 'tool_error'],
    ['thread_not_found_yet', 'tool_error'],
    ['escalation_denied_twice', 'tool_error'],
    ['capability_denied ', 'tool_error'],
    ['task_not_found\n', 'tool_error'],
    ['THREAD_NOT_FOUND', 'tool_error'],
    ['invalid_request_2', 'tool_error'],
  ];
  play(
    codes.map(([code, category]) => ({
      name: JSON.stringify(code),
      body: { _tag: tag, code, message: 'no' },
      right: { ...failureBody(category, { recognizer, tag, code, message: 'no' }), message: 'no' },
    })),
  );

  const bare = failureBody('tool_error', { recognizer, tag });
  play([
    { name: 'without code and message', body: { _tag: tag }, right: bare },
    {
      name: 'code and message of other types',
      body: { _tag: tag, code: { a: 1 }, message: 5 },
      right: bare,
    },
    { name: 'code and message null', body: { _tag: tag, code: null, message: null }, right: bare },
    {
      name: 'a number as code',
      body: { _tag: tag, code: 404 },
      right: { category: 'tool_error', kind: 'failure_body' },
    },
    {
      name: 'further members',
      body: { _tag: tag, code: 'run_not_found', runId: 'r1', status: 403 },
      right: failureBody('not_found', { recognizer, tag, code: 'run_not_found' }),
    },
    {
      name: 'another tag',
      body: { _tag: 'orchestratorMcpFailure', code: 'capability_denied' },
      right: success,
    },
    { name: 'a longer tag', body: { _tag: `${tag}2`, code: 'capability_denied' }, right: success },
    { name: 'the tag in a list', body: { _tag: [tag], code: 'capability_denied' }, right: success },
    { name: 'the tag under another key', body: { tag, code: 'capability_denied' }, right: success },
    { name: 'the tag one level down', body: { result: { _tag: tag, code: 'no' } }, right: success },
    {
      name: 'the tag in a row',
      body: { items: [{ _tag: tag, code: 'no' }], nextCursor: null },
      right: success,
    },
  ]);

  test('a tool error keeps its kind and gets the category', () => {
    const failure = { code: 'thread_not_found', message: 'The thread was not found.' };
    for (const { result } of places({ _tag: tag, ...failure })) {
      assertOutcome(classify({ ...result, isError: true }), {
        kind: 'tool_error',
        category: 'not_found',
        failure: { recognizer, tag, ...failure },
      });
    }
  });
});

describe('effectAiError', () => {
  const recognizer = 'effectAiError';
  const tag = 'AiError';
  const reason = { _tag: 'ToolParameterValidationError', toolName: 'search', description: 'Expected string' };
  const code = 'ToolParameterValidationError';
  play([
    {
      name: 'invalid arguments',
      body: { _tag: tag, module: 'Toolkit', method: 'search.handle', reason },
      right: failureBody('invalid_input', { recognizer, tag, code, message: 'Expected string' }),
    },
    {
      name: 'another reason',
      body: { _tag: tag, reason: { _tag: 'AuthenticationError', description: 'HTTP 401' } },
      right: failureBody('tool_error', {
        recognizer,
        tag,
        code: 'AuthenticationError',
        message: 'HTTP 401',
      }),
    },
    { name: 'no reason', body: { _tag: tag }, right: failureBody('tool_error', { recognizer, tag }) },
    {
      name: 'a reason of another type',
      body: { _tag: tag, reason: code },
      right: failureBody('tool_error', { recognizer, tag }),
    },
    { name: 'the reason without the tag', body: { reason }, right: success },
    { name: 'another tag', body: { _tag: 'AiErrors', reason }, right: success },
    { name: 'another tag of Effect', body: { _tag: 'Some', value: 1 }, right: success },
  ]);
});

describe('declaredFailure', () => {
  const right: RightOutcome = { kind: 'failure_body', ok: false, category: 'tool_error' };
  play([
    {
      name: 'success false with an error',
      body: { success: false, error: 'table not found' },
      right: { ...right, failure: { recognizer: 'declaredFailure', message: 'table not found' } },
    },
    {
      name: 'ok false with an error',
      body: { ok: false, error: 'HTTP 401: denied' },
      right: { ...right, failure: { recognizer: 'declaredFailure', message: 'HTTP 401: denied' } },
    },
    {
      name: 'an error_code',
      body: { success: false, error_code: 'SQL_ERROR' },
      right: { ...right, failure: { recognizer: 'declaredFailure', code: 'SQL_ERROR' } },
    },
    {
      name: 'both',
      body: { success: false, error_code: 'SQL_ERROR', error: 'table not found' },
      right: {
        ...right,
        failure: { recognizer: 'declaredFailure', code: 'SQL_ERROR', message: 'table not found' },
      },
    },
    {
      name: 'an error that is an object',
      body: { ok: false, error: { code: 'E1', message: 'no' } },
      right: { ...right, failure: { recognizer: 'declaredFailure', code: 'E1', message: 'no' } },
    },
    { name: 'an error that is an empty object', body: { ok: false, error: {} }, right },
    // The negative neighbours.
    { name: 'the flag alone', body: { success: false }, right: success },
    { name: 'an error alone', body: { error: 'could not publish' }, right: success },
    { name: 'an error_code alone', body: { error_code: 'E1' }, right: success },
    { name: 'an empty error', body: { success: false, error: '' }, right: success },
    { name: 'error null', body: { ok: false, error: null }, right: success },
    { name: 'an error that is a list', body: { ok: false, error: ['no'] }, right: success },
    { name: 'an error that is true', body: { ok: false, error: true }, right: success },
    { name: 'an error that is a number', body: { ok: false, error: 404 }, right: success },
    { name: 'an empty error_code', body: { ok: false, error_code: '' }, right: success },
    { name: 'an error_code that is a number', body: { ok: false, error_code: 5 }, right: success },
    { name: 'a message', body: { ok: false, message: 'no' }, right: success },
    { name: 'the flag as text', body: { success: 'false', error: 'no' }, right: success },
    { name: 'the flag as 0', body: { ok: 0, error: 'no' }, right: success },
    { name: 'the flag null', body: { ok: null, error: 'no' }, right: success },
    { name: 'the flag in capitals', body: { Success: false, error: 'no' }, right: success },
    { name: 'success true', body: { success: true, error: 'one row was skipped' }, right: success },
  ]);
});

describe('looseFailure, opted in', () => {
  const right: RightOutcome = { kind: 'failure_body', ok: false, category: 'tool_error' };
  const bodies: readonly (readonly [name: string, body: object])[] = [
    ['a flag with a message', { ok: false, message: 'no' }],
    ['a flag with a reason', { success: false, reason: 'no' }],
    ['a flag with a code', { ok: false, code: 'E1' }],
    ['an error text', { error: 'could not publish', workflowId: 'w1' }],
    ['an error object', { error: { message: 'no' } }],
    ['status error with a message', { status: 'error', message: 'no' }],
    ['status error with a reason', { status: 'error', reason: 'no' }],
    ['status error with an error', { status: 'error', error: 'no' }],
  ];
  const data: readonly (readonly [name: string, body: object])[] = [
    ['the flag alone', { ok: false }],
    ['an empty message', { ok: false, message: '' }],
    ['error null', { error: null }],
    ['an empty error', { error: '' }],
    ['an empty list of errors', { error: [] }],
    ['error false', { error: false }],
    ['status error alone', { status: 'error' }],
    ['status failed with a message', { status: 'failed', message: 'no' }],
    ['status error in a row', { jobs: [{ status: 'error', message: 'no' }] }],
    ['an error with success true', { success: true, error: 'one row was skipped' }],
    ['an error with ok true', { ok: true, error: { message: 'no' } }],
    ['status error with ok true', { ok: true, status: 'error', message: 'no' }],
    ['one flag true', { ok: true, success: false, message: 'no' }],
    ['a message alone', { message: 'no' }],
    ['a list', []],
  ];
  play(
    [
      ...bodies.map(([name, body]) => ({ name, body, right })),
      ...data.map(([name, body]) => ({ name, body, right: success })),
    ],
    [...defaultFailureBodies, looseFailure],
  );

  play(bodies.map(([name, body]) => ({ name: `not by default: ${name}`, body, right: success })));
});

describe('where a body may stand', () => {
  const body = { _tag: 'OrchestratorMcpFailure', code: 'capability_denied', message: 'no' };
  const json = JSON.stringify(body);
  const found: RightOutcome = { kind: 'failure_body', category: 'access_denied' };
  const text = (value: string): object => ({ type: 'text', text: value });
  /** The body as JSON of exactly this many UTF-8 bytes, padded with a character of one, two or three bytes. */
  const padded = (bytes: number, character: string): string => {
    const [empty, each] = [JSON.stringify({ ...body, pad: '' }), Buffer.byteLength(character)];
    const rest = bytes - Buffer.byteLength(empty);
    const pad = character.repeat(Math.floor(rest / each)) + ' '.repeat(rest % each);
    return JSON.stringify({ ...body, pad });
  };
  const inherits = Object.create(body);
  const protoPayload: unknown = JSON.parse(`{"__proto__":${json}}`);
  const rows: readonly { readonly name: string; readonly result: unknown; readonly right: RightOutcome }[] = [
    {
      name: 'beside a block of another type',
      right: found,
      result: { content: [text(json), { type: 'json' }] },
    },
    { name: 'two texts', right: success, result: { content: [text(json), text('')] } },
    { name: 'two texts, the second one', right: success, result: { content: [text('x'), text(json)] } },
    { name: 'white space before it', right: success, result: { content: [text(` ${json}`)] } },
    { name: 'prose before it', right: success, result: { content: [text(`Error: ${json}`)] } },
    { name: 'a list of it', right: success, result: { content: [text(`[${json}]`)] } },
    { name: 'white space after it', right: found, result: { content: [text(`${json}\n`)] } },
    { name: 'prose after it', right: success, result: { content: [text(`${json} failed`)] } },
    { name: 'a cut one', right: success, result: { content: [text(json.slice(0, -1))] } },
    { name: 'a string of it', right: success, result: { content: [text(JSON.stringify(json))] } },
    {
      name: 'a code block of it',
      right: success,
      result: { content: [text(`\`\`\`json\n${json}\n\`\`\``)] },
    },
    {
      name: 'in an embedded resource',
      right: success,
      result: { content: [{ type: 'resource', resource: { uri: 'a:b', text: json } }] },
    },
    { name: 'in `_meta`', right: success, result: { content: [], _meta: body } },
    { name: 'beside the content', right: success, result: { content: [], ...body } },
    // Structured content that is an object is the body, and the text is not looked at.
    {
      name: 'the text beside other structured content',
      right: success,
      result: { content: [text(json)], structuredContent: {} },
    },
    {
      name: 'the text beside a list',
      right: found,
      result: { content: [text(json)], structuredContent: [1] },
    },
    {
      name: 'structured content beside another text',
      right: found,
      result: { content: [text('fine')], structuredContent: body },
    },
    // 16 KiB, in bytes.
    ...['A', 'é', '€'].flatMap((character) => [
      {
        name: `16,384 bytes of ${character}`,
        right: found,
        result: { content: [text(padded(16_384, character))] },
      },
      {
        name: `16,385 bytes of ${character}`,
        right: success,
        result: { content: [text(padded(16_385, character))] },
      },
    ]),
    {
      name: 'structured content of any size',
      right: found,
      result: { content: [], structuredContent: { ...body, pad: 'A'.repeat(100_000) } },
    },
    // One level down at `error`, and no other.
    { name: 'under `error`', right: found, result: { content: [], structuredContent: { error: body } } },
    {
      name: 'under `error` in the text',
      right: success,
      result: { content: [text(JSON.stringify({ error: body }))] },
    },
    {
      name: 'under `error.error`',
      right: success,
      result: { content: [], structuredContent: { error: { error: body } } },
    },
    {
      name: 'in a list under `error`',
      right: success,
      result: { content: [], structuredContent: { error: [body] } },
    },
    {
      name: 'as text under `error`',
      right: success,
      result: { content: [], structuredContent: { error: json } },
    },
    {
      name: 'under `failure`',
      right: success,
      result: { content: [], structuredContent: { failure: body } },
    },
    // Own members only.
    { name: 'inherited members', right: success, result: { content: [], structuredContent: inherits } },
    {
      name: 'inherited members under `error`',
      right: success,
      result: { content: [], structuredContent: { error: inherits } },
    },
    {
      name: 'an inherited `error`',
      right: success,
      result: { content: [], structuredContent: Object.create({ error: body }) },
    },
    { name: '`__proto__`', right: success, result: { content: [], structuredContent: protoPayload } },
    {
      name: '`__proto__` in the text',
      right: success,
      result: { content: [text(JSON.stringify(protoPayload))] },
    },
    {
      name: '`__proto__` under `error`',
      right: success,
      result: { content: [], structuredContent: { error: protoPayload } },
    },
    {
      name: 'an object without a prototype',
      right: found,
      result: { content: [], structuredContent: Object.assign(Object.create(null), body) },
    },
    {
      name: 'own members of a class',
      right: found,
      result: { content: [], structuredContent: Object.assign(Object.create({ a: 1 }), body) },
    },
  ];
  for (const { name, result, right } of rows) {
    test(name, () => assertOutcome(classify(result), right));
  }

  test('the prototype of every object is left alone', () => {
    classify({
      content: [text(`{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`)],
    });
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  test('an inherited flag beside an own error does not count', () => {
    const structuredContent = Object.assign(Object.create({ success: false }), { error: 'no' });
    assertOutcome(classify({ content: [], structuredContent }), success);
  });
});

describe('what stays a success', () => {
  play(
    [
      { success: true, error: null, data: { job: { status: 'error' } } },
      { error: null },
      { ok: false, code: 1, stdout: '', stderr: 'grep: no such file' },
      { exitCode: 1, stderr: 'Error: permission denied' },
      { id: 'j1', status: 'error', finishedAt: '2026-03-01T10:00:00Z' },
      { jobs: [{ status: 'failed', error: 'no' }], total: 1 },
      { status: 'failed', message: 'the environment is not linked' },
      { status: 'timed_out' },
      { timedOut: true },
      { items: [], nextCursor: null },
      { items: [{ _tag: 'AiError', success: false, error: 'no' }] },
      { rows: { first: { success: false, error: 'no' } } },
      { errors: [{ message: 'no' }] },
      { isError: true },
      { error: 'forbidden', status: 403 },
      { message: 'OrchestratorMcpFailure: capability_denied' },
      [{ _tag: 'OrchestratorMcpFailure', code: 'capability_denied' }],
      [{ success: false, error: 'no' }],
      'OrchestratorMcpFailure',
      false,
      null,
    ].map((body) => ({ name: JSON.stringify(body), body, right: success })),
  );

  const texts = [
    'Error: permission denied',
    'Error: 17:02:11 worker restarted (line 1 of the log file you asked for)',
    'HTTP 401 Unauthorized',
    'the call returned {"success":false,"error":"no"}',
    '_tag: OrchestratorMcpFailure',
    '{success: false, error: "no"}',
    '',
  ];
  for (const text of texts) {
    test(`the text ${JSON.stringify(text)}`, () => {
      assertOutcome(classify({ content: [{ type: 'text', text }] }), success);
    });
  }
});

describe('what is kept of a failure', () => {
  test('the message of the outcome: the words, else the code, else the tag', () => {
    const tag = 'OrchestratorMcpFailure';
    const rows: readonly (readonly [body: object, message: string])[] = [
      [{ _tag: tag, code: 'run_not_found', message: 'no such\nrun' }, 'no such run'],
      [{ _tag: tag, code: 'run_not_found' }, 'run_not_found'],
      [{ _tag: tag }, tag],
    ];
    for (const [structuredContent, message] of rows) {
      assertOutcome(classify({ content: [], structuredContent }), { message });
    }
  });

  test('tag and code of 128 units are whole, longer ones are cut', () => {
    const recognizer = defineFailureBody({
      name: 'long',
      schema: v.object({ tag: v.string(), code: v.string() }),
      failure: ({ tag, code }) => ({ tag, code }),
    });
    const [whole, long] = ['A'.repeat(128), 'A'.repeat(129)];
    const read = (tag: string, code: string) => {
      const outcome = classify({ content: [], structuredContent: { tag, code } }, [recognizer]);
      return outcome.kind === 'failure_body' ? outcome.failure : undefined;
    };
    assert.deepEqual(read(whole, whole), { recognizer: 'long', tag: whole, code: whole });
    assert.deepEqual(read(long, long), { recognizer: 'long', tag: `${whole}…`, code: `${whole}…` });
  });

  test('a message is cut, the result is not', () => {
    const structuredContent = { success: false, error: 'A'.repeat(5_000) };
    const outcome = classify({ content: [], structuredContent });
    assertOutcome(outcome, {
      message: `${'A'.repeat(2_048)}…`,
      failure: { recognizer: 'declaredFailure', message: `${'A'.repeat(2_048)}…` },
    });
    assert.ok(outcome.kind === 'failure_body');
    assert.equal(outcome.result.structuredContent, structuredContent);
  });
});

describe('defineFailureBody', () => {
  const schema = v.object({
    schema: v.literal('moraine.mcp.error.v1'),
    error: v.object({ code: v.string() }),
  });
  const definition = {
    name: 'moraine',
    schema,
    failure: ({ error }: v.InferOutput<typeof schema>) => ({ code: error.code }),
  };
  const result = {
    content: [],
    structuredContent: { schema: 'moraine.mcp.error.v1', error: { code: 'invalid_id' } },
  };
  const found = failureBody('tool_error', { recognizer: 'moraine', code: 'invalid_id' });

  test('knows its body, and no other', () => {
    const recognizers = [...defaultFailureBodies, defineFailureBody(definition)];
    assertOutcome(classify(result, recognizers), found);
    const other = {
      content: [],
      structuredContent: { schema: 'moraine.mcp.error.v2', error: { code: 'a' } },
    };
    assertOutcome(classify(other, recognizers), success);
    assertOutcome(classify(result), success);
  });

  test('the list replaces the defaults', () => {
    const declared = { content: [], structuredContent: { success: false, error: 'no' } };
    assertOutcome(classify(declared, [declaredFailure]), { kind: 'failure_body' });
    assertOutcome(classify(declared, [orchestratorMcpFailure, effectAiError]), success);
    assertOutcome(classify(declared, []), success);
    assert.deepEqual(defaultFailureBodies, [orchestratorMcpFailure, effectAiError, declaredFailure]);
  });

  test('the first recognizer of the list that matches counts', () => {
    const named = (name: string) => defineFailureBody({ ...definition, name });
    const outcome = classify(result, [declaredFailure, named('first'), named('second')]);
    assertOutcome(outcome, { failure: { recognizer: 'first', code: 'invalid_id' } });
  });

  test('the category function gets the failure, and decides', () => {
    const seen: unknown[] = [];
    const withCategory = (category: () => FailureCategory | undefined) =>
      defineFailureBody({
        ...definition,
        category: (failure) => {
          seen.push(failure);
          return category();
        },
      });
    const categories = ['access_denied', 'not_found', 'transient_failure', 'invalid_input'] as const;
    for (const category of categories) {
      assertOutcome(classify(result, [withCategory(() => category)]), { kind: 'failure_body', category });
      assertOutcome(classify({ ...result, isError: true }, [withCategory(() => category)]), {
        kind: 'tool_error',
        category,
      });
    }
    assertOutcome(classify(result, [withCategory(() => undefined)]), { category: 'tool_error' });
    assert.deepEqual(seen[0], { code: 'invalid_id' });
  });

  test('a category that does not exist is none', () => {
    const recognizer: Recognizer = JSON.parse('{"name":"odd"}');
    const odd = { ...recognizer, recognize: () => JSON.parse('{"category":"success","code":5}') };
    assertOutcome(classify(result, [odd]), failureBody('tool_error', { recognizer: 'odd' }));
  });

  const noFailures: readonly (readonly [name: string, answer: unknown])[] = [
    ['true', true],
    ['null', null],
    ['a text', 'failed'],
    ['a list', [{ code: 'invalid_id' }]],
    ['a promise', Promise.resolve({ code: 'invalid_id' })],
  ];
  for (const [name, answer] of noFailures) {
    test(`one by hand that answers with ${name} does not match`, () => {
      const untyped = { recognize: (): unknown => answer };
      const recognizer: Recognizer = Object.assign(JSON.parse('{"name":"odd"}'), untyped);
      assertOutcome(classify(result, [recognizer]), success);
    });
  }

  const broken = (): never => {
    throw new Error('EXAMPLE');
  };
  const throwing: readonly (readonly [name: string, recognizer: Recognizer])[] = [
    ['schema', defineFailureBody({ ...definition, schema: v.pipe(schema, v.check(broken)) })],
    ['failure', defineFailureBody({ ...definition, failure: broken })],
    ['category', defineFailureBody({ ...definition, category: broken })],
    ['recognize', { name: 'by hand', recognize: broken }],
  ];
  for (const [name, recognizer] of throwing) {
    test(`one that throws in \`${name}\` does not match, and the next one is asked`, () => {
      assertOutcome(classify(result, [recognizer]), success);
      assertOutcome(classify(result, [recognizer, defineFailureBody(definition)]), found);
    });
  }

  /** As JavaScript callers can write it. */
  const define = (definitionLike: unknown): unknown =>
    Reflect.apply(defineFailureBody, undefined, [definitionLike]);
  const bad: readonly (readonly [name: string, definition: unknown, option: string])[] = [
    ['no definition', undefined, 'name'],
    ['null', null, 'name'],
    ['no name', { ...definition, name: undefined }, 'name'],
    ['an empty name', { ...definition, name: '' }, 'name'],
    ['a name that is a number', { ...definition, name: 5 }, 'name'],
    ['no schema', { ...definition, schema: undefined }, 'schema'],
    ['a JSON Schema', { ...definition, schema: { type: 'object' } }, 'schema'],
    ['a function as schema', { ...definition, schema: () => true }, 'schema'],
    ['an asynchronous schema', { ...definition, schema: v.objectAsync({}) }, 'schema'],
    // It has no type to check by itself, and would match every body.
    ['a valibot action as schema', { ...definition, schema: v.check(() => true) }, 'schema'],
    ['no failure', { ...definition, failure: undefined }, 'failure'],
    ['a failure that is a value', { ...definition, failure: { code: 'x' } }, 'failure'],
    ['a category that is a value', { ...definition, category: 'not_found' }, 'category'],
    ['a category that is null', { ...definition, category: null }, 'category'],
  ];
  for (const [name, definitionLike, option] of bad) {
    test(`${name} is an OptionsError for \`${option}\``, () => {
      assert.throws(
        () => define(definitionLike),
        (error) =>
          error instanceof OptionsError &&
          OptionsError.isInstance(error) &&
          error.option === option &&
          /expected .+, got .+/.test(error.message),
      );
    });
  }
});
