/** Values that throw when they are looked at, and servers that say more than anybody can show. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as v from 'valibot';
import { classifyResult, classifyThrown, withOutcomes } from '../src/index.ts';
import { connectInMemory } from './support/in-memory-peer.ts';
import { assertOutcome, context, success, toolError, transient } from './support/right-outcome.ts';

describe('the brands of an error of SDK v2', () => {
  const branded = (brands: unknown): Error =>
    Object.assign(new Error('no'), { [Symbol.for('mcp.sdk.errorBrands')]: brands, status: 404 });

  test('name its class', () => {
    assertOutcome(classifyThrown(branded(new Set(['mcp.UnauthorizedError'])), context), {
      kind: 'call_failure',
      reason: 'auth_required',
      category: 'access_denied',
    });
  });

  test('count for nothing when they cannot be read', () => {
    class Unreadable extends Set<string> {
      override [Symbol.iterator](): never {
        throw new Error('unreadable');
      }
    }
    assertOutcome(classifyThrown(branded(new Unreadable(['mcp.UnauthorizedError'])), context), {
      kind: 'call_failure',
      reason: 'http_error',
      category: 'not_found',
      httpStatus: 404,
    });
  });
});

test('a message whose members cannot be counted is no answer', async () => {
  const { client, peer } = await connectInMemory({
    onCall: ({ id }) => {
      const answer = { jsonrpc: '2.0', id, result: { content: [] } };
      const ownKeys = (): never => {
        throw new Error('unreadable');
      };
      peer.send(new Proxy(answer, { ownKeys }));
    },
  });
  client.onerror = () => {};
  const tools = withOutcomes(client, { logger: false, outputSchemas: 'off' });
  const outcome = await tools.callTool({ name: 'tool' }, { timeout: 50 });
  assert.equal(outcome.ok, false);
  await client.close();
});

describe('the words of a failed tool', () => {
  const texts = (...parts: readonly string[]): object => ({
    content: parts.map((text) => ({ type: 'text', text })),
    isError: true,
  });

  test('are those of all its texts', () => {
    const outcome = classifyResult(texts('first', 'second'), context);
    assertOutcome(outcome, toolError);
    assert.equal(outcome.message, 'first second');
  });

  test('end where a message ends, however many there are', () => {
    const outcome = classifyResult(
      texts(...Array.from({ length: 50_000 }, () => 'word '.repeat(100))),
      context,
    );
    assertOutcome(outcome, toolError);
    assert.equal(outcome.message.length, 2_049);
    assert.ok(outcome.message.endsWith('…'));
  });
});

describe('a failure body with an error and an explanation', () => {
  const messageOf = (body: object): string =>
    classifyResult({ content: [], structuredContent: body }, context).message;

  test('says both', () => {
    assert.equal(
      messageOf({ ok: false, error: 'Forbidden', message: 'not your account' }),
      'Forbidden: not your account',
    );
  });

  test('and says it once when they are the same', () => {
    assert.equal(messageOf({ ok: false, error: 'Forbidden', message: 'Forbidden' }), 'Forbidden');
  });
});

describe('several HTTP errors in one', () => {
  const http = (status: number, body: string): Error =>
    new StreamableHTTPError(status, `Error POSTing to endpoint: ${body}`);

  test('the words and the body are those of the error whose status counts', () => {
    const thrown = new AggregateError([http(500, 'gateway A is down'), http(401, 'token expired at B')]);
    const outcome = classifyThrown(thrown, context);
    assertOutcome(outcome, {
      kind: 'call_failure',
      category: 'access_denied',
      httpStatus: 401,
      body: 'token expired at B',
      message: 'HTTP 401: token expired at B',
    });
  });
});

test('a failure body in the text counts when the caller’s schema was shown something else', async () => {
  const { client } = await connectInMemory({
    onCall: (call) =>
      call.answer({
        content: [{ type: 'text', text: '{"success":false,"error":"boom"}' }],
        structuredContent: null,
      }),
  });
  const tools = withOutcomes(client, { logger: false, outputSchemas: 'off' });
  const outcome = await tools.callTool({ name: 'tool' }, { output: v.nullable(v.string()) });
  assertOutcome(outcome, { kind: 'failure_body', ok: false });
  await client.close();
});

test('an abort reason that can be read once ends no process', async () => {
  const { client } = await connectInMemory();
  let reads = 0;
  const reason = {
    toString: () => {
      reads += 1;
      if (reads > 1) throw new Error('read before');
      return 'stop';
    },
  };
  const controller = new AbortController();
  const tools = withOutcomes(client, { logger: false, outputSchemas: 'off' });
  const pending = tools.callTool({ name: 'tool' }, { signal: controller.signal });
  controller.abort(reason);
  assertOutcome(await pending, { kind: 'cancelled', cause: reason });
  await client.close();
});

/** A bundle may have left the validator out. */
test('without ajv a result is judged without its schema', () => {
  const program = `
    import { Module } from 'node:module';
    const load = Module._load;
    Module._load = (name, ...rest) => {
      if (name.startsWith('ajv')) throw new Error('Cannot find module ' + name);
      return load(name, ...rest);
    };
    const { classifyResult } = await import('mcp-outcome');
    const outcome = classifyResult(
      { content: [], structuredContent: {} },
      { server: 'shop', tool: 'count', outputSchema: { type: 'object' } },
    );
    process.stdout.write(JSON.stringify([outcome.kind, outcome.warnings]));
  `;
  const flags = ['--conditions=mcp-outcome-source', '--import', 'tsx', '--input-type=module'];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '--eval', program], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.deepEqual(JSON.parse(stdout), [
    'success',
    [
      {
        code: 'output_schema_unusable',
        reason: 'the validator ajv cannot be loaded: Cannot find module ajv/dist/2020.js',
      },
    ],
  ]);
});

test('a neighbour: with ajv the same result is checked', () => {
  const result = { content: [], structuredContent: {} };
  assertOutcome(classifyResult(result, { ...context, outputSchema: { type: 'object' } }), success);
  assertOutcome(classifyResult(result, { ...context, outputSchema: { type: 'array' } }), {
    kind: 'schema_mismatch',
    schema: 'output_schema',
  });
  assertOutcome(classifyThrown(new Error('no'), context), { ...transient, reason: 'unknown_error' });
});
