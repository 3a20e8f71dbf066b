/** Ctrl-C, closed pipes and terminals: how the command line ends, and that it leaves nothing behind. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { assertHas, projectFolder, startCli } from './support/cli-run.ts';
import { serveCalls } from './support/cli-servers.ts';

/**
 * A stdio server that says on stderr, which it shares with the command, when it has a request. The command's stderr
 * ends when both processes have, so a test that gets to its end has left nobody behind.
 */
function ownServer(answers: Readonly<Record<string, string>>, stubborn: boolean): readonly string[] {
  const source = `
    const answers = ${JSON.stringify(answers)};
    if (${stubborn}) for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => {});
    setTimeout(() => { console.error('left behind'); process.exit(); }, ${stubborn ? 20_000 : 60_000});
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (answers[method]) console.log(answers[method].replace('"$id"', id));
      console.error('got ' + method);
    }).on('close', () => { if (!${stubborn}) process.exit(); });`;
  return ['--', process.execPath, '-e', source];
}

/** The same as a grandchild, as `npx` would start it. */
function behindShell([separator = '', ...command]: readonly string[]): readonly string[] {
  return [separator, 'sh', '-c', '"$@"; true', 'sh', ...command];
}

const initialized = JSON.stringify({
  jsonrpc: '2.0',
  id: '$id',
  result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'own', version: '1' } },
});
const refused = '{"jsonrpc":"2.0","id":"$id","error":{"code":-32000,"message":"no"}}';

/** Resolves when a stream of the child has said something. */
async function heard(stream: NodeJS.ReadableStream | null, words: string): Promise<void> {
  let all = '';
  await new Promise<void>((resolve, reject) => {
    stream?.on('data', (chunk) => {
      all += chunk;
      if (all.includes(words)) resolve();
    });
    stream?.on('end', () => reject(new Error(`"${words}" never came, but: ${all}`)));
  });
}

describe('an interrupt', () => {
  const arrivals = new Map<string, () => void>();
  const peer = serveCalls({ onCall: ({ name }) => arrivals.get(String(name))?.() });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(`${signal} cancels a call over HTTP`, async () => {
      const arrived = new Promise<void>((resolve) => arrivals.set(signal, resolve));
      const { child, finished } = startCli(['call', signal, '--url', (await peer).url.href]);
      await arrived;
      child.kill(signal);
      const { exitCode, stdout, stderr } = await finished;
      assertHas(stdout, {
        kind: 'cancelled',
        message: `cancelled by the caller: interrupted by ${signal}`,
        delivery: 'unknown',
      });
      assert.equal(stderr, '');
      assert.equal(exitCode, 1);
    });
  }

  const rows: readonly {
    readonly name: string;
    readonly server: readonly string[];
    readonly until: string;
    readonly delivery: string;
  }[] = [
    {
      name: 'cancels a call over stdio',
      server: ownServer({ initialize: initialized }, false),
      until: 'got tools/call',
      delivery: 'unknown',
    },
    {
      name: 'ends a stdio server that listens to nobody',
      server: ownServer({ initialize: initialized }, true),
      until: 'got tools/call',
      delivery: 'unknown',
    },
    {
      name: 'ends such a server behind a shell',
      server: behindShell(ownServer({ initialize: initialized }, true)),
      until: 'got tools/call',
      delivery: 'unknown',
    },
    {
      name: 'ends a handshake that is never answered',
      server: ownServer({}, false),
      until: 'got initialize',
      delivery: 'not_sent',
    },
  ];
  for (const { name, server, until, delivery } of rows) {
    test(name, async () => {
      const { child, finished } = startCli(['call', 'tool', ...server]);
      await heard(child.stderr, until);
      child.kill('SIGINT');
      const { exitCode, stdout, stderr } = await finished;
      assertHas(stdout, { kind: 'cancelled', delivery });
      assert.equal(exitCode, 1);
      assert.doesNotMatch(stderr, /left behind/);
    });
  }

  test('the second one quits at once, and takes a stubborn server with it', async () => {
    const server = behindShell(ownServer({ initialize: initialized }, true));
    const { child, finished } = startCli(['call', 'tool', ...server]);
    await heard(child.stderr, 'got tools/call');
    child.kill('SIGINT');
    await heard(child.stdout, '"cancelled"');
    child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await finished;
    assertHas(stdout, { kind: 'cancelled' });
    assert.equal(exitCode, 130);
    assert.doesNotMatch(stderr, /left behind/);
  });
});

