import { createInterface } from 'node:readline';
import { handshakeResult, scenarios } from './scenarios.ts';

/** The demo's stdio server, a process of its own: one JSON-RPC message a line. */
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const scenario = scenarios.find(({ over, tool }) => over === 'stdio' && tool === params?.name);
  const result = handshakeResult(method, 'stdio');
  if (method === 'tools/call' && scenario?.answer === 'exit') {
    process.exit(1);
  }
  if (id !== undefined) {
    const answer =
      result === undefined && typeof scenario?.answer === 'object' ? scenario.answer : { result };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  }
}
