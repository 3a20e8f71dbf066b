/** The reference servers of MCP, as processes of their own: what they put on the wire decides the kind. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallParams,
  observeFetch,
  type ToolCaller,
  type ToolOutcome,
  withOutcomes,
} from '../src/index.ts';
import { createClient } from './support/in-memory-peer.ts';

const everything = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);
const filesystem = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
);

interface Stage {
  readonly client: Client;
  readonly caller: ToolCaller;
  readonly warnings: readonly string[];
  /** The results of calls as they crossed the transport, last one last. */
  readonly wire: readonly unknown[];
}

async function stage(transport: Transport): Promise<Stage> {
  const client = createClient();
  await client.connect(transport);
  const wire: unknown[] = [];
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const result = Reflect.get(message, 'result') ?? Reflect.get(message, 'error');
    if (result !== undefined && Reflect.get(Object(result), 'tools') === undefined) wire.push(result);
    onmessage?.(message, extra);
  };
  const warnings: string[] = [];
  const caller = withOutcomes(client, { logger: { warn: (_record, message) => warnings.push(message) } });
  return { client, caller, warnings, wire };
}

interface Row {
  readonly name: string;
  readonly params: CallParams;
  readonly kind: ToolOutcome['kind'];
  /** The text of the first block, as the server words it. */
  readonly text: string | RegExp;
  readonly structured?: unknown;
  readonly warnings: number;
}

/** Runs the rows on one connection, in order, and holds each outcome against the wire. */
async function play({ caller, warnings, wire }: Stage, server: string, rows: readonly Row[]): Promise<void> {
  let warned = 0;
  for (const row of rows) {
    const outcome = await caller.callTool(row.params);
    const where = `${row.name}: ${outcome.message}`;
    assert.equal(outcome.kind, row.kind, where);
    assert.ok(outcome.kind === 'success' || outcome.kind === 'tool_error', where);
    assert.deepEqual(outcome.result, wire.at(-1), `${where}: verbatim`);
    const text = String(Reflect.get(Object(Reflect.get(Object(outcome.result.content), 0)), 'text'));
    if (typeof row.text === 'string') assert.equal(text, row.text, where);
    else assert.match(text, row.text, where);
    assert.equal(outcome.server, server);
    assert.equal(outcome.tool, row.params.name);
    assert.equal(outcome.delivery, 'answered');
    if (outcome.kind === 'success') {
      assert.deepEqual(outcome.warnings, [], where);
      if ('structured' in row) assert.deepEqual(outcome.value, row.structured, where);
    }
    warned += row.warnings;
    assert.equal(warnings.length, warned, where);
    if (row.warnings > 0) {
      assert.ok(
        warnings.at(-1)?.startsWith(`MCP tool '${server}/${row.params.name}' reported a failure: `),
        where,
      );
    }
  }
}

const everythingName = 'mcp-servers/everything';
const everythingRows: readonly Row[] = [
  {
    name: 'a success',
    params: { name: 'echo', arguments: { message: 'hi' } },
    kind: 'success',
    text: 'Echo: hi',
    structured: undefined,
    warnings: 0,
  },
  {
    name: 'a success with structured content and an output schema',
    params: { name: 'get-structured-content', arguments: { location: 'New York' } },
    kind: 'success',
    text: '{"temperature":33,"conditions":"Cloudy","humidity":82}',
    structured: { temperature: 33, conditions: 'Cloudy', humidity: 82 },
    warnings: 0,
  },
  {
    name: 'an isError of the tool itself',
    params: { name: 'get-resource-reference', arguments: { resourceType: 'Text', resourceId: -1 } },
    kind: 'tool_error',
    text: 'Invalid resourceId: -1. Must be a finite positive integer.',
    warnings: 1,
  },
  {
    name: 'invalid arguments: the server answers with isError, not with a JSON-RPC error',
    params: { name: 'get-sum', arguments: { a: 'x' } },
    kind: 'tool_error',
    text: /^MCP error -32602: Input validation error: Invalid arguments for tool get-sum/,
    warnings: 1,
  },
  {
    name: 'an unknown tool: likewise',
    params: { name: 'no-such-tool', arguments: {} },
    kind: 'tool_error',
    text: 'MCP error -32602: Tool no-such-tool not found',
    warnings: 1,
  },
  {
    name: 'prose about an error without a flag: a documented limit',
    params: { name: 'get-annotated-message', arguments: { messageType: 'error', includeImage: false } },
    kind: 'success',
    text: 'Error: Operation failed',
    warnings: 0,
  },
  {
    name: 'the connection is as good as before',
    params: { name: 'get-sum', arguments: { a: 2, b: 3 } },
    kind: 'success',
    text: 'The sum of 2 and 3 is 5.',
    warnings: 0,
  },
];

async function everythingCalls(current: Stage): Promise<void> {
  const { client, caller } = current;
  const { name } = client.getServerVersion() ?? { name: '' };
  assert.equal(name, everythingName);
  await play(current, everythingName, everythingRows);
  assert.equal(
    (await caller.callTool({ name: 'echo', arguments: { message: 'x' } })).replaySafe,
    true,
    'readOnlyHint',
  );
  const late = await caller.callTool(
    { name: 'trigger-long-running-operation', arguments: { duration: 0.4, steps: 1 } },
    { timeout: 100 },
  );
  assert.equal(late.kind === 'call_failure' && late.reason, 'timeout', late.message);
  const aborting = new AbortController();
  const seen: number[] = [];
  const stopped = await caller.callTool(
    { name: 'trigger-long-running-operation', arguments: { duration: 10, steps: 100 } },
    {
      signal: aborting.signal,
      onprogress: ({ progress }) => {
        seen.push(progress);
        aborting.abort('enough progress');
      },
    },
  );
  assert.equal(stopped.kind, 'cancelled', stopped.message);
  assert.ok(seen.length > 0);
  await client.listTools();
  const task = await caller.callTool({ name: 'simulate-research-query', arguments: { topic: 'x' } });
  assert.equal(task.kind === 'call_failure' && task.reason, 'task_required', task.message);
  assert.equal(task.delivery, 'not_sent');
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function withChild(args: readonly string[], run: (current: Stage) => Promise<void>): Promise<void> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    stderr: 'ignore',
  });
  const current = await stage(transport);
  const pid = transport.pid ?? 0;
  assert.ok(isRunning(pid));
  try {
    await run(current);
  } finally {
    await current.client.close();
  }
  assert.ok(!isRunning(pid), 'the process is gone');
}

