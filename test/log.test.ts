/**
 * The log, as an operator reads it: one line per failed call, with a record that parses, fits, and holds nothing that
 * was not meant for a log. With a real pino and real connections.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { pino } from 'pino';
import * as v from 'valibot';
import {
  classifyThrown,
  logOutcome,
  logRecordSchema,
  type OutcomeOptions,
  observeFetch,
  outcomeSerializer,
  type ToolOutcome,
  withOutcomes,
} from '../src/index.ts';
import { connectOverHttp, type HttpCall } from './support/http-peer.ts';
import { connectInMemory, type PeerCall, textResult } from './support/in-memory-peer.ts';

interface Memory {
  /** Raw lines, as they would stand in a file. */
  readonly lines: string[];
  readonly logger: { warn(record: object, message: string): void };
}

function memoryLog(): Memory {
  const lines: string[] = [];
  return { lines, logger: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }) };
}

type Line = Readonly<Record<string, unknown>>;

/** A line without what differs from run to run and machine to machine. */
function parse(line: string | undefined): Line {
  const { time, pid, hostname, durationMs, ...rest }: Line = JSON.parse(line ?? '{}');
  assert.ok(typeof time === 'number' && typeof pid === 'number' && typeof hostname === 'string');
  assert.ok(typeof durationMs === 'number' && durationMs >= 0, String(durationMs));
  return rest;
}

const params = { name: 'search-links', arguments: { query: 'x' } };
const common = {
  level: 40,
  event: 'mcp.tool_call.failed',
  server: 'shortener',
  tool: 'search-links',
  callId: 'call-1',
};

interface RecordRow {
  readonly name: string;
  readonly answer: (call: PeerCall) => void;
  readonly options?: OutcomeOptions;
  readonly expected: object;
}

const records: readonly RecordRow[] = [
  {
    name: 'tool_error',
    answer: (call) => call.answer({ ...textResult('link\nnot found'), isError: true }),
    expected: {
      ...common,
      kind: 'tool_error',
      category: 'tool_error',
      delivery: 'answered',
      msg: "MCP tool 'shortener/search-links' reported a failure: link not found",
    },
  },
  {
    name: 'failure_body',
    answer: (call) =>
      call.answer({
        content: [],
        structuredContent: {
          _tag: 'OrchestratorMcpFailure',
          code: 'capability_denied',
          message: 'no write access',
        },
      }),
    expected: {
      ...common,
      kind: 'failure_body',
      category: 'access_denied',
      delivery: 'answered',
      failure: {
        recognizer: 'orchestratorMcpFailure',
        tag: 'OrchestratorMcpFailure',
        code: 'capability_denied',
        message: 'no write access',
      },
      msg: "MCP tool 'shortener/search-links' reported a failure: no write access",
    },
  },
  {
    name: 'schema_mismatch',
    answer: (call) => call.answer({ content: [{ type: 'text' }, 5] }),
    expected: {
      ...common,
      kind: 'schema_mismatch',
      category: 'schema_mismatch',
      delivery: 'answered',
      issues: [
        { path: '/content/0/text', message: 'must be a string' },
        { path: '/content/1', message: 'must be an object' },
      ],
      msg: "MCP tool 'shortener/search-links' returned a result that does not match its output schema: /content/0/text must be a string",
    },
  },
  {
    name: 'call_failure: a JSON-RPC error',
    answer: (call) => call.fail({ code: -32_603, message: 'disk full', data: { path: '/x' } }),
    expected: {
      ...common,
      kind: 'call_failure',
      category: 'transient_failure',
      reason: 'protocol_error',
      delivery: 'answered',
      rpcCode: -32_603,
      error: { type: 'McpError', message: 'MCP error -32603: disk full', code: -32_603 },
      msg: "MCP tool 'shortener/search-links' failed: JSON-RPC error -32603: disk full",
    },
  },
];

