/**
 * Every outcome belongs to its own call, however a client queues, batches, rewrites, repeats or replaces calls, and
 * nobody on the wire can tell that a call was wrapped.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallParams, ToolCaller, ToolOutcome } from '../src/index.ts';
import { withOutcomes } from '../src/index.ts';
import { connectOverHttp } from './support/http-peer.ts';
import {
  connectClient,
  connectInMemory,
  createClient,
  createMemoryPeer,
  type PeerCall,
  textResult,
} from './support/in-memory-peer.ts';

type CallToolArguments = Parameters<Client['callTool']>;
type CallToolAnswer = ReturnType<Client['callTool']>;

const quiet = { logger: false, server: 'peer' } as const;
/** A listing of the wrapper's own would take an id of the client, and the ids after it would differ from a bare client's. */
const withoutListing = { ...quiet, outputSchemas: 'off' } as const;
const clientInfo = { name: 'behaviour-tests', version: '1.0.0' };
/** One object for every call: what a caller that keeps its arguments around hands over. */
const sharedArguments = Object.freeze({ query: 'same for all' });

/** What an outcome says, in one line that a table can hold. */
function summary(outcome: ToolOutcome): string {
  switch (outcome.kind) {
    case 'success':
    case 'tool_error':
    case 'failure_body':
      return `${outcome.kind} ${JSON.stringify(outcome.result.content)} ${outcome.delivery}`;
    case 'call_failure':
      return `${outcome.reason} ${outcome.rpcCode ?? '-'} ${outcome.delivery}`;
    case 'schema_mismatch':
    case 'cancelled':
      return `${outcome.kind} ${outcome.delivery}`;
  }
}

function said(text: string, delivery = 'answered'): string {
  return `success [{"type":"text","text":"${text}"}] ${delivery}`;
}

/** A seeded generator (mulberry32): a failing order can be played again. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function callNumber(call: PeerCall): number {
  return Number(Reflect.get(Object(call.message.params?._meta), 'n'));
}

/** Answers by the number in `_meta`: failures among successes, so that a wrong pairing shows in the kind too. */
function answerByNumber(call: PeerCall): void {
  const n = callNumber(call);
  if (n % 11 === 0) {
    call.fail({ code: -32_000 - n, message: 'Connection closed' });
  } else {
    call.answer({ ...textResult(`answer ${n}`), ...(n % 7 === 0 && { isError: true }) });
  }
}

function expectedByNumber(n: number): string {
  if (n % 11 === 0) {
    return `protocol_error ${-32_000 - n} answered`;
  }
  return `${n % 7 === 0 ? 'tool_error' : 'success'} [{"type":"text","text":"answer ${n}"}] answered`;
}

describe('1,000 calls in flight, one arguments object, answers in random order', () => {
  for (const seed of [1, 42, 20_251_130]) {
    test(`seed ${seed}`, async () => {
      const { client, peer } = await connectInMemory();
      const caller = withOutcomes(client, quiet);
      const numbers = Array.from({ length: 1_000 }, (_, n) => n);
      const outcomes = numbers.map((n) =>
        caller.callTool({ name: 'search', arguments: sharedArguments, _meta: { n } }),
      );
      for (const call of shuffled(await peer.calls(1_000), seededRandom(seed))) answerByNumber(call);
      assert.deepEqual((await Promise.all(outcomes)).map(summary), numbers.map(expectedByNumber));
      await client.close();
    });
  }
});

/** Sends one call at a time, each in the async context of whoever started the queue. */
class QueueingClient extends Client {
  #last: Promise<unknown> = Promise.resolve();

  override callTool(...args: CallToolArguments): CallToolAnswer {
    const call = this.#last.then(() => super.callTool(...args));
    this.#last = call.catch(() => {});
    return call;
  }
}

/** Collects the calls of a tick and sends them in one go, last one first. */
class BatchingClient extends Client {
  #batch: (() => void)[] = [];

