/** Real servers for tests of the command line. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { faultChildCommand } from './fault-child.ts';
import type { HttpReply, PeerScript } from './fault-script.ts';
import { startFaultServer } from './fault-server.ts';
import { type HttpPeer, type HttpPeerOptions, startHttpPeer } from './http-peer.ts';

/** A server over Streamable HTTP that answers calls as the test says, until the test file ends. */
export async function serveCalls(options: HttpPeerOptions): Promise<HttpPeer> {
  const peer = await startHttpPeer(options);
  after(() => peer.close());
  return peer;
}

/** The address of a server that answers every POST, the handshake included, with this. */
export async function refuseWith(reply: HttpReply, mode: 'http-json' | 'sse' = 'http-json'): Promise<string> {
  const server = await startFaultServer({}, mode);
  server.answerAll(reply);
  after(() => server.close());
  return server.url.href;
}

/** The address of a legacy SSE server that works. */
export async function serveSse(script: PeerScript): Promise<string> {
  const server = await startFaultServer(script, 'sse');
  after(() => server.close());
  return server.url.href;
}

/** The address of a legacy SSE server that answers every request with this JSON-RPC error. */
export async function refuseOverSse(error: object): Promise<string> {
  const streams: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages\n\n');
      streams.push(response);
      return;
    }
    const { id } = JSON.parse(await text(request));
    response.writeHead(202).end();
    streams.at(-1)?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`);
  });
  const port = await listen(server);
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/sse`;
}

/** The arguments that make the command start a stdio server that answers every request with these members. */
export function refuseOverStdio(members: object): readonly string[] {
  const script = `
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id } = JSON.parse(line);
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...${JSON.stringify(members)} }));
    });`;
  return ['--', process.execPath, '-e', script];
}

/** The address of a server that answers every GET with this status. */
export async function refuseGet(status: number): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status).end('no events here');
  });
  const port = await listen(server);
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/mcp`;
}

/** A port that nobody listens on: it was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The arguments that make the command start a scripted server over stdio. */
export function stdioServer(script: PeerScript): readonly string[] {
  const { command, args } = faultChildCommand(script);
  return ['--', command, ...args];
}
