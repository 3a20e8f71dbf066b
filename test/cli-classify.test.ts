/** `mcp-outcome classify`: what it makes of results, responses and everything else that a captured log holds. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parseOutcome } from '../src/index.ts';
import { type CliRun, parseLines, runCli } from './support/cli-run.ts';

const folder = await mkdtemp(join(tmpdir(), 'mcp-outcome-classify-'));
after(() => rm(folder, { recursive: true }));

const ok = { content: [{ type: 'text', text: 'fine' }] };
/** Its content may be a list, as that of a tool result. */
const sampled = { role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Why?' }] };
const failed = { content: [{ type: 'text', text: 'Order 7 not found.' }], isError: true };
const response = (id: unknown, result: unknown): object => ({ jsonrpc: '2.0', id, result });
const request = (id: unknown, method: string, params?: object): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('');

/** Whether this Node.js writes JSON of any depth. */
function writesAnyDepth(): boolean {
  try {
    JSON.stringify(JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`));
    return true;
  } catch {
    return false;
  }
}

/** An outcome in short: its kind, the line it came from, and the tool when it has a name. */
function brief(line: unknown): string {
  const { kind, callId, tool } = parseOutcome(JSON.stringify(line));
  return `${kind} ${callId}${tool === '(unknown)' ? '' : ` ${tool}`}`;
}

function outcomes({ stdout }: CliRun): readonly string[] {
  return parseLines(stdout).map(brief);
}

/** What stderr says before and after the tables. */
function words({ stderr }: CliRun): readonly string[] {
  return stderr.split('\n').filter((line) => line !== '' && !/^[┌├└│]/.test(line));
}

interface LogRow {
  readonly name: string;
  readonly input: string | Uint8Array;
  readonly outcomes: readonly string[];
  readonly words?: readonly string[];
  readonly exitCode: 0 | 1;
}

describe('an input', { concurrency: 2 }, () => {
  const rows: readonly LogRow[] = [
    { name: 'of one result', input: lines(ok), outcomes: ['success line-1'], exitCode: 0 },
    {
      name: 'of one result without a line feed at the end',
      input: JSON.stringify(failed),
      outcomes: ['tool_error line-1'],
      exitCode: 1,
    },
    {
      name: 'of results and responses',
      input: lines(ok, response(1, ok), response('two', failed)),
      outcomes: ['success line-1', 'success line-2', 'tool_error line-3'],
      exitCode: 1,
    },
    {
      name: 'of JSON-RPC errors',
      input: lines({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool' } }),
      outcomes: ['call_failure line-1'],
      exitCode: 1,
    },
    {
      name: 'of responses that are none',
      input: lines({ jsonrpc: '2.0', id: 1 }, { jsonrpc: '2.0', id: 2, result: ok, error: null }),
      outcomes: ['call_failure line-1', 'call_failure line-2'],
      exitCode: 1,
    },
    {
      name: 'of values that are no objects',
      input: lines('5', 'null', '"fine"', '[]', '[1]'),
      outcomes: [1, 2, 3, 4, 5].map((line) => `schema_mismatch line-${line}`),
      exitCode: 1,
    },
    {
      name: 'of an object that is no result: no JSON-RPC without its version',
      input: lines({ id: 1, result: ok }),
      outcomes: ['schema_mismatch line-1'],
      exitCode: 1,
    },
    {
      name: 'of batches',
      input: lines([response(1, ok), response(2, failed)], [ok, ok]),
      outcomes: ['success line-1', 'tool_error line-1-2', 'success line-2', 'success line-2-2'],
      exitCode: 1,
    },
    {
      name: 'of both directions: requests name the tools',
      input: lines(
        request(0, 'initialize', {}),
        response(0, { protocolVersion: '2025-06-18' }),
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        request(1, 'tools/list'),
        request(2, 'tools/call', { name: 'search' }),
        response(1, { tools: [] }),
        request(3, 'tools/call', { name: 'refund' }),
        response(3, failed),
        response(2, ok),
        response(2, ok),
      ),
      outcomes: ['tool_error line-8 refund', 'success line-9 search', 'success line-10'],
      words: ['Skipped requests and notifications: 5, responses to other requests: 2.'],
      exitCode: 1,
    },
    {
      name: 'of a text id and a number id, which are one id',
      input: lines(
        request('1', 'tools/call', { name: 'search' }),
        response(1, ok),
        request(2, 'tools/call', { name: 'refund' }),
        response('2', failed),
        request(3, 'tools/list'),
        response('3', { tools: [] }),
      ),
      outcomes: ['success line-2 search', 'tool_error line-4 refund'],
      words: ['Skipped requests and notifications: 3, responses to other requests: 1.'],
      exitCode: 1,
    },
    {
      name: 'of ids that differ by a leading zero, which are two ids',
      input: lines(request('01', 'tools/call', { name: 'search' }), response(1, ok)),
      outcomes: ['success line-2'],
      words: ['Skipped requests and notifications: 1.'],
      exitCode: 0,
    },
    {
      name: 'of a request of the server inside a call, with the same id',
      input: lines(
        request(1, 'tools/call', { name: 'search' }),
        request(1, 'sampling/createMessage'),
        response(1, sampled),
        response(1, ok),
      ),
      outcomes: ['success line-4 search'],
      words: ['Skipped requests and notifications: 2, responses to other requests: 1.'],
      exitCode: 0,
    },
    {
      name: 'of a refused request of the server inside a call, with the same id',
      input: lines(
        request(1, 'tools/call', { name: 'search' }),
        request(1, 'elicitation/create'),
        { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Not here' } },
        response(1, failed),
      ),
      outcomes: ['tool_error line-4 search'],
      words: ['Skipped requests and notifications: 2, responses to other requests: 1.'],
      exitCode: 1,
    },
    ...[
      { method: 'sampling/createMessage', result: sampled },
      { method: 'elicitation/create', result: { action: 'accept', content: { size: 'L' } } },
      { method: 'roots/list', result: { roots: [] } },
      { method: 'ping', result: {} },
    ].flatMap(({ method, result }): readonly LogRow[] => [
      {
        name: `of ${method} before a call with the same id, answered before it`,
        input: lines(
          request(1, method),
          request(1, 'tools/call', { name: 'search' }),
          response(1, result),
          response(1, ok),
        ),
        outcomes: ['success line-4 search'],
        words: ['Skipped requests and notifications: 2, responses to other requests: 1.'],
        exitCode: 0,
      },
      {
        name: `of ${method} inside a call with the same id, answered after it`,
        input: lines(
          request(1, 'tools/call', { name: 'search' }),
          request(1, method),
          response(1, failed),
          response(1, result),
        ),
        outcomes: ['tool_error line-3 search'],
        words: ['Skipped requests and notifications: 2, responses to other requests: 1.'],
        exitCode: 1,
      },
    ]),
    {
      name: 'of a call alone, whose result looks like that of another request',
      input: lines(request(1, 'tools/call', { name: 'search' }), response(1, sampled)),
      outcomes: ['success line-2 search'],
      words: ['Skipped requests and notifications: 1.'],
      exitCode: 0,
    },
    {
      name: 'of another request alone, whose result looks like that of a tool',
      input: lines(request(1, 'own/method'), response(1, failed), ok),
      outcomes: ['success line-3'],
      words: ['Skipped requests and notifications: 1, responses to other requests: 1.'],
      exitCode: 0,
    },
    {
      name: 'with lines that are not JSON',
      input: lines('Server started', ok, '', '   ', '{"content":[', 'oops', '{]', ok, '[INFO] {"a":1}'),
      outcomes: ['success line-2', 'success line-8'],
      words: [
        'mcp-outcome: line 1: not JSON, skipped.',
        'mcp-outcome: lines 5 to 7: not JSON, skipped.',
        'mcp-outcome: line 9: not JSON, skipped.',
        'Skipped unreadable lines: 5.',
      ],
      exitCode: 0,
    },
    {
      name: 'with more bad places than anybody looks at',
      input: lines(...Array.from({ length: 25 }, () => ['bad', ok]).flat()),
      outcomes: Array.from({ length: 25 }, (_, index) => `success line-${2 * index + 2}`),
      words: [
        ...Array.from({ length: 20 }, (_, index) => `mcp-outcome: line ${2 * index + 1}: not JSON, skipped.`),
        'mcp-outcome: 5 more places like these.',
        'Skipped unreadable lines: 25.',
      ],
      exitCode: 0,
    },
    {
      name: 'that is one pretty-printed document',
      input: `${JSON.stringify(response(1, failed), null, 2)}\n`,
      outcomes: ['tool_error line-1'],
      exitCode: 1,
    },
    {
      name: 'of several pretty-printed documents, with tabs and Windows line ends',
      input: [ok, failed, ok]
        .map((value) => JSON.stringify(value, null, '\t'))
        .join('\n')
        .replaceAll('\n', '\r\n'),
      outcomes: ['success line-1', 'tool_error line-9', 'success line-18'],
      exitCode: 1,
    },
    {
      name: 'of a pretty-printed list',
      input: JSON.stringify([ok, failed], null, 2),
      outcomes: ['success line-1', 'tool_error line-1-2'],
      exitCode: 1,
    },
    {
      name: 'of a document that breaks off, and results behind it',
      input: lines('{ "content": [', '  {', ok, ok),
      outcomes: ['success line-3', 'success line-4'],
      words: ['mcp-outcome: lines 1 to 2: not JSON, skipped.', 'Skipped unreadable lines: 2.'],
      exitCode: 0,
    },
    {
      name: 'of a broken document, whose parts are no results',
      input: lines('{', '  "content": [', '    {}', '    "x"', '  ]', '}', ok),
      outcomes: ['success line-7'],
      words: ['mcp-outcome: lines 1 to 6: not JSON, skipped.', 'Skipped unreadable lines: 6.'],
      exitCode: 0,
    },
    {
      name: 'of two files without final line feeds, one behind the other',
      input: JSON.stringify(ok) + JSON.stringify(failed),
      outcomes: ['success line-1', 'tool_error line-1-2'],
      exitCode: 1,
    },
    {
      name: 'of values that touch and a list among them',
      input: lines(`${JSON.stringify([ok, ok])} ${JSON.stringify(failed)}`, ok),
      outcomes: ['success line-1', 'success line-1-2', 'tool_error line-1-3', 'success line-2'],
      exitCode: 1,
    },
    {
      name: 'of pretty-printed documents that touch',
      input: [ok, failed, ok].map((value) => JSON.stringify(value, null, 2)).join(''),
      outcomes: ['success line-1', 'tool_error line-8', 'success line-16'],
      exitCode: 1,
    },
    {
      name: 'of a value with something else behind it',
      input: lines(`${JSON.stringify(failed)} (12 ms)`, ok),
      outcomes: ['tool_error line-1', 'success line-2'],
      words: ['mcp-outcome: line 1: not JSON behind a value, skipped.', 'Skipped unreadable lines: 1.'],
      exitCode: 1,
    },
    {
      name: 'of a broken document that touches a whole one',
      input: lines('{', '  "content": [,]', `}${JSON.stringify(ok)}`, ok),
      outcomes: ['success line-3', 'success line-4'],
      words: ['mcp-outcome: lines 1 to 3: not JSON, skipped.', 'Skipped unreadable lines: 3.'],
      exitCode: 0,
    },
    {
      name: 'of brackets that head a log line: they are no value that touches',
      input: lines(`[17] ${JSON.stringify(ok)}`, `{main} ${JSON.stringify(ok)}`, ok),
      outcomes: ['success line-3'],
      words: ['mcp-outcome: lines 1 to 2: not JSON, skipped.', 'Skipped unreadable lines: 2.'],
      exitCode: 0,
    },
    {
      name: 'of an event stream',
      input: lines(
        ...[': open', 'retry: 3000', 'id: 1', 'data:', '', 'event: message', 'id: 2'],
        ...[
          `data: ${JSON.stringify(response(1, ok))}`,
          '',
          `data:${JSON.stringify(response(2, failed))}`,
          '',
        ],
      ),
      outcomes: ['success line-8', 'tool_error line-10'],
      exitCode: 1,
    },
    {
      name: 'of an event stream with Windows line ends and an event over several lines',
      input: `data: {\r\ndata:   "content": []\r\ndata: }\r\n\r\nevent: message\r\ndata: ${JSON.stringify(ok)}\r\n`,
      outcomes: ['success line-1', 'success line-6'],
      exitCode: 0,
    },
    {
      name: 'of an event stream with a broken event',
      input: lines('data: {"content": [', 'id: 1', '', 'event: message', `data: ${JSON.stringify(ok)}`),
      outcomes: ['success line-5'],
      words: ['mcp-outcome: lines 1 to 4: not JSON, skipped.', 'Skipped unreadable lines: 4.'],
      exitCode: 0,
    },
    {
      name: 'of lines that only look like fields of an event stream',
      input: lines('data: done', 'identity: 5', 'database: up', ok),
      outcomes: ['success line-4'],
      words: ['mcp-outcome: lines 1 to 3: not JSON, skipped.', 'Skipped unreadable lines: 3.'],
      exitCode: 0,
    },
    {
      name: 'with a byte order mark',
      input: `\uFEFF${lines(ok)}`,
      outcomes: ['success line-1'],
      exitCode: 0,
    },
    {
      name: 'nested deeper than JSON writers go',
      input: lines(`{"content":[],"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, ok),
      // From Node.js 26 on they go to any depth.
      outcomes: writesAnyDepth() ? ['success line-1', 'success line-2'] : ['success line-2'],
      words: writesAnyDepth()
        ? []
        : ['mcp-outcome: line 1: nested too deep to be printed, skipped.', 'Skipped unreadable lines: 1.'],
      exitCode: 0,
    },
  ];

  for (const row of rows) {
    test(row.name, async () => {
      const run = await runCli(['classify', '-'], { input: row.input });
      assert.deepEqual(outcomes(run), row.outcomes, run.stderr);
      assert.deepEqual(words(run), row.words ?? []);
      assert.equal(run.exitCode, row.exitCode);
    });
  }

  test('from a file is the same as from stdin', async () => {
    const file = join(folder, 'captured.ndjson');
    await writeFile(file, lines(ok, failed));
    assert.deepEqual(outcomes(await runCli(['classify', file])), ['success line-1', 'tool_error line-2']);
  });

  const unreadable = [
    { name: 'that is empty', input: '', skipped: '' },
    {
      name: 'of requests alone',
      input: lines(request(1, 'ping')),
      skipped: ' Skipped requests and notifications: 1.',
    },
    { name: 'of prose', input: 'Dear reader,\n', skipped: ' Skipped unreadable lines: 1.' },
  ];
  for (const { name, input, skipped } of unreadable) {
    test(`${name} holds nothing: exit code 2`, async () => {
      const run = await runCli(['classify'], { input });
      const last = `mcp-outcome: Input: expected a result or a response, got none.${skipped}`;
      assert.equal(words(run).at(-1), last);
      assert.equal(run.stdout, '');
      assert.equal(run.exitCode, 2);
    });
  }
});