  override callTool(...args: CallToolArguments): CallToolAnswer {
    return new Promise((resolve, reject) => {
      if (this.#batch.length === 0) setImmediate(() => this.#flush());
      this.#batch.push(() => super.callTool(...args).then(resolve, reject));
    });
  }

  #flush(): void {
    for (const send of this.#batch.splice(0).reverse()) send();
  }
}

describe('two users of one client that does not send at once, one of them timing out', () => {
  test('queue: the second call is sent after the first timed out, and its answer is its own', async () => {
    const { client, peer } = await connectClient(new QueueingClient(clientInfo));
    const [first, second] = [withOutcomes(client, quiet), withOutcomes(client, quiet)];
    const params = { name: 'search', arguments: sharedArguments };
    const slow = first.callTool(params, { timeout: 60 });
    const quick = second.callTool(params);
    assert.equal(summary(await slow), 'timeout - unknown');
    const [sentFirst, sentSecond] = await peer.calls(2);
    // The late answer comes before the one that counts.
    sentFirst?.answer(textResult('for the first'));
    sentSecond?.answer(textResult('for the second'));
    assert.equal(summary(await quick), said('for the second'));
    await client.close();
  });

  test('batch: sent together from the first caller’s context, each gets its own answer', async () => {
    const { client, peer } = await connectClient(new BatchingClient(clientInfo));
    const [first, second] = [withOutcomes(client, quiet), withOutcomes(client, quiet)];
    const slow = first.callTool(
      { name: 'search', arguments: sharedArguments, _meta: { n: 1 } },
      { timeout: 60 },
    );
    const quick = second.callTool({ name: 'search', arguments: sharedArguments, _meta: { n: 2 } });
    const calls = await peer.calls(2);
    assert.deepEqual(calls.map(callNumber), [2, 1]);
    calls.find((call) => callNumber(call) === 2)?.answer(textResult('for the second'));
    assert.equal(summary(await quick), said('for the second'));
    assert.equal(summary(await slow), 'timeout - unknown');
    await client.close();
  });

  test('queue: a call that waits for its turn longer than its timeout is still right', async () => {
    const { client, peer } = await connectClient(new QueueingClient(clientInfo));
    const caller = withOutcomes(client, quiet);
    const slow = caller.callTool({ name: 'slow' }, { timeout: 150 });
    const waiting = caller.callTool({ name: 'waiting' }, { timeout: 50 });
    assert.equal(summary(await slow), 'timeout - unknown');
    (await peer.calls(2))[1]?.answer(textResult('after its turn'));
    assert.equal(summary(await waiting), said('after its turn'));
    await client.close();
  });

  test('queue: a caller who gives up before the turn comes never sent anything', async () => {
    const { client, peer } = await connectClient(new QueueingClient(clientInfo));
    const caller = withOutcomes(client, quiet);
    const aborting = new AbortController();
    const blocking = caller.callTool({ name: 'blocking' });
    const queued = caller.callTool({ name: 'queued' }, { signal: aborting.signal });
    const [call] = await peer.calls(1);
    aborting.abort();
    assert.equal(summary(await queued), 'cancelled not_sent');
    call?.answer(textResult('done'));
    assert.equal(summary(await blocking), said('done'));
    await client.close();
  });
});

describe('other users of the same client', () => {
  test('raw calls of the same tool with the same arguments object: neither sees the other’s answer', async () => {
    const { client, peer } = await connectInMemory();
    const caller = withOutcomes(client, quiet);
    const params = { name: 'search', arguments: sharedArguments };
    const rawBefore = client.callTool(params);
    const wrapped = caller.callTool(params);
    const rawAfter = assert.rejects(client.callTool(params), { code: 403 });
    const [before, own, after] = await peer.calls(3);
    after?.fail({ code: 403, message: 'not yours' });
    before?.answer({ ...textResult('raw'), isError: true });
    own?.answer(textResult('wrapped'));
    assert.equal(summary(await wrapped), said('wrapped'));
    assert.deepEqual(await rawBefore, { content: [{ type: 'text', text: 'raw' }], isError: true });
    await rawAfter;
    await client.close();
  });

  test('two wrappers on one client: own answers, one tap', async () => {
    const { client, peer } = await connectInMemory();
    const [one, two] = [withOutcomes(client, quiet), withOutcomes(client, quiet)];
    const params = { name: 'search', arguments: sharedArguments };
    const first = one.callTool(params);
    const tappedSend = client.transport?.send;
    const second = two.callTool(params);
    assert.equal(client.transport?.send, tappedSend, 'the second wrapper wraps nothing again');
    const [callOne, callTwo] = await peer.calls(2);
    callTwo?.answer(textResult('two'));
    callOne?.answer(textResult('one'));
    assert.deepEqual([summary(await first), summary(await second)], [said('one'), said('two')]);
    await client.close();
  });

  test('a wrapper of a wrapper’s client method keeps both right', async () => {
    const { client, peer } = await connectInMemory({
      onCall: (call) => call.answer(textResult(String(call.name))),
    });
    const inner = withOutcomes(client, quiet);
    const outer = withOutcomes({ callTool: (params: CallParams) => client.callTool(params) }, quiet);
    const [a, b] = await Promise.all([inner.callTool({ name: 'a' }), outer.callTool({ name: 'b' })]);
    assert.equal(summary(a), said('a'));
    // The outer client has no transport: what it resolved with is all there is.
    assert.equal(summary(b), said('b', 'unknown'));
    await peer.close();
  });
});

describe('a client that reconnects', () => {
  test('goes on with a new transport: ids of the old one mean nothing there', async () => {
    const { client, peer } = await connectInMemory();
    const caller = withOutcomes(client, quiet);
    const lost = caller.callTool({ name: 'lost' });
    await peer.calls(1);
    await client.close();
    assert.equal(summary(await lost), 'connection_closed - unknown');
    assert.equal(summary(await caller.callTool({ name: 'between' })), 'not_connected - not_sent');
    const next = createMemoryPeer();
    await client.connect(next.clientTransport);
    const found = caller.callTool({ name: 'found' });
    const [call] = await next.calls(1);
    peer.send({ jsonrpc: '2.0', id: call?.id, result: textResult('from the old peer') });
    call?.answer(textResult('from the new peer'));
    assert.equal(summary(await found), said('from the new peer'));
    await client.close();
  });

  /** A call that was made on one transport and goes out on the next. */
  const heldCall = async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { client } = await connectClient(
      overriding((callTool, args) => gate.then(() => callTool(...args))),
    );
    const outcome = withOutcomes(client, quiet).callTool({ name: 'held', arguments: sharedArguments });
    await client.close();
    const next = createMemoryPeer();
    await client.connect(next.clientTransport);
    open();
    const [call] = await next.calls(1);
    assert.ok(call);
    return { client, call, outcome };
  };

  test('while a call is held back: its answer on the new transport decides', async () => {
    const { client, call, outcome } = await heldCall();
    call.fail({ code: -32_001, message: 'Request timed out', data: { timeout: 60_000 } });
    assert.equal(summary(await outcome), 'protocol_error -32001 answered');
    await client.close();
  });

  test('while a call is held back: a peer in the same process sees no foreign key', async () => {
    const { client, call, outcome } = await heldCall();
    call.answer(textResult('held'));
    assert.match(summary(await outcome), /^success .*held/);
    assert.deepEqual(Reflect.ownKeys(call.message.params ?? {}), ['name', 'arguments']);
    await client.close();
  });
});

