/**
 * The wrapper's own list of tools: asked for beside the first call, never in its way, and read on the wire. What it
 * knows shows in the verdict: `breaks` is a success for those who do not know the schema.
 */
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  createRedactor,
  OptionsError,
  type OutcomeOptions,
  type ToolOutcome,
  withOutcomes,
} from '../src/index.ts';
import { createClient } from './support/in-memory-peer.ts';
import { startRotatingTokenServer } from './support/rotating-token-server.ts';
import { idle, isSettled, stopClock } from './support/stopped-clock.ts';
import {
  connectToTools,
  createToolServer,
  inPages,
  type OpenRequest,
  type ToolServerOptions,
  withResults,
} from './support/tool-server.ts';

const quiet = { logger: false, server: 'shop' } as const;
const call = { name: 'count', arguments: {} };

function schemaOf(type: string): object {
  return { type: 'object', properties: { total: { type } }, required: ['total'] };
}

function toolWith(name: string, members: object = { outputSchema: schemaOf('number') }): object {
  return { name, inputSchema: { type: 'object' }, ...members };
}

const countTool = toolWith('count');
const fits = { content: [], structuredContent: { total: 3 } };
const breaks = { content: [], structuredContent: { total: 'three' } };
const failed = { content: [{ type: 'text', text: 'no' }], isError: true };
const results = { count: breaks, fitting: fits, failing: failed };

/** The outcome in a word or three. */
function verdict(outcome: ToolOutcome): string {
  switch (outcome.kind) {
    case 'success':
      return ['success', ...outcome.warnings.map(({ code }) => code)].join(' ');
    case 'schema_mismatch':
      return `schema_mismatch ${outcome.schema}`;
    case 'call_failure':
      return `call_failure ${outcome.reason}`;
    case 'tool_error':
    case 'failure_body':
    case 'cancelled':
      return outcome.kind;
  }
}

const mismatch = 'schema_mismatch output_schema';
const unchecked = 'success output_schema_unchecked';
const unusable = 'success output_schema_unusable';

interface Setup extends ToolServerOptions {
  readonly options?: OutcomeOptions;
  readonly client?: Client;
}

/** A connected caller whose tools answer with `results` unless the test says otherwise. */
async function connect(t: TestContext, setup: Setup) {
  const { options = quiet, client: own, ...serverOptions } = setup;
  const connection = await connectToTools({ onCall: withResults(results), ...serverOptions }, own);
  t.after(() => connection.client.close());
  return { ...connection, caller: withOutcomes(connection.client, options) };
}

