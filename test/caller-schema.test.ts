/**
 * The caller's own schema for a result: any Standard Schema, which may be slow, wrong or broken. Its output is `value`;
 * what it refuses, or cannot say in time, is a mismatch.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type } from 'arktype';
import { expectTypeOf } from 'expect-type';
import * as v from 'valibot';
import { z } from 'zod';
import { createRedactor, defineFailureBody, type ToolOutcome, withOutcomes } from '../src/index.ts';
import { idle, isSettled, stopClock } from './support/stopped-clock.ts';
import { connectToTools, inPages, type OpenRequest, withResults } from './support/tool-server.ts';

const call = { name: 'count', arguments: {} };
const fits = { content: [], structuredContent: { total: 3 } };
const breaks = { content: [], structuredContent: { total: 'three' } };
const silent = { logger: false, server: 'shop', outputSchemas: 'off' } as const;

/** A caller for a client that answers every call with this. */
function answering(result: unknown) {
  return withOutcomes({ callTool: async () => result }, silent);
}

/** A schema that answers as the test says, and counts how often it is asked. */
function schemaThat(validate: (value: unknown) => unknown) {
  const asked: unknown[] = [];
  const standard = {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => {
      asked.push(value);
      return validate(value);
    },
  };
  // By reflection: no type lets a broken schema pass.
  const schema: StandardSchemaV1 = Reflect.apply(Object.assign, Object, [{ '~standard': standard }]);
  return { schema, asked };
}

const accepting = schemaThat((value) => ({ value })).schema;
const refusing = schemaThat(() => ({ issues: [{ message: 'no', path: ['total'] }] })).schema;

function mismatchOf(outcome: ToolOutcome) {
  assert.equal(outcome.kind, 'schema_mismatch', outcome.message);
  return outcome.kind === 'schema_mismatch' ? outcome : assert.fail();
}

describe('the type of value follows the schema, which', () => {
  test('is valibot', async () => {
    const output = v.object({ total: v.pipe(v.number(), v.transform(String)) });
    const outcome = await answering(fits).callTool(call, { output });
    assert.ok(outcome.ok);
    expectTypeOf(outcome.value).toEqualTypeOf<{ total: string }>();
    assert.deepEqual(outcome.value, { total: '3' });
    assert.equal(outcome.result, fits);
    assert.deepEqual(fits.structuredContent, { total: 3 });
    assert.deepEqual(mismatchOf(await answering(breaks).callTool(call, { output })).issues, [
      { path: '/total', message: 'Invalid type: Expected number but received "three"' },
    ]);
  });

  test('is valibot and asynchronous', async () => {
    const check = v.checkAsync(async (total: number) => total < 5, 'too many');
    const output = v.objectAsync({ total: v.pipeAsync(v.number(), check) });
    const outcome = await answering(fits).callTool(call, { output });
    assert.ok(outcome.ok);
    expectTypeOf(outcome.value).toEqualTypeOf<{ total: number }>();
    assert.deepEqual(outcome.value, { total: 3 });
    const many = { content: [], structuredContent: { total: 9 } };
    assert.deepEqual(mismatchOf(await answering(many).callTool(call, { output })).issues, [
      { path: '/total', message: 'too many' },
    ]);
  });

  test('is zod', async () => {
    const output = z.object({ total: z.number().transform((total) => BigInt(total)) });
    const outcome = await answering(fits).callTool(call, { output });
    assert.ok(outcome.ok);
    expectTypeOf(outcome.value).toEqualTypeOf<{ total: bigint }>();
    assert.deepEqual(outcome.value, { total: 3n });
    const [issue] = mismatchOf(await answering(breaks).callTool(call, { output })).issues;
    assert.equal(issue?.path, '/total');
  });

  test('is ArkType, of the whole value too', async () => {
    const output = type('string');
    for (const structuredContent of [5, undefined]) {
      const [issue] = mismatchOf(
        await answering({ content: [], structuredContent }).callTool(call, { output }),
      ).issues;
      assert.equal(issue?.path, '');
    }
  });

  test('is zod and asynchronous', async () => {
    const output = z.object({ total: z.number().refine(async (total) => total < 5, 'too many') });
    const outcome = await answering(fits).callTool(call, { output });
    assert.ok(outcome.ok);
    expectTypeOf(outcome.value).toEqualTypeOf<{ total: number }>();
    const many = { content: [], structuredContent: { total: 9 } };
    assert.deepEqual(mismatchOf(await answering(many).callTool(call, { output })).issues, [
      { path: '/total', message: 'too many' },
    ]);
  });

  test('is ArkType, whose schemas are functions', async () => {
    const output = type({ total: 'number' });
    const outcome = await answering(fits).callTool(call, { output });
    assert.ok(outcome.ok);
    expectTypeOf(outcome.value).toEqualTypeOf<{ total: number }>();
    const [issue] = mismatchOf(await answering(breaks).callTool(call, { output })).issues;
    assert.equal(issue?.path, '/total');
  });

  test('is not there: value is the structured content, of unknown type', async () => {
    const outcome = await answering(fits).callTool(call);
    assert.ok(outcome.ok);
    expectTypeOf(outcome.value).toEqualTypeOf<unknown>();
    assert.equal(outcome.value, fits.structuredContent);
  });

  test('types a success alone', async () => {
    const outcome = await answering(fits).callTool(call, { output: v.object({ total: v.number() }) });
    expectTypeOf(outcome).toEqualTypeOf<ToolOutcome<{ total: number }>>();
    assert.ok(outcome.ok);
  });
});