describe('one warning per failed call, whole', () => {
  for (const { name, answer, expected } of records) {
    test(name, async () => {
      const { lines, logger } = memoryLog();
      const { client } = await connectInMemory({ onCall: answer });
      await withOutcomes(client, { server: 'shortener', logger }).callTool(params, { callId: 'call-1' });
      assert.equal(lines.length, 1);
      assert.deepEqual(parse(lines[0]), expected);
      v.parse(logRecordSchema, JSON.parse(lines[0] ?? ''));
      await client.close();
    });
  }

  test('call_failure: HTTP 429 with Retry-After, observed', async () => {
    const { lines, logger } = memoryLog();
    const connection = await connectOverHttp(
      { onCall: (call) => call.reply(429, { 'retry-after': '30' }, '{ "error": "slow down" }') },
      { fetch: observeFetch() },
    );
    await withOutcomes(connection.client, { server: 'shortener', logger }).callTool(params, {
      callId: 'call-1',
    });
    await connection.close();
    assert.equal(lines.length, 1);
    assert.deepEqual(parse(lines[0]), {
      ...common,
      kind: 'call_failure',
      category: 'transient_failure',
      reason: 'http_error',
      delivery: 'answered',
      httpStatus: 429,
      retryAfterMs: 30_000,
      error: { type: 'StreamableHTTPError', message: 'HTTP 429: {"error":"slow down"}', code: 429 },
      msg: 'MCP tool \'shortener/search-links\' failed (HTTP 429): {"error":"slow down"}',
    });
  });

  test('call_failure: a session that expired', async () => {
    const { lines, logger } = memoryLog();
    const connection = await connectOverHttp({
      sessionId: 'session-1',
      onCall: (call) => call.reply(404, {}, 'gone'),
    });
    await withOutcomes(connection.client, { server: 'shortener', logger }).callTool(params, {
      callId: 'call-1',
    });
    await connection.close();
    const { sessionExpired, category, msg } = parse(lines[0]);
    assert.deepEqual(
      { sessionExpired, category, msg },
      {
        sessionExpired: true,
        category: 'not_found',
        msg: "MCP tool 'shortener/search-links' failed (HTTP 404): session expired: gone",
      },
    );
  });

  test('call_failure: an unknown error keeps its stack and causes, redacted', async () => {
    const { lines, logger } = memoryLog();
    const client = {
      callTool: () =>
        Promise.reject(
          new Error('gateway broke', { cause: new RangeError('token=sk-ant-api03-canary1234567890abcdef') }),
        ),
    };
    await withOutcomes(client, { server: 'shortener', logger }).callTool(params, { callId: 'call-1' });
    const { error, ...rest } = parse(lines[0]);
    const { stack, cause, ...outer }: Line = Object(error);
    assert.deepEqual(outer, { type: 'Error', message: 'gateway broke' });
    assert.match(String(stack), /^Error: gateway broke\n\s+at /);
    assert.equal(Reflect.get(Object(cause), 'type'), 'RangeError');
    assert.ok(!lines.join('').includes('canary1234567890'));
    assert.equal(rest.reason, 'unknown_error');
  });

  test('a bad call', async () => {
    const { lines, logger } = memoryLog();
    const { client } = await connectInMemory();
    await withOutcomes(client, { server: 'shortener', logger }).callTool({ name: '' }, { callId: 'call-1' });
    assert.deepEqual(lines.map(parse), [
      {
        ...common,
        tool: '(unnamed)',
        kind: 'call_failure',
        category: 'invalid_input',
        reason: 'invalid_arguments',
        delivery: 'not_sent',
        msg: 'MCP tool \'shortener/(unnamed)\' failed: Argument "name": expected the name of a tool, got an empty string.',
      },
    ]);
    await client.close();
  });

  test('none for a success, none for the caller’s abort', async () => {
    const { lines, logger } = memoryLog();
    const { client, peer } = await connectInMemory();
    const caller = withOutcomes(client, { logger });
    const ok = caller.callTool(params);
    const aborting = new AbortController();
    const stopped = caller.callTool(params, { signal: aborting.signal });
    (await peer.calls(2))[0]?.answer(textResult('ok'));
    aborting.abort();
    assert.deepEqual([(await ok).kind, (await stopped).kind], ['success', 'cancelled']);
    await caller.callTool(params, { signal: AbortSignal.abort() });
    assert.deepEqual(lines, []);
    await client.close();
  });
});