describe('the listing', () => {
  test('every page counts: SDK v1 would have forgotten all but the last', async (t) => {
    const names = ['count', 'second', 'third'];
    const onList = inPages(...names.map((name) => [toolWith(name)]));
    const all = Object.fromEntries(names.map((name) => [name, breaks]));
    const { caller, server } = await connect(t, { onList, onCall: withResults(all) });
    for (const name of names) {
      assert.equal(verdict(await caller.callTool({ name })), mismatch, name);
    }
    assert.deepEqual(server.cursors, [undefined, '1', '2']);
  });

  test("is a request of its own: the SDK's validation stays as it was", async (t) => {
    let listToolsCalls = 0;
    class CountingClient extends Client {
      override listTools(...args: Parameters<Client['listTools']>): ReturnType<Client['listTools']> {
        listToolsCalls += 1;
        return super.listTools(...args);
      }
    }
    const own = new CountingClient({ name: 'catalog-tests', version: '1.0.0' });
    const { client, caller } = await connect(t, { onList: inPages([countTool]), client: own });
    assert.equal(verdict(await caller.callTool(call)), mismatch);
    assert.equal(listToolsCalls, 0);
    assert.deepEqual(await client.callTool(call), breaks);
    // The neighbour: once the user lists, the SDK validates, and the verdict stays.
    await client.listTools();
    await assert.rejects(client.callTool(call), { code: -32602 });
    const outcome = await caller.callTool(call);
    assert.equal(verdict(outcome), mismatch);
    assert.deepEqual('result' in outcome && outcome.result, breaks);
  });

  test('goes out after the first call, and once', async (t) => {
    const { caller, server } = await connect(t, { onList: inPages([countTool]) });
    await caller.callTool(call);
    await caller.callTool(call);
    await caller.callTool({ name: 'failing' });
    assert.deepEqual(
      server.methods.filter((method) => method.startsWith('tools/')),
      ['tools/call', 'tools/list', 'tools/call', 'tools/call'],
    );
  });

  test('goes out after the first call also when the client sends it late', async (t) => {
    class QueueingClient extends Client {
      override async callTool(...args: Parameters<Client['callTool']>): ReturnType<Client['callTool']> {
        await idle();
        return super.callTool(...args);
      }
    }
    const own = new QueueingClient({ name: 'catalog-tests', version: '1.0.0' });
    const { caller, server } = await connect(t, { onList: inPages([countTool]), client: own });
    await caller.callTool(call);
    await server.arrived('tools/list', 1);
    assert.deepEqual(
      server.methods.filter((method) => method.startsWith('tools/')),
      ['tools/call', 'tools/list'],
    );
  });

  test('100 first calls at once share one', async (t) => {
    const { caller, server } = await connect(t, {});
    const pending = Array.from({ length: 100 }, () => caller.callTool(call));
    const [list] = await server.arrived('tools/list', 1);
    await idle();
    list?.answer({ tools: [countTool] });
    const verdicts = (await Promise.all(pending)).map(verdict);
    assert.deepEqual(verdicts, new Array(100).fill(mismatch));
    assert.equal(server.cursors.length, 1);
  });

  test('is not asked for by a call that never leaves', async (t) => {
    const { caller, server } = await connect(t, { onList: inPages([countTool]) });
    assert.equal(verdict(await caller.callTool({ name: '' })), 'call_failure invalid_arguments');
    assert.equal(verdict(await caller.callTool(call, { signal: AbortSignal.abort() })), 'cancelled');
    await idle();
    assert.deepEqual(server.cursors, []);
  });

  // Two requests that are refused at once renew the token twice, and SDK v1 then fails one of them for it.
  for (const outputSchemas of ['off', 'auto'] as const) {
    test(`costs no call its token: ${outputSchemas}`, async (t) => {
      const server = await startRotatingTokenServer([countTool]);
      const client = createClient();
      await client.connect(server.clientTransport);
      t.after(async () => {
        await client.close();
        await server.close();
      });
      server.expire();
      const caller = withOutcomes(client, { ...quiet, outputSchemas });
      const outcome = await caller.callTool({ name: 'other' });
      assert.equal(outcome.kind, 'success', outcome.message);
      await caller.callTool({ name: 'other' });
      assert.deepEqual([server.refreshes, server.redirects], [1, 0]);
    });
  }

  test('a client without a transport has none, and nothing is amiss', async () => {
    const caller = withOutcomes({ callTool: async () => breaks }, quiet);
    assert.equal(verdict(await caller.callTool(call)), 'success');
  });
});

