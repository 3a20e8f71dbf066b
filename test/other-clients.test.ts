/**
 * Clients that are not the SDK: anything with `callTool(params, options)`. Without a transport to look at, an outcome
 * says what the result or the rejection shows, and that nothing is known of the delivery unless they prove it.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { createMCPClient, type MCPClient } from '@ai-sdk/mcp';
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { type CallParams, classifyThrown, observeFetch, withOutcomes } from '../src/index.ts';
import { errorFrame, type FaultTransport, type PeerScript, resultFrame } from './support/fault-script.ts';
import { startFaultServer } from './support/fault-server.ts';
import {
  assertOutcome,
  context,
  malformed,
  type RightOutcome,
  success,
  toolError,
  transient,
} from './support/right-outcome.ts';

const quiet = { logger: false } as const;
const params = { name: 'search-links', arguments: { q: 'a' } };

/** A result reached the client; that the server sent it, nobody saw. */
const unseen = { delivery: 'unknown' } as const;

const results: readonly { readonly name: string; readonly result: unknown; readonly right: RightOutcome }[] =
  [
    {
      name: 'a result',
      result: { content: [{ type: 'text', text: 'a' }] },
      right: { ...success, ...unseen },
    },
    {
      name: 'structured content',
      result: { structuredContent: { n: 1 } },
      right: { ...success, ...unseen, value: { n: 1 } },
    },
    { name: 'isError', result: { content: [], isError: true }, right: { ...toolError, ...unseen } },
    {
      name: 'a failure body',
      result: { content: [], structuredContent: { success: false, error: 'no such link' } },
      right: { kind: 'failure_body', category: 'tool_error', ...unseen },
    },
    {
      name: 'a question',
      result: { resultType: 'input_required', requestState: 's' },
      right: { ...transient, ...unseen, reason: 'input_required' },
    },
    {
      name: 'a task',
      result: { task: { taskId: 't1', status: 'working' } },
      right: { ...transient, ...unseen, reason: 'task_created', taskId: 't1' },
    },
    { name: 'an empty object', result: {}, right: { ...malformed, ...unseen } },
    { name: 'nothing', result: undefined, right: { ...malformed, ...unseen, result: undefined } },
    { name: 'a string', result: 'fine', right: { ...malformed, ...unseen, result: 'fine' } },
  ];

describe('a client that resolves with', () => {
  for (const { name, result, right } of results) {
    test(name, async () => {
      assertOutcome(await withOutcomes({ callTool: async () => result }, quiet).callTool(params), right);
    });
  }

  test('a value at once, without a promise', async () => {
    const hasty = { callTool: async () => ({}) };
    Reflect.set(hasty, 'callTool', () => ({ content: [] }));
    assertOutcome(await withOutcomes(hasty, quiet).callTool(params), { ...success, ...unseen });
  });
});

const refused = { ...transient, reason: 'network_error', delivery: 'not_sent' } as const;
const httpData = (status: number) => ({ status, text: '{"error":"no"}' });

const rejections: readonly {
  readonly name: string;
  readonly thrown: unknown;
  readonly right: RightOutcome;
}[] = [
  {
    name: 'an HTTP error of SDK v1',
    thrown: new StreamableHTTPError(403, 'Error POSTing to endpoint: no'),
    right: {
      kind: 'call_failure',
      reason: 'http_error',
      category: 'access_denied',
      httpStatus: 403,
      body: 'no',
    },
  },
  {
    name: 'an HTTP error of SDK v2',
    thrown: new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'no', httpData(404)),
    right: { reason: 'http_error', category: 'not_found', httpStatus: 404, body: '{"error":"no"}' },
  },
  {
    name: 'a missing scope, as SDK v2 says it',
    thrown: new InsufficientScopeError({ requiredScope: 'links:write' }),
    right: {
      reason: 'auth_required',
      category: 'access_denied',
      httpStatus: 403,
      challenge: { error: 'insufficient_scope', scope: 'links:write' },
    },
  },
  {
    name: 'missing authorization, as SDK v2 says it',
    thrown: new UnauthorizedError(),
    right: {
      reason: 'auth_required',
      category: 'access_denied',
      httpStatus: undefined,
      challenge: undefined,
    },
  },
  {
    name: 'an error with a status',
    thrown: Object.assign(new Error('busy'), { response: { status: 503 } }),
    right: { ...transient, reason: 'http_error', httpStatus: 503, delivery: 'unknown' },
  },
  {
    name: 'a JSON-RPC error that only a server sends',
    thrown: new McpError(-32_603, 'broken', { at: 1 }),
    right: {
      ...transient,
      reason: 'protocol_error',
      rpcCode: -32_603,
      rpcData: { at: 1 },
      delivery: 'answered',
    },
  },
  {
    name: 'a JSON-RPC error that SDK v1 may have made itself',
    thrown: new McpError(-32_602, 'Structured content does not match'),
    right: { ...transient, reason: 'protocol_error', rpcCode: -32_602, delivery: 'unknown' },
  },
  {
    name: 'a JSON-RPC error that SDK v2 may have made itself',
    thrown: new ProtocolError(-32_602, 'Tool has an invalid outputSchema'),
    right: { ...transient, reason: 'protocol_error', rpcCode: -32_602, delivery: 'unknown' },
  },
  {
    name: 'a timeout of SDK v2',
    thrown: new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out', { timeout: 5 }),
    right: { ...transient, reason: 'timeout', delivery: 'unknown' },
  },
  {
    name: 'a refused connection',
    thrown: new TypeError('fetch failed', {
      cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }),
    }),
    right: refused,
  },
  {
    name: 'a plain error that quotes a status',
    thrown: new Error('HTTP 403 Forbidden'),
    right: { ...transient, reason: 'unknown_error', httpStatus: undefined, delivery: 'unknown' },
  },
  { name: 'a string', thrown: 'no', right: { ...transient, reason: 'unknown_error', delivery: 'unknown' } },
  {
    name: 'nothing',
    thrown: undefined,
    right: { ...transient, reason: 'unknown_error', delivery: 'unknown' },
  },
];

