/**
 * Same class, same code, same words, different origin: what really happened decides. The server mimics the SDK's own
 * errors byte for byte, and the SDK's own errors are told from the server's.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type OutcomeOptions, type ToolOutcome, withOutcomes } from '../src/index.ts';
import { connectOverHttp, type HttpCall, startHttpPeer } from './support/http-peer.ts';
import {
  connectInMemory,
  createClient,
  type MemoryPeer,
  type PeerCall,
  textResult,
} from './support/in-memory-peer.ts';

const quiet: OutcomeOptions = { logger: false, server: 'peer' };
const params = { name: 'tool', arguments: {} };

/** Everything about an outcome that tells one origin from another. */
function facts(outcome: ToolOutcome): object {
  const { kind, category, delivery } = outcome;
  if (outcome.kind !== 'call_failure') {
    return { kind, category, delivery };
  }
  const { reason, httpStatus, rpcCode, rpcData, sessionExpired } = outcome;
  return {
    kind,
    category,
    delivery,
    reason,
    ...(httpStatus !== undefined && { httpStatus }),
    ...(rpcCode !== undefined && { rpcCode }),
    ...(rpcData !== undefined && { rpcData }),
    ...(sessionExpired !== undefined && { sessionExpired }),
  };
}

function failure(reason: string, delivery: string, more: object = {}): object {
  return { kind: 'call_failure', category: 'transient_failure', delivery, reason, ...more };
}

/** What a caller sees of an error: class, code, words and data. */
function face(outcome: ToolOutcome): object {
  const cause = outcome.kind === 'call_failure' || outcome.kind === 'cancelled' ? outcome.cause : undefined;
  const { name, message } = cause instanceof Error ? cause : { name: typeof cause, message: '' };
  return {
    name,
    message,
    code: Reflect.get(Object(cause), 'code'),
    data: Reflect.get(Object(cause), 'data'),
  };
}

interface Pair {
  readonly name: string;
  /** What the client does by itself, with a silent server. */
  readonly local: (client: Client, peer: MemoryPeer) => Promise<ToolOutcome>;
  readonly localFacts: object;
  /** The JSON-RPC error that makes the SDK throw the very same. */
  readonly mimic: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** The thrown values look the same to a caller of the bare SDK. */
  readonly sameFace: boolean;
}

const pairs: readonly Pair[] = [
  {
    name: 'a local timeout',
    local: (client) => withOutcomes(client, quiet).callTool(params, { timeout: 50 }),
    localFacts: failure('timeout', 'unknown'),
    mimic: { code: -32_001, message: 'Request timed out', data: { timeout: 50 } },
    sameFace: true,
  },
  {
    name: 'a closed connection',
    local: async (client, peer) => {
      const pending = withOutcomes(client, quiet).callTool(params);
      await peer.calls(1);
      await peer.close();
      return pending;
    },
    localFacts: failure('connection_closed', 'unknown'),
    mimic: { code: -32_000, message: 'Connection closed' },
    sameFace: true,
  },
  {
    name: 'the caller’s abort',
    local: async (client, peer) => {
      const aborting = new AbortController();
      const pending = withOutcomes(client, quiet).callTool(params, { signal: aborting.signal });
      await peer.calls(1);
      aborting.abort();
      return pending;
    },
    localFacts: { kind: 'cancelled', category: 'cancelled', delivery: 'unknown' },
    mimic: { code: -32_001, message: 'AbortError: This operation was aborted' },
    // The outcome holds the caller's own reason, not the SDK's wrapping of it.
    sameFace: false,
  },
];

