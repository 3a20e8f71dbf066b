/**
 * The caller's own signal: what it stops is `cancelled`, whatever the reason and whenever it comes, unless an answer
 * was there first. Nothing stays behind on the signal, and the server hears of the abort once.
 */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { type ToolCaller, type ToolOutcome, withOutcomes } from '../src/index.ts';
import { connectClient, connectInMemory, type MemoryPeer, textResult } from './support/in-memory-peer.ts';

interface Stage {
  readonly client: Client;
  readonly peer: MemoryPeer;
  readonly caller: ToolCaller;
  /** Messages of the warnings so far. */
  readonly warnings: readonly string[];
}

async function stage(onCall?: (peer: MemoryPeer) => void): Promise<Stage> {
  const warnings: string[] = [];
  const { client, peer } = await connectInMemory({ onCall: () => onCall?.(peer) });
  const caller = withOutcomes(client, {
    server: 'peer',
    logger: { warn: (_record, message) => warnings.push(message) },
  });
  return { client, peer, caller, warnings };
}

function cancellations(peer: MemoryPeer): readonly unknown[] {
  return peer.received.flatMap(({ method, params }) =>
    method === 'notifications/cancelled' ? [params?.requestId] : [],
  );
}

const params = { name: 'search', arguments: { query: 'x' } };
const unprintable = {
  toString: () => {
    throw new Error('no words for it');
  },
};

const reasons: readonly { readonly name: string; readonly reason: unknown; readonly message: string }[] = [
  {
    name: 'an Error',
    reason: new Error('user pressed stop'),
    message: 'cancelled by the caller: user pressed stop',
  },
  { name: 'a string', reason: 'changed my mind', message: 'cancelled by the caller: changed my mind' },
  { name: 'null', reason: null, message: 'cancelled by the caller' },
  { name: 'zero', reason: 0, message: 'cancelled by the caller: 0' },
  { name: 'false', reason: false, message: 'cancelled by the caller: false' },
  {
    name: 'an McpError that says timeout',
    reason: new McpError(-32_001, 'Request timed out', { timeout: 60_000 }),
    message: 'cancelled by the caller: MCP error -32001: Request timed out',
  },
  {
    name: 'an error with an HTTP status and the name of a timeout',
    reason: Object.assign(new Error('HTTP 403'), { name: 'TimeoutError', status: 403, code: 403 }),
    message: 'cancelled by the caller: HTTP 403',
  },
  {
    name: 'an AbortError DOMException',
    reason: new DOMException('stopped', 'AbortError'),
    message: 'cancelled by the caller: stopped',
  },
  {
    name: 'an object whose toString throws',
    reason: unprintable,
    message: 'cancelled by the caller',
  },
];

function assertCancelled(outcome: ToolOutcome, reason: unknown, delivery: 'not_sent' | 'unknown'): void {
  assert.equal(outcome.kind, 'cancelled', outcome.message);
  assert.equal(outcome.kind === 'cancelled' && outcome.cause, reason);
  assert.equal(outcome.category, 'cancelled');
  assert.equal(outcome.ok, false);
  assert.equal(outcome.delivery, delivery);
  assert.ok(!Object.keys(outcome).includes('cause'), 'the reason is not enumerable');
}

describe('any reason', () => {
  for (const { name, reason, message } of reasons) {
    test(`${name}, before the call: nothing is sent`, async () => {
      const { caller, peer, client, warnings } = await stage();
      const outcome = await caller.callTool(params, { signal: AbortSignal.abort(reason) });
      assertCancelled(outcome, reason, 'not_sent');
      assert.equal(outcome.message, message);
      assert.deepEqual(warnings, []);
      assert.ok(!peer.received.some(({ method }) => method === 'tools/call'));
      await client.close();
    });

    test(`${name}, during the call: the server is told once`, async () => {
      const { caller, peer, client, warnings } = await stage();
      const aborting = new AbortController();
      const pending = caller.callTool(params, { signal: aborting.signal });
      const [call] = await peer.calls(1);
      aborting.abort(reason);
      assertCancelled(await pending, reason, 'unknown');
      assert.equal((await pending).message, message);
      assert.deepEqual(cancellations(peer), [call?.id]);
      assert.deepEqual(warnings, []);
      await client.close();
    });
  }

  test('undefined: the signal’s own default', async () => {
    const { caller, peer, client } = await stage();
    const aborting = new AbortController();
    const pending = caller.callTool(params, { signal: aborting.signal });
    await peer.calls(1);
    aborting.abort();
    assertCancelled(await pending, aborting.signal.reason, 'unknown');
    assert.equal((await pending).message, 'cancelled by the caller: This operation was aborted');
    await client.close();
  });
});