describe('the three that an agent runtime asked for', () => {
  const answers: Readonly<Record<string, (call: HttpCall) => void>> = {
    broken: (call) => call.reply(500, {}, 'internal'),
    rpc: (call) => call.fail({ code: -32_000, message: 'upstream' }),
    denied: (call) => call.reply(403, {}, 'forbidden'),
    fine: (call) => call.result(textResult('ok')),
  };
  const play = async (names: readonly string[]): Promise<{ outcomes: ToolOutcome[]; lines: string[] }> => {
    const { lines, logger } = memoryLog();
    const connection = await connectOverHttp({ onCall: (call) => answers[String(call.name)]?.(call) });
    const caller = withOutcomes(connection.client, { server: 'shortener', logger });
    const outcomes: ToolOutcome[] = [];
    for (const name of names) outcomes.push(await caller.callTool({ name }));
    await connection.close();
    return { outcomes, lines };
  };

  test('HTTP 500 is transient_failure, and one warning names server, tool and 500', async () => {
    const { outcomes, lines } = await play(['broken']);
    assert.equal(outcomes[0]?.category, 'transient_failure');
    assert.equal(lines.length, 1);
    assert.equal(parse(lines[0]).msg, "MCP tool 'shortener/broken' failed (HTTP 500): internal");
  });

  test('a plain McpError is transient_failure', async () => {
    const { outcomes } = await play(['rpc']);
    assert.equal(outcomes[0]?.category, 'transient_failure');
    const client = { callTool: () => Promise.reject(new McpError(-32_603, 'HTTP 403 forbidden')) };
    assert.equal(
      (await withOutcomes(client, { logger: false }).callTool(params)).category,
      'transient_failure',
    );
  });

  test('403 is access_denied, and the next call on the same client works', async () => {
    const { outcomes, lines } = await play(['denied', 'fine']);
    assert.deepEqual(
      outcomes.map(({ category }) => category),
      ['access_denied', 'success'],
    );
    assert.equal(lines.length, 1);
  });
});