describe('the client’s own verdicts and a server that mimics them', () => {
  for (const { name, local, localFacts, mimic, sameFace } of pairs) {
    test(name, async () => {
      const { client, peer } = await connectInMemory();
      const outcome = await local(client, peer);
      assert.deepEqual(facts(outcome), localFacts);
      const server = await connectInMemory({ onCall: (call) => call.fail(mimic) });
      const mimicked = await withOutcomes(server.client, quiet).callTool(params, {
        signal: new AbortController().signal,
      });
      assert.deepEqual(
        facts(mimicked),
        failure('protocol_error', 'answered', {
          rpcCode: mimic.code,
          ...(mimic.data !== undefined && { rpcData: mimic.data }),
        }),
      );
      if (sameFace) assert.deepEqual(face(mimicked), face(outcome), 'the pair is worth telling apart');
      await Promise.all([client.close(), server.client.close()]);
    });
  }

  test('a server that mimics a close, then closes in the same tick: it answered', async () => {
    const { client, peer } = await connectInMemory();
    const pending = withOutcomes(client, quiet).callTool(params);
    const [call] = await peer.calls(1);
    call?.fail({ code: -32_000, message: 'Connection closed' });
    await peer.close();
    assert.deepEqual(facts(await pending), failure('protocol_error', 'answered', { rpcCode: -32_000 }));
    await client.close();
  });

  test('a signal that was given and not aborted makes nothing a cancellation', async () => {
    const { client } = await connectInMemory();
    const { signal } = new AbortController();
    const outcome = await withOutcomes(client, quiet).callTool(params, { timeout: 40, signal });
    assert.deepEqual(facts(outcome), failure('timeout', 'unknown'));
    await client.close();
  });
});

const json = { 'content-type': 'application/json' };

interface HttpRow {
  readonly name: string;
  readonly answer: (call: HttpCall) => void;
  readonly sessionId?: string;
  readonly expected: object;
  readonly message?: string;
}

const httpRows: readonly HttpRow[] = [
  {
    name: 'HTTP 403',
    answer: (call) => call.reply(403, json, '{"error":"404 not found"}'),
    expected: { ...failure('http_error', 'answered', { httpStatus: 403 }), category: 'access_denied' },
    message: 'HTTP 403: {"error":"404 not found"}',
  },
  {
    name: 'JSON-RPC 403, whose data claims a status',
    answer: (call) => call.fail({ code: 403, message: 'HTTP 403', data: { status: 403, httpStatus: 404 } }),
    expected: failure('protocol_error', 'answered', {
      rpcCode: 403,
      rpcData: { status: 403, httpStatus: 404 },
    }),
  },
  {
    name: 'HTTP 403 whose body is a JSON-RPC error 404',
    answer: ({ id, reply }) =>
      reply(403, json, JSON.stringify({ jsonrpc: '2.0', id, error: { code: 404, message: 'gone' } })),
    expected: { ...failure('http_error', 'answered', { httpStatus: 403 }), category: 'access_denied' },
  },
  {
    name: 'HTTP 500 whose body is a JSON-RPC success',
    answer: ({ id, reply }) =>
      reply(500, json, JSON.stringify({ jsonrpc: '2.0', id, result: textResult('fine') })),
    expected: failure('http_error', 'unknown', { httpStatus: 500 }),
  },
  {
    name: 'an unexpected content type: the SDK’s -1',
    answer: (call) => call.reply(200, { 'content-type': 'text/html' }, '<h1>HTTP 403</h1>'),
    expected: failure('invalid_answer', 'unknown'),
  },
  {
    name: 'JSON-RPC -1',
    answer: (call) => call.fail({ code: -1, message: 'Unexpected content type: text/html' }),
    expected: failure('protocol_error', 'answered', { rpcCode: -1 }),
  },
  {
    name: 'HTTP 404 without a session: the endpoint is not there',
    answer: (call) => call.reply(404, {}, 'no such path'),
    expected: { ...failure('http_error', 'answered', { httpStatus: 404 }), category: 'not_found' },
    message: 'HTTP 404: no such path',
  },
  {
    name: 'HTTP 404 with a session: the session is gone',
    answer: (call) => call.reply(404, {}, 'no such session'),
    sessionId: 'session-1',
    expected: {
      ...failure('http_error', 'answered', { httpStatus: 404, sessionExpired: true }),
      category: 'not_found',
    },
    message: 'HTTP 404: session expired: no such session',
  },
  {
    name: 'JSON-RPC 404 with a session: the session is there',
    answer: (call) => call.fail({ code: 404, message: 'Session not found' }),
    sessionId: 'session-1',
    expected: failure('protocol_error', 'answered', { rpcCode: 404 }),
  },
  {
    name: 'HTTP 408: a gateway may have passed it on',
    answer: (call) => call.reply(408, {}, ''),
    expected: failure('http_error', 'unknown', { httpStatus: 408 }),
    message: 'HTTP 408',
  },
  {
    name: 'a socket that breaks before the answer',
    answer: (call) => call.response.destroy(),
    expected: failure('network_error', 'unknown'),
  },
];

