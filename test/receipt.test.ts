import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { callFailureReasons, outcomeKinds, type ToolOutcome } from '../src/outcome.ts';
import { dispatcherCategory, toReceipt } from '../src/report/receipt.ts';
import { callFailure, type SampleName, samples } from './support/outcomes.ts';

const rows: readonly { name: SampleName; reason: string; json: string; dispatcher: string }[] = [
  {
    name: 'text',
    reason: 'a success',
    json: '{"callId":"call-1","server":"shop","tool":"refund","kind":"success","category":"success","delivery":"answered","startedAt":"2026-03-01T10:00:00.000Z","durationMs":12}',
    dispatcher: 'success',
  },
  {
    name: 'isError',
    reason: "the tool's own failure is a dispatcher's everything else",
    json: '{"callId":"call-1","server":"shop","tool":"refund","kind":"tool_error","category":"tool_error","delivery":"answered","startedAt":"2026-03-01T10:00:00.000Z","durationMs":12}',
    dispatcher: 'transient_failure',
  },
  {
    name: 'returnedFailure',
    reason: 'a recognized body has its own category',
    json: '{"callId":"call-1","server":"shop","tool":"refund","kind":"failure_body","category":"not_found","delivery":"answered","startedAt":"2026-03-01T10:00:00.000Z","durationMs":12}',
    dispatcher: 'not_found',
  },
  {
    name: 'wrongOutput',
    reason: 'nobody knows what the tool did',
    json: '{"callId":"call-1","server":"shop","tool":"refund","kind":"schema_mismatch","category":"schema_mismatch","delivery":"answered","startedAt":"2026-03-01T10:00:00.000Z","durationMs":12}',
    dispatcher: 'transient_failure',
  },
  {
    name: 'http403',
    reason: 'refused by status',
    json: '{"callId":"call-1","server":"shop","tool":"refund","kind":"call_failure","category":"access_denied","reason":"http_error","httpStatus":403,"delivery":"answered","startedAt":"2026-03-01T10:00:00.000Z","durationMs":12}',
    dispatcher: 'access_denied',
  },
  {
    name: 'rpcError',
    reason: 'a JSON-RPC code is kept and decides nothing',
    json: '{"callId":"call-1","server":"shop","tool":"refund","kind":"call_failure","category":"transient_failure","reason":"protocol_error","rpcCode":-32602,"delivery":"answered","startedAt":"2026-03-01T10:00:00.000Z","durationMs":12}',
    dispatcher: 'transient_failure',
  },
  {
    name: 'badCall',
    reason: 'nothing left the caller',
    json: '{"callId":"call-1","server":"shop","tool":"refund","kind":"call_failure","category":"invalid_input","reason":"invalid_arguments","delivery":"not_sent","startedAt":"2026-03-01T10:00:00.000Z","durationMs":12}',
    dispatcher: 'invalid_input',
  },
];

for (const { name, reason, json, dispatcher } of rows) {
  test(`receipt of ${name}: ${reason}`, () => {
    const receipt = toReceipt(samples[name]);
    assert.equal(JSON.stringify(receipt), json);
    assert.ok(Object.isFrozen(receipt));
    assert.equal(dispatcherCategory(samples[name]), dispatcher);
  });
}

test('a cancelled call completed nothing: no receipt, no dispatcher category', () => {
  assert.equal(toReceipt(samples.cancelled), undefined);
  assert.equal(dispatcherCategory(samples.cancelled), undefined);
});

test('a receipt holds no text of the server, and no thrown value', () => {
  const outcome = callFailure('http_error', 'HTTP 500: s3cr3t-words', {
    httpStatus: 500,
    body: 's3cr3t-words',
    rpcData: 's3cr3t-words',
    taskId: 's3cr3t-words',
    cause: 's3cr3t-words',
  });
  assert.doesNotMatch(JSON.stringify(toReceipt(outcome)), /s3cr3t/);
});

/** One outcome of each category. */
const byCategory: Readonly<Record<string, ToolOutcome>> = {
  success: samples.text,
  tool_error: samples.isError,
  schema_mismatch: samples.wrongOutput,
  access_denied: samples.http403,
  not_found: samples.returnedFailure,
  transient_failure: samples.timeout,
  invalid_input: samples.badCall,
  cancelled: samples.cancelled,
};

test('the table of docs/receipts.md names every kind and reason, with the right dispatcher category', () => {
  const page = readFileSync(new URL('../docs/receipts.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('| kind ')).split('\n\n', 1).join('').split('\n').slice(2);
  for (const word of [...outcomeKinds, ...callFailureReasons]) {
    assert.ok(
      table.some((line) => line.includes(`\`${word}\``)),
      word,
    );
  }
  const cells = table.map((line) => line.split('|').map((cell) => cell.replaceAll('`', '').trim()));
  assert.ok(cells.length > callFailureReasons.length);
  for (const [, kind, , , category = '', dispatcher] of cells) {
    const outcome = byCategory[category];
    assert.ok(outcome, `${kind}: ${category}`);
    assert.equal(dispatcher, dispatcherCategory(outcome) ?? 'none', `${kind}: ${category}`);
  }
});