describe('a list that changes', () => {
  test('is listed again before the next verdict, and the own handler of the user is still told', async (t) => {
    let type = 'number';
    const onList = (list: OpenRequest): void =>
      inPages([toolWith('count', { outputSchema: schemaOf(type) })])(list);
    const { client, caller, server } = await connect(t, { onList });
    let told = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      told += 1;
    });
    assert.equal(verdict(await caller.callTool(call)), mismatch);
    type = 'string';
    assert.equal(verdict(await caller.callTool(call)), mismatch);
    server.changeTools();
    assert.equal(verdict(await caller.callTool(call)), 'success');
    assert.equal(verdict(await caller.callTool(call)), 'success');
    assert.equal(told, 1);
    assert.equal(server.cursors.length, 2);
  });

  test('gives a schema that has used up its time no new time, whatever the new one says', async (t) => {
    // Two branches through one reference, 24 levels deep.
    const levels = Object.fromEntries(
      Array.from({ length: 24 }, (_, level) => {
        const $ref = `#/$defs/l${level + 1}`;
        return [
          `l${level}`,
          {
            anyOf: [
              { $ref, type: 'object' },
              { $ref, type: 'array' },
            ],
          },
        ];
      }),
    );
    const hostile = { $ref: '#/$defs/l0', $defs: { ...levels, l24: { anyOf: [false, false] } } };
    let tools = [toolWith('count', { outputSchema: hostile })];
    const onList = (list: OpenRequest): void => inPages(tools)(list);
    const { caller, server } = await connect(t, { onList });
    assert.equal(verdict(await caller.callTool(call)), unusable);
    tools = [toolWith('count', { outputSchema: schemaOf('number') })];
    server.changeTools();
    const outcome = await caller.callTool(call);
    assert.equal(verdict(outcome), unusable);
    assert.ok(outcome.ok && outcome.warnings[0]?.reason.includes('took too long'));
    // Nor does a tool that was gone in between.
    tools = [];
    server.changeTools();
    assert.equal(verdict(await caller.callTool(call)), 'success');
    tools = [toolWith('count', { outputSchema: hostile })];
    server.changeTools();
    const back = await caller.callTool(call);
    assert.equal(verdict(back), unusable);
    assert.ok(back.durationMs < 100, String(back.durationMs));
    assert.equal(server.cursors.length, 4);
  });

  test('while a call is out: its verdict is by the new list', async (t) => {
    let type = 'number';
    const onList = (list: OpenRequest): void =>
      inPages([toolWith('count', { outputSchema: schemaOf(type) })])(list);
    for (const [newType, right] of [
      ['string', 'success'],
      ['boolean', mismatch],
    ] as const) {
      type = 'number';
      const { caller, server } = await connect(t, { onList, onCall: () => {} });
      const pending = caller.callTool(call);
      await server.arrived('tools/list', 1);
      await idle();
      // A tool that brings or drops tools says so before it answers.
      type = newType;
      server.changeTools();
      const [open] = await server.arrived('tools/call', 1);
      open?.answer(breaks);
      assert.equal(verdict(await pending), right, newType);
    }
  });

  test('while it is being listed: what was read counts for nothing, and one listing is open at a time', async (t) => {
    const { caller, server } = await connect(t, {});
    const first = caller.callTool(call);
    const [stale] = await server.arrived('tools/list', 1);
    server.changeTools();
    const second = caller.callTool(call);
    await idle();
    stale?.answer({ tools: [toolWith('count', { outputSchema: schemaOf('string') })] });
    const [, fresh] = await server.arrived('tools/list', 2);
    fresh?.answer({ tools: [countTool] });
    assert.deepEqual([verdict(await first), verdict(await second)], [mismatch, mismatch]);
    assert.equal(server.mostListings, 1);
  });

  test('again and again, before anything is listed: still one listing at a time', async (t) => {
    const clock = stopClock(t);
    const { caller, server } = await connect(t, {});
    const pending: Promise<ToolOutcome>[] = [];
    for (let round = 0; round < 10; round += 1) {
      pending.push(caller.callTool(call));
      await idle();
      server.changeTools();
    }
    clock.advance(2_000);
    await Promise.all(pending);
    assert.equal(server.mostListings, 1);
  });

  test('a new transport has a list of its own', async (t) => {
    const { client, caller } = await connect(t, { onList: inPages([countTool]) });
    assert.equal(verdict(await caller.callTool(call)), mismatch);
    await client.close();
    const onList = inPages([toolWith('count', { outputSchema: schemaOf('string') })]);
    const other = createToolServer({ onList, onCall: withResults(results) });
    await client.connect(other.clientTransport);
    assert.equal(verdict(await caller.callTool(call)), 'success');
    assert.equal(other.cursors.length, 1);
  });
});

interface FailingList {
  readonly name: string;
  readonly onList: (list: OpenRequest) => void;
}

const failingLists: readonly FailingList[] = [
  {
    name: 'is answered with an error',
    onList: ({ fail }) => fail({ code: -32601, message: 'Method not found' }),
  },
  { name: 'has no tools', onList: ({ answer }) => answer({}) },
  { name: 'has tools that are no array', onList: ({ answer }) => answer({ tools: { count: countTool } }) },
  {
    name: 'fails on its second page',
    onList: ({ cursor, answer, fail }) =>
      cursor === undefined
        ? answer({ tools: [countTool], nextCursor: 'more' })
        : fail({ code: -32602, message: 'Invalid cursor' }),
  },
];