describe('HTTP and JSON-RPC with the same numbers', () => {
  for (const { name, answer, sessionId, expected, message } of httpRows) {
    test(name, async () => {
      const connection = await connectOverHttp({
        onCall: (call) => (call.name === 'next' ? call.result(textResult('ok')) : answer(call)),
        ...(sessionId !== undefined && { sessionId }),
      });
      const caller = withOutcomes(connection.client, quiet);
      const outcome = await caller.callTool(params);
      assert.deepEqual(facts(outcome), expected);
      if (message !== undefined) assert.equal(outcome.message, message);
      assert.equal((await caller.callTool({ name: 'next' })).kind, 'success', 'the next call works');
      await connection.close();
    });
  }

  test('a server that is gone: nothing was sent', async () => {
    const connection = await connectOverHttp({ onCall: () => {} });
    await connection.peer.close();
    const outcome = await withOutcomes(connection.client, quiet).callTool(params);
    assert.deepEqual(facts(outcome), failure('network_error', 'not_sent'));
    await connection.client.close();
  });
});

const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const tools = [
  { name: 'tool', inputSchema: { type: 'object' }, outputSchema },
  { name: 'task', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
];

describe('after the client listed its tools, what it makes of a result is told from what the server said', () => {
  const mismatchText =
    "Structured content does not match the tool's output schema: data must have required property 'n'";
  const missingText = 'Tool tool has an output schema but did not return structured content';
  const refused = { kind: 'schema_mismatch', category: 'schema_mismatch', delivery: 'answered' };
  const rows: readonly {
    readonly name: string;
    readonly answer: (call: PeerCall) => void;
    readonly expected: object;
    readonly bareCode?: number;
  }[] = [
    {
      name: 'structured content that breaks the schema: the client says -32602',
      answer: (call) => call.answer({ content: [], structuredContent: {} }),
      expected: refused,
      bareCode: -32_602,
    },
    {
      name: '-32602 of the server, in the client’s words',
      answer: (call) => call.fail({ code: -32_602, message: mismatchText }),
      expected: failure('protocol_error', 'answered', { rpcCode: -32_602 }),
      bareCode: -32_602,
    },
    {
      name: 'no structured content: the client says -32600',
      answer: (call) => call.answer(textResult('plain')),
      expected: refused,
      bareCode: -32_600,
    },
    {
      name: '-32600 of the server, in the client’s words',
      answer: (call) => call.fail({ code: -32_600, message: missingText }),
      expected: failure('protocol_error', 'answered', { rpcCode: -32_600 }),
      bareCode: -32_600,
    },
    {
      name: 'isError with structured content that breaks the schema',
      answer: (call) => call.answer({ ...textResult('no'), isError: true, structuredContent: {} }),
      expected: { kind: 'tool_error', category: 'tool_error', delivery: 'answered' },
      bareCode: -32_602,
    },
    {
      name: 'a failure body that breaks the schema',
      answer: (call) =>
        call.answer({
          content: [],
          structuredContent: { _tag: 'OrchestratorMcpFailure', code: 'thread_not_found', message: 'gone' },
        }),
      expected: { kind: 'failure_body', category: 'not_found', delivery: 'answered' },
      bareCode: -32_602,
    },
    {
      name: 'structured content that fits',
      answer: (call) => call.answer({ content: [], structuredContent: { n: 1 } }),
      expected: { kind: 'success', category: 'success', delivery: 'answered' },
    },
  ];
  for (const { name, answer, expected, bareCode } of rows) {
    test(name, async () => {
      const { client } = await connectInMemory({ onCall: answer, tools });
      await client.listTools();
      if (bareCode !== undefined) await assert.rejects(client.callTool(params), { code: bareCode });
      assert.deepEqual(facts(await withOutcomes(client, quiet).callTool(params)), expected);
      await client.close();
    });
  }

  test('a tool that runs only as a task: refused before anything is sent', async () => {
    const { client, peer } = await connectInMemory({ tools });
    await client.listTools();
    const outcome = await withOutcomes(client, quiet).callTool({ name: 'task' });
    assert.deepEqual(facts(outcome), failure('task_required', 'not_sent'));
    assert.ok(!peer.received.some(({ method }) => method === 'tools/call'));
    const message = String(Reflect.get(face(outcome), 'message')).replace('MCP error -32600: ', '');
    const server = await connectInMemory({ onCall: (call) => call.fail({ code: -32_600, message }), tools });
    const mimicked = await withOutcomes(server.client, quiet).callTool({ name: 'task' });
    assert.deepEqual(facts(mimicked), failure('protocol_error', 'answered', { rpcCode: -32_600 }));
    assert.deepEqual(face(mimicked), face(outcome));
    await Promise.all([client.close(), server.client.close()]);
  });

  test('a task-required tool beside other users of the client: still nothing was sent', async () => {
    const { client, peer } = await connectInMemory({ tools });
    await client.listTools();
    const pending = withOutcomes(client, quiet).callTool({ name: 'task' });
    const raw = client.callTool({ name: 'other' });
    (await peer.calls(1))[0]?.answer(textResult('raw'));
    await raw;
    await client.close();
    assert.deepEqual(facts(await pending), failure('task_required', 'not_sent'));
  });
});

describe('two answers for one id: the first valid one counts', () => {
  const success = { kind: 'success', category: 'success', delivery: 'answered' };
  const rows: readonly {
    readonly name: string;
    readonly answers: readonly object[];
    readonly expected: object;
  }[] = [
    {
      name: 'a result, then an error',
      answers: [{ result: textResult('first') }, { error: { code: 2, message: 'second' } }],
      expected: success,
    },
    {
      name: 'an error, then a result',
      answers: [{ error: { code: 1, message: 'first' } }, { result: textResult('second') }],
      expected: failure('protocol_error', 'answered', { rpcCode: 1 }),
    },
    {
      name: 'one that is no answer, then a result',
      answers: [{ result: 'text' }, { result: textResult('second') }],
      expected: success,
    },
    {
      name: 'one with both members, then an error',
      answers: [
        { result: textResult('x'), error: { code: 1, message: 'x' } },
        { error: { code: 2, message: 'second' } },
      ],
      expected: failure('protocol_error', 'answered', { rpcCode: 2 }),
    },
    {
      name: 'a result, then one that is no answer',
      answers: [{ result: textResult('first') }, { error: 'boom' }],
      expected: success,
    },
    {
      name: 'only what is no answer',
      answers: [{ result: 'text' }, { error: { code: '403', message: 'x' } }],
      expected: failure('invalid_answer', 'unknown'),
    },
  ];
  for (const { name, answers, expected } of rows) {
    test(name, async () => {
      const { client, peer } = await connectInMemory({
        onCall: ({ id }) => {
          for (const answer of answers) peer.send({ jsonrpc: '2.0', id, ...answer });
        },
      });
      assert.deepEqual(facts(await withOutcomes(client, quiet).callTool(params, { timeout: 100 })), expected);
      await client.close();
    });
  }
});

describe('not connected', () => {
  const notConnected = failure('not_connected', 'not_sent');

  test('never connected', async () => {
    assert.deepEqual(facts(await withOutcomes(createClient(), quiet).callTool(params)), notConnected);
  });

  test('closed', async () => {
    const { client } = await connectInMemory({ onCall: (call) => call.answer(textResult('ok')) });
    const caller = withOutcomes(client, quiet);
    assert.equal((await caller.callTool(params)).kind, 'success');
    await client.close();
    assert.deepEqual(facts(await caller.callTool(params)), notConnected);
  });

  test('the same words from a client that is connected decide nothing', async () => {
    class WordyClient extends Client {
      override callTool(): never {
        throw new Error('Not connected');
      }
    }
    const client = new WordyClient({ name: 'behaviour-tests', version: '1.0.0' });
    const peer = await startHttpPeer({ onCall: () => {} });
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    );
    await client.connect(new StreamableHTTPClientTransport(peer.url));
    const outcome = await withOutcomes(client, quiet).callTool(params);
    assert.deepEqual(facts(outcome), failure('unknown_error', 'not_sent'));
    await client.close();
    await peer.close();
  });
});