describe('answers and ids', () => {
  test('an id that comes back as a string answers the number, as it does for the SDK', async () => {
    const { client, peer } = await connectInMemory({
      onCall: ({ id }) => peer.send({ jsonrpc: '2.0', id: String(id), result: textResult('by string') }),
    });
    assert.equal(summary(await withOutcomes(client, quiet).callTool({ name: 'x' })), said('by string'));
    await client.close();
  });

  test('a late answer of call 1 never colours call 2', async () => {
    const { client, peer } = await connectInMemory();
    const caller = withOutcomes(client, quiet);
    const params = { name: 'search', arguments: sharedArguments };
    const first = caller.callTool(params, { timeout: 50 });
    assert.equal(summary(await first), 'timeout - unknown');
    const second = caller.callTool(params);
    const [lateCall, call] = await peer.calls(2);
    lateCall?.fail({ code: -32_603, message: 'late' });
    lateCall?.answer(textResult('late'));
    call?.answer(textResult('in time'));
    assert.equal(summary(await second), said('in time'));
    assert.equal(summary(await first), 'timeout - unknown', 'an outcome does not change after the fact');
    await client.close();
  });

  test('answers for ids that nobody asked for are ignored', async () => {
    const { client, peer } = await connectInMemory();
    const wanted = withOutcomes(client, quiet).callTool({ name: 'x' });
    const [call] = await peer.calls(1);
    for (const id of [1_000, `${call?.id}x`, -1, '']) {
      peer.send({ jsonrpc: '2.0', id, result: textResult('stray') });
    }
    call?.answer(textResult('mine'));
    assert.equal(summary(await wanted), said('mine'));
    await client.close();
  });
});

