import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ToolOutcome } from '../src/outcome.ts';
import { outcomeDigest, parseOutcome, serializeOutcome } from '../src/report/trace.ts';
import {
  callFailure,
  outcomeArbitrary,
  samples,
  schemaMismatch,
  success,
  toolError,
} from './support/outcomes.ts';

for (const [name, outcome] of Object.entries(samples)) {
  test(`${name} survives a trace`, () => {
    assertRoundTrip(outcome);
  });
}

test('generated outcomes survive a trace', () => {
  fc.assert(fc.property(outcomeArbitrary(), assertRoundTrip), { seed: 6, numRuns: 500 });
});

test('the cause and a caller-typed value are not in a trace', () => {
  const json = serializeOutcome(callFailure('timeout', 'no answer', { cause: new Error('s3cr3t') }));
  assert.doesNotMatch(json, /cause|s3cr3t/);
  const typed = success({ structuredContent: { at: '2026-03-01' } }, { value: new Date(0) });
  const back = parseOutcome(serializeOutcome(typed));
  assert.ok(back.ok);
  assert.deepEqual(back.value, { at: '2026-03-01' });
});

test('a parsed cause is there, undefined, and still not enumerable', () => {
  for (const outcome of [samples.timeout, samples.cancelled]) {
    const back = parseOutcome(serializeOutcome(outcome));
    assert.deepEqual(Object.getOwnPropertyDescriptor(back, 'cause'), {
      value: undefined,
      enumerable: false,
      configurable: true,
      writable: true,
    });
  }
});

test('keys that are dangerous elsewhere stay plain members of a result', () => {
  const structuredContent: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":2,"toJSON":"x"}');
  const back = parseOutcome(serializeOutcome(success({ structuredContent })));
  assert.ok(back.ok);
  assert.equal(JSON.stringify(back.value), '{"__proto__":{"a":1},"constructor":2,"toJSON":"x"}');
});

const notJson: readonly { name: string; value: unknown; path: string }[] = [
  { name: 'a BigInt', value: { ids: [1, 10n] }, path: '/ids/1' },
  { name: 'a function', value: { run: () => 1 }, path: '/run' },
  { name: 'a symbol', value: { s: Symbol('s') }, path: '/s' },
  { name: 'NaN', value: { total: Number.NaN }, path: '/total' },
  { name: 'an infinity', value: [Number.NEGATIVE_INFINITY], path: '/0' },
  { name: 'undefined in an array', value: { list: [undefined] }, path: '/list/0' },
  { name: 'a Date', value: { at: new Date(0) }, path: '/at' },
  { name: 'a Map under a key that needs escaping', value: { 'a/b~c': new Map() }, path: '/a~1b~0c' },
  { name: 'a cycle', value: cycle(), path: '/self' },
  { name: 'nesting that no reader takes', value: nested(1_001), path: '/0/0/0' },
];

for (const { name, value, path } of notJson) {
  test(`${name} is refused with its place`, () => {
    const outcome = success({ structuredContent: value });
    const message = new RegExp(`^TypeError: JSON cannot carry .*'/result/structuredContent${path}`);
    assert.throws(() => serializeOutcome(outcome), message);
  });
}

test('the neighbours that JSON does carry are not refused', () => {
  const shared = { a: 1 };
  for (const structuredContent of [
    nested(900),
    [shared, shared],
    { left: undefined },
    Object.create(null),
    -1e21,
  ]) {
    assert.doesNotThrow(() => serializeOutcome(success({ structuredContent })));
  }
});

const tampered: readonly {
  name: string;
  change: (outcome: Record<string, unknown>) => void;
  error: RegExp;
}[] = [
  {
    name: 'a failure called ok',
    change: (o) => Object.assign(o, { ok: true }),
    error: /'\/ok' must be false, not boolean/,
  },
  {
    name: 'another kind',
    change: (o) => Object.assign(o, { kind: 'fine' }),
    error: /'\/kind' must be .*"tool_error".*, not string/,
  },
  {
    name: 'a category of another kind',
    change: (o) => Object.assign(o, { category: 'success' }),
    error: /'\/category' must be .*"tool_error".*, not string/,
  },
  { name: 'a missing member', change: (o) => delete o.callId, error: /'\/callId' is missing/ },
  {
    name: 'a foreign member',
    change: (o) => Object.assign(o, { extra: 1 }),
    error: /'\/extra' must be absent, not number/,
  },
  {
    name: 'a cause',
    change: (o) => Object.assign(o, { cause: {} }),
    error: /'\/cause' must be absent, not object/,
  },
  {
    name: 'a lost flag',
    change: (o) => Object.assign(o, { result: {} }),
    error: /'\/result\/isError' is missing/,
  },
  {
    name: 'a failure that is no failure',
    change: (o) => Object.assign(o, { failure: { recognizer: 1 } }),
    error: /'\/failure\/recognizer' must be string, not number/,
  },
  {
    name: 'a date that is none',
    change: (o) => Object.assign(o, { startedAt: 'today' }),
    error: /'\/startedAt' must be valid, not string/,
  },
];

