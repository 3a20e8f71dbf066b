/** What the wrapper may claim of a request that it did not see leave, that left late, or whose client says something else. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ServerError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OutcomeOptions, ToolOutcome } from '../src/index.ts';
import { classifyThrown, OptionsError, observeFetch, withOutcomes } from '../src/index.ts';
import { startFaultServer } from './support/fault-server.ts';
import { connectClient, connectInMemory, createMemoryPeer, textResult } from './support/in-memory-peer.ts';
import { assertOutcome, success, transient } from './support/right-outcome.ts';

type CallToolArguments = Parameters<Client['callTool']>;
type CallToolAnswer = ReturnType<Client['callTool']>;
type CallTool = (...args: CallToolArguments) => CallToolAnswer;

const quiet = { logger: false, outputSchemas: 'off' } as const satisfies OutcomeOptions;
const clientInfo = { name: 'behaviour-tests', version: '1.0.0' };

function overriding(override: (callTool: CallTool, args: CallToolArguments) => CallToolAnswer): Client {
  class OverridingClient extends Client {
    override callTool(...args: CallToolArguments): CallToolAnswer {
      return override((...own) => super.callTool(...own), args);
    }
  }
  return new OverridingClient(clientInfo);
}

/** A promise that a test opens. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('a request that a client holds back', () => {
  test('is not sent any more once its outcome says that it was not', async () => {
    const { opened, open } = gate();
    const held = { sent: Promise.resolve<unknown>(undefined) };
    const { client, peer } = await connectClient(
      overriding((callTool, args) => {
        const sent = opened.then(() => callTool(...args));
        held.sent = sent.catch((error: unknown) => error);
        return sent;
      }),
    );
    const controller = new AbortController();
    const pending = withOutcomes(client, quiet).callTool({ name: 'held' }, { signal: controller.signal });
    controller.abort();
    assertOutcome(await pending, {
      kind: 'cancelled',
      ok: false,
      category: 'cancelled',
      delivery: 'not_sent',
    });
    open();
    assert.ok((await held.sent) instanceof Error);
    // The client is fine: the next request passes.
    const bare = client.callTool({ name: 'bare' });
    const [call] = await peer.calls(1);
    assert.equal(call?.name, 'bare');
    call?.answer(textResult('ok'));
    await bare;
    await client.close();
  });

  test('and goes out in time is sent as ever', async () => {
    const { opened, open } = gate();
    const { client, peer } = await connectClient(
      overriding((callTool, args) => opened.then(() => callTool(...args))),
    );
    const pending = withOutcomes(client, quiet).callTool({ name: 'held' });
    open();
    const [call] = await peer.calls(1);
    call?.answer(textResult('ok'));
    assertOutcome(await pending, success);
    await client.close();
  });
});

/** A client that connects when it is first used. */
class LazyClient extends Client {
  readonly #peer: ReturnType<typeof createMemoryPeer>;

  constructor(peer: ReturnType<typeof createMemoryPeer>) {
    super(clientInfo);
    this.#peer = peer;
  }

