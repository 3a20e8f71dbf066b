/**
 * What the fault table needs of an SDK. Each column of the table is one of these; what a row plays with is told by
 * structure, so that no row knows which SDK it meets.
 */

import type { Stream } from 'node:stream';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { ToolCallingClient } from '../../src/index.ts';
import type { TokenSource } from './fault-auth.ts';

/** The newest v1, the oldest that is supported, and v2 in its two protocol eras: 2025-11-25 (its default) and 2026-07-28. */
export type SdkName = 'v1' | 'v1-oldest' | 'v2' | 'v2-2026';

export interface FaultClient extends ToolCallingClient {
  onclose?: (() => void) | undefined;
  close(): Promise<void>;
  listTools(params?: { cursor: string }): Promise<{ readonly nextCursor?: string | undefined }>;
}

/** The server's end of an in-memory pair. */
export interface MemoryEnd {
  onmessage?: ((message: never) => void) | undefined;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** A client that is not connected yet, with the transport that it will be connected to. */
export interface OpenedClient {
  readonly client: FaultClient;
  connect(): Promise<void>;
  closeTransport(): Promise<void>;
}

export interface OpenedChild extends OpenedClient {
  pid(): number | null;
  stderr(): Stream | null;
}

export interface OpenedPair extends OpenedClient {
  readonly end: MemoryEnd;
}

/** What the handler of an elicitation does; with `manual` the SDK does not ask it. */
export type Elicitation = 'accept' | 'decline' | 'throw' | 'hang' | 'manual';

export interface ClientSetup {
  readonly strictCapabilities: boolean;
  readonly elicitation?: Elicitation;
}

export interface HttpSetup extends ClientSetup {
  readonly url: URL;
  readonly fetch?: typeof globalThis.fetch;
  readonly provider?: OAuthClientProvider;
  readonly redirectPolicy?: 'follow';
  /** SDK v2 alone has these two. */
  readonly tokens?: TokenSource;
  readonly onInsufficientScope?: 'throw';
}

export interface FaultSdk {
  readonly name: SdkName;
  streamableHttp(setup: HttpSetup): OpenedClient;
  legacySse(setup: HttpSetup): OpenedClient;
  stdio(setup: ClientSetup, command: { command: string; args: string[] }): OpenedChild;
  memory(setup: ClientSetup): OpenedPair;
}

/** Short, so that a stream that can be resumed is resumed before its row ends. */
export const reconnectionOptions = {
  initialReconnectionDelay: 10,
  maxReconnectionDelay: 20,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 2,
};

export const clientInfo = { name: 'fault-table', version: '1.0.0' };

export function httpOptions({ fetch, provider, redirectPolicy }: HttpSetup) {
  return {
    ...(fetch ? { fetch } : {}),
    ...(provider ? { authProvider: provider } : {}),
    ...(redirectPolicy ? { redirectPolicy } : {}),
  };
}

interface Connecting extends FaultClient {
  connect(transport: never): Promise<void>;
}

interface AnyTransport {
  close(): Promise<void>;
}

export function opened(client: Connecting, transport: AnyTransport): OpenedClient {
  return {
    client,
    // The oldest SDK's transports do not fit its own type of them where `exactOptionalPropertyTypes` is on.
    connect: () => Reflect.apply(client.connect, client, [transport]),
    closeTransport: () => transport.close(),
  };
}

interface ChildTransport extends AnyTransport {
  readonly pid: number | null;
  readonly stderr: Stream | null;
}

export function openedChild(client: Connecting, transport: ChildTransport): OpenedChild {
  return { ...opened(client, transport), pid: () => transport.pid, stderr: () => transport.stderr };
}