describe('a listing that fails', () => {
  for (const { name, onList } of failingLists) {
    test(`${name}: calls are judged without it`, async (t) => {
      const warnings: object[] = [];
      const options = { server: 'shop', logger: { warn: (record: object) => warnings.push(record) } };
      const { caller } = await connect(t, { onList, options });
      assert.equal(verdict(await caller.callTool(call)), unchecked);
      assert.deepEqual(warnings, []);
      assert.equal(verdict(await caller.callTool({ name: 'failing' })), 'tool_error');
    });
  }

  test('cannot even be sent', async (t) => {
    const { caller, server } = await connect(t, {});
    const transport = server.clientTransport;
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      if ('method' in message && message.method === 'tools/list') {
        throw new Error('not here');
      }
      return send(message, options);
    };
    assert.equal(verdict(await caller.callTool(call)), unchecked);
    assert.deepEqual(server.cursors, []);
  });

  test('is tried again after 60 s, not before', async (t) => {
    const clock = stopClock(t);
    let works = false;
    const onList = (list: OpenRequest): void =>
      works ? inPages([countTool])(list) : list.fail({ code: -32603, message: 'not now' });
    const { caller, server } = await connect(t, { onList });
    assert.equal(verdict(await caller.callTool(call)), unchecked);
    works = true;
    clock.advance(59_999);
    assert.equal(verdict(await caller.callTool(call)), unchecked);
    assert.equal(server.cursors.length, 1);
    clock.advance(1);
    assert.equal(verdict(await caller.callTool(call)), mismatch);
    assert.equal(server.cursors.length, 2);
  });

  test('is tried again when the tools change', async (t) => {
    let works = false;
    const onList = (list: OpenRequest): void =>
      works ? inPages([countTool])(list) : list.fail({ code: -32603, message: 'not now' });
    const { caller, server } = await connect(t, { onList });
    assert.equal(verdict(await caller.callTool(call)), unchecked);
    works = true;
    server.changeTools();
    assert.equal(verdict(await caller.callTool(call)), mismatch);
  });

  test('is tried again on a new transport', async (t) => {
    const { client, caller } = await connect(t, {
      onList: ({ fail }) => fail({ code: -32603, message: 'not now' }),
    });
    assert.equal(verdict(await caller.callTool(call)), unchecked);
    await client.close();
    const other = createToolServer({ onList: inPages([countTool]), onCall: withResults(results) });
    await client.connect(other.clientTransport);
    assert.equal(verdict(await caller.callTool(call)), mismatch);
  });
});

interface OddList {
  readonly name: string;
  readonly onList: (list: OpenRequest) => void;
  readonly right: string;
  readonly why: string;
}

const cursorAnswers =
  (nextCursor: (asked: number) => unknown): (() => (list: OpenRequest) => void) =>
  () => {
    let asked = 0;
    return ({ answer }) => {
      asked += 1;
      answer({ tools: asked === 1 ? [countTool] : [], nextCursor: nextCursor(asked) });
    };
  };

