/**
 * A scripted HTTP server on 127.0.0.1, raw `node:http`, no SDK. It speaks Streamable HTTP with JSON answers
 * (`http-json`) or event streams (`http-sse`) at `/mcp`, and the legacy SSE transport (`sse`: events from
 * GET `/mcp`, messages to POST `/messages`). It serves one client.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  answerNormally,
  completeResults,
  type Fault,
  type FaultPeer,
  type Frame,
  faultOf,
  fillFrame,
  type HttpReply,
  type PeerMessage,
  type PeerScript,
  signal,
} from './fault-script.ts';

export interface FaultServer extends FaultPeer {
  readonly url: URL;
  readonly origin: string;
  /** From now on every POST is answered with this. */
  answerAll(reply: HttpReply): void;
}

const session = 'fault-session';
const acceptedReply: HttpReply = { status: 202 };
const eventStream = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

function sseEvent(frame: string): string {
  return `event: message\ndata: ${frame}\n\n`;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function writeReply(response: ServerResponse, reply: HttpReply, fill: (text: string) => string): void {
  const { socket } = response;
  const after = reply.finish ?? 'end';
  if (after === 'silent') return;
  if (reply.bytes !== undefined) {
    socket?.end(reply.bytes);
    return;
  }
  const breakOff = (): void => {
    if (after === 'reset') socket?.resetAndDestroy();
    if (after === 'fin') socket?.destroy();
  };
  if (reply.status === undefined && reply.body === undefined && after !== 'end') {
    breakOff();
    return;
  }
  const headers = Object.entries(reply.headers ?? {}).map(([name, value]): [string, string] => [
    name,
    fill(value),
  ]);
  response.writeHead(reply.status ?? 200, Object.fromEntries(headers));
  const body = fill(reply.body ?? '');
  if (after === 'end') {
    response.end(body);
    return;
  }
  response.flushHeaders();
  // The callback comes when the bytes are with the kernel: a break after it cannot overtake them.
  response.write(body === '' ? '\n' : body, breakOff);
}

export async function startFaultServer(
  script: PeerScript,
  mode: 'http-json' | 'http-sse' | 'sse',
): Promise<FaultServer> {
  const http = script.http ?? {};
  const sockets = new Set<Socket>();
  const arrived = signal();
  const cancelled = signal();
  let origin = '';
  let events: ServerResponse | undefined;
  let held: { readonly call: PeerMessage; readonly response: ServerResponse } | undefined;
  let everything: HttpReply | undefined;
  let eventStreams = 0;
  let calls = 0;

  const fill = (frame: Frame, call: PeerMessage = {}): string =>
    completeResults(script, call, fillFrame(frame, call.id));

  const reply = async (response: ServerResponse, what: HttpReply, call?: PeerMessage): Promise<void> => {
    if (what.afterCancel) await cancelled.promise;
    const other = origin.replace('127.0.0.1', 'localhost');
    writeReply(response, what, (text) =>
      fill(text, call).replaceAll('$origin', origin).replaceAll('$other', other),
    );
  };

  /** Answers a request with messages, the way of this server's mode. */
  const deliver = async (response: ServerResponse, frames: readonly string[]): Promise<void> => {
    if (mode === 'sse') {
      await reply(response, acceptedReply);
      for (const frame of frames) events?.write(sseEvent(frame));
      return;
    }
    if (http.session) response.setHeader('mcp-session-id', session);
    if (mode === 'http-sse') {
      response.writeHead(200, eventStream).end(frames.map(sseEvent).join(''));
      return;
    }
    const [first = '', ...others] = frames;
    const body = others.length === 0 ? first : `[${frames.join(',')}]`;
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };

  const answer = (frames: readonly Frame[]): void => {
    const filled = frames.map((frame) => sseEvent(fill(frame, held?.call)));
    const stream = mode === 'sse' ? events : held?.response;
    for (const event of filled) stream?.write(event);
  };

  const playFault = async (response: ServerResponse, fault: Fault, call: PeerMessage): Promise<void> => {
    held = { call, response };
    calls += 1;
    arrived.fire();
    if (fault.post) {
      await reply(response, fault.post, call);
      if (http.event !== undefined) events?.write(fill(http.event, call));
    } else if (fault.frames) {
      const frames = fault.frames.map((frame) => fill(frame, call));
      await deliver(response, frames);
    } else if (mode === 'sse') {
      await reply(response, acceptedReply);
    } else if (mode === 'http-sse') {
      response.writeHead(200, eventStream).flushHeaders();
    }
  };

  const onPost = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const route = http.routes?.[request.url ?? ''];
    if (route) return reply(response, route);
    // An authorization server's endpoints are not MCP's: what no route names does not exist.
    if (!request.headers['content-type']?.includes('json')) return reply(response, { status: 404 });
    const message: PeerMessage = JSON.parse(body);
    if (message.method === 'notifications/cancelled') cancelled.fire();
    if (everything) return reply(response, everything, message);
    const fault = request.url === '/moved' ? undefined : faultOf(script, message);
    if (fault) return playFault(response, fault, message);
    const normal = answerNormally(script, message);
    return normal === undefined ? reply(response, acceptedReply) : deliver(response, [normal]);
  };

  const onGet = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = http.routes?.[request.url ?? ''];
    if (route) return reply(response, route);
    if (request.url !== '/mcp') return reply(response, { status: 404 });
    if (mode !== 'sse') {
      const resumed = request.headers['last-event-id'] === undefined ? undefined : http.resume;
      return reply(response, resumed ?? { status: 405 }, held?.call);
    }
    eventStreams += 1;
    if (eventStreams > 1 && http.reconnect) return reply(response, http.reconnect);
    events = response.writeHead(200, eventStream);
    const retry = http.retryMs === undefined ? '' : `retry: ${http.retryMs}\n`;
    events.write(`${retry}event: endpoint\ndata: /messages\n\n`);
  };

  const server = createServer((request, response) => {
    if (http.noKeepAlive) response.setHeader('connection', 'close');
    const handled =
      request.method === 'POST'
        ? onPost(request, response)
        : request.method === 'GET'
          ? onGet(request, response)
          : reply(response, { status: 405 });
    // A client that hung up while its request was read.
    handled.catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${portOf(address)}`;

  return {
    url: new URL('/mcp', origin),
    origin,
    arrived: arrived.promise,
    callCount: () => calls,
    answer,
    answerAll: (what) => {
      everything = what;
    },
    drop: (how) => {
      if (how === 'reset') events?.socket?.resetAndDestroy();
      else events?.end();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