describe('a signal that timed out is a timeout, not a wish', () => {
  const isTimeout = (outcome: ToolOutcome, delivery: string): void => {
    assert.equal(outcome.kind, 'call_failure', outcome.message);
    assert.equal(outcome.kind === 'call_failure' && outcome.reason, 'timeout');
    assert.equal(outcome.category, 'transient_failure');
    assert.equal(outcome.delivery, delivery);
  };

  test('AbortSignal.timeout() during the call, logged', async () => {
    const { caller, peer, client, warnings } = await stage();
    const outcome = await caller.callTool(params, { signal: AbortSignal.timeout(50) });
    isTimeout(outcome, 'unknown');
    assert.deepEqual(warnings, ["MCP tool 'peer/search' failed: The operation was aborted due to timeout"]);
    assert.equal(cancellations(peer).length, 1);
    await client.close();
  });

  test('a timeout that passed before the call: nothing was sent', async () => {
    const { caller, peer, client, warnings } = await stage();
    const signal = AbortSignal.abort(
      new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
    );
    isTimeout(await caller.callTool(params, { signal }), 'not_sent');
    assert.equal(warnings.length, 1);
    assert.ok(!peer.received.some(({ method }) => method === 'tools/call'));
    await client.close();
  });

  test('a timeout that comes after the answer changes nothing', async () => {
    const { caller, client, warnings } = await stage(
      (peer) => void peer.calls(1).then(([c]) => c?.answer(textResult('ok'))),
    );
    const aborting = new AbortController();
    const outcome = await caller.callTool(params, { signal: aborting.signal });
    aborting.abort(new DOMException('late', 'TimeoutError'));
    assert.equal(outcome.kind, 'success');
    assert.deepEqual(warnings, []);
    await client.close();
  });
});

describe('racing the answer in one tick', () => {
  const answers: readonly {
    readonly name: string;
    readonly answer: (peer: MemoryPeer, id: number) => void;
    readonly kind: string;
  }[] = [
    {
      name: 'a result',
      answer: (peer, id) => peer.send({ jsonrpc: '2.0', id, result: textResult('ok') }),
      kind: 'success',
    },
    {
      name: 'a tool error',
      answer: (peer, id) => peer.send({ jsonrpc: '2.0', id, result: { ...textResult('no'), isError: true } }),
      kind: 'tool_error',
    },
    {
      name: 'a JSON-RPC error',
      answer: (peer, id) =>
        peer.send({ jsonrpc: '2.0', id, error: { code: -32_001, message: 'AbortError' } }),
      kind: 'call_failure',
    },
    {
      name: 'an input_required result, which does not beat the abort',
      answer: (peer, id) =>
        peer.send({ jsonrpc: '2.0', id, result: { resultType: 'input_required', content: [] } }),
      kind: 'cancelled',
    },
    {
      name: 'an answer that is none',
      answer: (peer, id) => peer.send({ jsonrpc: '2.0', id, result: 'text' }),
      kind: 'cancelled',
    },
    {
      name: 'an answer to another id',
      answer: (peer, id) => peer.send({ jsonrpc: '2.0', id: id + 1_000, result: textResult('stray') }),
      kind: 'cancelled',
    },
  ];
  for (const { name, answer, kind } of answers) {
    for (const order of ['answer, then abort', 'abort, then answer'] as const) {
      test(`${name}: ${order}`, async () => {
        const { caller, peer, client } = await stage();
        const aborting = new AbortController();
        const pending = caller.callTool(params, { signal: aborting.signal });
        const [call] = await peer.calls(1);
        const steps = [() => answer(peer, call?.id ?? 0), () => aborting.abort()];
        for (const step of order === 'answer, then abort' ? steps : steps.reverse()) step();
        const outcome = await pending;
        assert.equal(outcome.kind, kind, outcome.message);
        if (order === 'answer, then abort' && kind !== 'cancelled') {
          assert.deepEqual(cancellations(peer), [], 'nobody cancels what was answered');
        }
        await client.close();
      });
    }
  }
});

describe('after the call', () => {
  test('an abort of a finished call reaches nobody', async () => {
    const { caller, peer, client, warnings } = await stage();
    const aborting = new AbortController();
    const pending = caller.callTool(params, { signal: aborting.signal });
    (await peer.calls(1))[0]?.answer(textResult('done'));
    const outcome = await pending;
    aborting.abort('too late');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(outcome.kind, 'success');
    assert.deepEqual(cancellations(peer), []);
    assert.deepEqual(warnings, []);
    await client.close();
  });

  test('a failed call that the signal did not stop is not cancelled by an abort later in the same turn', async () => {
    const { caller, peer, client } = await stage();
    const aborting = new AbortController();
    const pending = caller.callTool(params, { signal: aborting.signal });
    await peer.calls(1);
    await client.close();
    const outcome = await pending;
    aborting.abort();
    assert.equal(outcome.kind === 'call_failure' && outcome.reason, 'connection_closed');
  });

  test('an abort stops its own call and no other', async () => {
    const { caller, peer, client } = await stage();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = caller.callTool(params, { signal: one.signal });
    const second = caller.callTool(params, { signal: two.signal });
    const third = caller.callTool(params);
    const calls = await peer.calls(3);
    one.abort('one');
    assertCancelled(await first, 'one', 'unknown');
    calls[1]?.answer(textResult('two'));
    calls[2]?.answer(textResult('three'));
    assert.equal((await second).kind, 'success');
    assert.equal((await third).kind, 'success');
    assert.deepEqual(cancellations(peer), [calls[0]?.id]);
    await client.close();
  });

  test('one abort stops every call of a shared signal', async () => {
    const { caller, peer, client } = await stage();
    const aborting = new AbortController();
    const pending = Array.from({ length: 5 }, () => caller.callTool(params, { signal: aborting.signal }));
    const calls = await peer.calls(5);
    aborting.abort('all');
    for (const outcome of await Promise.all(pending)) assertCancelled(outcome, 'all', 'unknown');
    assert.deepEqual(
      cancellations(peer),
      calls.map(({ id }) => id),
    );
    assert.equal(getEventListeners(aborting.signal, 'abort').length, 0);
    await client.close();
  });
});

