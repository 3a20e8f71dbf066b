/**
 * Clients of SDK v2 against real servers of SDK v2, in both protocol eras: what v2 alone does (input rounds, mirrored
 * headers, output schemas that it compiles before it sends) must not change what an outcome says.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  type CallToolRequestOptions,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type ToolCaller, withOutcomes } from '../src/index.ts';
import { signal } from './support/fault-script.ts';
import { startHttpPeer } from './support/http-peer.ts';
import { assertOutcome, type RightOutcome, success, toolError, transient } from './support/right-outcome.ts';
import {
  connectV2,
  createV2Client,
  type Era,
  eras,
  type Intercept,
  startV2Server,
} from './support/v2-server.ts';

const quiet = { server: 'v2', logger: false } as const;

async function connect(t: TestContext, era: Era, intercept?: Intercept, options?: ClientOptions) {
  const server = await startV2Server(t, intercept);
  const client = await connectV2(t, server.url, createV2Client(era, options));
  return { server, client, caller: withOutcomes(client, quiet) };
}

interface Row {
  readonly name: string;
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly right: Readonly<Record<Era, RightOutcome>>;
}

function inBoth(right: RightOutcome): Row['right'] {
  return { '2025-11-25': right, '2026-07-28': right };
}

const rows: readonly Row[] = [
  { name: 'a result', tool: 'greet', args: { name: 'Ada' }, right: inBoth(success) },
  { name: 'isError', tool: 'fail', right: inBoth({ ...toolError, message: 'No such link' }) },
  { name: 'a tool that throws', tool: 'throw', right: inBoth({ ...toolError, message: 'the tool threw' }) },
  { name: 'arguments that the tool refuses', tool: 'greet', args: { name: 5 }, right: inBoth(toolError) },
  {
    name: 'structured content',
    tool: 'measure',
    right: inBoth({ ...success, value: { total: 3 }, warnings: [] }),
  },
  {
    name: 'structured content that is no object',
    tool: 'list',
    right: {
      // To clients of this era the server hands it out in an object.
      '2025-11-25': { ...success, value: { result: [1, 2] }, warnings: [] },
      '2026-07-28': { ...success, value: [1, 2], warnings: [] },
    },
  },
  {
    name: 'a tool that does not exist',
    tool: 'nope',
    right: inBoth({ ...transient, reason: 'protocol_error', rpcCode: -32_602, delivery: 'answered' }),
  },
];

async function callAll(caller: ToolCaller, era: Era): Promise<void> {
  for (const { name, tool, args = {}, right } of rows) {
    const outcome = await caller.callTool({ name: tool, arguments: args });
    try {
      assertOutcome(outcome, right[era]);
    } catch (cause) {
      throw new Error(`${name}, ${era}`, { cause });
    }
  }
}

/** The tools of `support/v2-server.ts` on the standard streams of a child. */
const stdioServer = {
  command: process.execPath,
  args: ['--import', 'tsx', new URL('support/v2-stdio-server.ts', import.meta.url).pathname],
};

describe('a real server', () => {
  for (const era of eras) {
    test(`over HTTP, ${era}`, async (t) => {
      const { client, caller } = await connect(t, era);
      assert.equal(client.getNegotiatedProtocolVersion(), era);
      await callAll(caller, era);
      assert.equal(caller.server, 'v2');
    });

    test(`over stdio, ${era}`, async (t) => {
      const client = createV2Client(era);
      await client.connect(new StdioClientTransport(stdioServer));
      t.after(() => client.close());
      await callAll(withOutcomes(client, quiet), era);
    });
  }

  test('the name of the server comes from its own handshake', async (t) => {
    const { client } = await connect(t, '2026-07-28');
    assert.equal(withOutcomes(client, { logger: false }).server, 'v2-tools');
  });

  test('a client that lets the server choose the era', async (t) => {
    const server = await startV2Server(t);
    const client = await connectV2(
      t,
      server.url,
      createV2Client('2025-11-25', { versionNegotiation: { mode: 'auto' } }),
    );
    assert.equal(client.getProtocolEra(), 'modern');
    await callAll(withOutcomes(client, quiet), '2026-07-28');
  });

  test('a client that connects anew: its new transport is watched too, after SDK v2 has negotiated on it', async (t) => {
    const { server, client, caller } = await connect(t, '2026-07-28');
    await callAll(caller, '2026-07-28');
    await client.close();
    await client.connect(new StreamableHTTPClientTransport(server.url));
    await callAll(caller, '2026-07-28');
  });
});