type CallTool = (...args: CallToolArguments) => CallToolAnswer;

/** A client whose `callTool` is an override written as one function over the original. */
function overriding(override: (callTool: CallTool, args: CallToolArguments) => CallToolAnswer): Client {
  class OverridingClient extends Client {
    override callTool(...args: CallToolArguments): CallToolAnswer {
      return override((...own) => super.callTool(...own), args);
    }
  }
  return new OverridingClient(clientInfo);
}

const rebuilding = (callTool: CallTool, [params, schema, options]: CallToolArguments): CallToolAnswer =>
  callTool({ name: params.name, ...(params.arguments && { arguments: params.arguments }) }, schema, options);

interface OverrideRow {
  readonly name: string;
  readonly reason: string;
  readonly override: (callTool: CallTool, args: CallToolArguments) => CallToolAnswer;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly answer: (call: PeerCall) => void;
  readonly expected: string;
}

const overrides: readonly OverrideRow[] = [
  {
    name: 'rebuilds params as { name, arguments }',
    reason: 'the symbol is gone: the request could be anybody’s, and its error the SDK’s own',
    override: rebuilding,
    arguments: sharedArguments,
    answer: (call) => call.fail({ code: -32_001, message: 'Request timed out' }),
    expected: 'protocol_error -32001 unknown',
  },
  {
    name: 'rebuilds params, and the call has no arguments',
    reason: 'nothing identifies the request, so its result is known only from what the client resolved',
    override: rebuilding,
    answer: (call) => call.answer({ ...textResult('failed'), isError: true }),
    expected: 'tool_error [{"type":"text","text":"failed"}] unknown',
  },
  {
    name: 'answers from a cache',
    reason: 'nothing was sent: what it resolved is judged, and nobody knows whether a server was involved',
    override: async () => ({ ...textResult('cached'), isError: true }),
    answer: () => assert.fail('nothing is sent'),
    expected: 'tool_error [{"type":"text","text":"cached"}] unknown',
  },
  {
    name: 'answers from a cache, a success',
    reason: 'negative neighbour',
    override: async () => textResult('cached'),
    answer: () => assert.fail('nothing is sent'),
    expected: said('cached', 'unknown'),
  },
  {
    name: 'replaces a failure by a success',
    reason: 'what the client resolved with is what its user gets',
    override: async (callTool, args) => {
      await callTool(...args);
      return textResult('replaced');
    },
    answer: (call) => call.answer({ ...textResult('original'), isError: true }),
    expected: said('replaced', 'unknown'),
  },
  {
    name: 'replaces a success by a failure',
    reason: 'the same the other way round',
    override: async (callTool, args) => ({ ...(await callTool(...args)), isError: true }),
    answer: (call) => call.answer(textResult('original')),
    expected: 'tool_error [{"type":"text","text":"original"}] unknown',
  },
  {
    name: 'takes content away',
    reason:
      'a filter took it out on purpose; only an empty `content` that the server left out is the SDK’s invention',
    override: async (callTool, args) => {
      await callTool(...args);
      return { content: [] };
    },
    answer: (call) => call.answer(textResult('a secret that the filter removed')),
    expected: 'success [] unknown',
  },
  {
    name: 'answers a JSON-RPC error with a result of its own',
    reason: 'a fallback: the client resolved',
    override: (callTool, args) => callTool(...args).catch(() => textResult('fallback')),
    answer: (call) => call.fail({ code: -32_603, message: 'broken' }),
    expected: said('fallback', 'unknown'),
  },
  {
    name: 'copies the result',
    reason: 'a copy of what came is what came',
    override: async (callTool, args) => structuredClone(await callTool(...args)),
    answer: (call) => call.answer(textResult('copied')),
    expected: said('copied'),
  },
  {
    name: 'throws after the answer',
    reason: 'an answer decides, even if the client then rejected',
    override: async (callTool, args) => {
      await callTool(...args);
      throw new Error('HTTP 403 not allowed');
    },
    answer: (call) => call.answer(textResult('arrived')),
    expected: said('arrived'),
  },
  {
    name: 'throws before it sends, and does not even return a promise',
    reason: 'nothing was sent',
    override: () => {
      throw new Error('refused here');
    },
    answer: () => assert.fail('nothing is sent'),
    expected: 'unknown_error - not_sent',
  },
];

