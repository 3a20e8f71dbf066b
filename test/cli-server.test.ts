/** Every way in which `mcp-outcome call` reaches a server, and what is said of one that it cannot reach. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import * as v from 'valibot';
import { logRecordSchema } from '../src/index.ts';
import { assertHas, parseLines, runCli } from './support/cli-run.ts';
import {
  freePort,
  refuseGet,
  refuseOverSse,
  refuseOverStdio,
  refuseWith,
  serveCalls,
  serveSse,
  stdioServer,
} from './support/cli-servers.ts';
import type { HttpReply } from './support/fault-script.ts';

const folder = await mkdtemp(join(tmpdir(), 'mcp-outcome-server-'));
after(() => rm(folder, { recursive: true }));

/** Answers with the environment that it sees, or fails with a part of it. */
const environmentServer = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = method === 'initialize'
      ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'environment', version: '1' } }
      : method === 'tools/list' ? { tools: [] } : {
          content: [],
          structuredContent: { env: process.env, cwd: process.cwd(), args: process.argv.slice(1) },
        };
    const { API_KEY, PWD } = process.env;
    const error = { code: -32000, message: 'No key ' + API_KEY + ' in ' + PWD };
    const fails = params?.name === 'fail';
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(fails ? { error } : { result }) }));
  });`;

const headersSeen = new Map<string, unknown>();
const peer = await serveCalls({
  onCall: (call) => {
    headersSeen.set(String(call.name), call.headers['x-key']);
    if (call.name === 'echo-headers') {
      call.reply(500, {}, `keys ${call.headers['x-key']}, cookies ${call.headers.cookie}`);
    } else {
      call.result({ content: [] });
    }
  },
});

async function configFile(name: string, config: object): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(config));
  return path;
}

function structured(line: string): { env: Record<string, string>; cwd: string; args: string[] } {
  return JSON.parse(line).result.structuredContent;
}

describe('a server', { concurrency: 2 }, () => {
  test('over Streamable HTTP gets the headers', async () => {
    const args = ['call', 'with-headers', '--url', peer.url.href, '--transport', 'http'];
    const { exitCode } = await runCli([...args, '--header', 'x-key: a: b', '--header', 'X-Other:c']);
    assert.equal(exitCode, 0);
    assert.equal(headersSeen.get('with-headers'), 'a: b');
  });

  test('gets every value of a header, and an echo of them shows none', async () => {
    const headers = ['X-Key: kq7-canary-1', 'x-key: kq7-canary-2', 'Cookie: a=kq7-canary-3', 'Cookie: b=4'];
    const args = headers.flatMap((header) => ['--header', header]);
    const run = await runCli(['call', 'echo-headers', '--url', peer.url.href, ...args]);
    assert.equal(headersSeen.get('echo-headers'), 'kq7-canary-1, kq7-canary-2');
    assertHas(run.stdout, { httpStatus: 500 });
    assert.doesNotMatch(run.stdout + run.stderr, /canary/);
  });

  test('gets a header with tabs, and letters of ISO 8859-1', async () => {
    const args = ['call', 'odd-header', '--url', peer.url.href, '--header', 'x-key:\ta\tb é '];
    assert.equal((await runCli(args)).exitCode, 0);
    assert.equal(headersSeen.get('odd-header'), 'a\tb é');
  });

  test('over the legacy SSE transport', async () => {
    const { stdout, exitCode } = await runCli([
      ...['call', 'healthy', '{"say":"over SSE"}', '--url', await serveSse({}), '--transport', 'sse'],
    ]);
    assertHas(stdout, { kind: 'success', result: { content: [{ type: 'text', text: 'over SSE' }] } });
    assert.equal(exitCode, 0);
  });

  test('over stdio has the environment of the command', async () => {
    const args = ['call', 'env', '--', process.execPath, '-e', environmentServer, '--', '--url', 'x'];
    const { stdout } = await runCli(args, { env: { OWN_VARIABLE: 'own' } });
    assert.equal(structured(stdout).env.OWN_VARIABLE, 'own');
    assert.deepEqual(structured(stdout).args, ['--url', 'x']);
  });

  test('over stdio cannot show a secret of its environment around', async () => {
    const args = ['call', 'fail', '--', process.execPath, '-e', environmentServer];
    const run = await runCli(args, { env: { API_KEY: 'kq7-canary-93be1f', PWD: '/srv/shop/orders' } });
    assertHas(run.stdout, { message: 'JSON-RPC error -32000: No key [REDACTED] in /srv/shop/orders' });
    assert.doesNotMatch(run.stdout + run.stderr, /canary/);
  });

  test('of a config file over stdio has what its entry names, and little else', async () => {
    const file = await configFile('stdio.json', {
      mcpServers: {
        own: {
          command: `\${NODE_BINARY}`,
          args: ['-e', environmentServer, '--', `\${env:GREETING} there`, `\${NOT_SET:-fallback}`],
          env: { API_KEY: `key-\${GREETING}`, PORT: 80 },
          cwd: folder,
        },
      },
    });
    const { stdout } = await runCli(['call', 'env', '--config', file], {
      env: { NODE_BINARY: process.execPath, GREETING: 'hello', OWN_VARIABLE: 'own' },
    });
    const { env, cwd, args } = structured(stdout);
    assert.equal(env.API_KEY, 'key-hello');
    assert.equal(env.PORT, '80');
    assert.equal(env.OWN_VARIABLE, undefined);
    assert.ok(cwd.endsWith(folder));
    assert.deepEqual(args, ['hello there', 'fallback']);
    assertHas(stdout, { server: 'own' });
  });

  const entries: readonly { readonly name: string; readonly key: string; readonly entry: object }[] = [
    { name: 'mcpServers with url', key: 'mcpServers', entry: { url: peer.url.href } },
    { name: 'type http', key: 'mcpServers', entry: { type: 'http', url: peer.url.href } },
    { name: 'type streamableHttp', key: 'mcpServers', entry: { type: 'streamableHttp', url: peer.url.href } },
    { name: 'serverUrl', key: 'mcpServers', entry: { serverUrl: peer.url.href } },
    { name: 'httpUrl', key: 'mcpServers', entry: { httpUrl: peer.url.href } },
    { name: "VS Code's servers", key: 'servers', entry: { type: 'http', url: `\${env:SHOP_URL}` } },
  ];
  for (const { name, key, entry } of entries) {
    test(`of a config file over HTTP: ${name}`, async () => {
      const other = { command: 'not-this-one' };
      const headers = { 'x-key': `\${SHOP_KEY}` };
      const servers = { other, shop: { ...entry, headers } };
      const file = await configFile(`${name}.json`, { inputs: [], [key]: servers });
      const { stdout, exitCode } = await runCli(['call', name, '--config', file, '--server', 'shop'], {
        env: { SHOP_KEY: 'from the environment', SHOP_URL: peer.url.href },
      });
      assertHas(stdout, { kind: 'success', server: 'shop' });
      assert.equal(exitCode, 0);
      assert.equal(headersSeen.get(name), 'from the environment');
    });
  }

  test('of a config file with both lists of servers is taken from either, and first from mcpServers', async () => {
    const nowhere = { command: 'no-such-command-here' };
    const file = await configFile('both.json', {
      servers: { shop: nowhere, files: { url: peer.url.href } },
      mcpServers: { shop: { url: peer.url.href, headers: { 'x-key': `\${KEY}` } } },
    });
    for (const server of ['shop', 'files']) {
      const { stdout } = await runCli(['call', 'of-both', '--config', file, '--server', server], {
        env: { KEY: 'from a file\n' },
      });
      assertHas(stdout, { kind: 'success', server });
      assert.equal(headersSeen.get('of-both'), server === 'shop' ? 'from a file' : undefined);
    }
  });

  test('of a config file over the legacy SSE transport', async () => {
    const file = await configFile('sse.json', {
      mcpServers: { old: { type: 'sse', url: await serveSse({}) } },
    });
    const { stdout } = await runCli(['call', 'healthy', '--config', file]);
    assertHas(stdout, { kind: 'success', server: 'old' });
  });
});

const json = { 'content-type': 'application/json' };
const challenge = { 'www-authenticate': 'Bearer error="invalid_token", scope="a b"' };

interface Refusal {
  readonly name: string;
  readonly args: readonly string[];
  readonly expected: object;
}

async function refusal(name: string, reply: HttpReply, expected: object): Promise<Refusal> {
  return { name, args: ['--url', await refuseWith(reply)], expected };
}

/** Codes that SDK v1 also gives errors of its own: a closed connection, and its own timer. */
const closed = { code: -32_000, message: 'Nope' };
const timedOut = { code: -32_001, message: 'Request timed out', data: { timeout: 5 } };

const refusals: readonly Refusal[] = [
  {
    name: 'nobody listens',
    args: ['--url', `http://127.0.0.1:${await freePort()}/mcp`],
    expected: { category: 'transient_failure', reason: 'network_error' },
  },
  {
    name: 'nobody listens, legacy SSE',
    args: ['--url', `http://127.0.0.1:${await freePort()}/sse`, '--transport', 'sse'],
    expected: { category: 'transient_failure', reason: 'not_connected' },
  },
  await refusal(
    'HTTP 401 for the handshake',
    { status: 401, headers: json, body: '{"error":"who are you"}' },
    {
      category: 'access_denied',
      reason: 'http_error',
      httpStatus: 401,
      message: 'HTTP 401: {"error":"who are you"}',
    },
  ),
  await refusal(
    'HTTP 401 for the handshake, with a challenge',
    { status: 401, headers: challenge },
    {
      category: 'access_denied',
      challenge: { error: 'invalid_token', scope: 'a b' },
      retryAfterMs: undefined,
    },
  ),
  await refusal(
    'HTTP 503 for the handshake, which says when to come again',
    { status: 503, headers: { 'retry-after': '9' }, body: 'later' },
    { httpStatus: 503, retryAfterMs: 9_000, challenge: undefined, body: 'later', message: 'HTTP 503: later' },
  ),
  await refusal('HTTP 403', { status: 403 }, { category: 'access_denied', httpStatus: 403 }),
  await refusal('HTTP 404', { status: 404 }, { category: 'not_found', httpStatus: 404 }),
  await refusal(
    'HTTP 500 that speaks of 404',
    { status: 500, body: 'error 404' },
    { category: 'transient_failure', httpStatus: 500 },
  ),
  await refusal(
    'a web page',
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
    { category: 'transient_failure', reason: 'invalid_answer' },
  ),
  await refusal(
    'a JSON-RPC error for the handshake, with a code that SDK v1 also makes',
    {
      status: 200,
      headers: json,
      body: '{"jsonrpc":"2.0","id":"$id","error":{"code":-32600,"message":"No."}}',
    },
    { category: 'transient_failure', reason: 'protocol_error', rpcCode: -32600 },
  ),
  await refusal(
    'a JSON-RPC error for the handshake, with the code of a timeout',
    { status: 200, headers: json, body: JSON.stringify({ jsonrpc: '2.0', id: '$id', error: timedOut }) },
    { reason: 'protocol_error', rpcCode: -32_001, rpcData: { timeout: 5 } },
  ),
  {
    name: 'a JSON-RPC error for the handshake, over stdio, with the code of a closed connection',
    args: refuseOverStdio({ error: closed }),
    expected: {
      category: 'transient_failure',
      reason: 'protocol_error',
      rpcCode: -32_000,
      message: 'JSON-RPC error -32000: Nope',
    },
  },
  {
    name: 'a JSON-RPC error for the handshake, legacy SSE',
    args: ['--url', await refuseOverSse(timedOut), '--transport', 'sse'],
    expected: { reason: 'protocol_error', rpcCode: -32_001, rpcData: { timeout: 5 } },
  },
  {
    name: 'a JSON-RPC error that answers another request, then silence',
    args: ['--timeout', '400', ...refuseOverStdio({ id: 99, error: closed })],
    expected: { reason: 'timeout', rpcCode: undefined },
  },
  await refusal(
    'a protocol version from the future',
    {
      status: 200,
      headers: json,
      body: '{"jsonrpc":"2.0","id":"$id","result":{"protocolVersion":"2999-01-01","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}',
    },
    { category: 'transient_failure', reason: 'not_connected' },
  ),
  {
    name: 'silence, until the timeout, which covers connecting',
    args: ['--url', await refuseWith({ finish: 'silent' }), '--timeout', '400'],
    expected: { category: 'transient_failure', reason: 'timeout', message: 'not connected within 400 ms' },
  },
  {
    name: 'HTTP 401 for the event stream, legacy SSE',
    args: ['--url', await refuseGet(401), '--transport', 'sse'],
    expected: { category: 'access_denied', httpStatus: 401, body: 'no events here' },
  },
  {
    name: 'HTTP 404 for the handshake, legacy SSE',
    args: ['--url', await refuseWith({ status: 404 }, 'sse'), '--transport', 'sse'],
    expected: { category: 'not_found', httpStatus: 404, challenge: undefined },
  },
  {
    name: 'HTTP 401 for the handshake, legacy SSE, with a challenge and a body',
    args: [
      '--url',
      await refuseWith({ status: 401, headers: challenge, body: 'who are you' }, 'sse'),
      ...['--transport', 'sse'],
    ],
    expected: {
      category: 'access_denied',
      reason: 'http_error',
      httpStatus: 401,
      challenge: { error: 'invalid_token', scope: 'a b' },
      body: 'who are you',
      message: 'HTTP 401: who are you',
    },
  },
  {
    name: 'a body that never ends, which is not waited for until the timeout',
    args: [
      '--url',
      await refuseWith(
        { status: 503, headers: { 'retry-after': '9' }, body: 'later', finish: 'hold' },
        'sse',
      ),
      ...['--transport', 'sse', '--timeout', '700'],
    ],
    expected: { httpStatus: 503, retryAfterMs: 9_000 },
  },
  {
    name: 'a command that does not exist',
    args: ['--', 'no-such-command-here'],
    expected: { category: 'transient_failure', reason: 'not_connected' },
  },
  {
    name: 'a command that is no server',
    args: ['--', process.execPath, '-e', ''],
    expected: { category: 'transient_failure', reason: 'connection_closed' },
  },
  {
    name: 'a stdio server that never answers the handshake',
    args: ['--timeout', '400', '--', process.execPath, '-e', 'process.stdin.resume()'],
    expected: { category: 'transient_failure', reason: 'timeout' },
  },
];

