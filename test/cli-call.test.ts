/** `mcp-outcome call` against real servers: every kind of outcome, every way to reach a server, every way to be refused. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import * as v from 'valibot';
import { logRecordSchema, parseOutcome } from '../src/index.ts';
import { assertHas, parseLines, runCli } from './support/cli-run.ts';
import { refuseWith, serveCalls } from './support/cli-servers.ts';
import type { HttpCall } from './support/http-peer.ts';

const json = { 'content-type': 'application/json' };
const secret = 'kq7-canary-93be1f';

const answers: Readonly<Record<string, (call: HttpCall) => void>> = {
  search: (call) => call.result({ content: [{ type: 'text', text: '3 links found' }] }),
  weather: (call) => call.result({ content: [], structuredContent: { celsius: 21 } }),
  'run-workflow': (call) =>
    call.result({
      isError: true,
      content: [{ type: 'text', text: 'Step 2 failed.' }],
      structuredContent: { step: 2, state: 'failed' },
    }),
  'list-threads': (call) =>
    call.result({
      content: [],
      structuredContent: {
        _tag: 'OrchestratorMcpFailure',
        code: 'thread_not_found',
        message: 'No such thread.',
      },
    }),
  translate: (call) => call.result({ content: 'Bonjour' }),
  payroll: (call) =>
    call.reply(
      401,
      { ...json, 'www-authenticate': 'Bearer error="invalid_token", scope="pay:read"' },
      '{"error":"no"}',
    ),
  domains: (call) => call.reply(429, { ...json, 'retry-after': '52' }, '{"error":"Too Many Requests"}'),
  gone: (call) => call.reply(404, json, '{"error":"no such session"}'),
  deploy: (call) =>
    call.reply(500, json, `{"sent":"${call.headers['x-company']} ${call.headers.authorization}"}`),
  convert: (call) =>
    call.fail({ code: -32602, message: 'Unknown tool: convert', data: { known: ['search'] } }),
  hang: () => undefined,
  echo: (call) => call.result({ content: [{ type: 'text', text: JSON.stringify(call.params.arguments) }] }),
  escape: (call) => call.result({ content: [{ type: 'text', text: 'a\u001b[2Jb\r\nc\u202ed' }] }),
};
const peer = await serveCalls({
  sessionId: 'session-1',
  tools: [
    {
      name: 'search',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    },
  ],
  onCall: (call) => answers[String(call.name)]?.(call),
});
const url = ['--url', peer.url.href];

const folder = await mkdtemp(join(tmpdir(), 'mcp-outcome-call-'));
after(() => rm(folder, { recursive: true }));
await writeFile(join(folder, 'args.json'), '\uFEFF{"text":"ü","n":1}');

describe('every kind of outcome', { concurrency: 2 }, () => {
  const rows: readonly {
    readonly tool: string;
    readonly args?: readonly string[];
    readonly exitCode: 0 | 1;
    readonly expected: object;
  }[] = [
    {
      tool: 'search',
      exitCode: 0,
      expected: {
        kind: 'success',
        server: 'peer',
        tool: 'search',
        delivery: 'answered',
        replaySafe: true,
        result: { content: [{ type: 'text', text: '3 links found' }] },
      },
    },
    {
      tool: 'run-workflow',
      exitCode: 1,
      expected: {
        kind: 'tool_error',
        message: 'Step 2 failed.',
        result: {
          isError: true,
          content: [{ type: 'text', text: 'Step 2 failed.' }],
          structuredContent: { step: 2, state: 'failed' },
        },
      },
    },
    {
      tool: 'list-threads',
      exitCode: 1,
      expected: { kind: 'failure_body', category: 'not_found', message: 'No such thread.' },
    },
    { tool: 'translate', exitCode: 1, expected: { kind: 'schema_mismatch', schema: 'call_tool_result' } },
    {
      tool: 'payroll',
      exitCode: 1,
      expected: {
        kind: 'call_failure',
        category: 'access_denied',
        httpStatus: 401,
        delivery: 'answered',
        challenge: { error: 'invalid_token', scope: 'pay:read' },
      },
    },
    {
      tool: 'domains',
      exitCode: 1,
      expected: { kind: 'call_failure', reason: 'http_error', httpStatus: 429, retryAfterMs: 52_000 },
    },
    {
      tool: 'gone',
      exitCode: 1,
      expected: { kind: 'call_failure', category: 'not_found', sessionExpired: true },
    },
    {
      tool: 'convert',
      exitCode: 1,
      expected: {
        kind: 'call_failure',
        reason: 'protocol_error',
        rpcCode: -32602,
        rpcData: { known: ['search'] },
      },
    },
    {
      tool: 'hang',
      args: ['--timeout', '700'],
      exitCode: 1,
      expected: { kind: 'call_failure', reason: 'timeout', delivery: 'unknown' },
    },
  ];

  for (const { tool, args = [], exitCode, expected } of rows) {
    test(`${tool} ends as ${JSON.stringify(expected).slice(0, 60)}`, async () => {
      const run = await runCli(['call', tool, ...url, ...args]);
      const { kind, message } = parseOutcome(run.stdout);
      assert.equal(run.exitCode, exitCode);
      assertHas(run.stdout, expected);
      const records = parseLines(run.stderr);
      assert.equal(records.length, exitCode, run.stderr);
      for (const record of records) {
        assert.equal(v.parse(logRecordSchema, record).kind, kind, message);
      }
    });
  }
});

describe('the arguments of the tool', { concurrency: 2 }, () => {
  const args = '{"text":"ü","n":1}';
  const rows = [
    { name: 'are {} when there are none', source: [], received: '{}' },
    { name: 'come from the command line', source: [args], received: args },
    {
      name: 'come from a file, with a byte order mark',
      source: [`@${join(folder, 'args.json')}`],
      received: args,
    },
    { name: 'come from stdin', source: ['-'], input: `\n${args}\n`, received: args },
  ];
  for (const { name, source, input = '', received } of rows) {
    test(name, async () => {
      const { stdout } = await runCli(['call', 'echo', ...source, ...url], { input });
      assertHas(stdout, { result: { content: [{ type: 'text', text: received }] } });
    });
  }
});

describe('--output-schema', { concurrency: 2 }, () => {
  const rows = [
    { name: 'holds a success against it', schema: { required: ['fahrenheit'] }, kind: 'schema_mismatch' },
    { name: 'changes nothing when it fits', schema: { required: ['celsius'] }, kind: 'success' },
  ];
  for (const [index, { name, schema, kind }] of rows.entries()) {
    test(name, async () => {
      const file = join(folder, `schema-${index}.json`);
      await writeFile(file, JSON.stringify({ type: 'object', ...schema }));
      const { stdout, exitCode } = await runCli(['call', 'weather', ...url, '--output-schema', file]);
      assertHas(stdout, { kind });
      assert.equal(exitCode, kind === 'success' ? 0 : 1);
    });
  }

  test('that cannot be used is bad input, and nothing is sent', async () => {
    const file = join(folder, 'unusable.json');
    await writeFile(file, '{ "type": "bogus" }');
    const args = ['call', 'never-called', ...url, '--output-schema', file];
    const { stdout, stderr, exitCode } = await runCli(args);
    assert.ok(
      stderr.startsWith(`mcp-outcome: Option --output-schema, ${file}: expected a JSON Schema`),
      stderr,
    );
    assert.equal(stdout, '');
    assert.equal(exitCode, 2);
    assert.ok(peer.callBodies.every((body) => !body.includes('never-called')));
  });
});

describe('secrets', { concurrency: 2 }, () => {
  const headers = ['--header', `X-Company: ${secret}`, '--header', `Authorization: Bearer ${secret}-2`];

  test('a server that echoes the headers in an error shows them to nobody', async () => {
    const { stdout, stderr } = await runCli(['call', 'deploy', ...url, ...headers]);
    assertHas(stdout, { httpStatus: 500, message: 'HTTP 500: {"sent":"[REDACTED] [REDACTED]"}' });
    assert.doesNotMatch(stdout + stderr, new RegExp(secret));
  });

  test('nor when it refuses the handshake with them', async () => {
    const refusing = await refuseWith({
      status: 403,
      headers: json,
      body: `{"key":"value ${secret} is unknown"}`,
    });
    const { stdout, stderr } = await runCli(['call', 'any', '--url', refusing, ...headers]);
    assertHas(stdout, { category: 'access_denied', httpStatus: 403 });
    assert.doesNotMatch(stdout + stderr, new RegExp(secret));
  });
});

describe('--output text', { concurrency: 2 }, () => {
  const rows: readonly { readonly tool: string; readonly stdout: string; readonly stderr: string }[] = [
    {
      tool: 'search',
      stdout: `success  peer/search
  delivery       answered
  replay safe    yes
  took           # ms

3 links found
`,
      stderr: '',
    },
    {
      tool: 'payroll',
      stdout: `call_failure  peer/payroll
  category       access_denied
  delivery       answered
  took           # ms
  reason         http_error
  HTTP status    401
  challenge      invalid_token
  scope          pay:read

Error: MCP tool 'peer/payroll' failed: HTTP 401: {"error":"no"}
`,
      stderr: `warning: MCP tool 'peer/payroll' failed (HTTP 401): {"error":"no"}\n`,
    },
    {
      tool: 'list-threads',
      stdout: `failure_body  peer/list-threads
  category       not_found
  delivery       answered
  took           # ms
  recognized by  orchestratorMcpFailure
  failure        OrchestratorMcpFailure thread_not_found

Error: MCP tool 'peer/list-threads' reported a failure: {"_tag":"OrchestratorMcpFailure","code":"thread_not_found","message":"No such thread."}
`,
      stderr: `warning: MCP tool 'peer/list-threads' reported a failure: No such thread.\n`,
    },
    {
      tool: 'escape',
      stdout: `success  peer/escape
  delivery       answered
  took           # ms

a [2Jb 
c d
`,
      stderr: '',
    },
  ];
  for (const { tool, stdout, stderr } of rows) {
    test(`of ${tool}`, async () => {
      const run = await runCli(['call', tool, ...url, '--output', 'text']);
      assert.equal(run.stdout.replace(/(took +)\d+/, '$1#'), stdout);
      assert.equal(run.stderr, stderr);
    });
  }
});
