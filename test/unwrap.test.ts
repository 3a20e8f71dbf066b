import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ToolCallError, unwrap } from '../src/report/unwrap.ts';
import { callFailure, cancelled, samples } from './support/outcomes.ts';

test('a success is its value', () => {
  assert.deepEqual(unwrap(samples.structured), { total: 3 });
});

test('a failure is thrown, with the outcome on it', () => {
  assert.throws(
    () => unwrap(samples.isError),
    (error) => {
      assert.ok(ToolCallError.isInstance(error));
      assert.equal(error.name, 'ToolCallError');
      assert.equal(error.message, "MCP tool 'shop/refund' failed: Internal Server Error");
      assert.equal(error.outcome, samples.isError);
      return true;
    },
  );
});

test('printing the error prints no server data and no thrown value', () => {
  const outcome = callFailure('http_error', 'HTTP 500', { rpcData: 's3cr3t', cause: new Error('s3cr3t') });
  const error = new ToolCallError(outcome);
  assert.doesNotMatch(inspect(error, { depth: 9 }) + JSON.stringify(error), /s3cr3t/);
});

test('an error of another copy of the package is recognized by its brand, a look-alike is not', () => {
  const foreign = Object.assign(new Error('other'), { [Symbol.for('mcp-outcome.ToolCallError')]: true });
  assert.ok(ToolCallError.isInstance(foreign));
  for (const value of [
    Object.assign(new Error('other'), { name: 'ToolCallError', outcome: {} }),
    null,
    'error',
  ]) {
    assert.equal(ToolCallError.isInstance(value), false);
  }
});

test('a cancelled call throws the abort reason itself', () => {
  const reason = new DOMException('This operation was aborted', 'AbortError');
  assert.throws(
    () => unwrap(cancelled(reason)),
    (error) => error === reason,
  );
});

test('a cancelled call whose reason was not kept throws a ToolCallError, never undefined', () => {
  assert.throws(() => unwrap(cancelled(undefined)), ToolCallError);
});
