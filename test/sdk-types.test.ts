/**
 * What the compiler says of each SDK's client: it fits without a cast, and its own request options come through typed.
 * Every block also makes a call, so that what type-checks is known to work.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import {
  type CallToolRequestOptions,
  Client as ClientV2,
  InMemoryTransport as InMemoryV2,
  type ProgressCallback as ProgressCallbackV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import type { ProgressCallback, RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { expectTypeOf } from 'expect-type';
import { Client as OldestClient } from 'sdk-oldest/client/index.js';
import { InMemoryTransport as OldestInMemory } from 'sdk-oldest/inMemory.js';
import type { RequestOptions as OldestRequestOptions } from 'sdk-oldest/shared/protocol.js';
import {
  type CallOptions,
  type CallOptionsFor,
  type CallParams,
  type ToolCaller,
  type ToolOutcome,
  withOutcomes,
} from '../src/index.ts';
import { answerTo } from './support/in-memory-peer.ts';

const info = { name: 'types', version: '1.0.0' };
const quiet = { server: 'types', logger: false } as const;
const call: CallParams = { name: 'count', arguments: {} };

interface PeerEnd {
  onmessage?: ((message: never) => void) | undefined;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Answers like a server without surprises, over a transport of any SDK. */
async function answer(t: TestContext, end: PeerEnd): Promise<void> {
  end.onmessage = ({ id, method }: { readonly id?: unknown; readonly method?: string }) => {
    const result = method === 'tools/call' ? { content: [] } : answerTo(method, []);
    if (id !== undefined) void end.send({ jsonrpc: '2.0', id, result });
  };
  await end.start();
  t.after(() => end.close());
}

/** For code that is not told which client it has. */
async function callAny(caller: ToolCaller, options: CallOptions): Promise<ToolOutcome> {
  return caller.callTool(call, options);
}

describe('SDK v1, the newest', () => {
  test('its client and its request options', async (t) => {
    const [transport, end] = InMemoryV1.createLinkedPair();
    await answer(t, end);
    const client = new ClientV1(info);
    await client.connect(transport);
    const caller = withOutcomes(client, quiet);
    expectTypeOf(caller).toEqualTypeOf<ToolCaller<ClientV1>>();
    expectTypeOf(caller.client).toEqualTypeOf<ClientV1>();
    expectTypeOf<CallOptionsFor<ClientV1>['relatedRequestId']>().toEqualTypeOf<
      RequestOptions['relatedRequestId']
    >();

    const onprogress: ProgressCallback = () => {};
    const outcome = await caller.callTool(call, { callId: 'a', onprogress, resumptionToken: 'none' });
    assert.equal(outcome.callId, 'a');
    // @ts-expect-error: the type is the SDK's own
    await caller.callTool(call, { resumptionToken: 5 });
    // @ts-expect-error: an option of SDK v2
    await caller.callTool(call, { toolDefinition: { name: 'count', inputSchema: { type: 'object' } } });
    assert.equal((await callAny(caller, { timeout: 1_000 })).kind, 'success');
  });
});

describe('SDK v1, the oldest', () => {
  test('its client and its request options', async (t) => {
    const [transport, end] = OldestInMemory.createLinkedPair();
    await answer(t, end);
    const client = new OldestClient(info);
    await client.connect(transport);
    const caller = withOutcomes(client, quiet);
    expectTypeOf(caller).toEqualTypeOf<ToolCaller<OldestClient>>();
    expectTypeOf<CallOptionsFor<OldestClient>['relatedRequestId']>().toEqualTypeOf<
      OldestRequestOptions['relatedRequestId']
    >();

    const outcome = await caller.callTool(call, { resetTimeoutOnProgress: true, relatedRequestId: 7 });
    assert.equal(outcome.kind, 'success');
    // @ts-expect-error: the type is the SDK's own
    await caller.callTool(call, { relatedRequestId: {} });
    assert.equal((await callAny(caller, { callId: 'b' })).callId, 'b');
  });
});

