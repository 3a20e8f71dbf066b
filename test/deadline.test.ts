/**
 * Every call settles in time, also when the client, the server or somebody's callback never does its part; and what
 * kept the time is gone afterwards.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type ToolOutcome, withOutcomes } from '../src/index.ts';
import { connectOverHttp } from './support/http-peer.ts';
import {
  connectClient,
  connectInMemory,
  createMemoryPeer,
  type MemoryPeer,
  textResult,
} from './support/in-memory-peer.ts';

const params = { name: 'slow', arguments: {} };
const quiet = { logger: false, server: 'peer' } as const;
const withoutListing = { ...quiet, outputSchemas: 'off' } as const;
const clientInfo = { name: 'behaviour-tests', version: '1.0.0' };
/** What the contract grants after a bound has passed, and a little for a busy machine. */
const graceMs = 1_000;
const busyMs = 600;

class StuckClient extends Client {
  override callTool(): ReturnType<Client['callTool']> {
    return new Promise(() => {});
  }
}

/** Sends calls without their options: the SDK's own timer then runs for a minute. */
class DeafClient extends Client {
  override callTool(...[called, schema]: Parameters<Client['callTool']>): ReturnType<Client['callTool']> {
    return super.callTool(called, schema);
  }
}

function assertFailure(outcome: ToolOutcome, reason: string, delivery: string): void {
  assert.equal(outcome.kind, 'call_failure', outcome.message);
  assert.equal(outcome.kind === 'call_failure' && outcome.reason, reason, outcome.message);
  assert.equal(outcome.category, 'transient_failure');
  assert.equal(outcome.delivery, delivery);
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

/** The outcome, and that it came no sooner and no later than it may. */
async function timed(pending: Promise<ToolOutcome>, fromMs: number, toMs: number): Promise<ToolOutcome> {
  const startedAt = performance.now();
  const outcome = await pending;
  const took = performance.now() - startedAt;
  assert.ok(took >= fromMs - 2, `settled after ${took} ms, too soon`);
  assert.ok(took <= toMs + busyMs, `settled after ${took} ms, too late`);
  return outcome;
}

describe('a client that never settles', { concurrency: true }, () => {
  test('never sends: bounded by maxTotalTimeout, and known not to have sent', async () => {
    const { client } = await connectClient(new StuckClient(clientInfo));
    const pending = withOutcomes(client, quiet).callTool(params, { timeout: 20, maxTotalTimeout: 50 });
    assertFailure(await timed(pending, 50, 50 + graceMs), 'timeout', 'not_sent');
    await client.close();
  });

  test('has no transport to look at: bounded by timeout', async () => {
    const client = { callTool: () => new Promise<unknown>(() => {}) };
    const pending = withOutcomes(client, quiet).callTool(params, { timeout: 50 });
    assertFailure(await timed(pending, 50, 50 + graceMs), 'timeout', 'unknown');
  });

  test('returns a thenable that never calls back', async () => {
    const thenable = Object.fromEntries([['then', () => {}]]);
    const client = { callTool: (): Promise<unknown> => JSON.parse('0', () => thenable) };
    const caller = withOutcomes(client, quiet);
    assertFailure(
      await timed(caller.callTool(params, { timeout: 50 }), 50, 50 + graceMs),
      'timeout',
      'unknown',
    );
  });

  test('and rejects later: nobody is bothered with it', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    let reject: (reason: unknown) => void = () => {};
    const client = {
      callTool: () =>
        new Promise<unknown>((_resolve, refuse) => {
          reject = refuse;
        }),
    };
    const outcome = await withOutcomes(client, quiet).callTool(params, { timeout: 20 });
    reject(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onUnhandled);
    assertFailure(outcome, 'timeout', 'unknown');
    assert.deepEqual(unhandled, []);
  });
});