describe('which logger', () => {
  const failing = { onCall: (call: PeerCall) => call.fail({ code: 1, message: 'no' }) };

  test('false turns it off, for the wrapper or for a call', async () => {
    const { lines, logger } = memoryLog();
    const { client } = await connectInMemory(failing);
    await withOutcomes(client, { logger: false }).callTool(params);
    await withOutcomes(client, { logger }).callTool(params, { logger: false });
    assert.deepEqual(lines, []);
    await client.close();
  });

  test('a call’s own logger is used in place of the wrapper’s', async () => {
    const [ofWrapper, ofCall] = [memoryLog(), memoryLog()];
    const { client } = await connectInMemory(failing);
    const caller = withOutcomes(client, { logger: ofWrapper.logger });
    await caller.callTool(params, { logger: ofCall.logger });
    await caller.callTool(params);
    assert.deepEqual([ofWrapper.lines.length, ofCall.lines.length], [1, 1]);
    await client.close();
  });

  test('two wrappers on one client: one warning each for their own calls', async () => {
    const [one, two] = [memoryLog(), memoryLog()];
    const { client } = await connectInMemory(failing);
    const callers = [
      withOutcomes(client, { server: 'one', logger: one.logger }),
      withOutcomes(client, { server: 'two', logger: two.logger }),
    ];
    await Promise.all(callers.map((caller) => caller.callTool(params)));
    assert.deepEqual(
      [one.lines.map((line) => parse(line).server), two.lines.map((line) => parse(line).server)],
      [['one'], ['two']],
    );
    await client.close();
  });

  test('one logger for two wrappers that fail together: two lines', async () => {
    const { lines, logger } = memoryLog();
    const { client } = await connectInMemory(failing);
    await Promise.all([1, 2].map(() => withOutcomes(client, { logger }).callTool(params)));
    assert.equal(lines.length, 2);
    await client.close();
  });

  const broken: Readonly<Record<string, () => unknown>> = {
    'a logger that throws': () => {
      throw new Error('disk full');
    },
    'a logger that rejects': () => Promise.reject(new Error('disk full')),
    'a logger that rejects with a promise of another realm': () =>
      runInNewContext("Promise.reject(new Error('disk full'))"),
    'a logger whose answer throws when it is looked at': () =>
      new Proxy({}, { get: () => assert.fail('not to be read') }),
  };
  for (const [name, warn] of Object.entries(broken)) {
    test(`${name} changes nothing`, async () => {
      const unhandled: unknown[] = [];
      const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
      process.on('unhandledRejection', onUnhandled);
      const { client } = await connectInMemory(failing);
      const outcome = await withOutcomes(client, { logger: { warn } }).callTool(params);
      await new Promise((resolve) => setImmediate(resolve));
      process.off('unhandledRejection', onUnhandled);
      assert.equal(outcome.kind, 'call_failure');
      assert.deepEqual(unhandled, []);
      await client.close();
    });
  }

  test('a logger keeps its `this`', async () => {
    const { client } = await connectInMemory(failing);
    const logger = {
      count: 0,
      warn() {
        this.count += 1;
      },
    };
    await withOutcomes(client, { logger }).callTool(params);
    assert.equal(logger.count, 1);
    await client.close();
  });

  const program = `
    import { withOutcomes } from './src/index.ts';
    import { connectInMemory } from './test/support/in-memory-peer.ts';
    const { client } = await connectInMemory({ onCall: (call) => call.fail({ code: 1, message: 'no' }) });
    const caller = withOutcomes(client);
    const outcomes = [await caller.callTool({ name: 'a' }), await caller.callTool({ name: 'b' }, { logger: false })];
    await client.close();
    if (process.argv.includes('speak')) process.stdout.write(outcomes.map(({ kind }) => kind).join(' '));
  `;
  const run = (...args: readonly string[]) =>
    spawn(
      process.execPath,
      ['--conditions=mcp-outcome-source', '--import', 'tsx', '--input-type=module', '-e', program, ...args],
      { cwd: new URL('..', import.meta.url), stdio: ['ignore', 'pipe', 'pipe'], timeout: 20_000 },
    );
  const textOf = async (stream: AsyncIterable<unknown>): Promise<string> => {
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text;
  };

  test('the default writes to stderr, and nothing to stdout', async () => {
    const child = run();
    const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    assert.equal(stdout, '');
    const lines = stderr.trim().split('\n');
    assert.equal(lines.length, 1);
    const record = v.parse(logRecordSchema, JSON.parse(lines[0] ?? ''));
    assert.deepEqual(
      [record.server, record.tool, record.rpcCode, Reflect.get(record, 'level')],
      ['peer', 'a', 1, 40],
    );
  });

  test('the default survives a stderr that nobody holds open', async () => {
    const child = run('speak');
    child.stderr.destroy();
    const exited = once(child, 'exit');
    assert.equal(await textOf(child.stdout), 'call_failure call_failure');
    assert.deepEqual(await exited, [0, null]);
  });
});