const oddLists: readonly OddList[] = [
  {
    name: 'entries that are no tools',
    onList: inPages([null, 7, 'count', [], {}, { name: 7 }, { outputSchema: {} }, countTool, { name: '' }]),
    right: mismatch,
    why: 'one bad entry costs the others nothing',
  },
  {
    name: 'a tool without an input schema, which the SDK refuses with the whole list',
    onList: inPages([{ name: 'other' }, countTool]),
    right: mismatch,
    why: 'the list is read on the wire',
  },
  {
    name: 'schemas of other tools that cannot be used',
    onList: inPages([
      toolWith('a', { outputSchema: { type: 'nope' } }),
      toolWith('b', { outputSchema: true }),
      toolWith('c', { outputSchema: null }),
      toolWith('d', { outputSchema: { $ref: 'https://schemas.test/d' } }),
      countTool,
      toolWith('e', { outputSchema: { $async: true } }),
    ]),
    right: mismatch,
    why: 'a schema is compiled when its tool needs it',
  },
  {
    name: 'two schemas with one $id',
    onList: inPages([
      toolWith('other', { outputSchema: { ...schemaOf('string'), $id: 'https://schemas.test/total' } }),
      toolWith('count', { outputSchema: { ...schemaOf('number'), $id: 'https://schemas.test/total' } }),
    ]),
    right: mismatch,
    why: 'each schema stands for itself',
  },
  {
    name: 'two tools with one name, the last one strict',
    onList: inPages([toolWith('count', {}), countTool]),
    right: mismatch,
    why: 'the last one counts, as in the SDKs',
  },
  {
    name: 'two tools with one name, the last one without a schema',
    onList: inPages([countTool], [toolWith('count', {})]),
    right: 'success',
    why: 'the last one counts, also on another page',
  },
  {
    name: 'the tool with an output schema that is null',
    onList: inPages([toolWith('count', { outputSchema: null })]),
    right: 'success',
    why: 'some servers write an absent member as null',
  },
  {
    name: 'the tool is not on it',
    onList: inPages([toolWith('other')]),
    right: 'success',
    why: 'nothing is promised for it',
  },
  {
    name: 'no schema for the tool',
    onList: inPages([toolWith('count', {})]),
    right: 'success',
    why: 'nothing is promised',
  },
  {
    name: 'the cursor null',
    onList: cursorAnswers(() => null)(),
    right: mismatch,
    why: 'pagination of 2026-07-28: only a cursor that is not null goes on',
  },
  {
    name: 'an empty cursor, then none',
    onList: ({ cursor, answer }) =>
      answer(cursor === '' ? { tools: [countTool] } : { tools: [], nextCursor: '' }),
    right: mismatch,
    why: 'pagination of 2026-07-28: an empty string is a cursor like any other',
  },
  {
    name: 'an empty cursor for ever',
    onList: cursorAnswers(() => '')(),
    right: mismatch,
    why: 'many servers end a list so, and begin anew when they are asked for it',
  },
  {
    name: 'a cursor that never ends',
    onList: cursorAnswers((asked) => `page ${asked}`)(),
    right: unchecked,
    why: 'that is no list, and nobody waits for it',
  },
  {
    name: 'a cursor that leads back to itself',
    onList: cursorAnswers(() => 'last page')(),
    right: unchecked,
    why: 'servers in use do this; a list without an end is no list, and one more request says so',
  },
];

describe('a listing with', () => {
  for (const { name, onList, right, why } of oddLists) {
    test(`${name}: ${why}`, async (t) => {
      const { caller, server } = await connect(t, { onList });
      assert.equal(verdict(await caller.callTool(call)), right);
      assert.equal(verdict(await caller.callTool({ name: 'failing' })), 'tool_error');
      await idle();
      assert.ok(server.cursors.length <= 256, `${server.cursors.length} pages`);
    });
  }
});

