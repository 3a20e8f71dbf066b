/** Clients that do more than send one request for one call, and transports that will not be watched. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OutcomeOptions } from '../src/index.ts';
import { withOutcomes } from '../src/index.ts';
import { startHttpPeer } from './support/http-peer.ts';
import { connectClient, connectInMemory, createMemoryPeer, textResult } from './support/in-memory-peer.ts';
import { assertOutcome, success, transient } from './support/right-outcome.ts';

type CallToolArguments = Parameters<Client['callTool']>;
type CallToolAnswer = ReturnType<Client['callTool']>;
type CallTool = (...args: CallToolArguments) => CallToolAnswer;

const quiet = { logger: false, outputSchemas: 'off' } as const satisfies OutcomeOptions;
const clientInfo = { name: 'behaviour-tests', version: '1.0.0' };

class OverridingClient extends Client {
  readonly #override: (
    client: OverridingClient,
    callTool: CallTool,
    args: CallToolArguments,
  ) => CallToolAnswer;

  constructor(
    override: (client: OverridingClient, callTool: CallTool, args: CallToolArguments) => CallToolAnswer,
  ) {
    super(clientInfo);
    this.#override = override;
  }

  override callTool(...args: CallToolArguments): CallToolAnswer {
    return this.#override(this, (...own) => super.callTool(...own), args);
  }
}

const says = (text: string): object => ({ ...success, result: textResult(text) });

describe('an override that goes on when its connection has ended', () => {
  test('with a session of its own, after an HTTP 404', async () => {
    let answered = 0;
    const server = await startHttpPeer({
      onCall: (call) => {
        answered += 1;
        if (answered === 1) call.reply(404, {}, 'session not found');
        else call.result(textResult('after reconnecting'));
      },
    });
    const client = new OverridingClient(async (self, callTool, args) => {
      try {
        return await callTool(...args);
      } catch {
        await self.close();
        await self.connect(new StreamableHTTPClientTransport(server.url));
        return callTool(...args);
      }
    });
    await client.connect(new StreamableHTTPClientTransport(server.url));
    const seen: Error[] = [];
    client.onerror = (error) => void (/unknown message/.test(error.message) && seen.push(error));
    assertOutcome(await withOutcomes(client, quiet).callTool({ name: 'tool' }), says('after reconnecting'));
    assert.deepEqual(seen, [], 'nobody invents an answer');
    await client.close();
    await server.close();
  });

  test('with what it has kept', async () => {
    const { client, peer } = await connectClient(
      new OverridingClient((_self, callTool, args) =>
        callTool(...args).catch(async () => {
          await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
          return textResult('kept');
        }),
      ),
    );
    const pending = withOutcomes(client, quiet).callTool({ name: 'tool' });
    await peer.calls(1);
    await peer.close();
    assertOutcome(await pending, { ...says('kept'), delivery: 'unknown' });
  });

  test('a neighbour: without an override the connection is what ended the call', async () => {
    const { client, peer } = await connectInMemory();
    const pending = withOutcomes(client, quiet).callTool({ name: 'tool' });
    await peer.calls(1);
    await peer.close();
    assertOutcome(await pending, { ...transient, reason: 'connection_closed', delivery: 'unknown' });
  });
});

describe('an override that calls another tool on the side', () => {
  const audit: ConstructorParameters<typeof OverridingClient>[0] = (_self, callTool, [params, ...rest]) => {
    const paying = callTool(params, ...rest);
    callTool({ ...params, name: 'audit_log' }, rest[0]).catch(() => {});
    return paying;
  };

  test('its failure is its own, whatever the other one says', async () => {
    const { client, peer } = await connectClient(new OverridingClient(audit), {
      onCall: (call) =>
        call.name === 'audit_log'
          ? call.answer(textResult('logged'))
          : call.fail({ code: -32_602, message: 'no such account' }),
    });
    assertOutcome(await withOutcomes(client, quiet).callTool({ name: 'pay' }), {
      ...transient,
      reason: 'protocol_error',
      rpcCode: -32_602,
      delivery: 'answered',
    });
    const other = await peer.calls(2);
    assert.deepEqual(Reflect.ownKeys(other[1]?.message.params ?? {}), ['name'], 'no foreign key');
    await client.close();
  });

  test('its silence is its own', async () => {
    const { client } = await connectClient(new OverridingClient(audit), {
      onCall: (call) => void (call.name === 'audit_log' && call.answer(textResult('logged'))),
    });
    assertOutcome(await withOutcomes(client, quiet).callTool({ name: 'pay' }, { timeout: 50 }), {
      ...transient,
      reason: 'timeout',
      delivery: 'unknown',
    });
    await client.close();
  });

  test('a neighbour: a gateway that calls its tools otherwise', async () => {
    const { client } = await connectClient(
      new OverridingClient((_self, callTool, [params, ...rest]) =>
        callTool({ ...params, name: `shop.${params.name}` }, ...rest),
      ),
      { onCall: (call) => call.answer(textResult(String(call.name))) },
    );
    assertOutcome(await withOutcomes(client, quiet).callTool({ name: 'pay' }), says('shop.pay'));
    await client.close();
  });
});

describe('a request that cannot be told from others', () => {
  test('because its parameters were built anew, and its bounds left out, has its time all the same', async () => {
    const { client } = await connectClient(
      new OverridingClient((_self, callTool, [{ name, arguments: args = {} }]) =>
        callTool({ name, arguments: { ...args } }),
      ),
    );
    assertOutcome(await withOutcomes(client, quiet).callTool({ name: 'tool' }, { timeout: 50 }), {
      ...transient,
      reason: 'timeout',
      delivery: 'unknown',
    });
    await client.close();
  });
});

describe('ids that are no numbers', () => {
  const answers: Readonly<Record<string, { readonly said: object; readonly right: object }>> = {
    'a result': { said: { result: textResult('by name') }, right: says('by name') },
    'an error': {
      said: { error: { code: -32_001, message: 'no' } },
      right: { ...transient, reason: 'protocol_error', rpcCode: -32_001, delivery: 'answered' },
    },
  };
  for (const [name, { said, right }] of Object.entries(answers)) {
    test(`${name} by such an id is the call’s own`, async () => {
      let settle = (_message: object): void => {};
      const transport = {
        onmessage: (message: object) => settle(message),
        onclose: () => {},
        send: async ({ id }: { id: string }) => {
          setImmediate(() => transport.onmessage({ jsonrpc: '2.0', id, ...said }));
        },
      };
      const client = {
        transport,
        callTool: (params: object) =>
          new Promise<unknown>((resolve, reject) => {
            settle = (message) =>
              'result' in message ? resolve(message.result) : reject(new Error('refused'));
            const request = { jsonrpc: '2.0', id: 'req-1', method: 'tools/call', params };
            void transport.send(request);
          }),
      };
      assertOutcome(await withOutcomes(client, quiet).callTool({ name: 'tool', arguments: {} }), right);
    });
  }
});

describe('a client or transport that refuses to be watched', () => {
  const refuse = (): never => {
    throw new Error('read-only');
  };
  const connected = async (): Promise<Client> =>
    (await connectInMemory({ onCall: (call) => call.answer(textResult('ok')) })).client;
  const readOnly = (member: 'send' | 'onmessage') => async (): Promise<Client> => {
    const client = await connected();
    const transport = client.transport ?? {};
    const value: unknown = Reflect.get(transport, member);
    const own = typeof value === 'function' ? value.bind(transport) : value;
    Object.defineProperty(transport, member, { get: () => own, set: refuse });
    return client;
  };
  const rows: Readonly<Record<string, () => Promise<Client>>> = {
    '`send` that cannot be set': readOnly('send'),
    '`onmessage` that cannot be set': readOnly('onmessage'),
    'a client whose `connect` cannot be replaced': async () =>
      new Proxy(await connected(), {
        defineProperty: (target, key, value) =>
          key === 'connect' ? refuse() : Reflect.defineProperty(target, key, value),
      }),
  };
  for (const [name, connect] of Object.entries(rows)) {
    test(`${name}: its answers count`, async () => {
      const outcome = await withOutcomes(await connect(), quiet).callTool({ name: 'tool' });
      assert.equal(outcome.ok, true, outcome.message);
    });
  }
});

test('a client that takes longer to connect than a call may take', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const peer = createMemoryPeer({ onCall: (call) => call.answer(textResult('connected')) });
  const client = new OverridingClient(async (self, callTool, args) => {
    await opened;
    if (self.transport === undefined) await self.connect(peer.clientTransport);
    return callTool(...args);
  });
  const pending = withOutcomes(client, quiet).callTool({ name: 'tool' }, { timeout: 50 });
  t.mock.timers.tick(5_000);
  open();
  assertOutcome(await pending, says('connected'));
  await client.close();
});