  override async callTool(...args: CallToolArguments): CallToolAnswer {
    if (this.transport === undefined) await this.connect(this.#peer.clientTransport);
    return super.callTool(...args);
  }
}

describe('a client that connects when it is first used', () => {
  const first = async (answer: Parameters<typeof createMemoryPeer>[0]): Promise<ToolOutcome> => {
    const client = new LazyClient(createMemoryPeer(answer));
    const outcome = await withOutcomes(client, { logger: false }).callTool({ name: 'first' });
    await client.close();
    return outcome;
  };

  test('is seen from its first call on', async () => {
    assertOutcome(await first({ onCall: (call) => call.answer({ structuredContent: { n: 1 } }) }), success);
    assertOutcome(await first({ onCall: (call) => call.fail({ code: -32_001, message: 'late', data: 1 }) }), {
      ...transient,
      reason: 'protocol_error',
      rpcCode: -32_001,
      rpcData: 1,
      delivery: 'answered',
    });
  });

  test('and so is the list of its tools', async () => {
    const tools = [{ name: 'first', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
    const outcome = await first({ tools, onCall: (call) => call.answer(textResult('ok')) });
    assert.equal(outcome.replaySafe, true);
  });

  test('a connection that fails: nothing was sent', async () => {
    const client = new LazyClient(createMemoryPeer());
    client.connect = () => Promise.reject(Object.assign(new Error('refused'), { status: 503 }));
    assertOutcome(await withOutcomes(client, quiet).callTool({ name: 'first' }), {
      ...transient,
      reason: 'http_error',
      httpStatus: 503,
      delivery: 'not_sent',
    });
  });
});

interface RejectionRow {
  readonly name: string;
  readonly why: string;
  readonly override: (callTool: CallTool, args: CallToolArguments) => CallToolAnswer;
  readonly right: Parameters<typeof assertOutcome>[1];
}

const forbidden = (): Error => Object.assign(new Error('no'), { status: 403 });

const rejections: readonly RejectionRow[] = [
  {
    name: 'an HTTP error before anything is sent',
    why: 'a token that could not be got: the tool never ran',
    override: () => Promise.reject(forbidden()),
    right: { reason: 'http_error', httpStatus: 403, category: 'access_denied', delivery: 'not_sent' },
  },
  {
    name: 'an HTTP error of its own, after the request went out',
    why: 'it proves nothing of the request that is still open',
    override: (callTool, args) => {
      callTool(...args).catch(() => {});
      return Promise.reject(forbidden());
    },
    right: { reason: 'http_error', httpStatus: 403, category: 'access_denied', delivery: 'unknown' },
  },
  {
    name: 'a refused connection of its own, after the request went out',
    why: 'the same',
    override: (callTool, args) => {
      callTool(...args).catch(() => {});
      return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    },
    right: { reason: 'network_error', category: 'transient_failure', delivery: 'unknown' },
  },
];

describe('a client that rejects with', () => {
  for (const { name, why, override, right } of rejections) {
    test(`${name}: ${why}`, async () => {
      const { client } = await connectClient(overriding(override));
      const outcome = await withOutcomes(client, quiet).callTool({ name: 'tool' });
      assertOutcome(outcome, { kind: 'call_failure', ok: false, ...right });
      await client.close();
    });
  }
});

describe('what send() rejected with', () => {
  const wraps: Readonly<Record<string, (error: unknown) => unknown>> = {
    'as it is': (error) => error,
    'as the cause of another error': (error) => new Error('the call failed', { cause: error }),
    'among several': (error) => new AggregateError([new Error('another'), error], 'all attempts failed'),
  };
  class OwnTransport extends SSEClientTransport {}
  for (const [name, wrap] of Object.entries(wraps)) {
    for (const observed of [false, true]) {
      test(`${name}, over a subclass of the legacy SSE transport${observed ? ', fetch observed' : ''}`, async () => {
        const script = { calls: { fault: { post: { status: 403, body: 'no' } } } };
        const server = await startFaultServer(script, 'sse');
        const client = overriding((callTool, args) =>
          callTool(...args).catch((error) => Promise.reject(wrap(error))),
        );
        await client.connect(new OwnTransport(server.url, observed ? { fetch: observeFetch() } : {}));
        assertOutcome(await withOutcomes(client, quiet).callTool({ name: 'fault' }), {
          kind: 'call_failure',
          ok: false,
          category: 'access_denied',
          reason: 'http_error',
          httpStatus: 403,
          delivery: 'answered',
          body: 'no',
        });
        await client.close();
        await server.close();
      });
    }
  }
});

describe('bodies of an authorization server', () => {
  const thrown = new ServerError('HTTP 500: Invalid OAuth error response. Raw body: <h1>internal</h1>');
  const rejecting = { callTool: () => Promise.reject(thrown) };
  const call = async (errorBodies: 'include' | 'status-only'): Promise<readonly string[]> => {
    const lines: string[] = [];
    const logger = { warn: (record: object, message: string) => lines.push(JSON.stringify(record), message) };
    const outcome = await withOutcomes(rejecting, { logger, errorBodies }).callTool({ name: 'tool' });
    assert.equal(outcome.kind === 'call_failure' && outcome.reason, 'auth_required');
    return [outcome.message, ...lines];
  };

  test('stand in every text by default', async () => {
    for (const text of await call('include')) assert.match(text, /internal/);
  });

  test('stand in none with `status-only`', async () => {
    for (const text of await call('status-only')) assert.doesNotMatch(text, /internal/);
  });
});

describe('parameters that JSON cannot carry are the caller’s mistake', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const rows: Readonly<Record<string, { readonly name: string } & Record<string, unknown>>> = {
    'in the arguments': { name: 'tool', arguments: { n: 1n } },
    'in `_meta`': { name: 'tool', _meta: { n: 1n } },
    'in any other member': { name: 'tool', extra: circular },
  };
  for (const [name, params] of Object.entries(rows)) {
    test(name, async () => {
      const server = await startFaultServer({}, 'http-json');
      const client = new Client(clientInfo);
      await client.connect(new StreamableHTTPClientTransport(server.url));
      assertOutcome(await withOutcomes(client, quiet).callTool(params), {
        kind: 'call_failure',
        ok: false,
        category: 'invalid_input',
        reason: 'invalid_arguments',
        delivery: 'not_sent',
      });
      await client.close();
      await server.close();
    });
  }
});

test('a caller is not wrapped once more: its failures would be results that nothing says are any', () => {
  const caller = withOutcomes({ callTool: async () => textResult('ok') }, quiet);
  assert.throws(
    () => withOutcomes(caller, quiet),
    (error) => OptionsError.isInstance(error) && /client/.test(error.message),
  );
});

test('durationMs holds what the caller waited for its own schema', async () => {
  const { opened, open } = gate();
  const { client } = await connectInMemory({
    onCall: (call) => call.answer({ content: [], structuredContent: {} }),
  });
  const output = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: async (value: unknown) => {
        await opened;
        return { value };
      },
    },
  } as const;
  const pending = withOutcomes(client, quiet).callTool({ name: 'tool' }, { output });
  const startedAt = performance.now();
  while (performance.now() - startedAt < 20) await new Promise((resolve) => setImmediate(resolve));
  open();
  assert.ok((await pending).durationMs >= 20);
  await client.close();
});

test('a thrown error of a client that nobody saw is judged by what it says', () => {
  const context = { server: 'shop', tool: 'refund' };
  assertOutcome(classifyThrown(forbidden(), context), {
    kind: 'call_failure',
    ok: false,
    category: 'access_denied',
    httpStatus: 403,
    delivery: 'answered',
  });
});