describe('a client that ignores the signal', () => {
  class DeafClient extends Client {
    override callTool(...[called, schema]: Parameters<Client['callTool']>): ReturnType<Client['callTool']> {
      return super.callTool(called, schema);
    }
  }
  class StuckClient extends Client {
    override callTool(): ReturnType<Client['callTool']> {
      return new Promise(() => {});
    }
  }
  const info = { name: 'behaviour-tests', version: '1.0.0' };

  for (const [name, client, delivery] of [
    ['sends and waits on', new DeafClient(info), 'unknown'],
    ['never sends', new StuckClient(info), 'not_sent'],
  ] as const) {
    test(`${name}: the call is cancelled all the same`, async () => {
      await connectClient(client);
      const aborting = new AbortController();
      const pending = withOutcomes(client, { logger: false }).callTool(params, { signal: aborting.signal });
      aborting.abort('enough');
      assertCancelled(await pending, 'enough', delivery);
      await client.close();
    });
  }
});

describe('nothing stays on a long-lived signal', () => {
  test('10,000 calls in a row leave no listener', async () => {
    const { client } = await connectInMemory({ onCall: (call) => call.answer(textResult('ok')) });
    const caller = withOutcomes(client, { logger: false });
    const { signal } = new AbortController();
    for (let n = 0; n < 10_000; n += 1) {
      const outcome = await caller.callTool(params, { signal });
      if (!outcome.ok) assert.fail(outcome.message);
    }
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    await client.close();
  });

  test('50 calls at once on one signal print no MaxListenersExceededWarning and leave no listener', async () => {
    const warned: string[] = [];
    const onWarning = ({ name }: Error): void => void warned.push(name);
    process.on('warning', onWarning);
    const { caller, peer, client } = await stage();
    const { signal } = new AbortController();
    const pending = Array.from({ length: 50 }, () => caller.callTool(params, { signal }));
    for (const call of await peer.calls(50)) call.answer(textResult('ok'));
    await Promise.all(pending);
    // Warnings are emitted in the next tick.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    assert.deepEqual(warned, []);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    await client.close();
  });

  test('failed, timed-out and refused calls leave none either', async () => {
    const { caller, peer, client } = await stage();
    const { signal } = new AbortController();
    const failed = caller.callTool(params, { signal });
    (await peer.calls(1))[0]?.fail({ code: 1, message: 'no' });
    await failed;
    await caller.callTool(params, { signal, timeout: 30 });
    await Reflect.apply(caller.callTool, caller, [{ name: '' }, { signal }]);
    const closing = caller.callTool(params, { signal });
    await client.close();
    await closing;
    await caller.callTool(params, { signal });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});

describe('signals that are none', () => {
  const inert = { addEventListener: () => {}, removeEventListener: () => {} };
  const refuse = (): never => {
    throw new Error('no listeners here');
  };
  const fakes: readonly { readonly name: string; readonly signal: object; readonly kind: string }[] = [
    { name: 'one that never fires', signal: { ...inert, aborted: false }, kind: 'success' },
    { name: 'one that is aborted', signal: { ...inert, aborted: true, reason: 'fake' }, kind: 'cancelled' },
    {
      name: 'one that refuses to be listened to',
      signal: { ...inert, aborted: false, addEventListener: refuse },
      kind: 'call_failure',
    },
    {
      name: 'one that refuses to be left',
      signal: { ...inert, aborted: false, removeEventListener: refuse },
      kind: 'success',
    },
    {
      name: 'one whose reason cannot be read',
      signal: Object.defineProperty({ ...inert, aborted: true }, 'reason', { get: refuse }),
      kind: 'cancelled',
    },
    {
      name: 'one that cannot even be asked',
      signal: Object.defineProperty({ ...inert }, 'aborted', { get: refuse }),
      kind: 'call_failure',
    },
    {
      name: 'one that calls its listener at once, and says that it is not aborted',
      signal: {
        ...inert,
        aborted: false,
        addEventListener: (_type: string, listener: () => void) => listener(),
      },
      kind: 'success',
    },
  ];
  for (const { name, signal, kind } of fakes) {
    test(name, async () => {
      const { client } = await connectInMemory({ onCall: (call) => call.answer(textResult('ok')) });
      const caller = withOutcomes(client, { logger: false });
      const outcome = await Reflect.apply(caller.callTool, caller, [params, { signal }]);
      assert.equal(outcome.kind, kind, outcome.message);
      await client.close();
    });
  }
});