describe('a subclass of the client that', () => {
  for (const row of overrides) {
    test(`${row.name}: ${row.reason}`, async () => {
      const { client } = await connectClient(overriding(row.override), { onCall: row.answer });
      const params = { name: 'tool', ...(row.arguments && { arguments: row.arguments }) };
      assert.equal(summary(await withOutcomes(client, quiet).callTool(params)), row.expected);
      await client.close();
    });
  }

  test('removes a member: the outcome holds what it resolved with, not what it took out', async () => {
    const { client } = await connectClient(
      overriding(async (callTool, args) => {
        const { structuredContent: _removed, ...kept } = await callTool(...args);
        return kept;
      }),
      { onCall: (call) => call.answer({ ...textResult('kept'), structuredContent: { secret: 's3cr3t' } }) },
    );
    const outcome = await withOutcomes(client, quiet).callTool({ name: 'tool' });
    assert.equal(outcome.kind, 'success');
    assert.deepEqual(outcome.kind === 'success' && outcome.result, {
      content: [{ type: 'text', text: 'kept' }],
    });
    await client.close();
  });
});

describe('an override that retries on its own: the last id decides', () => {
  const retrying = (): Client =>
    overriding((callTool, args) => callTool(...args).catch(() => callTool(...args)));

  const rows: readonly {
    readonly name: string;
    readonly reason: string;
    readonly answer: (first: PeerCall, second: PeerCall) => void;
    readonly expected: string;
  }[] = [
    {
      name: 'the second attempt succeeds',
      reason: 'the first error is history',
      answer: (_first, second) => second.answer(textResult('second')),
      expected: said('second'),
    },
    {
      name: 'the second attempt fails otherwise',
      reason: 'the raw code of the last answer',
      answer: (_first, second) => second.fail({ code: 2, message: 'second' }),
      expected: 'protocol_error 2 answered',
    },
    {
      name: 'the first id is answered again while the second waits',
      reason: 'an answer to an earlier id never decides',
      answer: (first, second) => {
        first.answer(textResult('first, late'));
        second.fail({ code: 3, message: 'second' });
      },
      expected: 'protocol_error 3 answered',
    },
    {
      name: 'only the first id is answered again',
      reason: 'nothing came for the last id',
      answer: (first) => first.answer(textResult('first, late')),
      expected: 'timeout - unknown',
    },
  ];
  for (const row of rows) {
    test(`${row.name}: ${row.reason}`, async () => {
      const { client, peer } = await connectClient(retrying());
      const pending = withOutcomes(client, quiet).callTool({ name: 'tool' }, { timeout: 100 });
      const [first] = await peer.calls(1);
      first?.fail({ code: 1, message: 'first' });
      const [, second] = await peer.calls(2);
      assert.ok(first && second);
      row.answer(first, second);
      assert.equal(summary(await pending), row.expected);
      await client.close();
    });
  }
});

/** Calls whose bytes must be those of the bare SDK. */
const wireRows: readonly { readonly name: string; readonly params: CallParams; readonly progress?: true }[] =
  [
    { name: 'no arguments', params: { name: 'plain' } },
    { name: 'empty arguments', params: { name: 'plain', arguments: {} } },
    {
      name: 'key order: arguments before name',
      params: { arguments: { z: 1, a: 2, 10: 'x', 2: 'y' }, name: 'order' },
    },
    {
      name: '_meta of the caller',
      params: { name: 'meta', _meta: { trace: 'abc', n: 1 }, arguments: { a: 1 } },
    },
    {
      name: '_meta with a progress token',
      params: { _meta: { trace: 'abc' }, name: 'progress' },
      progress: true,
    },
    { name: 'a progress token alone', params: { name: 'progress', arguments: {} }, progress: true },
    {
      name: 'unknown members',
      params: { name: 'extra', extra: [1, { deep: null }], arguments: { u: undefined } },
    },
    {
      name: 'unicode, escapes, a lone surrogate',
      params: { name: 'ünï 😀', arguments: { 'ключ "\\': 'a\u2028b\u0000c\ud800 €', html: '</script>' } },
    },
    {
      name: 'numbers and dates',
      params: { name: 'n', arguments: { n: -0, e: 1e21, nan: Number.NaN, d: new Date(0) } },
    },
    {
      name: 'a member named __proto__',
      params: JSON.parse('{"name":"p","arguments":{"__proto__":{"a":1}},"__proto__":2}'),
    },
    {
      name: 'a symbol of the caller',
      params: { name: 's', arguments: {}, [Symbol.for('the caller’s own')]: 1 },
    },
  ];

