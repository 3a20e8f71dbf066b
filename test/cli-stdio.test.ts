/** The stdio transport of the command line: a flood keeps nobody waiting, and no message is lost or out of order. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createStdioTransport } from '../src/cli/stdio-transport.ts';
import { assertHas, startCli } from './support/cli-run.ts';

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  serverInfo: { name: 'flood', version: '1' },
};

/** A stdio server that writes such lines without end once it has got a request of this method. */
function floodingServer(method: string, line: string): readonly string[] {
  const source = `
    const { writeSync } = require('node:fs');
    const flood = (${JSON.stringify(line)} + '\\n').repeat(2_000);
    const pump = () => {
      try { writeSync(1, flood); } catch (error) { if (error.code !== 'EAGAIN') process.exit(); }
      setImmediate(pump);
    };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === ${JSON.stringify(method)}) { console.error('flooding'); pump(); }
      else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: ${JSON.stringify(initialized)} }));
    });`;
  return ['--', process.execPath, '-e', source];
}

const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: {} });

describe('a stdio server that floods stdout', () => {
  const rows = [
    { name: 'with noise during the handshake', server: floodingServer('initialize', 'y') },
    { name: 'with messages during the call', server: floodingServer('tools/call', notification) },
  ];
  for (const { name, server } of rows) {
    test(`${name} cannot outlast the timeout`, { timeout: 30_000 }, async () => {
      const { finished } = startCli(['call', 'tool', '--timeout', '1000', ...server]);
      const { stdout, exitCode } = await finished;
      assertHas(stdout, { kind: 'call_failure', reason: 'timeout' });
      assert.ok(JSON.parse(stdout).durationMs < 5_000, stdout);
      assert.equal(exitCode, 1);
    });

    test(`${name} cannot keep Ctrl-C waiting`, { timeout: 30_000 }, async () => {
      const { child, finished } = startCli(['call', 'tool', ...server]);
      let interruptedAt = 0;
      child.stderr?.once('data', () => {
        interruptedAt = performance.now();
        child.kill('SIGINT');
      });
      const { stdout, exitCode } = await finished;
      assertHas(stdout, { kind: 'cancelled' });
      assert.ok(performance.now() - interruptedAt < 10_000);
      assert.equal(exitCode, 1);
    });
  }
});

test('all that a server has written before it exits is received in order, and before the end', async () => {
  const count = 20_000;
  const source = `
    const text = 'x'.repeat(100);
    for (let id = 0; id < ${count}; id += 1) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { text } }));`;
  const transport = createStdioTransport({
    over: 'stdio',
    command: process.execPath,
    args: ['-e', source],
    env: {},
  });
  const ids: unknown[] = [];
  transport.onmessage = (message) => ids.push('id' in message ? message.id : undefined);
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  await closed;
  assert.deepEqual(
    ids,
    Array.from({ length: count }, (_, id) => id),
  );
});