describe('SDK v2', () => {
  test('its client and its request options', async (t) => {
    const [transport, end] = InMemoryV2.createLinkedPair();
    await answer(t, end);
    const client = new ClientV2(info);
    await client.connect(transport);
    const caller = withOutcomes(client, quiet);
    expectTypeOf(caller).toEqualTypeOf<ToolCaller<ClientV2>>();
    expectTypeOf<CallOptionsFor<ClientV2>['toolDefinition']>().toEqualTypeOf<
      CallToolRequestOptions['toolDefinition']
    >();
    expectTypeOf<CallOptionsFor<ClientV2>['headers']>().toEqualTypeOf<CallToolRequestOptions['headers']>();

    const onprogress: ProgressCallbackV2 = () => {};
    const toolDefinition = { name: 'count', inputSchema: { type: 'object' as const } };
    const outcome = await caller.callTool(call, { onprogress, toolDefinition, headers: { 'x-tenant': 'a' } });
    assert.equal(outcome.kind, 'success');
    // @ts-expect-error: the type is the SDK's own
    await caller.callTool(call, { headers: ['x-tenant'] });
    // @ts-expect-error: a definition needs a name
    await caller.callTool(call, { toolDefinition: { inputSchema: { type: 'object' } } });
    // @ts-expect-error: no option of this client
    await caller.callTool(call, { tenant: 'a' });
    assert.equal((await callAny(caller, { maxTotalTimeout: 1_000 })).kind, 'success');
  });
});

describe('clients that are not the SDK', () => {
  test('their own options come through typed', async () => {
    const seen: unknown[] = [];
    const gateway = {
      callTool: async (_params: CallParams, options?: { readonly tenant: string }) => {
        seen.push(options?.tenant);
        return { content: [] };
      },
    };
    const caller = withOutcomes(gateway, quiet);
    await caller.callTool(call, { tenant: 'a', callId: 'c' });
    // @ts-expect-error: the gateway asks for a string
    await caller.callTool(call, { tenant: 5 });
    assert.deepEqual(seen, ['a', 5]);
    expectTypeOf(caller).toExtend<ToolCaller>();
  });

  test('a client that does not say what it takes takes anything', async () => {
    const double = { callTool: async () => ({ content: [] }) };
    const vague = { callTool: async (_params: unknown, _options?: unknown) => ({ content: [] }) };
    // @ts-expect-error: what is ours stays typed
    await withOutcomes(double, quiet).callTool(call, { timeout: 'long' });
    assert.equal((await withOutcomes(double, quiet).callTool(call, { anything: 1 })).kind, 'success');
    assert.equal((await withOutcomes(vague, quiet).callTool(call, { anything: 1 })).kind, 'success');
  });
});

const root = join(import.meta.dirname, '..');

/** The declaration files that a consumer of `index.d.ts` loads, by what they import. */
async function reachable(file: string, found: Map<string, string>): Promise<void> {
  if (found.has(file)) return;
  const text = await readFile(file, 'utf8');
  found.set(file, text);
  for (const [, target = ''] of text.matchAll(/from '(\.[^']+)\.[jt]s'/g)) {
    await reachable(join(dirname(file), `${target}.d.ts`), found);
  }
}

test('the published types name no SDK', async (t) => {
  const folder = await mkdtemp(join(root, 'test', '.docs-types-'));
  t.after(() => rm(folder, { recursive: true }));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await promisify(execFile)(
    process.execPath,
    [compiler, '-p', '.', '--emitDeclarationOnly', '--outDir', folder],
    { cwd: root },
  );
  const found = new Map<string, string>();
  await reachable(join(folder, 'index.d.ts'), found);
  assert.ok(found.size > 20, `only ${found.size} files`);
  for (const [file, text] of found) assert.doesNotMatch(text, /modelcontextprotocol/, file);
});