describe('an outcome line', { concurrency: 2 }, () => {
  test('holds the result verbatim, and the names that were given', async () => {
    const result = { content: [], structuredContent: { a: 'ü\u0000' }, unknown: [1.5] };
    const args = ['classify', '--server', 'shop', '--tool', 'refund'];
    const { stdout } = await runCli(args, { input: lines(result) });
    const [outcome] = parseLines(stdout);
    assert.deepEqual(Reflect.get(Object(outcome), 'result'), JSON.parse(JSON.stringify(result)));
    assert.equal(Reflect.get(Object(outcome), 'server'), 'shop');
    assert.equal(Reflect.get(Object(outcome), 'tool'), 'refund');
    assert.equal('value' in Object(outcome), false);
  });

  test('has a redacted message', async () => {
    const text = 'Login failed: password=hunter2-canary';
    const { stdout, stderr } = await runCli(['classify'], {
      input: lines({ isError: true, content: [{ type: 'text', text }] }),
    });
    const { message } = parseOutcome(stdout);
    assert.equal(message, 'Login failed: password=[REDACTED]');
    assert.doesNotMatch(stderr, /canary/);
  });

  test('follows --output-schema', async () => {
    const file = join(folder, 'schema.json');
    await writeFile(file, '{ "type": "object", "required": ["celsius"] }');
    const input = lines({ structuredContent: { celsius: 1 } }, { structuredContent: { fahrenheit: 1 } });
    const run = await runCli(['classify', '--output-schema', file], { input });
    assert.deepEqual(outcomes(run), ['success line-1', 'schema_mismatch line-2']);
  });
});