test('a stubborn server whose handshake failed is not left behind either', async () => {
  const { finished } = startCli(['call', 'tool', ...ownServer({ initialize: refused }, true)]);
  const { exitCode, stdout, stderr } = await finished;
  assertHas(stdout, { kind: 'call_failure', delivery: 'not_sent' });
  assert.equal(exitCode, 1);
  assert.doesNotMatch(stderr, /left behind/);
});

const command = join(projectFolder, 'node_modules', '.bin', 'mcp-outcome');

async function shell(script: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('sh', ['-c', script, command], {
    // What else stands in the environment (`TERM`, `CI`, `FORCE_COLOR`) decides about colours.
    env: { PATH, HOME, TERM: 'xterm-256color' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr };
}

describe('a reader that closes the pipe', () => {
  test('ends the classification of an input without an end, quietly', async () => {
    const { stdout, stderr } = await shell(
      `yes '{"content":[]}' | { "$0" classify; echo "exit code $?" >&2; } | head -n 1`,
    );
    assertHas(stdout, { kind: 'success', callId: 'line-1' });
    assert.equal(stderr, 'exit code 0\n');
  });

  test('changes nothing about the exit code of a call', async () => {
    const server = `node -e "process.stdin.once('data', () => process.exit())"`;
    const { stderr } = await shell(
      `{ "$0" call tool -- ${server} 2> /dev/null; echo "exit code $?" >&2; } | true`,
    );
    assert.equal(stderr, 'exit code 1\n');
  });

  test('may read stderr too', async () => {
    const { stdout } = await shell('{ "$0" nonsense 2>&1 >&3 | true; } 3>&1; echo done');
    assert.equal(stdout, 'done\n');
  });

  test('is told from a disk that is full', {
    skip: spawnSync('test', ['-c', '/dev/full']).status !== 0,
  }, async () => {
    const { stderr } = await shell('"$0" --help > /dev/full; echo "exit code $?" >&2');
    assert.equal(stderr, 'mcp-outcome: stdout cannot be written (ENOSPC).\nexit code 2\n');
  });
});

describe('on a terminal', { skip: spawnSync('sh', ['-c', 'command -v script']).status !== 0 }, () => {
  /** Runs the command in a terminal; stdout and stderr are one there. */
  async function onTerminal(args: string, env = ''): Promise<string> {
    const inner = `${env} ${process.execPath} ${command} ${args}`;
    const { stdout } = await shell(`script -qec '${inner}' /dev/null < /dev/null`);
    return stdout;
  }
  const peer = serveCalls({
    onCall: ({ id, params, response }) => {
      const meta = Object(params._meta);
      const event = (message: object): string =>
        `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
      const progress = (fields: object): string =>
        event({
          method: 'notifications/progress',
          params: { progressToken: meta.progressToken, ...fields },
        });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(progress({ progress: 1, total: 3, message: 'reading\n\u001b[31mall' }));
      response.write(progress({ progress: 2 }));
      response.end(event({ id, result: { content: [{ type: 'text', text: 'done' }] } }));
    },
  });

  test('progress is shown on one line and wiped', async () => {
    const url = (await peer).url.href;
    const shown = await onTerminal(`call tool --url ${url}`);
    assert.ok(
      shown.startsWith('\r\u001b[Kprogress 1 of 3: reading  [31mall\r\u001b[Kprogress 2\r\u001b[K{"kind"'),
      shown,
    );
  });

  test('an outcome for people has colours', async () => {
    const url = (await peer).url.href;
    const shown = await onTerminal(`call tool --url ${url} --output text`);
    assert.ok(shown.includes('\u001b[32msuccess\u001b[39m'), shown);
  });

  for (const env of ['NO_COLOR=1', 'TERM=dumb']) {
    test(`but none with ${env}`, async () => {
      const url = (await peer).url.href;
      const shown = await onTerminal(`call tool --url ${url} --output text`, env);
      assert.match(shown, /success/);
      assert.ok(!shown.includes('\u001b[3'), shown);
    });
  }

  test('classify asks for its input', async () => {
    const script = `script -qec '${process.execPath} ${command} classify' /dev/null`;
    assert.match(
      (await shell(script)).stdout,
      /Input: expected a file, or something on stdin, got neither\./,
    );
  });

  test('elsewhere no progress is asked for', async () => {
    const { finished } = startCli(['call', 'tool', '--url', (await peer).url.href]);
    assert.equal((await finished).stderr, '');
  });
});
