/** Calls of SDK v2 that are in flight together, and what crosses the wire for one of them. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { withOutcomes } from '../src/index.ts';
import { assertOutcome, success } from './support/right-outcome.ts';
import { connectV2, createV2Client, type Era, eras, startV2Server } from './support/v2-server.ts';

const quiet = { server: 'v2', logger: false } as const;

describe('every outcome belongs to its call', () => {
  /** Answers when all calls have arrived, the last one first. */
  async function connectReversed(t: TestContext, era: Era, count: number, client: Client) {
    const [transport, end] = InMemoryTransport.createLinkedPair();
    const waiting: { readonly id: unknown; readonly params: object }[] = [];
    const complete = era === '2025-11-25' ? {} : { resultType: 'complete' };
    const answer = (id: unknown, result: object): void => {
      void Reflect.apply(end.send, end, [{ jsonrpc: '2.0', id, result: { ...complete, ...result } }]);
    };
    end.onmessage = (message) => {
      if (!('id' in message) || !('method' in message)) return;
      const { id, method, params } = message;
      if (method === 'initialize') {
        const serverInfo = { name: 'peer', version: '1.0.0' };
        answer(id, { protocolVersion: era, capabilities: { tools: {} }, serverInfo });
      } else if (method === 'server/discover') {
        answer(id, { supportedVersions: [era], capabilities: { tools: {} } });
      } else if (method === 'tools/list') {
        answer(id, { tools: [], ttlMs: 0, cacheScope: 'private' });
      } else {
        waiting.push({ id, params: Object(params) });
        if (waiting.length < count) return;
        for (const call of waiting.splice(0).reverse()) {
          answer(call.id, { content: [{ type: 'text', text: String(Reflect.get(call.params, 'name')) }] });
          symbols.push(...Object.getOwnPropertySymbols(call.params));
        }
      }
    };
    const symbols: symbol[] = [];
    await end.start();
    await client.connect(transport);
    t.after(() => client.close());
    return symbols;
  }

  for (const era of eras) {
    test(`1,000 in flight with one arguments object, answered in reverse, ${era}`, async (t) => {
      const client = createV2Client(era);
      const symbols = await connectReversed(t, era, 1_000, client);
      const caller = withOutcomes(client, quiet);
      const shared = { q: 'same' };
      const names = Array.from({ length: 1_000 }, (_none, index) => `tool-${index}`);
      const outcomes = await Promise.all(names.map((name) => caller.callTool({ name, arguments: shared })));
      assert.deepEqual(
        outcomes.map((outcome) => outcome.ok && outcome.delivery === 'answered' && outcome.result.content),
        names.map((text) => [{ type: 'text', text }]),
      );
      assert.deepEqual(symbols, [], 'a peer in the same process sees no foreign key');
    });
  }

  test('a subclass that makes the parameters anew: its own results, and nothing is known of the delivery', async (t) => {
    class Rebuilding extends Client {
      override callTool({ name, arguments: args }: { name: string; arguments?: Record<string, unknown> }) {
        return super.callTool({ name, ...(args ? { arguments: args } : {}) });
      }
    }
    const client = new Rebuilding({ name: 'v2-tests', version: '1.0.0' });
    await connectReversed(t, '2025-11-25', 2, client);
    const caller = withOutcomes(client, quiet);
    const outcomes = await Promise.all(['a', 'b'].map((name) => caller.callTool({ name, arguments: {} })));
    assert.deepEqual(
      outcomes.map((outcome) => [outcome.delivery, outcome.ok && outcome.result.content]),
      ['a', 'b'].map((text) => ['unknown', [{ type: 'text', text }]]),
    );
  });

  for (const era of eras) {
    test(`no byte of a tools/call differs from the bare client’s, ${era}`, async (t) => {
      const server = await startV2Server(t);
      const client = await connectV2(t, server.url, createV2Client(era));
      const caller = withOutcomes(client, quiet);
      const call = { name: 'greet', arguments: { name: 'Ada' }, _meta: { 'a.b/c': 1 } };
      await client.callTool(call);
      assertOutcome(await caller.callTool(call), success);
      const [bare, wrapped] = server.calls.map(({ headers, body }) => ({
        headers,
        body: { ...body, id: 0 },
      }));
      assert.deepEqual(wrapped, bare);
    });
  }
});
