/** What the pure classifiers say about a context that they cannot use: they run in `catch` blocks of other people. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { classifyResult, classifyRpcError, classifyThrown, OptionsError } from '../src/index.ts';

const names = { server: 'shortener', tool: 'search-links' };
const zone = 'an ISO 8601 time with its zone';
const recognizers = 'an array of recognizers';

const throwing = {
  tool: 'search-links',
  get server(): string {
    throw new Error('no server');
  },
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();

const wrong: readonly (readonly [name: string, context: unknown, message: string])[] = [
  ['none', undefined, 'Option "context": expected an object with server and tool, got undefined.'],
  ['a text', 'shortener', 'Option "context": expected an object with server and tool, got string.'],
  ['no server', { tool: 'a' }, 'Option "server": expected a string, got undefined.'],
  ['no tool', { server: 'a' }, 'Option "tool": expected a string, got undefined.'],
  ['a number as callId', { ...names, callId: 5 }, 'Option "callId": expected a non-empty string, got 5.'],
  [
    'an empty callId',
    { ...names, callId: '' },
    'Option "callId": expected a non-empty string, got an empty string.',
  ],
  [
    'a callId that the log would have to cut',
    { ...names, callId: 'x'.repeat(257) },
    'Option "callId": expected a string of at most 256 UTF-16 units, got string.',
  ],
  [
    'a getter that throws',
    throwing,
    'Option "context": expected an object that can be read, got one that throws.',
  ],
  [
    'a proxy that throws',
    new Proxy(names, { get: () => assert.fail('not to be read') }),
    'Option "context": expected an object that can be read, got one that throws.',
  ],
  [
    'a revoked proxy',
    revoked.proxy,
    'Option "context": expected an object that can be read, got one that throws.',
  ],
  ['a time in milliseconds', { ...names, startedAt: 5 }, `Option "startedAt": expected ${zone}, got 5.`],
  ['a time in words', { ...names, startedAt: 'today' }, `Option "startedAt": expected ${zone}, got string.`],
  [
    'a negative duration',
    { ...names, durationMs: -1 },
    'Option "durationMs": expected a number of milliseconds, 0 or more, got -1.',
  ],
  [
    'a boolean schema',
    { ...names, outputSchema: true },
    'Option "outputSchema": expected a JSON Schema object, got boolean.',
  ],
  [
    'one recognizer',
    { ...names, failureBodies: {} },
    `Option "failureBodies": expected ${recognizers}, got object.`,
  ],
  [
    'functions as recognizers',
    { ...names, failureBodies: [() => undefined] },
    'Option "failureBodies.0": expected recognizers, as defineFailureBody makes them, got function.',
  ],
];

describe('a wrong context', () => {
  for (const [name, context, message] of wrong) {
    for (const classify of [classifyResult, classifyRpcError, classifyThrown]) {
      test(`${name}, for ${classify.name}`, () => {
        assert.throws(
          () => Reflect.apply(classify, undefined, [new Error('no'), context]),
          (error) => OptionsError.isInstance(error) && error.message === message,
        );
      });
    }
  }
});

test('members that are undefined are absent', () => {
  const absent = { callId: undefined, signal: undefined, outputSchema: undefined, startedAt: undefined };
  const outcome = classifyThrown(new Error('no'), { ...names, ...absent, durationMs: undefined });
  assert.equal(outcome.kind, 'call_failure');
  assert.equal(outcome.durationMs, 0);
});

test('a name may be empty: the server chose it', () => {
  assert.equal(classifyResult({ content: [] }, { server: '', tool: '' }).ok, true);
});

test('a callId of 256 units is taken whole', () => {
  const callId = 'x'.repeat(256);
  assert.equal(classifyResult({ content: [] }, { ...names, callId }).callId, callId);
});

test('names are redacted, on one line and cut; others stay as they are', () => {
  const key = 'sk-ant-api03-canary1234567890abcdef';
  const rows = [
    [`shop ${key}`, 'shop [REDACTED]'],
    ['shop\nforged', 'shop forged'],
    ['s'.repeat(129), `${'s'.repeat(128)}…`],
    ['Shop (EU)', 'Shop (EU)'],
  ] as const;
  for (const [name, safe] of rows) {
    const context = { server: name, tool: name };
    for (const outcome of [
      classifyResult(5, context),
      classifyRpcError(5, context),
      classifyThrown(5, context),
    ]) {
      assert.deepEqual([outcome.server, outcome.tool], [safe, safe]);
    }
  }
});