interface Broken {
  readonly name: string;
  readonly validate: (value: unknown) => unknown;
}

const unreadable = new Proxy(
  {},
  {
    get: () => {
      throw new Error('hands off');
    },
  },
);

function throwing(): never {
  throw new Error('out of order');
}

const broken: readonly Broken[] = [
  { name: 'throws', validate: throwing },
  {
    name: 'throws nothing',
    validate: () => {
      throw undefined;
    },
  },
  {
    name: 'throws what cannot be read',
    validate: () => {
      throw unreadable;
    },
  },
  { name: 'rejects', validate: () => Promise.reject(new Error('out of order')) },
  { name: 'returns undefined', validate: () => undefined },
  { name: 'returns null', validate: () => null },
  { name: 'returns true', validate: () => true },
  { name: 'returns an empty object', validate: () => ({}) },
  { name: 'resolves with an empty object', validate: async () => ({}) },
  { name: 'returns issues that are text', validate: () => ({ issues: 'no' }) },
  { name: 'returns issues and a value', validate: (value) => ({ value, issues: [{ message: 'no' }] }) },
  { name: 'returns no issue at all', validate: () => ({ issues: [] }) },
  { name: 'returns issues of nothing', validate: () => ({ issues: [undefined, null, 7, {}, 'no'] }) },
  {
    name: 'returns issues without words or with odd paths',
    validate: () => ({
      issues: [
        { message: 7, path: 'total' },
        { message: null, path: [null, undefined] },
      ],
    }),
  },
  { name: 'returns what cannot be read', validate: () => unreadable },
  { name: 'resolves with what cannot be read', validate: async () => ({ issues: [unreadable] }) },
  {
    name: 'returns a promise that throws',
    validate: () => Object.fromEntries([['then', throwing]]),
  },
];

