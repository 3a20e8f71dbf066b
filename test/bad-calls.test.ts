/**
 * Calls and options that cannot be meant as they stand. `callTool` answers each with an outcome that says what was
 * wrong, and sends nothing; `withOutcomes` throws an error that names the option.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OptionsError, withOutcomes } from '../src/index.ts';
import { connectInMemory, textResult } from './support/in-memory-peer.ts';

const secret = 'sk-canary-4f9d2c7b1a';

function throwingProxy(): object {
  const refuse = (): never => {
    throw new Error('the trap says no');
  };
  return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const circular: Record<string, unknown> = {};
circular.self = circular;

interface BadCallRow {
  readonly name: string;
  readonly params?: unknown;
  readonly options?: unknown;
  /** All of these stand in the message. */
  readonly says: readonly string[];
  readonly tool?: string;
}

const goodParams = { name: 'search', arguments: {} };

const badParams: readonly BadCallRow[] = [
  { name: 'params null', params: null, says: ['params', 'null'] },
  { name: 'params undefined', params: undefined, says: ['params', 'undefined'] },
  { name: 'params a string', params: 'search', says: ['params', 'string'] },
  { name: 'params a number', params: 7, says: ['params', '7'] },
  { name: 'params an array', params: ['search'], says: ['name', 'array'] },
  { name: 'params a function', params: () => 'search', says: ['name'] },
  { name: 'params a symbol', params: Symbol('search'), says: ['params', 'symbol'] },
  { name: 'params a throwing Proxy', params: throwingProxy(), says: ['"params"', 'can be read'] },
  { name: 'params a revoked Proxy', params: revokedProxy(), says: ['"params"', 'can be read'] },
  { name: 'name missing', params: { arguments: {} }, says: ['"name"', 'the name of a tool', 'undefined'] },
  { name: 'name empty', params: { name: '' }, says: ['"name"', 'the name of a tool', 'empty string'] },
  { name: 'name a number', params: { name: 5 }, says: ['"name"', 'the name of a tool', '5'] },
  { name: 'name null', params: { name: null }, says: ['"name"', 'null'] },
  {
    name: 'name a getter that throws',
    params: Object.defineProperty({}, 'name', { enumerable: true, get: throwNo }),
    says: ['"params"', 'can be read'],
  },
  {
    name: 'arguments a string',
    params: { name: 'search', arguments: secret },
    says: ['"arguments"', 'an object with the tool arguments', 'string'],
    tool: 'search',
  },
  {
    name: 'arguments a number',
    params: { name: 'search', arguments: 5 },
    says: ['"arguments"'],
    tool: 'search',
  },
  {
    name: 'arguments true',
    params: { name: 'search', arguments: true },
    says: ['"arguments"'],
    tool: 'search',
  },
  {
    name: 'arguments an array',
    params: { name: 'search', arguments: [1] },
    says: ['"arguments"', 'array'],
    tool: 'search',
  },
  {
    name: 'arguments a function: JSON would drop it',
    params: { name: 'search', arguments: () => ({}) },
    says: ['"arguments"', 'function'],
    tool: 'search',
  },
  {
    name: 'arguments a symbol',
    params: { name: 'search', arguments: Symbol('a') },
    says: ['"arguments"'],
    tool: 'search',
  },
];

function throwNo(): never {
  throw new Error('the getter says no');
}

const notASignal = { aborted: 'no' };