describe('server-everything', () => {
  test('over stdio', () => withChild([everything, 'stdio'], everythingCalls));

  let server: ChildProcess | undefined;
  let url = new URL('http://127.0.0.1/mcp');

  before(async () => {
    const port = await freePort();
    url = new URL(`http://127.0.0.1:${port}/mcp`);
    server = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await waitForOutput(server, `listening on port ${port}`);
  });

  after(async () => {
    server?.kill('SIGKILL');
    if (server !== undefined && server.exitCode === null && server.signalCode === null)
      await once(server, 'exit');
  });

  for (const [name, fetch] of [
    ['over Streamable HTTP', globalThis.fetch],
    ['over Streamable HTTP with an observed fetch', observeFetch()],
  ] as const) {
    test(name, async () => {
      const transport = new StreamableHTTPClientTransport(url, { fetch });
      const current = await stage(transport);
      await everythingCalls(current);
      await transport.terminateSession();
      const gone = await current.caller.callTool({ name: 'echo', arguments: { message: 'x' } });
      // Without its session the transport sends none; the server refuses that with a 400.
      assert.equal(gone.kind === 'call_failure' && gone.httpStatus, 400, gone.message);
      await current.client.close();
    });
  }

  test('a session that the server forgot: HTTP 400 or 404, and never a success', async () => {
    const transport = new StreamableHTTPClientTransport(url);
    const current = await stage(transport);
    const response = await fetch(url, {
      method: 'DELETE',
      headers: { 'mcp-session-id': transport.sessionId ?? '' },
    });
    assert.ok(response.ok);
    await response.body?.cancel();
    const outcome = await current.caller.callTool({ name: 'echo', arguments: { message: 'x' } });
    assert.ok(outcome.kind === 'call_failure', outcome.message);
    assert.equal(outcome.reason, 'http_error');
    assert.equal(outcome.sessionExpired, outcome.httpStatus === 404 ? true : undefined);
    assert.equal(current.warnings.length, 1);
    await current.client.close();
  });

  test('a server that is killed under an open call', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [everything, 'stdio'],
      stderr: 'ignore',
    });
    const { client, caller, warnings } = await stage(transport);
    const pending = caller.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 10, steps: 100 } },
      { onprogress: () => process.kill(transport.pid ?? 0, 'SIGKILL') },
    );
    const outcome = await pending;
    assert.equal(outcome.kind === 'call_failure' && outcome.reason, 'connection_closed', outcome.message);
    assert.equal(outcome.delivery, 'unknown');
    assert.equal(warnings.length, 1);
    await client.close();
  });
});

describe('server-filesystem', () => {
  test('over stdio, on a folder of its own', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'mcp-outcome-')));
    const allowed = join(root, 'allowed');
    await mkdir(allowed);
    await writeFile(join(allowed, 'a.txt'), 'hello');
    await writeFile(join(root, 'outside.txt'), 'not for you');
    const read = (path: string): CallParams => ({ name: 'read_text_file', arguments: { path } });
    const rows: readonly Row[] = [
      {
        name: 'a success',
        params: read(join(allowed, 'a.txt')),
        kind: 'success',
        text: 'hello',
        structured: { content: 'hello' },
        warnings: 0,
      },
      {
        name: 'a path outside',
        params: read(join(root, 'outside.txt')),
        kind: 'tool_error',
        text: /^Access denied - path outside allowed directories/,
        warnings: 1,
      },
      {
        name: 'a file that is not there',
        params: read(join(allowed, 'none.txt')),
        kind: 'tool_error',
        text: /^ENOENT: no such file or directory/,
        warnings: 1,
      },
      {
        name: 'invalid arguments',
        params: { name: 'read_text_file', arguments: {} },
        kind: 'tool_error',
        text: /^MCP error -32602: Input validation error/,
        warnings: 1,
      },
      {
        name: 'an unknown tool',
        params: { name: 'no_such_tool', arguments: {} },
        kind: 'tool_error',
        text: 'MCP error -32602: Tool no_such_tool not found',
        warnings: 1,
      },
      {
        name: 'a write',
        params: {
          name: 'write_file',
          arguments: { path: join(allowed, 'b.txt'), content: 'Error: HTTP 500' },
        },
        kind: 'success',
        text: /^Successfully wrote/,
        warnings: 0,
      },
      {
        name: 'a file that speaks of errors',
        params: read(join(allowed, 'b.txt')),
        kind: 'success',
        text: 'Error: HTTP 500',
        warnings: 0,
      },
    ];
    try {
      await withChild([filesystem, allowed], async (current) => {
        await current.client.listTools();
        await play(current, 'secure-filesystem-server', rows);
      });
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function waitForOutput({ stderr }: ChildProcess, words: string): Promise<void> {
  let output = '';
  for await (const chunk of stderr ?? []) {
    output += chunk;
    if (output.includes(words)) {
      stderr?.resume();
      return;
    }
  }
  throw new Error(`the server ended: ${output}`);
}
