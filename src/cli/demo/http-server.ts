import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';
import { type Answer, handshakeResult, scenarios } from './scenarios.ts';

/** A running demo server. */
export interface DemoServer {
  readonly url: URL;
  /** Resolves when a tool has got a call that it will not answer. */
  readonly reached: (tool: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const request = v.object({
  id: v.optional(v.union([v.string(), v.number()])),
  method: v.string(),
  params: v.optional(v.object({ name: v.optional(v.string()) })),
});

/** Serves the demo's tools over Streamable HTTP on a free port of 127.0.0.1. */
export async function startDemoServer(): Promise<DemoServer> {
  const waiting = new Map<string, () => void>();
  const server = createServer((incoming, response) => {
    answer(incoming, response, (tool) => waiting.get(tool)?.()).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${portOf(server)}/mcp`),
    reached: (tool) => new Promise((resolve) => waiting.set(tool, resolve)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  onUnanswered: (tool: string) => void,
): Promise<void> {
  if (incoming.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const { id, method, params } = v.parse(request, await json(incoming));
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const tool = params?.name ?? '';
  const result = handshakeResult(method, 'http');
  const scenario = scenarios.find((candidate) => candidate.over === 'http' && candidate.tool === tool);
  send(response, id, result === undefined ? (scenario?.answer ?? unknownTool) : { result }, () =>
    onUnanswered(tool),
  );
}

const unknownTool: Answer = { error: { code: -32602, message: 'Unknown tool' } };

function send(response: ServerResponse, id: string | number, sent: Answer, onUnanswered: () => void): void {
  if (sent === 'nothing' || sent === 'exit') {
    onUnanswered();
  } else if ('http' in sent) {
    response.writeHead(sent.http, sent.headers).end(sent.body);
  } else {
    response
      .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'demo-session' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...sent }));
  }
}