describe('a client that rejects with', () => {
  for (const { name, thrown, right } of rejections) {
    test(name, async () => {
      const rejecting = { callTool: () => Promise.reject(thrown) };
      const outcome = await withOutcomes(rejecting, quiet).callTool(params);
      assertOutcome(outcome, right);
      assert.equal(outcome.kind === 'call_failure' && outcome.cause, thrown);
    });

    test(`${name}, thrown at once`, async () => {
      const throwing = {
        callTool: (): Promise<unknown> => {
          throw thrown;
        },
      };
      assertOutcome(await withOutcomes(throwing, quiet).callTool(params), right);
    });
  }
});

describe('what such a client is given', () => {
  interface Seen {
    readonly params: object;
    readonly options: { readonly signal?: AbortSignal; readonly tenant?: string; readonly timeout?: number };
  }

  function noting(seen: Seen[]) {
    return {
      callTool: async (given: object, options: Seen['options']) => {
        seen.push({ params: given, options });
        return { content: [] };
      },
    };
  }

  test('the parameters of the call and nothing else', async () => {
    const seen: Seen[] = [];
    await withOutcomes(noting(seen), quiet).callTool(params);
    assert.deepEqual(Reflect.ownKeys(seen[0]?.params ?? {}), ['name', 'arguments']);
    assert.deepEqual(seen[0]?.params, params);
    assert.equal(Reflect.get(seen[0]?.params ?? {}, 'arguments'), params.arguments);
  });

  test('its own options, the bounds, and a signal; nothing of ours', async () => {
    const seen: Seen[] = [];
    const aborting = new AbortController();
    const options = {
      tenant: 'a',
      timeout: 5_000,
      callId: 'mine',
      logger: false,
      signal: aborting.signal,
    } as const;
    await withOutcomes(noting(seen), quiet).callTool(params, options);
    const { signal, ...rest } = seen[0]?.options ?? {};
    assert.deepEqual(rest, { tenant: 'a', timeout: 5_000, maxTotalTimeout: 600_000 });
    assert.ok(signal instanceof AbortSignal && signal !== aborting.signal);
  });

  test('a transport that is none of the SDK’s is left alone', async () => {
    const transport = Object.freeze({ kind: 'carrier pigeon' });
    const gateway = { transport, callTool: async () => ({ content: [] }) };
    assertOutcome(await withOutcomes(gateway, quiet).callTool(params), { ...success, ...unseen });
  });
});

describe('the bounds hold without a transport', { concurrency: true }, () => {
  const silent = { callTool: () => new Promise<never>(() => {}) };

  test('timeout', async () => {
    const outcome = await withOutcomes(silent, quiet).callTool(params, { timeout: 50 });
    assertOutcome(outcome, { ...transient, reason: 'timeout', delivery: 'unknown' });
  });

  test('the caller’s signal', async () => {
    const aborting = new AbortController();
    const pending = withOutcomes(silent, quiet).callTool(params, { signal: aborting.signal });
    aborting.abort('enough');
    assertOutcome(await pending, { kind: 'cancelled', delivery: 'unknown', cause: 'enough' });
  });
});

describe('what is known of its tools', () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const wrong = { callTool: async () => ({ content: [], structuredContent: { n: 'one' } }) };

  test('nothing by itself', async () => {
    const outcome = await withOutcomes(wrong, quiet).callTool(params);
    assertOutcome(outcome, { ...success, ...unseen, warnings: [], replaySafe: undefined });
  });

  test('the schemas that the caller brings', async () => {
    const caller = withOutcomes(wrong, { ...quiet, outputSchemas: { 'search-links': outputSchema } });
    assertOutcome(await caller.callTool(params), {
      kind: 'schema_mismatch',
      schema: 'output_schema',
      ...unseen,
    });
  });

  test('its server’s name, when it says one', () => {
    assert.equal(withOutcomes(wrong, quiet).server, 'mcp');
    const named = { ...wrong, getServerVersion: () => ({ name: 'gateway' }) };
    assert.equal(withOutcomes(named, quiet).server, 'gateway');
  });
});

