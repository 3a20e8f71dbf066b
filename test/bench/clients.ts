/** The clients of both SDK versions, connected to the benchmark's server. */
import {
  Client as ClientV2,
  InMemoryTransport as InMemoryTransportV2,
  StreamableHTTPClientTransport as StreamableHTTPClientTransportV2,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { answerInMemory, type MemoryEnd } from './peer.ts';

export interface BenchClient {
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  listTools(): Promise<unknown>;
  close(): Promise<void>;
}

export interface Sdk {
  readonly name: string;
  readonly inMemory: (answer?: (end: MemoryEnd) => void) => Promise<BenchClient>;
  readonly overHttp: (url: URL, fetch?: typeof globalThis.fetch) => Promise<BenchClient>;
}

const info = { name: 'bench', version: '1.0.0' };

export const sdks: readonly Sdk[] = [
  {
    name: 'SDK v1',
    inMemory: async (answer = answerInMemory) => {
      const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
      answer(serverEnd);
      const client = new Client(info);
      await client.connect(clientEnd);
      return client;
    },
    overHttp: async (url, fetch) => {
      const client = new Client(info);
      await client.connect(new StreamableHTTPClientTransport(url, fetch === undefined ? {} : { fetch }));
      return client;
    },
  },
  {
    name: 'SDK v2',
    inMemory: async (answer = answerInMemory) => {
      const [clientEnd, serverEnd] = InMemoryTransportV2.createLinkedPair();
      answer(serverEnd);
      const client = new ClientV2(info);
      await client.connect(clientEnd);
      return client;
    },
    overHttp: async (url, fetch) => {
      const client = new ClientV2(info);
      await client.connect(new StreamableHTTPClientTransportV2(url, fetch === undefined ? {} : { fetch }));
      return client;
    },
  },
];
