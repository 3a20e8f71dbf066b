/** The types of a played row: how it is set up, what it plays with, and the connection that it holds. */
import type { CallOptions, CallParams } from '../../src/index.ts';
import type { ProviderPlan, TokenPlan } from './fault-auth.ts';
import type { FaultPeer, FaultTransport, PeerScript } from './fault-script.ts';
import type { Elicitation, OpenedClient } from './fault-sdk.ts';
import type { FaultServer } from './fault-server.ts';

export interface Connection extends OpenedClient {
  readonly peer: FaultPeer;
  /** HTTP transports only. */
  readonly server?: FaultServer;
  /** Stdio only. */
  readonly child?: ChildPeer;
  readonly provider?: { setArmed(armed: boolean): void };
  /** Closes the client and the peer, and ends every process that they started. */
  close(): Promise<void>;
}

export interface ChildPeer extends FaultPeer {
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
  call(params?: CallParams, options?: CallOptions): Promise<T>;
}

export interface Play {
  readonly script: PeerScript;
  /** The user's own `client.listTools()` before the call: one page, or page by page. Its failure is ignored. */
  readonly list?: 'once' | 'page-by-page';
  readonly provider?: ProviderPlan;
  readonly redirectPolicy?: 'follow';
  /** SDK v2 alone has these two. */
  readonly tokens?: TokenPlan;
  readonly onInsufficientScope?: 'throw';
  readonly fetch?: typeof globalThis.fetch;
  readonly strictCapabilities?: true;
  /** What a person answers, where the SDK asks one by itself (v2 in the 2026 era). */
  readonly elicitation?: Elicitation;
  readonly notConnected?: true;
  /** Plays the call itself; by default one call of `fault` without arguments. */
  run?<T>(stage: Stage<T>): Promise<T>;
}