describe('a schema that', () => {
  for (const { name, validate } of broken) {
    test(`${name} is a mismatch`, async () => {
      const outcome = await answering(fits).callTool(call, { output: schemaThat(validate).schema });
      const { schema, issues, result, category, message } = mismatchOf(outcome);
      assert.deepEqual([schema, category, result], ['caller_schema', 'schema_mismatch', fits]);
      assert.ok(issues.length >= 1 && issues.length <= 10);
      for (const issue of issues) {
        assert.deepEqual([typeof issue.path, typeof issue.message], ['string', 'string']);
      }
      assert.notEqual(message, '');
    });
  }

  test('says that undefined issues are none is believed', async () => {
    const output = schemaThat((value) => ({ value, issues: undefined })).schema;
    assert.equal((await answering(fits).callTool(call, { output })).kind, 'success');
  });

  test('answers with undefined as its value is believed', async () => {
    const output = schemaThat(() => ({ value: undefined })).schema;
    const outcome = await answering(fits).callTool(call, { output });
    assert.ok(outcome.ok);
    assert.equal(outcome.value, undefined);
  });

  for (const bound of ['timeout', 'maxTotalTimeout']) {
    test(`never answers is a mismatch a second after ${bound}`, async (t) => {
      const { pending, advance } = hanging(t, { [bound]: 500 });
      await advance(1_499);
      assert.equal(await isSettled(pending), false);
      await advance(1);
      assert.equal(await isSettled(pending), true);
      const { schema, result, issues } = mismatchOf(await pending);
      assert.deepEqual([schema, result, issues.length], ['caller_schema', fits, 1]);
    });
  }

  test('rejects when nobody waits any more does no harm', async (t) => {
    const { pending, reject, advance } = hanging(t, { timeout: 500 });
    await advance(1_500);
    assert.equal((await pending).kind, 'schema_mismatch');
    reject(new Error('too late'));
    // An unhandled rejection would fail the test.
    assert.equal(await isSettled(pending), true);
  });
});

/** A call whose schema never answers, and the clock in the hands of the test. */
function hanging(t: TestContext, bounds: object) {
  const clock = stopClock(t);
  let reject: (reason: unknown) => void = () => {};
  const never = new Promise<never>((_resolve, refuse) => {
    reject = refuse;
  });
  const output = schemaThat(() => never).schema;
  const pending = answering(fits).callTool(call, { ...bounds, output });
  return {
    pending,
    reject: (reason: unknown) => reject(reason),
    advance: async (ms: number) => {
      await idle();
      clock.advance(ms);
    },
  };
}

const symbol = Symbol('key');

const paths: readonly (readonly [readonly unknown[] | undefined, string, string])[] = [
  [undefined, '', 'no path is the whole value'],
  [[], '', 'so is an empty one'],
  [['total'], '/total', 'keys stand as they are'],
  [['rows', 0, 'id'], '/rows/0/id', 'and so do indexes'],
  [[{ key: 'rows' }, { key: 0 }], '/rows/0', 'segments are objects with a key'],
  [['a/b', 'm~n', ''], '/a~1b/m~0n/', 'RFC 6901 escapes two characters; an empty key is a key'],
  [[{ key: 'a/b' }], '/a~1b', 'also in segments'],
  [[symbol], '/Symbol(key)', 'a symbol cannot stand in a pointer, its name can'],
];

