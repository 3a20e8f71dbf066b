/** JSON-RPC errors: the raw code and data are kept, and decide nothing. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { classifyRpcError } from '../src/index.ts';
import { assertOutcome, context, transient } from './support/right-outcome.ts';

function protocolError(rpcCode: number) {
  return { ...transient, reason: 'protocol_error', delivery: 'answered', rpcCode, httpStatus: undefined };
}

const noAnswer = {
  ...transient,
  reason: 'invalid_answer',
  delivery: 'unknown',
  rpcCode: undefined,
  rpcData: undefined,
  httpStatus: undefined,
};

describe('every code is a protocol error, and transient', () => {
  const codes = [
    -32_700, -32_600, -32_601, -32_602, -32_603, -32_000, -32_001, -32_002, -32_042, -32_020, -1, 0, 1, 300,
    400, 401, 402, 403, 404, 408, 429, 500, 503, 599, 9_007_199_254_740_991, -9_007_199_254_740_991,
  ];
  for (const code of codes) {
    test(String(code), () => {
      const outcome = classifyRpcError({ code, message: 'quota exceeded' }, context);
      assertOutcome(outcome, { ...protocolError(code), rpcData: undefined });
      assert.equal('rpcData' in outcome, false);
      assert.ok(outcome.message.includes('quota exceeded'));
    });
  }
});

describe('words, data and foreign members change nothing', () => {
  const rows = [
    { name: 'Unauthorized', error: { code: -32_000, message: 'Unauthorized' } },
    { name: 'HTTP 404 in the message', error: { code: -32_000, message: 'HTTP 404 Not Found' } },
    { name: 'the words of a local timeout', error: { code: -32_000, message: 'Request timed out' } },
    { name: 'the words of a local close', error: { code: -32_000, message: 'Connection closed' } },
    { name: 'no words', error: { code: -32_000, message: '' } },
    { name: 'a status member', error: { code: -32_000, message: 'no', status: 401, statusCode: 404 } },
    { name: 'a name', error: { code: -32_000, message: 'no', name: 'UnauthorizedError' } },
    { name: 'a cause', error: { code: -32_000, message: 'no', cause: { status: 403 } } },
  ];
  for (const { name, error } of rows) {
    test(name, () => assertOutcome(classifyRpcError(error, context), protocolError(-32_000)));
  }
});

describe('data is kept verbatim', () => {
  const values: readonly unknown[] = [
    { retryAfter: 5 },
    { status: 401, code: 'not_found' },
    { _tag: 'OrchestratorMcpFailure', code: 'capability_denied' },
    { elicitations: [{ mode: 'url', url: 'https://auth.example.test/start?state=EXAMPLE-STATE' }] },
    [],
    'text',
    '',
    0,
    false,
    null,
  ];
  for (const data of values) {
    test(JSON.stringify(data), () => {
      const outcome = classifyRpcError({ code: -32_603, message: 'no', data }, context);
      assertOutcome(outcome, protocolError(-32_603));
      assert.ok(outcome.kind === 'call_failure');
      assert.equal(outcome.rpcData, data);
      assert.ok('rpcData' in outcome, 'falsy data is data');
    });
  }
});

describe('what is no JSON-RPC error object is no answer', () => {
  const rows: readonly (readonly [name: string, error: unknown])[] = [
    ['null', null],
    ['undefined', undefined],
    ['a string', 'Unauthorized'],
    ['a number', 404],
    ['a list', []],
    ['nothing in it', {}],
    ['no code', { message: 'no' }],
    ['a code that is a string', { code: '403', message: 'no' }],
    ['a code with a fraction', { code: 1.5, message: 'no' }],
    ['a code that no double can hold', { code: 1e300, message: 'no' }],
    ['NaN', { code: Number.NaN, message: 'no' }],
    ['a code that is null', { code: null, message: 'no' }],
    ['no message', { code: -32_603 }],
    ['a message that is no string', { code: -32_603, message: { text: 'no' } }],
    ['a message that is null', { code: -32_603, message: null }],
    ['the whole response', { jsonrpc: '2.0', id: 1, error: { code: 404, message: 'no' } }],
  ];
  for (const [name, error] of rows) {
    test(name, () => assertOutcome(classifyRpcError(error, context), noAnswer));
  }
});

test('an McpError stands for the error object that it holds', () => {
  assertOutcome(classifyRpcError(new McpError(-32_001, 'Rate limited', { retryAfter: 5 }), context), {
    ...protocolError(-32_001),
    rpcData: { retryAfter: 5 },
  });
});

test('the caller says what stands on the outcome beside the verdict', () => {
  const { server, tool, callId, startedAt, durationMs } = context;
  assertOutcome(classifyRpcError({ code: 1, message: 'no' }, context), {
    server,
    tool,
    callId,
    startedAt,
    durationMs,
  });
});

test('a member that throws when it is read does not make the classifier throw', () => {
  class Hostile {
    code = -32_603;
    message = 'no';
    get data(): unknown {
      throw new Error('do not read me');
    }
  }
  assertOutcome(classifyRpcError(new Hostile(), context), transient);
});

test('an aborted signal does not undo an answer', () => {
  const outcome = classifyRpcError({ code: 1, message: 'no' }, { ...context, signal: AbortSignal.abort() });
  assertOutcome(outcome, protocolError(1));
});