describe('a server that cannot be reached is an outcome, exit code 1', { concurrency: 2 }, () => {
  for (const { name, args, expected } of refusals) {
    test(name, async () => {
      const { exitCode, stdout, stderr } = await runCli(['call', 'tool', ...args]);
      assertHas(stdout, { kind: 'call_failure', ok: false, delivery: 'not_sent', tool: 'tool', ...expected });
      assert.equal(exitCode, 1);
      const [record, ...more] = parseLines(stderr);
      assert.equal(v.parse(logRecordSchema, record).delivery, 'not_sent');
      assert.deepEqual(more, []);
    });
  }
});

test('a secret of the environment in an error for the handshake is not shown', async () => {
  const server = refuseOverStdio({ error: { code: -32_000, message: 'No key kq7-canary-93be1f' } });
  const run = await runCli(['call', 'tool', ...server], { env: { API_KEY: 'kq7-canary-93be1f' } });
  assertHas(run.stdout, { message: 'JSON-RPC error -32000: No key [REDACTED]', delivery: 'not_sent' });
  assert.doesNotMatch(run.stdout + run.stderr, /canary/);
});

test('a server that dies in the middle of a call', async () => {
  const script = { calls: { fault: { child: [{ do: 'exit', code: 3 }] } } } as const;
  const { exitCode, stdout } = await runCli(['call', 'fault', ...stdioServer(script)]);
  assertHas(stdout, { kind: 'call_failure', reason: 'connection_closed', delivery: 'unknown' });
  assert.equal(exitCode, 1);
});