describe('issues', () => {
  for (const [path, pointer, why] of paths) {
    test(`at ${String(pointer) || 'the root'}: ${why}`, async () => {
      const issue = path === undefined ? { message: 'no' } : { message: 'no', path };
      const output = schemaThat(() => ({ issues: [issue] })).schema;
      const outcome = mismatchOf(await answering(fits).callTool(call, { output }));
      assert.deepEqual(outcome.issues, [{ path: pointer, message: 'no' }]);
    });
  }

  test('are ten at most', async () => {
    const issues = Array.from({ length: 25 }, (_unused, index) => ({ message: `issue ${index}` }));
    const output = schemaThat(() => ({ issues })).schema;
    const outcome = mismatchOf(await answering(fits).callTool(call, { output }));
    assert.deepEqual(
      outcome.issues.map(({ message }) => message),
      issues.slice(0, 10).map(({ message }) => message),
    );
  });

  const secret = 'correct-horse-battery';
  const leaking: readonly (readonly [string, (value: unknown) => unknown])[] = [
    ['in a message', () => ({ issues: [{ message: `received ${secret}` }] })],
    ['in a path', () => ({ issues: [{ message: 'no', path: ['tokens', secret] }] })],
    [
      'in what it throws',
      () => {
        throw new Error(`no access with ${secret}`);
      },
    ],
    ['in what it rejects with', () => Promise.reject(new Error(`no access with ${secret}`))],
  ];
  for (const [where, validate] of leaking) {
    test(`tell no secret ${where}, on the outcome and in the log`, async () => {
      const logged: unknown[] = [];
      const client = { callTool: async () => fits };
      const caller = withOutcomes(client, {
        server: 'shop',
        redactor: createRedactor({ values: [secret] }),
        logger: { warn: (...line) => logged.push(line) },
      });
      const outcome = await caller.callTool(call, { output: schemaThat(validate).schema });
      assert.equal(mismatchOf(outcome).schema, 'caller_schema');
      assert.equal(logged.length, 1);
      for (const text of [JSON.stringify(outcome), JSON.stringify(logged)]) {
        assert.equal(text.includes(secret), false, text);
      }
    });
  }
});

interface BodyRow {
  readonly name: string;
  readonly result: object;
  readonly output: StandardSchemaV1;
  /** The kind, and the recognizer of a failure body. */
  readonly right: readonly string[];
  readonly why: string;
}

const declared = { success: false, error: 'sold out' };
const tagged = { _tag: 'OrchestratorMcpFailure', code: 'run_not_found', message: 'The run was not found.' };
const aiError = { _tag: 'AiError', reason: { _tag: 'NetworkError', description: 'unreachable' } };
const declaredFailure = ['failure_body', 'declaredFailure'];

function structured(body: object): object {
  return { content: [], structuredContent: body };
}

function asText(body: object): object {
  return { content: [{ type: 'text', text: JSON.stringify(body) }] };
}

const bodies: readonly BodyRow[] = [
  {
    name: 'a declared failure that the schema accepts',
    result: structured(declared),
    output: v.object({ success: v.boolean(), error: v.optional(v.string()) }),
    right: ['success'],
    why: 'the caller expects such bodies',
  },
  {
    name: 'a declared failure that the schema refuses',
    result: structured(declared),
    output: v.object({ total: v.number() }),
    right: declaredFailure,
    why: 'a failure body comes before every schema',
  },
  {
    name: 'a declared failure under error that the schema accepts',
    result: structured({ error: declared }),
    output: accepting,
    right: ['success'],
    why: 'the schema has seen it',
  },
  {
    name: 'a tagged failure that the schema accepts',
    result: structured(tagged),
    output: accepting,
    right: ['failure_body', 'orchestratorMcpFailure'],
    why: 'a tag says exactly what the body is',
  },
  {
    name: 'a tagged failure that the schema refuses',
    result: structured(tagged),
    output: refusing,
    right: ['failure_body', 'orchestratorMcpFailure'],
    why: 'as without a schema',
  },
  {
    name: 'a tagged failure under error that the schema accepts',
    result: structured({ error: tagged }),
    output: accepting,
    right: ['failure_body', 'orchestratorMcpFailure'],
    why: 'a tag one level down is as exact',
  },
  {
    name: "Effect's own failure that the schema accepts",
    result: structured(aiError),
    output: accepting,
    right: ['failure_body', 'effectAiError'],
    why: 'a tag says exactly what the body is',
  },
  {
    name: 'a tagged failure as text, with a schema that accepts the missing content',
    result: asText(tagged),
    output: accepting,
    right: ['failure_body', 'orchestratorMcpFailure'],
    why: 'a tag says exactly what the body is',
  },
  {
    name: 'a declared failure as text, with a schema that accepts the missing content',
    result: asText(declared),
    output: accepting,
    right: declaredFailure,
    why: 'the schema has accepted that there is no structured content, never this body',
  },
  {
    name: 'a declared failure as text, with a schema that refuses the missing content',
    result: asText(declared),
    output: v.object({ total: v.number() }),
    right: declaredFailure,
    why: 'a failure body comes before every schema',
  },
  {
    name: 'data that the schema accepts',
    result: structured({ success: true, total: 3 }),
    output: accepting,
    right: ['success'],
    why: 'there is no failure in it',
  },
  {
    name: 'data that the schema refuses',
    result: structured({ success: true, total: 3 }),
    output: refusing,
    right: ['schema_mismatch'],
    why: 'nor is it what the caller wants',
  },
];

