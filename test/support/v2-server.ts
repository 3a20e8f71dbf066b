/**
 * A real server of SDK v2 on 127.0.0.1 that serves both protocol eras, and clients of SDK v2 for it. What the client
 * sent stays readable; a test may answer a `tools/call` in the server's place.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  acceptedContent,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

export type Era = '2025-11-25' | '2026-07-28';
export const eras: readonly Era[] = ['2025-11-25', '2026-07-28'];

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly id: number;
    readonly method: string;
    readonly params: Readonly<Record<string, unknown>>;
  };
}

export interface V2Server {
  readonly url: URL;
  /** Every `tools/call` that arrived, oldest first. */
  readonly calls: readonly Post[];
}

/** Answers in the server's place: with a status, or never. `undefined` leaves the message to the server. */
export type Intercept = (post: Post) => number | 'never' | undefined;

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const confirmation = z.object({ confirm: z.boolean() });

export function createTools(): McpServer {
  const server = new McpServer({ name: 'v2-tools', version: '1.0.0' });
  server.registerTool('greet', { inputSchema: z.object({ name: z.string() }) }, ({ name }) =>
    text(`Hi ${name}`),
  );
  server.registerTool('fail', { inputSchema: z.object({}) }, () => ({
    ...text('No such link'),
    isError: true,
  }));
  server.registerTool('throw', { inputSchema: z.object({}) }, () => {
    throw new Error('the tool threw');
  });
  server.registerTool(
    'measure',
    { inputSchema: z.object({}), outputSchema: z.object({ total: z.number() }) },
    () => ({ ...text('3'), structuredContent: { total: 3 } }),
  );
  server.registerTool('list', { inputSchema: z.object({}), outputSchema: z.array(z.number()) }, () => ({
    ...text('1, 2'),
    structuredContent: [1, 2],
  }));
  const region = { type: 'string', 'x-mcp-header': 'Region' };
  const routed = fromJsonSchema<{ region: string }>({
    type: 'object',
    properties: { region },
    required: ['region'],
  });
  server.registerTool('route', { inputSchema: routed }, ({ region: where }) => text(`via ${where}`));
  server.registerTool('deploy', { inputSchema: z.object({}) }, (_args, { mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'confirm', confirmation);
    if (answer?.confirm === true) return text('deployed');
    const confirm = inputRequired.elicit({ message: 'Deploy?', requestedSchema: confirmation });
    return inputRequired({ inputRequests: { confirm } });
  });
  return server;
}

export async function startV2Server(
  t: TestContext,
  intercept: Intercept = () => undefined,
): Promise<V2Server> {
  const handler = createMcpHandler(() => createTools());
  const calls: Post[] = [];
  const http = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const post: Post | undefined = body === '' ? undefined : { headers, body: JSON.parse(body) };
    if (post?.body.method === 'tools/call') calls.push(post);
    const instead = post === undefined ? undefined : intercept(post);
    if (instead === 'never') return;
    if (instead !== undefined) {
      response.writeHead(instead, { 'content-type': 'text/plain' }).end('instead');
      return;
    }
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const method = request.method ?? 'POST';
    const answer = await handler.fetch(
      new Request(url, { method, headers, ...(body === '' ? {} : { body }) }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  };

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
    await handler.close();
  });
  return { url: new URL(`http://127.0.0.1:${portOf(http.address())}/mcp`), calls };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

export function createV2Client(era: Era, options: ClientOptions = {}): Client {
  const pinned = era === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: era } } };
  return new Client({ name: 'v2-tests', version: '1.0.0' }, { ...pinned, ...options });
}

export async function connectV2(t: TestContext, url: URL, client: Client): Promise<Client> {
  await client.connect(new StreamableHTTPClientTransport(url));
  t.after(() => client.close());
  return client;
}
