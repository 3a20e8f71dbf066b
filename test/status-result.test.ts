import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StatusResult, toStatusResult } from '../src/report/status-result.ts';
import { callFailure, type SampleName, samples, success } from './support/outcomes.ts';

const rows: readonly { name: SampleName; reason: string; result: StatusResult }[] = [
  { name: 'structured', reason: 'the value', result: { ok: true, status: 200, data: { total: 3 } } },
  { name: 'text', reason: 'no value, no data', result: { ok: true, status: 200 } },
  {
    name: 'isErrorStructured',
    reason: 'a failed workflow keeps its body',
    result: {
      ok: false,
      status: 200,
      data: { success: false, error: 'step 2 failed', stats: { steps: 2 } },
      error: 'Internal Server Error',
    },
  },
  {
    name: 'isError',
    reason: 'text only',
    result: { ok: false, status: 200, error: 'Internal Server Error' },
  },
  {
    name: 'wrongOutput',
    reason: 'answered, and not as promised',
    result: {
      ok: false,
      status: 200,
      data: { total: '120' },
      error: 'the result does not match its output schema: /total must be a number',
    },
  },
  {
    name: 'rpcError',
    reason: 'the server answered with an error object',
    result: {
      ok: false,
      status: 200,
      data: { tool: 'refund' },
      error: 'JSON-RPC error -32602: unknown tool',
    },
  },
  {
    name: 'http422',
    reason: 'the parsed body',
    result: {
      ok: false,
      status: 422,
      data: {
        error: 'refund_too_large',
        message: 'Refund 500 exceeds the paid amount 120.',
        maxRefund: 120,
      },
    },
  },
  {
    name: 'httpCut',
    reason: 'a cut body is a text',
    result: { ok: false, status: 500, data: '{"error":"a long st…' },
  },
  { name: 'httpStatusOnly', reason: 'no body, no data', result: { ok: false, status: 404 } },
  {
    name: 'timeout',
    reason: 'no answer',
    result: { ok: false, status: 0, error: 'no answer within 60000 ms' },
  },
  {
    name: 'badCall',
    reason: 'never sent',
    result: { ok: false, status: 0, error: 'arguments that JSON cannot carry' },
  },
  {
    name: 'taskCreated',
    reason: 'an answer, but no result',
    result: { ok: false, status: 200, error: 'the server created a task instead of a result: t-1' },
  },
  {
    name: 'cancelled',
    reason: 'the caller left',
    result: { ok: false, status: 0, error: 'the caller cancelled the call' },
  },
];

for (const { name, reason, result } of rows) {
  test(`status result of ${name}: ${reason}`, () => {
    assert.deepEqual(toStatusResult(samples[name]), result);
  });
}

const bodies: readonly { body: string; data: unknown; reason: string }[] = [
  { body: '404', data: '404', reason: 'a plain text that happens to be a number' },
  { body: 'true', data: 'true', reason: 'a plain text that happens to be a word of JSON' },
  { body: '"gone"', data: 'gone', reason: 'a JSON string' },
  { body: '[1]', data: [1], reason: 'a JSON array' },
  { body: 'Bad Gateway', data: 'Bad Gateway', reason: 'plain text' },
];

for (const { body, data, reason } of bodies) {
  test(`HTTP body ${body}: ${reason}`, () => {
    const outcome = callFailure('http_error', `HTTP 502: ${body}`, { httpStatus: 502, body });
    assert.deepEqual(toStatusResult(outcome), { ok: false, status: 502, data });
  });
}

test('the value of a caller schema is the data, not the structured content', () => {
  const outcome = success({ structuredContent: { at: '2026-03-01' } }, { value: new Date(0) });
  assert.deepEqual(toStatusResult(outcome), { ok: true, status: 200, data: new Date(0) });
});