const badOptions: readonly BadCallRow[] = [
  { name: 'options null', options: null, says: ['options', 'an object', 'null'] },
  { name: 'options a string', options: 'fast', says: ['options', 'an object', 'string'] },
  { name: 'options an array', options: [], says: ['options', 'an object', 'array'] },
  { name: 'options a throwing Proxy', options: throwingProxy(), says: ['options'] },
  {
    name: 'options with a getter that throws',
    options: {
      get timeout() {
        return throwNo();
      },
    },
    says: ['options'],
  },
  { name: 'timeout 0', options: { timeout: 0 }, says: ['"timeout"', 'milliseconds above 0', '0'] },
  { name: 'timeout negative', options: { timeout: -5 }, says: ['"timeout"', '-5'] },
  { name: 'timeout NaN', options: { timeout: Number.NaN }, says: ['"timeout"', 'NaN'] },
  { name: 'timeout a string', options: { timeout: '5s' }, says: ['"timeout"', 'string'] },
  { name: 'timeout null', options: { timeout: null }, says: ['"timeout"', 'null'] },
  {
    name: 'maxTotalTimeout 0',
    options: { maxTotalTimeout: 0 },
    says: ['"maxTotalTimeout"', 'milliseconds above 0'],
  },
  {
    name: 'maxTotalTimeout a BigInt',
    options: { maxTotalTimeout: 5n },
    says: ['"maxTotalTimeout"', 'bigint'],
  },
  { name: 'signal a string', options: { signal: 'abort' }, says: ['"signal"', 'an AbortSignal', 'string'] },
  {
    name: 'signal an AbortController',
    options: { signal: new AbortController() },
    says: ['"signal"', 'an AbortSignal'],
  },
  {
    name: 'signal an object that is none',
    options: { signal: notASignal },
    says: ['"signal"', 'an AbortSignal'],
  },
  { name: 'signal null', options: { signal: null }, says: ['"signal"', 'null'] },
  { name: 'callId a number', options: { callId: 5 }, says: ['"callId"', 'a non-empty string', '5'] },
  {
    name: 'callId longer than the log keeps',
    options: { callId: 'x'.repeat(257) },
    says: ['"callId"', 'at most 256 UTF-16 units'],
  },
  { name: 'callId empty', options: { callId: '' }, says: ['"callId"', 'a non-empty string', 'empty string'] },
  {
    name: 'logger true',
    options: { logger: true },
    says: ['"logger"', 'false or an object with a warn function'],
  },
  {
    name: 'logger without warn',
    options: { logger: { info: () => {} } },
    says: ['"logger"', 'warn function'],
  },
  {
    name: 'output no schema',
    options: { output: { type: 'object' } },
    says: ['"output"', 'a Standard Schema'],
  },
  {
    name: 'onprogress no function',
    options: { onprogress: 'log' },
    says: ['"onprogress"', 'a function', 'string'],
  },
  {
    name: 'resetTimeoutOnProgress no boolean',
    options: { resetTimeoutOnProgress: 'yes' },
    says: ['"resetTimeoutOnProgress"', 'a boolean', 'string'],
  },
];

