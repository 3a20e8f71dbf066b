/**
 * Output schemas and SDK v2, which compiles what it listed before it sends a call: what it refuses is told truthfully, and
 * as soon as the wrapper knows the list, the call is made without the schema.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  type CallToolRequestOptions,
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { type ToolOutcome, withOutcomes } from '../src/index.ts';
import { healthyTool, resultFrame } from './support/fault-script.ts';
import { startFaultServer } from './support/fault-server.ts';
import { assertOutcome, success, transient } from './support/right-outcome.ts';
import { createV2Client } from './support/v2-server.ts';

const quiet = { server: 'v2', logger: false } as const;

/** Notes the options that a call reaches the client with. */
class NotingClient extends Client {
  readonly seen: (CallToolRequestOptions | undefined)[] = [];

  override callTool(...args: Parameters<Client['callTool']>): ReturnType<Client['callTool']> {
    this.seen.push(args[1]);
    return super.callTool(...args);
  }
}

const inputSchema = { type: 'object', properties: { q: { type: 'string' } } };
const number = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
const fits = { content: [], structuredContent: { total: 3 } };
const breaks = { content: [], structuredContent: { total: 'three' } };

/** A client in memory whose server lists one tool with this output schema, as the user has already seen. */
async function listed(t: TestContext, outputSchema: object, result: object) {
  const [transport, end] = InMemoryTransport.createLinkedPair();
  let calls = 0;
  end.onmessage = (message) => {
    if (!('id' in message) || !('method' in message)) return;
    const { id, method } = message;
    calls += method === 'tools/call' ? 1 : 0;
    const known: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'peer', version: '1.0.0' },
      },
      'tools/list': {
        tools: [
          { name: 'count', title: 'Count', inputSchema, outputSchema },
          { name: 'plain', inputSchema: { type: 'object' } },
        ],
      },
      'tools/call': result,
    };
    void end.send({ jsonrpc: '2.0', id, result: { ...known[method] } });
  };
  await end.start();
  const client = new NotingClient({ name: 'v2-tests', version: '1.0.0' });
  await client.connect(transport);
  t.after(() => client.close());
  await client.listTools();
  const call = (options?: CallToolRequestOptions): Promise<ToolOutcome> =>
    withOutcomes(client, quiet).callTool({ name: 'count', arguments: {} }, options);
  return { client, call, callCount: () => calls };
}

const uncompilable = { type: 'object', properties: { total: { type: 'nope' } } };
const refused = { ...transient, reason: 'unknown_error', delivery: 'not_sent' } as const;

describe('an output schema that SDK v2 does not compile', () => {
  test('costs the call no header that the client takes from its arguments', async (t) => {
    const region = { type: 'string', 'x-mcp-header': 'Region' };
    const tool = {
      name: 'fault',
      inputSchema: { type: 'object', properties: { region } },
      outputSchema: uncompilable,
    };
    const server = await startFaultServer(
      { pages: [[tool, healthyTool]], calls: { fault: { frames: [resultFrame(fits)] } } },
      'http-json',
    );
    const sent: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      if (String(init?.body).includes('"tools/call"')) {
        sent.push(new Headers(init?.headers).get('mcp-param-region'));
      }
      return globalThis.fetch(url, init);
    };
    const client = createV2Client('2026-07-28');
    await client.connect(new StreamableHTTPClientTransport(server.url, { fetch }));
    t.after(async () => {
      await client.close();
      await server.close();
    });
    await client.listTools();
    const caller = withOutcomes(client, quiet);
    await caller.callTool({ name: 'healthy' });
    assertOutcome(await caller.callTool({ name: 'fault', arguments: { region: 'eu-1' } }), success);
    assert.deepEqual(sent, [null, 'eu-1']);
  });

  const schemas: readonly {
    readonly name: string;
    readonly schema: object;
    readonly warnings: readonly string[];
  }[] = [
    {
      name: 'nor do we',
      schema: uncompilable,
      warnings: ['output_schema_unusable'],
    },
    { name: 'though we do', schema: { $id: 'urn:same', ...number }, warnings: [] },
  ];
  for (const { name, schema, warnings } of schemas) {
    test(`${name}: the first call is refused and not sent, later ones go without it`, async (t) => {
      const { client, callCount } = await listed(t, schema, fits);
      const caller = withOutcomes(client, quiet);
      const first = await caller.callTool({ name: 'count', arguments: {} });
      assertOutcome(first, refused);
      assert.match(first.message, /^Tool 'count' has an invalid outputSchema/);
      assert.equal(callCount(), 0);
      // A success of another tool waits for the list.
      assertOutcome(await caller.callTool({ name: 'plain' }), success);
      const later = await caller.callTool({ name: 'count', arguments: {} });
      assertOutcome(later, success);
      assert.deepEqual(later.ok && later.warnings.map(({ code }) => code), warnings);
      assert.deepEqual(client.seen.at(-1)?.toolDefinition, { name: 'count', title: 'Count', inputSchema });
      assert.equal(callCount(), 2);
    });
  }

  test('still counts where we can use it', async (t) => {
    const { client, call } = await listed(t, { $id: 'urn:same', ...number }, breaks);
    const caller = withOutcomes(client, quiet);
    await caller.callTool({ name: 'count', arguments: {} });
    await caller.callTool({ name: 'plain' });
    assertOutcome(await caller.callTool({ name: 'count', arguments: {} }), {
      kind: 'schema_mismatch',
      schema: 'output_schema',
    });
    // Another wrapper of the same connection knows it too.
    assertOutcome(await call(), { kind: 'schema_mismatch', schema: 'output_schema' });
  });

  test('is refused for good when nothing is listed', async (t) => {
    const { client } = await listed(t, uncompilable, fits);
    const caller = withOutcomes(client, { ...quiet, outputSchemas: 'off' });
    for (let calls = 0; calls < 3; calls += 1) {
      assertOutcome(await caller.callTool({ name: 'count', arguments: {} }), refused);
    }
  });

  test('does not overrule the caller’s own definition', async (t) => {
    const { client } = await listed(t, uncompilable, fits);
    const caller = withOutcomes(client, quiet);
    await caller.callTool({ name: 'plain' });
    const toolDefinition = { name: 'count', inputSchema: { type: 'object' as const } };
    assertOutcome(await caller.callTool({ name: 'count', arguments: {} }, { toolDefinition }), success);
    assert.equal(client.seen.at(-1)?.toolDefinition, toolDefinition);
  });
});

test('a schema that SDK v2 compiles is left to it', async (t) => {
  const { client } = await listed(t, number, fits);
  const caller = withOutcomes(client, quiet);
  for (let calls = 0; calls < 3; calls += 1) {
    assertOutcome(await caller.callTool({ name: 'count', arguments: {} }), success);
  }
  assert.deepEqual(
    client.seen.map((options) => options?.toolDefinition),
    [undefined, undefined, undefined],
  );
});
