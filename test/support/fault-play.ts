/** The types of a played row: how it is set up, what it plays with, and the connection that it holds. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolRequest } from '@modelcontextprotocol/sdk/types.js';
import type { FaultProvider, ProviderPlan } from './fault-auth.ts';
import type { FaultPeer, FaultTransport, PeerScript } from './fault-script.ts';
import type { FaultServer } from './fault-server.ts';

export interface Connection {
  readonly client: Client;
  readonly clientTransport: Transport;
  readonly peer: FaultPeer;
  /** HTTP transports only. */
  readonly server?: FaultServer;
  /** Stdio only. */
  readonly child?: ChildPeer;
  readonly provider?: FaultProvider;
  /** Closes the client and the peer, and ends every process that they started. */
  close(): Promise<void>;
}

export interface ChildPeer extends FaultPeer {
  readonly clientTransport: StdioClientTransport;
  /** Resolves when the child has done its steps after the handshake. */
  readonly ready: Promise<void>;
  /** Resolves when the client has noticed that the child is gone. */
  readonly gone: Promise<void>;
  kill(): void;
}

/** What a row plays with: a connected client and a `call` that reports one outcome. */
export interface Stage<T> {
  readonly connection: Connection;
  readonly transport: FaultTransport;
  call(params?: CallToolRequest['params'], options?: RequestOptions): Promise<T>;
}

export interface Play {
  readonly script: PeerScript;
  /** The user's own `client.listTools()` before the call: one page, or page by page. Its failure is ignored. */
  readonly list?: 'once' | 'page-by-page';
  readonly provider?: ProviderPlan;
  readonly redirectPolicy?: 'follow';
  readonly fetch?: typeof globalThis.fetch;
  readonly strictCapabilities?: true;
  readonly notConnected?: true;
  /** Plays the call itself; by default one call of `fault` without arguments. */
  run?<T>(stage: Stage<T>): Promise<T>;
}