const circular: Record<string, unknown> = { name: 'loop' };
circular.self = circular;

function throwing(error: unknown): object {
  return {
    toJSON: () => {
      throw error;
    },
  };
}

const unserializable: readonly { readonly name: string; readonly value: unknown }[] = [
  { name: 'circular', value: circular },
  { name: 'a BigInt', value: 5n },
  { name: 'a toJSON that throws', value: throwing(new Error('no JSON of me')) },
  { name: 'a toJSON that throws a string', value: throwing('no JSON of me') },
  {
    name: 'a toJSON that throws an error with a cause',
    value: throwing(new Error('x', { cause: new Error('y') })),
  },
  {
    name: 'a toJSON that throws an error with a network code',
    value: throwing(Object.assign(new Error('x'), { code: 'ECONNRESET' })),
  },
  {
    name: 'a toJSON that throws an error with a status',
    value: throwing(Object.assign(new Error('x'), { status: 403, code: 403 })),
  },
];

/** Handshake, and an answer to every call. */
const echoServer = `
  let rest = '';
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
      const result = method === 'initialize'
        ? { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'c', version: '1' } }
        : { content: [{ type: 'text', text: 'ok' }] };
      if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    }
  });`;

describe('arguments that JSON cannot carry are the caller’s mistake', () => {
  const refused = { ...failure('invalid_arguments', 'not_sent'), category: 'invalid_input' };
  const run = async (client: Client, value: unknown): Promise<void> => {
    const caller = withOutcomes(client, quiet);
    assert.deepEqual(facts(await caller.callTool({ name: 'tool', arguments: { value } })), refused);
    assert.equal((await caller.callTool(params)).kind, 'success', 'the next call works');
  };

  test('over HTTP', async (t) => {
    const connection = await connectOverHttp({ onCall: (call) => call.result(textResult('ok')) });
    for (const { name, value } of unserializable) await t.test(name, () => run(connection.client, value));
    await connection.close();
  });

  test('over stdio', async (t) => {
    const client = createClient();
    await client.connect(new StdioClientTransport({ command: process.execPath, args: ['-e', echoServer] }));
    for (const { name, value } of unserializable) await t.test(name, () => run(client, value));
    await client.close();
  });
});