describe('no byte of a tools/call differs from the bare SDK’s', () => {
  const withProgress = (progress: true | undefined) => (progress ? { onprogress: () => {} } : {});

  const bodiesOf = async (call: (client: Client, row: (typeof wireRows)[number]) => Promise<unknown>) => {
    const connection = await connectOverHttp({ onCall: (received) => received.result(textResult('ok')) });
    for (const row of wireRows) await call(connection.client, row);
    await connection.close();
    return connection.peer.callBodies;
  };
  const bareCall = (client: Client, { params, progress }: (typeof wireRows)[number]): Promise<unknown> =>
    client.callTool(params, undefined, withProgress(progress));

  test('in a POST', async () => {
    const bare = await bodiesOf(bareCall);
    const wrapped = await bodiesOf((client, { params, progress }) =>
      withOutcomes(client, withoutListing).callTool(params, withProgress(progress)),
    );
    assert.equal(bare.length, wireRows.length);
    assert.deepEqual(wrapped, bare);
  });

  test('in a POST beside the wrapper’s own tools/list, which takes an id of the client', async () => {
    const withoutId = (body: string): string => body.replace(/"(id|progressToken)":\d+/g, '"$1":0');
    let caller: ToolCaller | undefined;
    const wrapped = await bodiesOf((client, { params, progress }) => {
      caller ??= withOutcomes(client, quiet);
      return caller.callTool(params, withProgress(progress));
    });
    assert.deepEqual(wrapped.map(withoutId), (await bodiesOf(bareCall)).map(withoutId));
  });

  /** Answers each call with the line that it got. */
  const echoLines = `
    let rest = '';
    const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    process.stdin.setEncoding('latin1').on('data', (chunk) => {
      const lines = (rest + chunk).split('\\n');
      rest = lines.pop();
      for (const line of lines) {
        const { id, method, params } = JSON.parse(line);
        if (method === 'tools/call') say(id, { content: [{ type: 'text', text: line }] });
        if (method === 'initialize') {
          say(id, { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'c', version: '1' } });
        }
      }
    });`;

  test('in a line of stdio', async () => {
    const lines = await Promise.all(
      [true, false].map(async (wrapped) => {
        const client = createClient();
        await client.connect(
          new StdioClientTransport({ command: process.execPath, args: ['-e', echoLines] }),
        );
        const caller = withOutcomes(client, withoutListing);
        const results: unknown[] = [];
        for (const { params, progress } of wireRows) {
          if (wrapped) {
            const outcome = await caller.callTool(params, withProgress(progress));
            results.push(outcome.kind === 'success' ? outcome.result.content : outcome);
          } else {
            results.push((await client.callTool(params, undefined, withProgress(progress))).content);
          }
        }
        await client.close();
        return results;
      }),
    );
    assert.equal(lines[1]?.length, wireRows.length);
    assert.deepEqual(lines[0], lines[1]);
  });

  for (const { name, params, progress } of wireRows) {
    test(`a peer in the same process sees no foreign key: ${name}`, async () => {
      const seen = await Promise.all(
        [true, false].map(async (wrapped) => {
          const { client, peer } = await connectInMemory({ onCall: (call) => call.answer(textResult('ok')) });
          if (wrapped) await withOutcomes(client, withoutListing).callTool(params, withProgress(progress));
          else await client.callTool(params, undefined, withProgress(progress));
          const [call] = await peer.calls(1);
          await client.close();
          return {
            keys: allKeys(call?.message),
            sameArguments: call?.message.params?.arguments === params.arguments,
          };
        }),
      );
      assert.deepEqual(seen[0], seen[1]);
    });
  }
});

/** The own keys of an object and of all objects in it, symbols included, in their order. */
function allKeys(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? Reflect.ownKeys(value).map((key) => [key, allKeys(Reflect.get(value, key))])
    : typeof value;
}