describe('a listing that never answers', () => {
  test('delays would-be successes by two seconds from its start, once, and failures not at all', async (t) => {
    const clock = stopClock(t);
    const { caller, server } = await connect(t, {});
    const first = caller.callTool(call);
    await server.arrived('tools/list', 1);
    assert.equal(verdict(await caller.callTool({ name: 'failing' })), 'tool_error');
    clock.advance(1_500);
    const second = caller.callTool(call);
    assert.equal(await isSettled(second), false);
    clock.advance(499);
    assert.equal(await isSettled(first), false);
    assert.equal(await isSettled(second), false);
    clock.advance(1);
    assert.deepEqual([verdict(await first), verdict(await second)], [unchecked, unchecked]);
    // Without the clock moving on.
    assert.equal(verdict(await caller.callTool(call)), unchecked);
    assert.equal(server.cursors.length, 1);
  });

  test('but answers late: later calls profit', async (t) => {
    const clock = stopClock(t);
    const { caller, server } = await connect(t, {});
    const first = caller.callTool(call);
    const [list] = await server.arrived('tools/list', 1);
    await idle();
    clock.advance(5_000);
    assert.equal(verdict(await first), unchecked);
    list?.answer({ tools: [countTool] });
    await idle();
    assert.equal(verdict(await caller.callTool(call)), mismatch);
    assert.equal(server.cursors.length, 1);
  });

  test('is given up in the end, and tried again 60 s later', async (t) => {
    const clock = stopClock(t);
    const { caller, server } = await connect(t, {});
    const first = caller.callTool(call);
    await server.arrived('tools/list', 1);
    await idle();
    // Nobody says how long a listing may take; a minute is too long for any.
    clock.advance(60_000);
    await first;
    clock.advance(60_000);
    await idle();
    const second = caller.callTool(call);
    const [, list] = await server.arrived('tools/list', 2);
    list?.answer({ tools: [countTool] });
    assert.equal(verdict(await second), mismatch);
  });

  test('ends with its transport, and so does the wait', async (t) => {
    stopClock(t);
    const { client, caller, server } = await connect(t, {});
    const pending = caller.callTool(call);
    await server.arrived('tools/list', 1);
    assert.equal(await isSettled(pending), false);
    await client.close();
    assert.equal(await isSettled(pending), true);
    assert.equal(verdict(await pending), unchecked);
  });

  for (const bound of ['timeout', 'maxTotalTimeout']) {
    test(`an answer just before ${bound} does not wait past that bound and its second`, async (t) => {
      const clock = stopClock(t);
      const { caller, server } = await connect(t, { onCall: () => {} });
      const pending = caller.callTool(call, { [bound]: 500 });
      await server.arrived('tools/list', 1);
      clock.advance(499);
      const [open] = await server.arrived('tools/call', 1);
      open?.answer(breaks);
      assert.equal(await isSettled(pending), false);
      // 1,500 ms after the request; the listing would have had 500 ms more.
      clock.advance(1_001);
      assert.equal(await isSettled(pending), true);
      assert.equal(verdict(await pending), unchecked);
    });
  }
});

interface Annotated {
  readonly annotations: object | undefined;
  readonly replaySafe: boolean | undefined;
  readonly why: string;
}

const annotated: readonly Annotated[] = [
  { annotations: { readOnlyHint: true }, replaySafe: true, why: 'it changes nothing' },
  { annotations: { idempotentHint: true }, replaySafe: true, why: 'twice is once' },
  {
    annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: true },
    replaySafe: true,
    why: 'twice is once, whatever it destroys',
  },
  { annotations: { readOnlyHint: false }, replaySafe: false, why: 'it says otherwise' },
  { annotations: { destructiveHint: true }, replaySafe: false, why: 'what destroys is not repeated lightly' },
  { annotations: { title: 'Count' }, replaySafe: undefined, why: 'a title says nothing of it' },
  { annotations: { readOnlyHint: 'true' }, replaySafe: undefined, why: 'a text is no hint' },
  { annotations: undefined, replaySafe: undefined, why: 'nothing is known' },
];

describe('replaySafe', () => {
  for (const { annotations, replaySafe, why } of annotated) {
    test(`${JSON.stringify(annotations)}: ${replaySafe}, for ${why}`, async (t) => {
      const members = annotations === undefined ? {} : { annotations };
      const tools = ['fitting', 'failing'].map((name) => toolWith(name, members));
      const { caller } = await connect(t, { onList: inPages(tools) });
      for (const name of ['fitting', 'failing']) {
        const outcome = await caller.callTool({ name });
        assert.equal(outcome.replaySafe, replaySafe, name);
        assert.equal('replaySafe' in outcome, replaySafe !== undefined, name);
      }
    });
  }

  test('is absent for a tool that is not listed, and when nothing is listed', async (t) => {
    const onList = inPages([toolWith('other', { annotations: { readOnlyHint: true } })]);
    const { client, caller } = await connect(t, { onList });
    assert.equal('replaySafe' in (await caller.callTool(call)), false);
    const off = withOutcomes(client, { ...quiet, outputSchemas: 'off' });
    assert.equal('replaySafe' in (await off.callTool({ name: 'other' })), false);
  });
});

interface Source {
  readonly name: string;
  readonly outputSchemas: OutcomeOptions['outputSchemas'];
  readonly right: string;
  readonly listings: number;
}