/** The outcome of `deploy`, which asks a person before it does anything. */
interface Round {
  readonly name: string;
  readonly right: RightOutcome;
  /** What becomes of the second request, the one that carries the person's answer. */
  readonly second?: number | 'never';
  /** How long the person thinks; for ever when `undefined`. */
  readonly thinksMs?: number;
  readonly options?: CallToolRequestOptions;
  readonly abort?: 'while the person thinks' | 'during the second request';
  readonly sent: number;
}

const timeout = 600;
/** Longer than `timeout` and the second that the wrapper gives the client. */
const longThought = 1_900;

const rounds: readonly Round[] = [
  { name: 'a success', right: success, thinksMs: 0, sent: 2 },
  {
    name: 'a success after a person thought for longer than `timeout`',
    right: success,
    thinksMs: longThought,
    options: { timeout },
    sent: 2,
  },
  {
    name: 'a timeout',
    right: { ...transient, reason: 'timeout', delivery: 'unknown' },
    thinksMs: 0,
    second: 'never',
    options: { timeout },
    sent: 2,
  },
  {
    name: 'a 503',
    right: { ...transient, reason: 'http_error', httpStatus: 503, delivery: 'unknown' },
    thinksMs: 0,
    second: 503,
    sent: 2,
  },
  {
    name: 'an abort of the second request',
    right: { kind: 'cancelled', delivery: 'unknown' },
    thinksMs: 0,
    second: 'never',
    abort: 'during the second request',
    sent: 2,
  },
  {
    name: 'an abort while the person thinks',
    right: { kind: 'cancelled', delivery: 'unknown' },
    abort: 'while the person thinks',
    sent: 1,
  },
  {
    name: 'nothing: the handler never answers, and the total ends it',
    right: { ...transient, reason: 'input_required', delivery: 'answered' },
    options: { maxTotalTimeout: 300 },
    sent: 1,
  },
];

describe('a round of input, then', { concurrency: true }, () => {
  for (const round of rounds) {
    test(round.name, async (t) => {
      const aborting = new AbortController();
      const asked = signal();
      const secondSent = signal();
      let sent = 0;
      const { server, client, caller } = await connect(
        t,
        '2026-07-28',
        ({ body }) => {
          if (body.method !== 'tools/call') return undefined;
          sent += 1;
          if (sent === 2) secondSent.fire();
          return sent === 2 ? round.second : undefined;
        },
        { capabilities: { elicitation: {} } },
      );
      client.setRequestHandler('elicitation/create', async () => {
        asked.fire();
        await new Promise((resolve) => {
          if (round.thinksMs !== undefined) setTimeout(resolve, round.thinksMs);
        });
        return { action: 'accept', content: { confirm: true } };
      });

      const pending = caller.callTool(
        { name: 'deploy', arguments: {} },
        { ...round.options, signal: aborting.signal },
      );
      if (round.abort !== undefined) {
        await (round.abort === 'while the person thinks' ? asked.promise : secondSent.promise);
        aborting.abort();
      }
      assertOutcome(await pending, round.right);
      assert.equal(server.calls.length, round.sent);
      assert.equal(
        new Set(server.calls.map(({ body }) => body.id)).size,
        round.sent,
        'each has an id of its own',
      );
    });
  }
});

