/** A raw Streamable HTTP server on 127.0.0.1, for tests that answer each POST of a `tools/call` by hand. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { answerTo, type PeerMessage } from './in-memory-peer.ts';

export interface HttpCall {
  readonly id: number;
  readonly name: unknown;
  readonly params: Readonly<Record<PropertyKey, unknown>>;
  /** The POST as it came. */
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  /** Answers with a JSON-RPC result. */
  result(result: object): void;
  /** Answers with a JSON-RPC error object. */
  fail(error: object): void;
  reply(status: number, headers: Readonly<Record<string, string>>, body: string): void;
}

export interface HttpPeer {
  readonly origin: string;
  readonly url: URL;
  /** Bodies of all `tools/call` requests, as they came. */
  readonly callBodies: readonly string[];
  close(): Promise<void>;
}

export interface HttpPeerOptions {
  readonly onCall: (call: HttpCall) => void;
  readonly tools?: readonly object[];
  /** Handed out with `initialize`. */
  readonly sessionId?: string;
  /** Answers a GET of an event stream; 405 without it. */
  readonly onGet?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers requests to other paths than `/mcp`; 404 without it. */
  readonly onOther?: (path: string, response: ServerResponse) => void;
}

export async function startHttpPeer(options: HttpPeerOptions): Promise<HttpPeer> {
  const callBodies: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path !== '/mcp') {
      if (options.onOther) options.onOther(path, response);
      else response.writeHead(404).end();
    } else if (request.method === 'POST') {
      readBody(request, (body) => answerPost(body, request, response, options, callBodies));
    } else if (request.method === 'GET' && options.onGet) {
      options.onGet(request, response);
    } else {
      response.writeHead(405).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    url: new URL(`${origin}/mcp`),
    callBodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readBody(request: IncomingMessage, onBody: (body: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => onBody(Buffer.concat(chunks).toString('utf8')));
}

const json = { 'content-type': 'application/json' };

function answerPost(
  body: string,
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpPeerOptions,
  callBodies: string[],
): void {
  const { id, method, params = {} }: PeerMessage = JSON.parse(body);
  const reply: HttpCall['reply'] = (status, headers, text) => {
    response.writeHead(status, headers);
    response.end(text);
  };
  const say = (part: object): void => reply(200, json, JSON.stringify({ jsonrpc: '2.0', id, ...part }));
  if (method === 'tools/call') {
    callBodies.push(body);
    options.onCall({
      id: Number(id),
      name: params.name,
      params,
      body,
      headers: request.headers,
      response,
      result: (result) => say({ result }),
      fail: (error) => say({ error }),
      reply,
    });
  } else if (id === undefined) {
    response.writeHead(202).end();
  } else {
    if (method === 'initialize' && options.sessionId !== undefined) {
      response.setHeader('mcp-session-id', options.sessionId);
    }
    say({ result: answerTo(method, options.tools ?? []) });
  }
}

export interface HttpConnection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly peer: HttpPeer;
  close(): Promise<void>;
}

/** Starts a peer and connects a client to it. */
export async function connectOverHttp(
  options: HttpPeerOptions,
  transportOptions?: StreamableHTTPClientTransportOptions,
): Promise<HttpConnection> {
  const peer = await startHttpPeer(options);
  const { client, transport } = await connectTo(peer, transportOptions);
  return {
    client,
    transport,
    peer,
    close: async () => {
      await client.close().catch(() => {});
      await peer.close();
    },
  };
}

export async function connectTo(
  peer: HttpPeer,
  transportOptions?: StreamableHTTPClientTransportOptions,
): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: 'behaviour-tests', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(peer.url, transportOptions);
  await client.connect(transport);
  return { client, transport };
}