test('the summary counts kinds and tools, with the first example of each', async () => {
  const call = (id: number, name: string, result: object): readonly object[] => [
    request(id, 'tools/call', { name }),
    response(id, result),
  ];
  const input = lines(
    ...call(1, 'search', ok),
    ...call(2, 'search', ok),
    ...call(3, 'refund', failed),
    ...call(4, 'search', { ...failed, content: [{ type: 'text', text: 'Second.' }] }),
    { jsonrpc: '2.0', id: 9, error: { code: -32601, message: 'Nope\u001b[2J' } },
  );
  const { stderr } = await runCli(['classify'], { input });
  const cells = stderr
    .split('\n')
    .filter((line) => line.startsWith('│'))
    .map((line) =>
      line
        .split('│')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  assert.deepEqual(cells, [
    ['kind', 'count', 'first example'],
    ['success', '2', ''],
    ['tool_error', '2', 'line 6: Order 7 not found.'],
    ['call_failure', '1', 'line 9: JSON-RPC error -32601: Nope [2J'],
    ['tool', 'calls', 'failed'],
    ['search', '3', '1'],
    ['refund', '1', '1'],
    ['(unknown)', '1', '1'],
  ]);
  assert.ok(stderr.split('\n').every((line) => line.length <= 120));
});

describe('a large input', () => {
  test('of 200 MB takes no more memory than a small one', { timeout: 120_000 }, async (t) => {
    const file = join(folder, 'large.ndjson');
    const written = await writeLog(file, 200_000_000);
    const start = performance.now();
    const run = await runCli(['classify', file], {
      nodeArgs: ['--max-old-space-size=128'],
      discardOutput: true,
    });
    const seconds = (performance.now() - start) / 1_000;
    assert.equal(run.exitCode, 1, run.stderr);
    assert.match(run.stderr, new RegExp(`success +│ +${written - written / 50} `));
    const { size } = await stat(file);
    t.diagnostic(
      `${(size / 1e6 / seconds).toFixed(0)} MB/s, ${written} lines, start of the process included`,
    );
  });

  for (const [name, line] of Object.entries({ 'that open': '{', 'that open a string, too': '{"}' })) {
    test(`of lines ${name} and never close is read to its end`, { timeout: 30_000 }, async () => {
      const count = 2_000_000;
      const run = await runCli(['classify'], { input: `${`${line}\n`.repeat(count)}${lines(ok)}` });
      assert.deepEqual(outcomes(run), [`success line-${count + 1}`]);
      assert.deepEqual(words(run), [
        `mcp-outcome: lines 1 to ${count}: not JSON, skipped.`,
        `Skipped unreadable lines: ${count}.`,
      ]);
    });
  }

  test('on one line over the limit is reported, and not held', { timeout: 60_000 }, async () => {
    const file = join(folder, 'long-line.ndjson');
    const stream = createWriteStream(file);
    stream.write(`${lines(ok)}{"content":[{"type":"text","text":"`);
    const part = Buffer.alloc(1024 * 1024, 'x');
    for (let written = 0; written < 80; written += 1) {
      if (!stream.write(part)) await once(stream, 'drain');
    }
    stream.end(`"}]}\n${lines(failed)}`);
    await once(stream, 'close');
    const run = await runCli(['classify', file], { nodeArgs: ['--max-old-space-size=64'] });
    assert.deepEqual(outcomes(run), ['success line-1', 'tool_error line-3']);
    assert.deepEqual(words(run), ['mcp-outcome: line 2: too long, skipped.', 'Skipped unreadable lines: 1.']);
  });
});

/** Writes results of 60 to 3,000 bytes, each fiftieth of them an error. Resolves with their number, a multiple of 50. */
async function writeLog(file: string, bytes: number): Promise<number> {
  const sentence = 'The quick brown fox found 3 links on https://example.com/path?x=1 and said "done". ';
  const block = Array.from({ length: 50 }, (_, index) => {
    const text = sentence.repeat(1 + ((index * 7) % 36));
    return index === 7 ? response(index, failed) : response(index, { content: [{ type: 'text', text }] });
  });
  const chunk = Buffer.from(lines(...block));
  const blocks = Math.ceil(bytes / chunk.length);
  const stream = createWriteStream(file);
  for (let written = 0; written < blocks; written += 1) {
    if (!stream.write(chunk)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
  return blocks * block.length;
}