describe('a connection that closes while somebody’s callback throws', () => {
  const boom = (): never => {
    throw new Error('the callback of a user');
  };

  test('the client’s onclose: pending calls end as connection_closed at once', async () => {
    const { client, peer } = await connectInMemory();
    client.onclose = boom;
    const caller = withOutcomes(client, quiet);
    const pending = Promise.all([caller.callTool(params), caller.callTool(params)]);
    await peer.calls(2);
    await peer.close();
    const [first, second] = await Promise.all([
      timed(
        pending.then(([outcome]) => outcome),
        0,
        100,
      ),
      timed(
        pending.then(([, outcome]) => outcome),
        0,
        100,
      ),
    ]);
    assertFailure(first, 'connection_closed', 'unknown');
    assertFailure(second, 'connection_closed', 'unknown');
    client.onclose = () => {};
  });

  test('the transport’s own onclose, set before connect', async () => {
    const peer = createMemoryPeer();
    peer.clientTransport.onclose = boom;
    const client = new Client(clientInfo);
    await client.connect(peer.clientTransport);
    const timersBefore = timers();
    const pending = withOutcomes(client, withoutListing).callTool(params, { timeout: 5_000 });
    await peer.calls(1);
    await peer.close();
    assertFailure(await timed(pending, 0, 100), 'connection_closed', 'unknown');
    assert.equal(timers(), timersBefore, 'settling ends the client’s own request too');
  });

  test('an answer that came before the close still counts', async () => {
    const { client, peer } = await connectInMemory();
    client.onclose = boom;
    const pending = withOutcomes(client, withoutListing).callTool(params);
    const [call] = await peer.calls(1);
    call?.answer(textResult('in time'));
    await peer.close();
    assert.equal((await pending).kind, 'success');
  });
});

describe('an answer that never comes', { concurrency: true }, () => {
  test('timeout: the client’s own timer, without our second', async () => {
    const { client, peer } = await connectInMemory();
    const pending = withOutcomes(client, quiet).callTool(params, { timeout: 80 });
    assertFailure(await timed(pending, 80, 80 + 300), 'timeout', 'unknown');
    assert.equal((await peer.arrived('notifications/cancelled', 1)).length, 1);
    await client.close();
  });

  test('timeout of the wrapper; the call’s own overrules it', async () => {
    const { client } = await connectInMemory();
    const caller = withOutcomes(client, { ...quiet, timeout: 60 });
    assertFailure(await timed(caller.callTool(params), 60, 60 + 300), 'timeout', 'unknown');
    assertFailure(
      await timed(caller.callTool(params, { timeout: 200 }), 200, 200 + 300),
      'timeout',
      'unknown',
    );
    await client.close();
  });

  test('maxTotalTimeout shorter than timeout: the call ends, and the server is told', async () => {
    const { client, peer } = await connectInMemory();
    const pending = withOutcomes(client, quiet).callTool(params, { timeout: 30_000, maxTotalTimeout: 80 });
    const [call] = await peer.calls(1);
    const outcome = await timed(pending, 80, 80 + graceMs);
    assertFailure(outcome, 'timeout', 'unknown');
    assert.equal(outcome.message, 'no answer within 80 ms');
    const [cancelled] = await peer.arrived('notifications/cancelled', 1);
    assert.equal(cancelled?.params?.requestId, call?.id);
    call?.answer(textResult('late'));
    await client.close();
  });

  test('maxTotalTimeout of the wrapper', async () => {
    const { client } = await connectInMemory();
    const caller = withOutcomes(client, { ...quiet, maxTotalTimeout: 60 });
    assertFailure(await timed(caller.callTool(params), 60, 60 + graceMs), 'timeout', 'unknown');
    await client.close();
  });

  test('maxTotalTimeout under steady progress', async () => {
    const { client, peer } = await connectInMemory();
    const pending = withOutcomes(client, quiet).callTool(params, {
      timeout: 100,
      maxTotalTimeout: 250,
      resetTimeoutOnProgress: true,
      onprogress: () => {},
    });
    const [call] = await peer.calls(1);
    let progress = 0;
    const working = setInterval(() => call?.progress(++progress), 30);
    assertFailure(await timed(pending, 250, 250 + graceMs), 'timeout', 'unknown');
    clearInterval(working);
    assert.ok(progress > 3, 'longer than one timeout');
    await client.close();
  });

  test('over HTTP, with the POST still open', async () => {
    const connection = await connectOverHttp({ onCall: () => {} });
    const caller = withOutcomes(connection.client, quiet);
    assertFailure(
      await timed(caller.callTool(params, { timeout: 100 }), 100, 100 + 400),
      'timeout',
      'unknown',
    );
    await connection.close();
  });
});