const sources: readonly Source[] = [
  { name: "'auto'", outputSchemas: 'auto', right: mismatch, listings: 1 },
  { name: "'off'", outputSchemas: 'off', right: 'success', listings: 0 },
  {
    name: 'a record that is stricter',
    outputSchemas: { count: schemaOf('boolean') },
    right: mismatch,
    listings: 0,
  },
  {
    name: 'a record in place of the list',
    outputSchemas: { count: schemaOf('string') },
    right: 'success',
    listings: 0,
  },
  {
    name: 'a record without the tool',
    outputSchemas: { other: schemaOf('number') },
    right: 'success',
    listings: 0,
  },
  { name: 'an empty record', outputSchemas: {}, right: 'success', listings: 0 },
  {
    name: 'a record with a schema that cannot be used',
    outputSchemas: { count: { type: 'nope' } },
    right: unusable,
    listings: 0,
  },
];

const badSources: readonly (readonly [string, unknown])[] = [
  ['a word', 'on'],
  ['null', null],
  ['a flag', true],
  ['a number', 7],
  ['an array', [countTool]],
  ['a function', () => countTool],
  ['a schema that is null', { count: null }],
  ['a schema that is a flag', { count: true }],
  ['a schema that is text', { count: '{"type":"object"}' }],
  ['a schema that is an array', { count: [schemaOf('number')] }],
];

describe('outputSchemas', () => {
  for (const { name, outputSchemas, right, listings } of sources) {
    test(`${name}: ${right}`, async (t) => {
      const options: OutcomeOptions = outputSchemas === undefined ? quiet : { ...quiet, outputSchemas };
      const { caller, server } = await connect(t, { onList: inPages([countTool]), options });
      assert.equal(verdict(await caller.callTool(call)), right);
      await idle();
      assert.equal(server.cursors.length, listings);
    });
  }

  test('a record is not asked for what every object has', async (t) => {
    const onCall = withResults({ constructor: breaks, toString: breaks });
    const { caller } = await connect(t, {
      onCall,
      options: { ...quiet, outputSchemas: { count: schemaOf('number') } },
    });
    for (const name of ['constructor', 'toString', '__proto__']) {
      assert.equal(verdict(await caller.callTool({ name })), 'success', name);
    }
  });

  for (const [name, value] of badSources) {
    test(`refuses ${name}`, () => {
      const options = { ...quiet, outputSchemas: value };
      assert.throws(
        () => Reflect.apply(withOutcomes, undefined, [{ callTool: async () => fits }, options]),
        (thrown) =>
          thrown instanceof OptionsError &&
          /outputSchemas/.test(thrown.message) &&
          /"auto", "off" or an object of JSON Schemas/.test(thrown.message),
      );
    });
  }
});

describe('an output schema that cannot be used', () => {
  test('is a warning on each success, and one line in the log for each tool', async (t) => {
    const records: object[] = [];
    const logger = { warn: (record: object) => records.push(record) };
    const bad = { outputSchema: { type: 'object', properties: { total: { type: 'nope' } } } };
    const tools = [toolWith('count', bad), toolWith('fitting', bad), toolWith('failing', bad)];
    const { caller, server } = await connect(t, {
      onList: inPages(tools),
      options: { server: 'shop', logger },
    });
    const names = ['count', 'count', 'fitting', 'count', 'fitting'];
    for (let round = 0; round < 2; round += 1) {
      const outcomes = await Promise.all(names.map((name) => caller.callTool({ name })));
      assert.deepEqual(outcomes.map(verdict), new Array(names.length).fill(unusable));
      // Listed anew, the schemas are as bad as before.
      server.changeTools();
    }
    assert.deepEqual(
      records.map((record) => ['event', 'server', 'tool'].map((key) => Reflect.get(record, key))),
      [
        ['mcp.output_schema.unusable', 'shop', 'count'],
        ['mcp.output_schema.unusable', 'shop', 'fitting'],
      ],
    );
    records.length = 0;
    assert.equal(verdict(await caller.callTool({ name: 'failing' })), 'tool_error');
    assert.deepEqual(
      records.map((record) => Reflect.get(record, 'event')),
      ['mcp.tool_call.failed'],
    );
  });

  test('is logged although the first call that met it was silent', async (t) => {
    const records: object[] = [];
    const logger = { warn: (record: object) => records.push(record) };
    const tool = toolWith('count', { outputSchema: { type: 'nope' } });
    const { caller } = await connect(t, { onList: inPages([tool]), options: { server: 'shop', logger } });
    await caller.callTool(call, { logger: false });
    assert.deepEqual(records, []);
    await caller.callTool(call);
    await caller.callTool(call);
    assert.equal(records.length, 1);
  });
});