test('a round of input whose handler fails: the outcome has its error', async (t) => {
  const { client, caller } = await connect(t, '2026-07-28', undefined, { capabilities: { elicitation: {} } });
  const closed = new Error('the dialog was closed');
  client.setRequestHandler('elicitation/create', () => Promise.reject(closed));
  const outcome = await caller.callTool({ name: 'deploy', arguments: {} });
  assertOutcome(outcome, { ...transient, reason: 'input_required', delivery: 'answered' });
  assert.match(outcome.message, /: the dialog was closed$/);
});

describe('the headers that SDK v2 takes from the arguments', () => {
  const call = { name: 'route', arguments: { region: 'eu-1' } };

  /** Without what belongs to one request alone. */
  function mirrored(headers: Readonly<Record<string, string>> | undefined) {
    return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => name.startsWith('mcp-')));
  }

  test('are the same with and without the wrapper', async (t) => {
    const { server, client, caller } = await connect(t, '2026-07-28');
    await client.listTools();
    await client.callTool(call);
    assertOutcome(await caller.callTool(call), success);
    // Once more, now that the wrapper has its list.
    assertOutcome(await caller.callTool(call), success);
    const [bare, first, second] = server.calls.map(({ headers }) => mirrored(headers));
    assert.equal(bare?.['mcp-param-region'], 'eu-1');
    assert.deepEqual([first, second], [bare, bare]);
  });

  test('are found by the client itself when the server misses them: the last id decides', async (t) => {
    const { server, caller } = await connect(t, '2026-07-28');
    assertOutcome(await caller.callTool(call), success);
    assert.deepEqual(
      server.calls.map(({ headers }) => headers['mcp-param-region']),
      [undefined, 'eu-1'],
    );
  });

  test('and an abort while it looks for them is no second call', async (t) => {
    const listing = signal();
    const { server, client } = await connect(t, '2026-07-28', ({ body }) => {
      if (body.method !== 'tools/list') return undefined;
      listing.fire();
      return 'never';
    });
    const caller = withOutcomes(client, { ...quiet, outputSchemas: 'off' });
    const aborting = new AbortController();
    const pending = caller.callTool(call, { signal: aborting.signal });
    await listing.promise;
    aborting.abort();
    assertOutcome(await pending, { reason: 'protocol_error', rpcCode: -32_020, delivery: 'answered' });
    assert.equal(server.calls.length, 1);
  });
});

describe('authorization that fails with a status of another server', () => {
  const rows: readonly { readonly name: string; readonly fails: boolean; readonly right: RightOutcome }[] = [
    {
      name: 'before the POST: nobody answered for the session',
      fails: true,
      right: { kind: 'call_failure', httpStatus: 404, delivery: 'unknown', sessionExpired: undefined },
    },
    {
      name: 'the POST itself: the session is over',
      fails: false,
      right: { kind: 'call_failure', httpStatus: 404, delivery: 'answered', sessionExpired: true },
    },
  ];
  for (const { name, fails, right } of rows) {
    test(name, async (t) => {
      const peer = await startHttpPeer({ sessionId: 's1', onCall: ({ reply }) => reply(404, {}, '') });
      let connected = false;
      const token = async (): Promise<string> => {
        if (connected && fails)
          throw Object.assign(new Error('no such tenant'), { response: { status: 404 } });
        return 'token';
      };
      const client = createV2Client('2025-11-25');
      await client.connect(new StreamableHTTPClientTransport(peer.url, { authProvider: { token } }));
      t.after(async () => {
        await client.close();
        await peer.close();
      });
      connected = true;
      assertOutcome(await withOutcomes(client, quiet).callTool({ name: 'any' }), right);
    });
  }
});

test('a body that could not be read adds nothing', async (t) => {
  const peer = await startHttpPeer({
    onCall: ({ response }) => {
      response.writeHead(403, { 'content-length': '500' }).write('{"a"', () => response.destroy());
    },
  });
  const client = await connectV2(t, peer.url, createV2Client('2025-11-25'));
  t.after(() => peer.close());
  const outcome = await withOutcomes(client, quiet).callTool({ name: 'any' });
  assertOutcome(outcome, { kind: 'call_failure', httpStatus: 403, message: 'HTTP 403' });
});