describe('progress and the two timers', () => {
  /** Lets everything that is due happen, without any time passing. */
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const rows: readonly {
    readonly name: string;
    readonly client: Client;
    readonly reset: boolean;
    readonly progressAt: number;
    readonly endsAt: number;
  }[] = [
    { name: 'the SDK’s, moved', client: new Client(clientInfo), reset: true, progressAt: 900, endsAt: 1_900 },
    {
      name: 'the SDK’s, not moved',
      client: new Client(clientInfo),
      reset: false,
      progressAt: 900,
      endsAt: 1_000,
    },
    {
      name: 'ours, moved',
      client: new DeafClient(clientInfo),
      reset: true,
      progressAt: 1_500,
      endsAt: 3_500,
    },
    {
      name: 'ours, not moved',
      client: new DeafClient(clientInfo),
      reset: false,
      progressAt: 1_500,
      endsAt: 2_000,
    },
  ];
  for (const { name, client, reset, progressAt, endsAt } of rows) {
    test(name, async (t) => {
      const { peer } = await connectClient(client);
      t.mock.timers.enable({ apis: ['setTimeout'] });
      let settled = false;
      const pending = withOutcomes(client, withoutListing)
        .callTool(params, { timeout: 1_000, resetTimeoutOnProgress: reset, onprogress: () => {} })
        .finally(() => {
          settled = true;
        });
      const [call] = await peer.calls(1);
      t.mock.timers.tick(progressAt);
      call?.progress(1);
      await turns();
      t.mock.timers.tick(endsAt - progressAt - 1);
      await turns();
      assert.equal(settled, false, 'one millisecond before');
      t.mock.timers.tick(1);
      assertFailure(await pending, 'timeout', 'unknown');
      await client.close();
    });
  }

  test('an answer between progress and the moved timer is a success', async (t) => {
    const { client, peer } = await connectInMemory();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const pending = withOutcomes(client, quiet).callTool(params, {
      timeout: 1_000,
      resetTimeoutOnProgress: true,
      onprogress: () => {},
    });
    const [call] = await peer.calls(1);
    t.mock.timers.tick(900);
    call?.progress(1);
    await turns();
    t.mock.timers.tick(900);
    call?.answer(textResult('done'));
    assert.equal((await pending).kind, 'success');
    await client.close();
  });
});

describe('the longest timeouts', () => {
  for (const timeout of [2_147_483_647, 2_147_483_648, 1e300, Number.POSITIVE_INFINITY]) {
    test(`${timeout} waits, and fires nothing at once`, async () => {
      const warned: string[] = [];
      const onWarning = ({ name }: Error): void => void warned.push(name);
      process.on('warning', onWarning);
      const { client, peer } = await connectInMemory();
      const caller = withOutcomes(client, quiet);
      const aborting = new AbortController();
      const answered = caller.callTool(params, { timeout });
      const stopped = caller.callTool(params, { timeout, maxTotalTimeout: timeout, signal: aborting.signal });
      const [call] = await peer.calls(2);
      // A timer that overflows fires within 1 ms.
      await new Promise((resolve) => setTimeout(resolve, 60));
      call?.answer(textResult('done'));
      aborting.abort();
      assert.equal((await answered).kind, 'success');
      assert.equal((await stopped).kind, 'cancelled');
      process.off('warning', onWarning);
      assert.deepEqual(warned, []);
      await client.close();
    });
  }
});