const secret = 'correct-horse-battery';

const talkative: readonly (readonly [string, object])[] = [
  ['a reference', { $ref: `https://schemas.test/${secret}` }],
  ['its dialect', { $schema: `https://schemas.test/${secret}` }],
  ['a type', { type: secret }],
  ['a pattern', { type: 'object', properties: { total: { pattern: `(${secret}` } } }],
];

describe('the reason why an output schema cannot be used', () => {
  for (const [name, outputSchema] of talkative) {
    test(`is the server's text in part, and redacted: ${name}`, async (t) => {
      const logged: unknown[] = [];
      const options = {
        server: 'shop',
        redactor: createRedactor({ values: [secret] }),
        logger: { warn: (...line: readonly unknown[]) => logged.push(line) },
      };
      const onList = inPages([toolWith('count', { outputSchema })]);
      const { caller } = await connect(t, { onList, options });
      const outcome = await caller.callTool(call);
      assert.equal(verdict(outcome), unusable);
      assert.equal(logged.length, 1);
      for (const text of [JSON.stringify(outcome), JSON.stringify(logged)]) {
        assert.equal(text.includes(secret), false, text);
      }
    });
  }
});

describe('large results', () => {
  /** `{"total":"…"}` of this many UTF-16 units. */
  const contentOf = (units: number): object => ({
    content: [],
    structuredContent: { total: 'x'.repeat(units - 12) },
  });

  for (const [name, units, right] of [
    ['of 1 MiB is checked', 1_048_576, mismatch],
    ['of more than 1 MiB is not', 1_048_577, unchecked],
  ] as const) {
    test(`structured content ${name}`, async (t) => {
      const onCall = withResults({ count: contentOf(units) });
      const { caller } = await connect(t, { onList: inPages([countTool]), onCall });
      assert.equal(verdict(await caller.callTool(call)), right);
    });
  }

  test('structured content of more than 1 MiB that no schema is for is simply a success', async (t) => {
    const onCall = withResults({ count: contentOf(2_000_000) });
    const { caller } = await connect(t, { onList: inPages([toolWith('count', {})]), onCall });
    assert.equal(verdict(await caller.callTool(call)), 'success');
  });

  /** How often the text of a call's only block was read, and the longest text that was parsed or measured. */
  async function readsOf(t: TestContext, text: string, isError: boolean) {
    let reads = 0;
    const block = {
      type: 'text',
      get text() {
        reads += 1;
        return text;
      },
    };
    const onCall = withResults({ count: { content: [block], isError } });
    const { caller } = await connect(t, { onList: inPages([toolWith('count', {})]), onCall });
    await caller.callTool({ name: 'warm-up' });
    const parse = t.mock.method(JSON, 'parse');
    const measure = t.mock.method(Buffer, 'byteLength');
    const outcome = await caller.callTool(call);
    const scanned = [...parse.mock.calls, ...measure.mock.calls].map(
      ({ arguments: [first] }) => String(first).length,
    );
    parse.mock.restore();
    measure.mock.restore();
    return { verdict: verdict(outcome), reads, longest: Math.max(0, ...scanned) };
  }

  for (const [name, start, isError] of [
    ['a success', 'x', false],
    ['a success that looks like JSON', '{', false],
    ['a failure', 'x', true],
    ['a failure that looks like JSON', '{', true],
  ] as const) {
    test(`10 MB of text are looked at as often as 20 KB, and not scanned: ${name}`, async (t) => {
      const small = await readsOf(t, start.padEnd(20_000, 'y'), isError);
      const large = await readsOf(t, start.padEnd(10_000_000, 'y'), isError);
      assert.deepEqual(large, small);
      assert.equal(large.verdict, isError ? 'tool_error' : 'success');
      assert.ok(large.reads <= 8, `read ${large.reads} times`);
      assert.ok(large.longest <= 16_384, `scanned ${large.longest} units at once`);
    });
  }
});