describe('bounds', () => {
  const wide = '\u{1f600}';
  const bodies: readonly { readonly name: string; readonly text: string }[] = [
    { name: '2 MiB of letters', text: 'e'.repeat(2 << 20) },
    { name: '2 MiB of words', text: 'out of memory '.repeat(150_000) },
    { name: '2 MiB of three-byte characters', text: '漢'.repeat(700_000) },
    { name: '2 MiB of four-byte characters, at an odd offset', text: `x${wide.repeat(524_288)}` },
    { name: '2 MiB of quotes, each escaped in JSON', text: '"'.repeat(2 << 20) },
    { name: '2 MiB of control characters', text: '\u0001'.repeat(2 << 20) },
    {
      name: '2 MiB of JSON with much white space',
      text: JSON.stringify({ e: Array.from({ length: 40_000 }, (_, n) => ({ n })) }, null, 8),
    },
  ];

  const check = (outcome: ToolOutcome, lines: readonly string[]): void => {
    assert.equal(lines.length, 1);
    assert.ok(Buffer.byteLength(lines[0] ?? '') <= 4_096, `${Buffer.byteLength(lines[0] ?? '')} bytes`);
    v.parse(logRecordSchema, JSON.parse(lines[0] ?? ''));
    assert.ok(outcome.message.length <= 2_049, `${outcome.message.length} units`);
    for (const text of [outcome.message, String(parse(lines[0]).msg)])
      assert.ok(isWellFormed(text), 'no half character');
    assert.ok(!/\p{Cc}/u.test(outcome.message), 'one line');
  };

  for (const { name, text } of bodies) {
    test(`an HTTP error with ${name}`, async () => {
      const { lines, logger } = memoryLog();
      const connection = await connectOverHttp({ onCall: (call) => call.reply(500, {}, text) });
      const outcome = await withOutcomes(connection.client, { server: 'shortener', logger }).callTool(params);
      await connection.close();
      check(outcome, lines);
      assert.match(outcome.message, /^HTTP 500/);
      assert.match(String(parse(lines[0]).msg), /^MCP tool 'shortener\/search-links' failed \(HTTP 500\)/);
    });

    test(`a tool error with ${name}`, async () => {
      const { lines, logger } = memoryLog();
      const { client } = await connectInMemory({
        onCall: (call) => call.answer({ ...textResult(text), isError: true }),
      });
      const outcome = await withOutcomes(client, { logger }).callTool(params);
      check(outcome, lines);
      await client.close();
    });
  }

  const names: readonly { readonly name: string; readonly text: string }[] = [
    { name: 'letters', text: 'n'.repeat(5_000) },
    { name: 'three-byte characters', text: '漢'.repeat(5_000) },
    { name: 'four-byte characters', text: wide.repeat(5_000) },
    { name: 'quotes', text: '"'.repeat(5_000) },
    { name: 'lone surrogates, six bytes each in JSON', text: '\ud800'.repeat(5_000) },
  ];
  for (const { name, text } of names) {
    test(`server, tool, call id, error and its causes of ${name}`, async () => {
      const { lines, logger } = memoryLog();
      const thrown = Object.assign(new Error(text, { cause: new Error(text, { cause: new Error(text) }) }), {
        code: text,
      });
      thrown.name = text;
      const caller = withOutcomes({ callTool: () => Promise.reject(thrown) }, { server: text, logger });
      await caller.callTool({ name: text }, { callId: text });
      assert.equal(lines.length, 1);
      assert.ok(Buffer.byteLength(lines[0] ?? '') <= 4_096, `${Buffer.byteLength(lines[0] ?? '')} bytes`);
      v.parse(logRecordSchema, JSON.parse(lines[0] ?? ''));
    });
  }

  const ids: readonly { readonly name: string; readonly unit: string }[] = [
    { name: 'letters', unit: 'i' },
    { name: 'three-byte characters', unit: '漢' },
    { name: 'lone surrogates, six bytes each in JSON', unit: '\ud800' },
  ];
  for (const { name, unit } of ids) {
    test(`a call id of the longest, whole, with all else too long: ${name}`, () => {
      const { lines, logger } = memoryLog();
      const callId = unit.repeat(256);
      const names = { server: unit.repeat(500), tool: unit.repeat(500) };
      const thrown = new Error(unit.repeat(5_000), { cause: new Error(unit.repeat(5_000)) });
      const outcome = classifyThrown(thrown, { ...names, callId });
      logOutcome(logger, outcome);
      const line = lines[0] ?? '';
      assert.ok(Buffer.byteLength(line) <= 4_096, `${Buffer.byteLength(line)} bytes`);
      assert.equal(JSON.parse(line).callId, callId);
      const serialized = outcomeSerializer(outcome);
      assert.equal(Reflect.get(Object(serialized), 'callId'), callId);
      assert.ok(Buffer.byteLength(JSON.stringify(serialized)) <= 4_096);
    });
  }

  test('many issues, failures and names at once', async () => {
    const { lines, logger } = memoryLog();
    const content = Array.from({ length: 1_000 }, () => ({ type: 'text' }));
    const { client } = await connectInMemory({ onCall: (call) => call.answer({ content }) });
    const outcome = await withOutcomes(client, { logger, server: '漢'.repeat(500) }).callTool({
      name: '漢'.repeat(500),
    });
    assert.ok(outcome.kind === 'schema_mismatch' && outcome.issues.length <= 10);
    assert.ok(Buffer.byteLength(lines[0] ?? '') <= 4_096);
    await client.close();
  });
});

