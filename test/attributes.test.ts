import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectTypeOf } from 'expect-type';
import { toOtelAttributes } from '../src/report/attributes.ts';
import { callFailure, type SampleName, samples } from './support/outcomes.ts';

// Names and values of the OpenTelemetry semantic conventions for MCP, written out.
const span = {
  'mcp.method.name': 'tools/call',
  'gen_ai.tool.name': 'refund',
  'gen_ai.operation.name': 'execute_tool',
};

const rows: readonly { name: SampleName; reason: string; attributes: object }[] = [
  { name: 'text', reason: 'no error type', attributes: {} },
  {
    name: 'isError',
    reason: 'the value that the conventions prescribe',
    attributes: { 'error.type': 'tool_error' },
  },
  {
    name: 'returnedFailure',
    reason: 'our kind: the server did not flag it',
    attributes: { 'error.type': 'failure_body' },
  },
  { name: 'wrongOutput', reason: 'our kind', attributes: { 'error.type': 'schema_mismatch' } },
  {
    name: 'rpcError',
    reason: 'the JSON-RPC code as a string',
    attributes: { 'error.type': '-32602', 'rpc.response.status_code': '-32602' },
  },
  {
    name: 'http403',
    reason: 'the status, as a string and as a number',
    attributes: { 'error.type': '403', 'http.response.status_code': 403 },
  },
  { name: 'timeout', reason: 'our reason', attributes: { 'error.type': 'timeout' } },
  { name: 'cancelled', reason: 'our kind', attributes: { 'error.type': 'cancelled' } },
];

for (const { name, reason, attributes } of rows) {
  test(`attributes of ${name}: ${reason}`, () => {
    assert.deepEqual(toOtelAttributes(samples[name]), { ...span, ...attributes });
  });
}

test('the attributes fit a span of @opentelemetry/api', () => {
  expectTypeOf(toOtelAttributes).returns.toExtend<{ [key: string]: string | number | undefined }>();
});

test('a JSON-RPC error in an HTTP error: the code names the error, both are kept', () => {
  const outcome = callFailure('protocol_error', 'JSON-RPC error 0: no', { rpcCode: 0, httpStatus: 400 });
  assert.deepEqual(toOtelAttributes(outcome), {
    ...span,
    'error.type': '0',
    'rpc.response.status_code': '0',
    'http.response.status_code': 400,
  });
});