for (const { name, change, error } of tampered) {
  test(`parsing refuses ${name}`, () => {
    const outcome: Record<string, unknown> = JSON.parse(serializeOutcome(samples.isError));
    change(outcome);
    assert.throws(() => parseOutcome(JSON.stringify(outcome)), { name: 'TypeError', message: error });
  });
}

test('parsing refuses a success whose result says isError, and content that is no list of blocks', () => {
  for (const [result, path] of [
    [{ isError: true }, '/result/isError'],
    [{ content: [{}] }, '/result/content/0/type'],
    [{ _meta: [] }, '/result/_meta'],
  ]) {
    const json = JSON.stringify({ ...samples.text, value: undefined, result });
    assert.throws(() => parseOutcome(json), new RegExp(`'${path}' `));
  }
});

test('what is not a JSON text is refused, and no error quotes the input', () => {
  assert.throws(
    () => parseOutcome('{"kind":"s3cr3t'),
    /^TypeError: Not a serialized outcome: the text is not JSON\.$/,
  );
  assert.throws(
    () => parseOutcome('"s3cr3t"'),
    (error) => error instanceof TypeError && !/s3cr3t/.test(error.message),
  );
  assert.throws(() => parseOutcome('null'), /'' must be Object, not null/);
});

// RFC 8785: no white space, keys in the order of their UTF-16 units, numbers as ECMAScript prints them.
const digests: readonly { name: string; outcome: ToolOutcome; canonical: string }[] = [
  {
    name: 'a text',
    outcome: samples.isError,
    canonical: '{"content":[{"text":"Internal Server Error","type":"text"}],"isError":true}',
  },
  {
    name: 'a success with structured content',
    outcome: samples.textAndStructured,
    canonical:
      '{"content":[{"text":"{\\"total\\":3}","type":"text"}],"isError":false,"structuredContent":{"total":3}}',
  },
  {
    name: 'keys, numbers and control characters',
    outcome: success({
      content: [],
      structuredContent: { '€': 1e21, '\r': '\u000f', 1: 0.000001, ö: [4.5, null] },
    }),
    canonical: '{"content":[],"structuredContent":{"\\r":"\\u000f","1":0.000001,"ö":[4.5,null],"€":1e+21}}',
  },
  {
    name: 'a call failure',
    outcome: samples.httpStatusOnly,
    canonical: `{"content":[{"text":"Error: MCP tool 'shop/refund' failed: HTTP 404","type":"text"}],"isError":true}`,
  },
  {
    name: 'a lone surrogate',
    outcome: success({ content: [{ type: 'text', text: 'a\ud800b\ud83d\ude00' }] }),
    canonical: '{"content":[{"text":"a\ufffdb\ud83d\ude00","type":"text"}]}',
  },
];

for (const { name, outcome, canonical } of digests) {
  test(`digest of ${name}`, () => {
    assert.equal(outcomeDigest(outcome), createHash('sha256').update(canonical, 'utf8').digest('hex'));
  });
}

test('a digest tells equal content with another flag apart, and not the order of keys', () => {
  const content = [{ type: 'text', text: 'boom' }];
  assert.notEqual(outcomeDigest(success({ content })), outcomeDigest(toolError({ content })));
  assert.equal(
    outcomeDigest(success({ structuredContent: { a: 1, b: 2 } })),
    outcomeDigest(success({ structuredContent: { b: 2, a: 1 } })),
  );
});

test('a digest survives a trace', () => {
  fc.assert(
    fc.property(outcomeArbitrary(), (outcome) => {
      assert.equal(outcomeDigest(parseOutcome(serializeOutcome(outcome))), outcomeDigest(outcome));
    }),
    { seed: 6, numRuns: 200 },
  );
});

test('a mismatch without any result survives a trace', () => {
  assertRoundTrip(schemaMismatch(undefined));
});

function assertRoundTrip(outcome: ToolOutcome): void {
  const back = parseOutcome(serializeOutcome(outcome));
  assert.deepEqual(back, outcome);
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) {
    value = [value];
  }
  return value;
}

function cycle(): unknown {
  const object: Record<string, unknown> = {};
  object.self = object;
  return object;
}