describe('a second copy of the SDK in the process', () => {
  const require = createRequire(import.meta.url);

  test('errors of its classes mean the same', async () => {
    const copy: typeof import('@modelcontextprotocol/sdk/client/index.js') = require('@modelcontextprotocol/sdk/client/index.js');
    const http: typeof import('@modelcontextprotocol/sdk/client/streamableHttp.js') =
      require('@modelcontextprotocol/sdk/client/streamableHttp.js');
    assert.notEqual(copy.Client, Client);
    const answers: Readonly<Record<string, (call: HttpCall) => void>> = {
      ok: (call) => call.result(textResult('ok')),
      denied: (call) => call.reply(403, {}, 'no'),
      page: (call) => call.reply(200, { 'content-type': 'text/html' }, '<p>'),
      rpc: (call) => call.fail({ code: -32_001, message: 'Request timed out' }),
      hang: () => {},
    };
    const peer = await startHttpPeer({ onCall: (call) => answers[String(call.name)]?.(call) });
    const client = new copy.Client({ name: 'copy', version: '1.0.0' });
    await client.connect(new http.StreamableHTTPClientTransport(peer.url));
    const caller = withOutcomes(client, quiet);
    const call = async (name: string): Promise<object> =>
      facts(await caller.callTool({ name }, { timeout: 150 }));
    assert.deepEqual(await call('ok'), { kind: 'success', category: 'success', delivery: 'answered' });
    assert.deepEqual(await call('denied'), {
      ...failure('http_error', 'answered', { httpStatus: 403 }),
      category: 'access_denied',
    });
    assert.deepEqual(await call('page'), failure('invalid_answer', 'unknown'));
    assert.deepEqual(await call('rpc'), failure('protocol_error', 'answered', { rpcCode: -32_001 }));
    assert.deepEqual(await call('hang'), failure('timeout', 'unknown'));
    await client.close();
    assert.deepEqual(await call('ok'), failure('not_connected', 'not_sent'));
    await peer.close();
  });
});
