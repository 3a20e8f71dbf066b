/** Real servers for tests of the command line. */
import { createServer, type Server } from 'node:http';
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
