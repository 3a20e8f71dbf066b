/**
 * Tools that run as tasks, against a real server of SDK v1. The wrapper runs no tasks: it says that one is there, or
 * that the tool wants one, and `classifyResult` judges what the caller got of a task later.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { classifyResult, classifyThrown, type ToolOutcome, withOutcomes } from '../src/index.ts';
import { connectInMemory } from './support/in-memory-peer.ts';
import { assertOutcome, context, success, toolError, transient } from './support/right-outcome.ts';

const quiet = { server: 'tasks', logger: false } as const;

/** How the task of each tool ends. */
const endings: Readonly<
  Record<string, { readonly status: 'completed' | 'failed'; readonly result: CallToolResult }>
> = {
  report: { status: 'completed', result: { content: [{ type: 'text', text: 'the report' }] } },
  wreck: { status: 'failed', result: { content: [{ type: 'text', text: 'no paper' }], isError: true } },
};

async function connect(t: TestContext): Promise<Client> {
  const taskStore = new InMemoryTaskStore();
  const server = new McpServer(
    { name: 'tasks', version: '1.0.0' },
    { taskStore, capabilities: { tasks: { requests: { tools: { call: {} } } } } },
  );
  for (const [name, { status, result }] of Object.entries(endings)) {
    server.experimental.tasks.registerToolTask(
      name,
      { description: name, execution: { taskSupport: 'required' } },
      {
        createTask: async (extra) => {
          const task = await extra.taskStore.createTask({ ttl: 60_000 });
          await extra.taskStore.storeTaskResult(task.taskId, status, result);
          return { task };
        },
        getTask: async (extra) => extra.taskStore.getTask(extra.taskId),
        getTaskResult: async () => result,
      },
    );
  }
  const [transport, end] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'task-tests', version: '1.0.0' });
  await Promise.all([server.connect(end), client.connect(transport)]);
  t.after(() => {
    taskStore.cleanup();
    return client.close();
  });
  return client;
}

describe('a tool that runs only as a task', () => {
  test('is refused by a client that listed it: task_required, and nothing is sent', async (t) => {
    const client = await connect(t);
    await client.listTools();
    const outcome = await withOutcomes(client, quiet).callTool({ name: 'report' });
    assertOutcome(outcome, {
      ...transient,
      reason: 'task_required',
      delivery: 'not_sent',
      rpcCode: undefined,
    });
  });

  test('is called by a client that did not list it, and the server says no', async (t) => {
    const client = await connect(t);
    const outcome = await withOutcomes(client, quiet).callTool({ name: 'report' });
    assertOutcome(outcome, toolError);
    assert.match(outcome.message, /requires task augmentation/);
  });
});

/** The task that the caller asked for with the SDK's own option. */
async function startTask(client: Client, name: string): Promise<ToolOutcome> {
  return withOutcomes(client, quiet).callTool({ name }, { task: { ttl: 60_000 } });
}

function taskIdOf(outcome: ToolOutcome): string {
  const taskId = outcome.kind === 'call_failure' ? outcome.taskId : undefined;
  assert.ok(taskId, outcome.message);
  return taskId;
}

describe('a task that the caller asked for', () => {
  test('is task_created, with its id', async (t) => {
    const outcome = await startTask(await connect(t), 'report');
    assertOutcome(outcome, { ...transient, reason: 'task_created', delivery: 'answered' });
    assert.match(taskIdOf(outcome), /^\w+/);
  });

  test('and its result is judged by classifyResult', async (t) => {
    const client = await connect(t);
    const taskId = taskIdOf(await startTask(client, 'report'));
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    assertOutcome(classifyResult(result, context), { ...success, value: undefined });
  });

  test('and so is the result of one that failed', async (t) => {
    const client = await connect(t);
    const taskId = taskIdOf(await startTask(client, 'wreck'));
    const { status } = await client.experimental.tasks.getTask(taskId);
    assert.equal(status, 'failed');
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    assertOutcome(classifyResult(result, context), { ...toolError, message: 'no paper' });
  });

  test('and one that is not there is what the server says of it', async (t) => {
    const client = await connect(t);
    const thrown = await client.experimental.tasks.getTaskResult('none', CallToolResultSchema).then(
      () => assert.fail('resolved'),
      (reason: unknown) => reason,
    );
    assertOutcome(classifyThrown(thrown, context), {
      ...transient,
      reason: 'protocol_error',
      rpcCode: -32_602,
    });
  });
});

test('a task that nobody asked for is task_created too, with its id, in both of its states', async (t) => {
  for (const status of ['working', 'failed']) {
    const { client, peer } = await connectInMemory({
      onCall: (call) => call.answer({ task: { taskId: `${status}-1`, status, ttl: null } }),
    });
    t.after(() => peer.close());
    const outcome = await withOutcomes(client, quiet).callTool({ name: 'report' });
    assertOutcome(outcome, {
      ...transient,
      reason: 'task_created',
      taskId: `${status}-1`,
      delivery: 'answered',
    });
  }
});