describe('timers are gone afterwards', () => {
  const answers: Readonly<Record<string, (peer: MemoryPeer) => Promise<void>>> = {
    'a success': async (peer) => (await peer.calls(1))[0]?.answer(textResult('ok')),
    'a tool error': async (peer) => (await peer.calls(1))[0]?.answer({ ...textResult('no'), isError: true }),
    'a JSON-RPC error': async (peer) => (await peer.calls(1))[0]?.fail({ code: 1, message: 'no' }),
    'a closed connection': async (peer) => {
      await peer.calls(1);
      await peer.close();
    },
  };
  for (const [name, answer] of Object.entries(answers)) {
    test(`after ${name}`, async () => {
      const { client, peer } = await connectInMemory();
      const before = timers();
      const pending = withOutcomes(client, quiet).callTool(params);
      await answer(peer);
      await pending;
      // The wrapper's own listing may be on its way.
      await peer.arrived('tools/list', name === 'a closed connection' ? 0 : 1);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(timers(), before);
      await client.close();
    });
  }

  /** Calls of every kind with the default timeout of a minute; it says so when it has closed its client. */
  const program = `
    import { withOutcomes, observeFetch } from './src/index.ts';
    import { connectInMemory, textResult } from './test/support/in-memory-peer.ts';
    import { connectOverHttp } from './test/support/http-peer.ts';
    const kinds = new Set();
    const options = { logger: false };
    const answers = {
      ok: textResult('ok'),
      fail: { ...textResult('no'), isError: true },
      body: { content: [], structuredContent: { success: false, error: 'no' } },
      bad: { content: 'text' },
    };
    const answer = (call) => {
      if (call.name === 'rpc') call.fail({ code: 1, message: 'no' });
      else if (answers[call.name]) (call.answer ?? call.result)(answers[call.name]);
    };
    const play = async (caller) => {
      const aborting = new AbortController();
      const calls = [
        ...['ok', 'fail', 'body', 'bad', 'rpc', ''].map((name) => caller.callTool({ name })),
        caller.callTool({ name: 'hang' }, { timeout: 50 }),
        caller.callTool({ name: 'hang' }, { maxTotalTimeout: 50 }),
        caller.callTool({ name: 'hang' }, { signal: aborting.signal }),
        caller.callTool({ name: 'hang' }, { signal: AbortSignal.timeout(50) }),
      ];
      setTimeout(() => aborting.abort(), 20);
      for (const outcome of await Promise.all(calls)) kinds.add(outcome.kind);
      return { pending: caller.callTool({ name: 'hang' }) };
    };
    const memory = await connectInMemory({ onCall: answer });
    const http = await connectOverHttp({ onCall: answer }, { fetch: observeFetch() });
    const stuck = withOutcomes({ callTool: () => new Promise(() => {}) }, options);
    const [inMemory, overHttp] = await Promise.all([
      play(withOutcomes(memory.client, options)),
      play(withOutcomes(http.client, options)),
      stuck.callTool({ name: 'hang' }, { timeout: 20 }),
    ]);
    await memory.client.close();
    await http.close();
    await Promise.all([inMemory.pending, overHttp.pending]);
    process.stdout.write('closed ' + [...kinds].sort().join(' '));
  `;

  test('a program that made calls of every kind exits by itself once its clients are closed', async () => {
    const child = spawn(
      process.execPath,
      ['--conditions=mcp-outcome-source', '--import', 'tsx', '--input-type=module', '-e', program],
      { cwd: new URL('..', import.meta.url), stdio: ['ignore', 'pipe', 'pipe'], timeout: 20_000 },
    );
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const [said] = await once(child.stdout.setEncoding('utf8'), 'data');
    const closedAt = performance.now();
    const [code, signal] = await once(child, 'exit');
    assert.equal(said, 'closed call_failure cancelled failure_body schema_mismatch success tool_error');
    assert.deepEqual({ code, signal, errors }, { code: 0, signal: null, errors: '' });
    assert.ok(performance.now() - closedAt < 2_000, 'no timer held it');
  });
});