test('a subclass of the SDK’s client that goes elsewhere: its result counts, and its delivery is unknown', async () => {
  class Gateway extends Client {
    override async callTool() {
      return { content: [{ type: 'text' as const, text: 'from elsewhere' }] };
    }
  }
  const gateway = new Gateway({ name: 'gateway', version: '1.0.0' });
  const caller = withOutcomes(gateway, { ...quiet, outputSchemas: 'off' });
  assertOutcome(await caller.callTool(params), { ...success, ...unseen });
});

/** What the MCP client of the AI SDK throws, met by the faults of a scripted server. */
describe('the errors of @ai-sdk/mcp', () => {
  const transport: FaultTransport = 'http-json';
  const faults = [
    {
      name: 'HTTP 403',
      fault: { post: { status: 403, body: '{"error":"no"}' } },
      right: { category: 'access_denied', reason: 'http_error', httpStatus: 403, body: '{"error":"no"}' },
    },
    {
      name: 'HTTP 503',
      fault: { post: { status: 503, body: 'later' } },
      right: { ...transient, reason: 'http_error', httpStatus: 503, body: 'later', delivery: 'unknown' },
    },
    {
      name: 'a JSON-RPC error with the digits of a status',
      fault: { frames: [errorFrame({ code: 403, message: 'no', data: { at: 1 } })] },
      right: {
        ...transient,
        reason: 'protocol_error',
        rpcCode: 403,
        rpcData: { at: 1 },
        httpStatus: undefined,
        delivery: 'answered',
      },
    },
  ] as const;
  for (const { name, fault, right } of faults) {
    test(name, async (t) => {
      const server = await startFaultServer({ calls: { fault } }, transport);
      const client = await createMCPClient({ transport: { type: 'http', url: server.url.href } });
      t.after(async () => {
        await client.close();
        await server.close();
      });
      const tools = await client.tools();
      const thrown = await Promise.resolve(tools.fault?.execute({}, { toolCallId: '1', messages: [] })).then(
        () => assert.fail('resolved'),
        (reason: unknown) => reason,
      );
      assertOutcome(classifyThrown(thrown, context), right);
    });
  }
});

/** The client of the AI SDK over a transport of the MCP SDK: it is watched like any other client's. */
describe('@ai-sdk/mcp over a transport that is watched', () => {
  async function connect(t: TestContext, script: PeerScript) {
    const server = await startFaultServer(script, 'http-json');
    const transport = new StreamableHTTPClientTransport(server.url, { fetch: observeFetch() });
    // The two types of a transport differ where `exactOptionalPropertyTypes` is on.
    const mcp: MCPClient = await Reflect.apply(createMCPClient, undefined, [{ transport }]);
    t.after(async () => {
      await mcp.close();
      await server.close();
    });
    const tools = await mcp.tools();
    const client = {
      transport,
      callTool: async ({ name, arguments: args }: CallParams, { signal }: { signal?: AbortSignal } = {}) =>
        tools[name]?.execute(args, {
          toolCallId: name,
          messages: [],
          ...(signal ? { abortSignal: signal } : {}),
        }),
    };
    return withOutcomes(client, { ...quiet, outputSchemas: 'off' });
  }

  const rows = [
    {
      name: 'a result that the client adds a flag to',
      fault: { frames: [resultFrame({ content: [], structuredContent: { n: 1 } })] },
      right: { ...success, result: { content: [], structuredContent: { n: 1 } } },
    },
    {
      name: 'a result that the client throws away',
      fault: { frames: [resultFrame({ content: 5, isError: true })] },
      right: toolError,
    },
    {
      name: 'a JSON-RPC error',
      fault: { frames: [errorFrame({ code: -32_001, message: 'Request timed out' })] },
      right: { ...transient, reason: 'protocol_error', rpcCode: -32_001, delivery: 'answered' },
    },
    {
      name: 'HTTP 429, with what no error of the client carries',
      fault: { post: { status: 429, headers: { 'retry-after': '7' }, body: 'slow down' } },
      right: { ...transient, reason: 'http_error', httpStatus: 429, retryAfterMs: 7_000, body: 'slow down' },
    },
  ] as const;
  for (const { name, fault, right } of rows) {
    test(name, async (t) => {
      const caller = await connect(t, { calls: { fault } });
      assertOutcome(await caller.callTool({ name: 'fault', arguments: {} }), right);
    });
  }

  test('an answer that never comes', async (t) => {
    const caller = await connect(t, { calls: { fault: {} } });
    const outcome = await caller.callTool({ name: 'fault', arguments: {} }, { timeout: 50 });
    assertOutcome(outcome, { ...transient, reason: 'timeout', delivery: 'unknown' });
  });

  test('100 calls at once: each gets its own answer', async (t) => {
    const caller = await connect(t, {});
    const says = Array.from({ length: 100 }, (_none, index) => `call ${index}`);
    const outcomes = await Promise.all(
      says.map((say) => caller.callTool({ name: 'healthy', arguments: { say } })),
    );
    assert.deepEqual(
      outcomes.map((outcome) => outcome.ok && outcome.delivery === 'answered' && outcome.result.content),
      says.map((text) => [{ type: 'text', text }]),
    );
  });
});