/** Each half of a surrogate pair has its other half. */
function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}

describe('nothing in the line that was not meant for a log', () => {
  const canary = (where: string): string => `canary-${where}-5f1c`;
  const sent = {
    name: 'search-links',
    arguments: { query: canary('arguments') },
    _meta: { trace: canary('meta') },
  };
  const result = {
    structuredContent: { value: canary('structured') },
    _meta: { value: canary('result-meta') },
    other: canary('member'),
  };
  const rows: readonly { readonly name: string; readonly answer: (call: HttpCall) => void }[] = [
    { name: 'tool error', answer: (call) => call.result({ ...result, ...textResult('no'), isError: true }) },
    {
      name: 'failure body',
      answer: (call) =>
        call.result({
          ...result,
          content: [],
          structuredContent: { success: false, error: 'no', detail: canary('detail') },
        }),
    },
    {
      name: 'result that is none',
      answer: (call) =>
        call.result({ ...result, content: [{ type: 'text', text: { value: canary('text') } }] }),
    },
    {
      name: 'result that breaks its schema',
      answer: (call) =>
        call.result({
          content: [],
          structuredContent: { value: [canary('structured')], extra: canary('extra') },
        }),
    },
    {
      name: 'JSON-RPC error',
      answer: (call) => call.fail({ code: 1, message: 'no', data: { value: canary('data') } }),
    },
    {
      name: 'HTTP error',
      answer: (call) =>
        call.reply(500, { 'x-canary': canary('response-header'), 'set-cookie': canary('cookie') }, 'no'),
    },
    {
      name: 'HTTP 401',
      answer: (call) => call.reply(401, { 'www-authenticate': `Bearer realm="${canary('realm')}"` }, 'no'),
    },
    {
      name: 'wrong content type',
      answer: (call) => call.reply(200, { 'content-type': 'text/html' }, canary('page')),
    },
    { name: 'broken socket', answer: (call) => call.response.destroy() },
  ];
  const tools = [
    {
      name: 'search-links',
      inputSchema: { type: 'object' },
      outputSchema: {
        type: 'object',
        properties: { value: { type: 'string' } },
        additionalProperties: false,
      },
    },
  ];
  for (const { name, answer } of rows) {
    for (const fetch of [globalThis.fetch, observeFetch()]) {
      test(`${name}${fetch === globalThis.fetch ? '' : ', observed'}`, async () => {
        const { lines, logger } = memoryLog();
        const headers = { authorization: `Bearer ${canary('authorization')}`, 'x-api-key': canary('key') };
        const connection = await connectOverHttp(
          { onCall: answer, tools },
          { fetch, requestInit: { headers } },
        );
        const outcome = await withOutcomes(connection.client, { logger }).callTool(sent);
        await connection.close();
        assert.equal(outcome.ok, false, outcome.message);
        assert.equal(lines.length, 1);
        assert.doesNotMatch(lines[0] ?? '', /canary-/);
        assert.doesNotMatch(outcome.message, /canary-/);
      });
    }
  }

  test('a credential that the error body echoes, observed', async () => {
    const { lines, logger } = memoryLog();
    const headers = { authorization: 'Bearer 0a1b2c3d-canary', 'x-api-key': 'canary-key-77' };
    const connection = await connectOverHttp(
      {
        onCall: (call) =>
          call.reply(
            500,
            {},
            `upstream refused ${call.headers.authorization} and ${call.headers['x-api-key']}`,
          ),
      },
      { fetch: observeFetch(), requestInit: { headers } },
    );
    const outcome = await withOutcomes(connection.client, { logger }).callTool(sent);
    await connection.close();
    for (const text of [lines[0] ?? '', outcome.message, JSON.stringify(outcome)]) {
      assert.doesNotMatch(text, /0a1b2c3d-canary|canary-key-77/);
    }
  });

  for (const fetch of [globalThis.fetch, observeFetch()]) {
    test(`an error body when only the status is wanted${fetch === globalThis.fetch ? '' : ', observed'}`, async () => {
      const { lines, logger } = memoryLog();
      const onCall = (call: HttpCall): void => call.reply(500, {}, canary('body'));
      const connection = await connectOverHttp({ onCall }, { fetch });
      const caller = withOutcomes(connection.client, { logger, errorBodies: 'status-only' });
      const outcome = await caller.callTool(sent);
      await connection.close();
      assert.equal(outcome.message, 'HTTP 500');
      assert.equal(parse(lines[0]).msg, "MCP tool 'peer/search-links' failed (HTTP 500)");
      for (const text of [lines.join(''), JSON.stringify(outcome)]) assert.doesNotMatch(text, /canary-/);
    });
  }

  test('an error of an HTTP client that carries the whole request', async () => {
    const { lines, logger } = memoryLog();
    const thrown = Object.assign(new Error('Request failed'), {
      config: { headers: { authorization: canary('config') } },
      request: { body: canary('request') },
      response: { status: 503, data: canary('response'), headers: { cookie: canary('cookie') } },
    });
    const caller = withOutcomes({ callTool: () => Promise.reject(thrown) }, { logger });
    const outcome = await caller.callTool(sent);
    assert.equal(outcome.kind === 'call_failure' && outcome.httpStatus, 503);
    assert.equal(outcome.kind === 'call_failure' && outcome.cause, thrown, 'whole on cause, and only there');
    assert.doesNotMatch(lines.join(''), /canary-/);
    assert.doesNotMatch(JSON.stringify({ ...outcome }), /canary-/);
  });
});