/** Recognizers of the caller's own, none of which gives the tag back. */
const failure = (): object => ({});
const ownBodies = {
  oneTag: defineFailureBody({ name: 'oneTag', schema: v.object({ _tag: v.literal('Closed') }), failure }),
  twoTags: defineFailureBody({
    name: 'twoTags',
    schema: v.variant('_tag', [
      v.object({ _tag: v.literal('Closed') }),
      v.object({ _tag: v.literal('Expired'), at: v.string() }),
    ]),
    failure,
  }),
  anyTag: defineFailureBody({ name: 'anyTag', schema: v.object({ _tag: v.string() }), failure }),
  byOtherMember: defineFailureBody({
    name: 'byOtherMember',
    schema: v.object({ why: v.string() }),
    failure: ({ why }) => ({ tag: why }),
  }),
};

const ownRows: readonly {
  readonly recognizer: keyof typeof ownBodies;
  readonly body: object;
  readonly right: ToolOutcome['kind'];
  readonly why: string;
}[] = [
  { recognizer: 'oneTag', body: { _tag: 'Closed' }, right: 'failure_body', why: 'it knows the tag' },
  {
    recognizer: 'oneTag',
    body: { _tag: 'Opened' },
    right: 'success',
    why: 'of another tag it knows nothing',
  },
  { recognizer: 'twoTags', body: { _tag: 'Closed' }, right: 'failure_body', why: 'one of several tags' },
  { recognizer: 'anyTag', body: { _tag: 'Closed' }, right: 'success', why: 'any tag is no exact one' },
  { recognizer: 'byOtherMember', body: { why: 'x' }, right: 'success', why: 'there is no tag' },
  {
    recognizer: 'byOtherMember',
    body: { _tag: 'x', why: 'x' },
    right: 'success',
    why: 'the tag was not looked at',
  },
];

describe("the caller's own recognizers, when the schema accepts the body:", () => {
  for (const { recognizer, body, right, why } of ownRows) {
    test(`${recognizer} with ${JSON.stringify(body)} is ${right}: ${why}`, async () => {
      const client = { callTool: async () => structured(body) };
      const caller = withOutcomes(client, { ...silent, failureBodies: [ownBodies[recognizer]] });
      assert.equal((await caller.callTool(call, { output: accepting })).kind, right);
    });
  }
});

describe('failure bodies', () => {
  for (const { name, result, output, right, why } of bodies) {
    test(`${name}: ${why}`, async () => {
      const outcome = await answering(result).callTool(call, { output });
      const recognizer = outcome.kind === 'failure_body' ? [outcome.failure.recognizer] : [];
      assert.deepEqual([outcome.kind, ...recognizer], right);
      assert.deepEqual('result' in outcome && outcome.result, result);
    });
  }
});

interface BothRow {
  readonly name: string;
  readonly result: object;
  readonly output: StandardSchemaV1;
  readonly right: string;
}

/** The tool advertises `{ total: number }`. */
const both: readonly BothRow[] = [
  { name: 'both accept', result: fits, output: accepting, right: 'success' },
  { name: 'the tool breaks its promise', result: breaks, output: accepting, right: 'output_schema' },
  { name: 'the caller wants more', result: fits, output: refusing, right: 'caller_schema' },
  {
    name: "both refuse: the tool's promise comes first",
    result: breaks,
    output: refusing,
    right: 'output_schema',
  },
  {
    name: 'no structured content',
    result: { content: [] },
    output: accepting,
    right: 'output_schema',
  },
];