describe('a bad call is an invalid_arguments outcome', () => {
  const rows = [...badParams, ...badOptions.map((row) => ({ ...row, params: goodParams, tool: 'search' }))];
  for (const row of rows) {
    test(row.name, async () => {
      const lines: string[] = [];
      const { client, peer } = await connectInMemory({ onCall: (call) => call.answer(textResult('sent')) });
      const caller = withOutcomes(client, {
        server: 'peer',
        logger: { warn: (_record, message) => lines.push(message) },
      });
      const outcome = await Reflect.apply(caller.callTool, caller, [row.params, row.options]);
      assert.equal(outcome.kind, 'call_failure', outcome.message);
      assert.equal(outcome.reason, 'invalid_arguments');
      assert.equal(outcome.category, 'invalid_input');
      assert.equal(outcome.delivery, 'not_sent');
      assert.equal(outcome.ok, false);
      assert.equal(outcome.tool, row.tool ?? outcome.tool);
      assert.match(outcome.callId, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
      for (const words of row.says)
        assert.ok(outcome.message.includes(words), `${words} in: ${outcome.message}`);
      assert.ok(!outcome.message.includes(secret), 'no value in the message');
      assert.equal(lines.length, 1, 'one warning');
      assert.equal(peer.received.filter(({ method }) => method === 'tools/call').length, 0, 'nothing sent');
      const after = await caller.callTool(goodParams);
      assert.equal(after.kind, 'success', 'the next call works');
      await client.close();
    });
  }
});

describe('calls that look odd and are fine', () => {
  const rows: readonly { readonly name: string; readonly params: unknown; readonly options?: unknown }[] = [
    { name: 'no arguments', params: { name: 'search' } },
    { name: 'arguments undefined', params: { name: 'search', arguments: undefined } },
    { name: 'frozen params', params: Object.freeze({ name: 'search', arguments: Object.freeze({}) }) },
    { name: 'params without a prototype', params: Object.assign(Object.create(null), { name: 'search' }) },
    { name: 'arguments an instance of a class', params: { name: 'search', arguments: new Map() } },
    { name: 'a name of blanks: the server may have one', params: { name: ' ' } },
    {
      name: 'circular arguments where nothing is serialized',
      params: { name: 'search', arguments: circular },
    },
    { name: 'options undefined', params: goodParams, options: undefined },
    {
      name: 'every option undefined',
      params: goodParams,
      options: { timeout: undefined, signal: undefined, callId: undefined },
    },
    {
      name: 'an option that only the client knows',
      params: goodParams,
      options: { relatedRequestId: 1, other: Symbol('x') },
    },
    { name: 'timeout Infinity', params: goodParams, options: { timeout: Number.POSITIVE_INFINITY } },
    {
      name: 'timeout half a millisecond over an instant answer',
      params: goodParams,
      options: { timeout: 0.5 },
    },
  ];
  for (const row of rows) {
    test(row.name, async () => {
      const { client } = await connectInMemory({ onCall: (call) => call.answer(textResult('sent')) });
      const caller = withOutcomes(client, { logger: false });
      const outcome = await Reflect.apply(caller.callTool, caller, [row.params, row.options]);
      assert.equal(outcome.kind, 'success', outcome.message);
      await client.close();
    });
  }
});

describe('withOutcomes refuses', () => {
  const client = { callTool: async () => textResult('x') };
  const rows: readonly {
    readonly name: string;
    readonly client?: unknown;
    readonly options?: unknown;
    readonly option: string;
    readonly says: readonly string[];
  }[] = [
    { name: 'no client', client: undefined, option: 'client', says: ['callTool function', 'undefined'] },
    {
      name: 'a client without callTool',
      client: {},
      option: 'client',
      says: ['callTool function', 'object'],
    },
    {
      name: 'a client whose callTool is no function',
      client: { callTool: 1 },
      option: 'client',
      says: ['callTool function'],
    },
    {
      name: 'a revoked Proxy for a client',
      client: revokedProxy(),
      option: 'client',
      says: ['callTool function'],
    },
    { name: 'options that are a string', options: secret, option: 'options', says: ['an object', 'string'] },
    { name: 'options that are an array', options: [], option: 'options', says: ['an object', 'array'] },
    {
      name: 'options that are a function',
      options: () => ({}),
      option: 'options',
      says: ['an object', 'function'],
    },
    {
      name: 'options that are a throwing Proxy',
      options: throwingProxy(),
      option: 'options',
      says: ['an object'],
    },
    {
      name: 'a getter that throws',
      options: {
        get server() {
          return throwNo();
        },
      },
      option: 'options',
      says: ['an object'],
    },
    { name: 'server a number', options: { server: 5 }, option: 'server', says: ['a non-empty string', '5'] },
    {
      name: 'server empty',
      options: { server: '' },
      option: 'server',
      says: ['a non-empty string', 'an empty string'],
    },
    {
      name: 'logger null',
      options: { logger: null },
      option: 'logger',
      says: ['false or an object with a warn function', 'null'],
    },
    {
      name: 'logger a console-like without warn',
      options: { logger: { log: () => {} } },
      option: 'logger',
      says: ['warn function'],
    },
    {
      name: 'redactor a function',
      options: { redactor: (text: string) => text },
      option: 'redactor',
      says: ['createRedactor', 'function'],
    },
    {
      name: 'failureBodies one recognizer',
      options: { failureBodies: {} },
      option: 'failureBodies',
      says: ['an array of recognizers', 'object'],
    },
    {
      name: 'failureBodies of strings',
      options: { failureBodies: [secret] },
      option: 'failureBodies.0',
      says: ['defineFailureBody', 'string'],
    },
    {
      name: 'errorBodies true',
      options: { errorBodies: true },
      option: 'errorBodies',
      says: ['"include" or "status-only"', 'boolean'],
    },
    {
      name: 'errorBodies another word',
      options: { errorBodies: secret },
      option: 'errorBodies',
      says: ['"include" or "status-only"', 'string'],
    },
    {
      name: 'outputSchemas another word',
      options: { outputSchemas: secret },
      option: 'outputSchemas',
      says: ['"auto"', '"off"', 'string'],
    },
    {
      name: 'outputSchemas with a schema that is text',
      options: { outputSchemas: { search: secret } },
      option: 'outputSchemas',
      says: ['JSON Schemas'],
    },
    { name: 'timeout 0', options: { timeout: 0 }, option: 'timeout', says: ['milliseconds above 0', '0'] },
    {
      name: 'timeout NaN',
      options: { timeout: Number.NaN },
      option: 'timeout',
      says: ['milliseconds above 0', 'NaN'],
    },
    {
      name: 'timeout a string',
      options: { timeout: secret },
      option: 'timeout',
      says: ['milliseconds above 0', 'string'],
    },
    {
      name: 'maxTotalTimeout negative',
      options: { maxTotalTimeout: -1 },
      option: 'maxTotalTimeout',
      says: ['milliseconds above 0', '-1'],
    },
    {
      name: 'a misspelled option',
      options: { timout: 5 },
      option: 'timout',
      says: ['an unknown name', 'timeout', 'errorBodies'],
    },
    {
      name: 'a misspelled option that holds a secret',
      options: { token: secret },
      option: 'token',
      says: ['an unknown name'],
    },
  ];
  for (const row of rows) {
    test(row.name, () => {
      const args = ['client' in row ? row.client : client, row.options];
      assert.throws(
        () => Reflect.apply(withOutcomes, undefined, args),
        (error) => {
          assert.ok(OptionsError.isInstance(error), String(error));
          assert.equal(error.option, row.option);
          assert.ok(error.message.startsWith(`Option "${row.option}": expected `), error.message);
          for (const words of row.says)
            assert.ok(error.message.includes(words), `${words} in: ${error.message}`);
          assert.ok(!error.message.includes(secret), 'never the value');
          return true;
        },
      );
    });
  }

  for (const options of [undefined, {}, { server: undefined, logger: undefined, timeout: undefined }]) {
    test(`but takes ${JSON.stringify(options)}`, () => {
      assert.equal(withOutcomes(client, Reflect.apply(Object.assign, Object, [{}, options])).client, client);
    });
  }
});