describe('an unusable output schema', () => {
  const tools = ['a', 'b'].map((name) => ({
    name,
    inputSchema: { type: 'object' },
    outputSchema: { $async: true, type: 'object' },
  }));
  const onCall = (call: PeerCall): void => call.answer({ content: [], structuredContent: {} });

  test('is one warning per tool, however often it is called', async () => {
    const { lines, logger } = memoryLog();
    const { client } = await connectInMemory({ tools, onCall });
    const caller = withOutcomes(client, { server: 'shortener', logger });
    for (const name of ['a', 'a', 'b', 'a', 'b']) {
      const outcome = await caller.callTool({ name });
      assert.deepEqual(outcome.kind === 'success' && outcome.warnings.map(({ code }) => code), [
        'output_schema_unusable',
      ]);
    }
    const events = lines
      .map((line): Line => JSON.parse(line))
      .map(({ event, tool, server }) => ({ event, tool, server }));
    const event = 'mcp.output_schema.unusable';
    assert.deepEqual(events, [
      { event, tool: 'a', server: 'shortener' },
      { event, tool: 'b', server: 'shortener' },
    ]);
    await client.close();
  });

  test('is one warning for a client that is wrapped anew for every call', async () => {
    const { lines, logger } = memoryLog();
    const { client } = await connectInMemory({ tools, onCall });
    for (const name of ['a', 'a', 'b']) await withOutcomes(client, { logger }).callTool({ name });
    assert.equal(lines.length, 2);
    await client.close();
  });

  test('is no warning for a call whose logger is off', async () => {
    const { lines, logger } = memoryLog();
    const { client } = await connectInMemory({ tools, onCall });
    await withOutcomes(client, { logger }).callTool({ name: 'a' }, { logger: false });
    assert.deepEqual(lines, []);
    await client.close();
  });
});