describe("the tool's output schema and the caller's", () => {
  const tool = {
    name: 'count',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
  };
  for (const { name, result, output, right } of both) {
    test(`${name}: ${right}`, async (t) => {
      const onCall = withResults({ count: result });
      const { client } = await connectToTools({ onList: inPages([tool]), onCall });
      t.after(() => client.close());
      const caller = withOutcomes(client, { logger: false });
      // A first call may be refused by the caller's schema before the list is there.
      await caller.callTool(call);
      const outcome = await caller.callTool(call, { output });
      assert.equal(outcome.kind === 'schema_mismatch' ? outcome.schema : outcome.kind, right);
    });
  }
});

interface UnaskedRow {
  readonly name: string;
  readonly onCall: (call: OpenRequest) => void;
  readonly kind: ToolOutcome['kind'];
}

const unasked: readonly UnaskedRow[] = [
  {
    name: 'a flagged failure',
    onCall: ({ answer }) => answer({ ...fits, isError: true }),
    kind: 'tool_error',
  },
  {
    name: 'a flagged failure that is malformed',
    onCall: ({ answer }) => answer({ content: 7, isError: true, structuredContent: { total: 3 } }),
    kind: 'tool_error',
  },
  {
    name: 'a malformed result',
    onCall: ({ answer }) => answer({ content: 7, structuredContent: { total: 3 } }),
    kind: 'schema_mismatch',
  },
  {
    name: 'a JSON-RPC error',
    onCall: ({ fail }) => fail({ code: -32603, message: 'no' }),
    kind: 'call_failure',
  },
  {
    name: 'a request for input',
    onCall: ({ answer }) => answer({ ...fits, resultType: 'input_required' }),
    kind: 'call_failure',
  },
  {
    name: 'a task',
    onCall: ({ answer }) => answer({ task: { taskId: 't-1', status: 'working' } }),
    kind: 'call_failure',
  },
];

describe('the schema is not asked about', () => {
  for (const { name, onCall, kind } of unasked) {
    test(name, async (t) => {
      const { client } = await connectToTools({ onList: inPages([]), onCall });
      t.after(() => client.close());
      const { schema: output, asked } = schemaThat((value) => ({ value }));
      const outcome = await withOutcomes(client, { logger: false }).callTool(call, { output });
      assert.equal(outcome.kind, kind, outcome.message);
      assert.deepEqual(asked, []);
    });
  }

  test('the neighbour: it is asked once about a would-be success', async () => {
    const { schema: output, asked } = schemaThat((value) => ({ value }));
    await answering(fits).callTool(call, { output });
    assert.deepEqual(asked, [{ total: 3 }]);
  });

  test('a result without structured content is asked about as undefined', async () => {
    const { schema: output, asked } = schemaThat((value) => ({ value }));
    assert.equal((await answering({ content: [] }).callTool(call, { output })).kind, 'success');
    assert.deepEqual(asked, [undefined]);
  });
});

const noSchemas: readonly (readonly [string, unknown])[] = [
  ['a JSON Schema', { type: 'object' }],
  ['a function', () => true],
  ['null', null],
  ['text', 'object'],
  ['an object whose ~standard has no validate', { '~standard': { version: 1, vendor: 'test' } }],
  ['an object that cannot be read', unreadable],
];

describe('output that is no Standard Schema is a bad call:', () => {
  for (const [name, output] of noSchemas) {
    test(name, async () => {
      const caller = answering(fits);
      const outcome: ToolOutcome = await Reflect.apply(caller.callTool, undefined, [call, { output }]);
      assert.equal(outcome.kind === 'call_failure' && outcome.reason, 'invalid_arguments');
      assert.equal(outcome.delivery, 'not_sent');
      assert.match(outcome.message, /"output": expected a Standard Schema/);
    });
  }
});