describe('an outcome that somebody logs by hand', () => {
  const outcomeLog = (): { lines: string[]; log: { info(record: object): void } } => {
    const lines: string[] = [];
    const log = pino(
      { serializers: { outcome: outcomeSerializer } },
      { write: (line) => void lines.push(line) },
    );
    return { lines, log };
  };
  const outcomeOf = async (onCall: (call: PeerCall) => void): Promise<ToolOutcome> => {
    const { client } = await connectInMemory({ onCall });
    const outcome = await withOutcomes(client, { logger: false, server: 'shortener' }).callTool(params, {
      callId: 'call-1',
    });
    await client.close();
    return outcome;
  };
  const inLine = (line: string | undefined): Line => {
    const { outcome }: { outcome: Line } = JSON.parse(line ?? '{}');
    const { durationMs, ...rest } = outcome;
    assert.equal(typeof durationMs, 'number');
    return rest;
  };
  const { level: _level, event: _event, ...names } = common;

  test('outcomeSerializer makes a success safe', async () => {
    const { lines, log } = outcomeLog();
    const outcome = await outcomeOf((call) =>
      call.answer({ ...textResult('canary-text'), structuredContent: { a: 'canary' } }),
    );
    log.info({ outcome });
    assert.deepEqual(inLine(lines[0]), {
      ...names,
      kind: 'success',
      category: 'success',
      delivery: 'answered',
      message: 'success',
    });
  });

  test('outcomeSerializer makes a failure safe', async () => {
    const { lines, log } = outcomeLog();
    const outcome = await outcomeOf((call) => call.fail({ code: 5, message: 'no', data: 'canary' }));
    log.info({ outcome });
    assert.deepEqual(inLine(lines[0]), {
      ...names,
      kind: 'call_failure',
      category: 'transient_failure',
      reason: 'protocol_error',
      delivery: 'answered',
      rpcCode: 5,
      error: { type: 'McpError', message: 'MCP error 5: no', code: 5 },
      message: 'JSON-RPC error 5: no',
    });
  });

  test('outcomeSerializer keeps the line within 4 KiB', async () => {
    const { lines, log } = outcomeLog();
    log.info({
      outcome: await outcomeOf((call) => call.answer({ ...textResult('漢'.repeat(1 << 20)), isError: true })),
    });
    assert.ok(Buffer.byteLength(lines[0] ?? '') <= 4_096, `${Buffer.byteLength(lines[0] ?? '')} bytes`);
  });

  test('outcomeSerializer takes anything', () => {
    for (const value of [undefined, null, 5, 'text', [], {}, { kind: 'success' }, Object.create(null)]) {
      const { lines, log } = outcomeLog();
      log.info({ outcome: value });
      assert.equal(lines.length, 1);
    }
  });

  test('outcomeSerializer leaves nothing out of what only looks like an outcome', () => {
    const likeReceipt = { ...names, kind: 'schema_mismatch', ok: false, message: 'no' };
    assert.deepEqual(outcomeSerializer(likeReceipt), likeReceipt);
  });

  test('without a serializer, the cause is not in the line', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line) => void lines.push(line) });
    const outcome = await outcomeOf((call) => call.fail({ code: 5, message: 'no' }));
    log.info({ outcome });
    assert.ok(!lines[0]?.includes('"cause"') && !lines[0]?.includes('stack'));
  });

  test('logOutcome: one line for a failure, none for a success', async () => {
    const { lines, logger } = memoryLog();
    logOutcome(logger, await outcomeOf((call) => call.answer(textResult('ok'))));
    assert.deepEqual(lines, []);
    logOutcome(logger, await outcomeOf((call) => call.answer({ ...textResult('no'), isError: true })));
    assert.equal(parse(lines[0]).msg, "MCP tool 'shortener/search-links' reported a failure: no");
    assert.equal(lines.length, 1);
  });
});
