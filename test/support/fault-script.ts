/**
 * What a scripted peer does, as data. One `PeerScript` drives all three peers: `fault-server.ts` (HTTP),
 * `fault-child.ts` (stdio) and `fault-memory.ts`. The handshake, `tools/list` and every tool that the script does
 * not name are answered as a normal server answers them.
 */

export type FaultTransport = 'http-json' | 'http-sse' | 'sse' | 'stdio' | 'mem';

/**
 * One JSON-RPC message as text, so that malformed ones can be written down. `"$id"` stands for the id of the call,
 * `"$idText"` for the same id as a JSON string.
 */
export type Frame = string;

/** One HTTP answer. In `headers` and `body`, `$origin` is the server's own origin and `$other` the same server under another name. */
export interface HttpReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * What happens after the body: `end` finishes the answer (the default), `hold` leaves it open, `reset` and `fin`
   * break the socket in the middle of it, or before its first byte when there is neither a status nor a body.
   * `silent` sends nothing at all, not even a status line.
   */
  readonly finish?: 'end' | 'hold' | 'reset' | 'fin' | 'silent';
  /** Sends these bytes instead of an HTTP answer. */
  readonly bytes?: string;
  /** Waits for the client's `notifications/cancelled` first: an answer that comes too late. */
  readonly afterCancel?: true;
}

/** What a stdio child does, in order. */
export type ChildStep =
  | { readonly do: 'write'; readonly text: string }
  | { readonly do: 'write-base64'; readonly base64: string }
  | { readonly do: 'write-large-result'; readonly bytes: number }
  | { readonly do: 'exit'; readonly code: number }
  | { readonly do: 'kill-self'; readonly signal: 'SIGKILL' | 'SIGSEGV' }
  | { readonly do: 'close-stdin' | 'close-stdout' | 'stop-reading' | 'ignore-sigterm' | 'await-cancel' }
  | { readonly do: 'grandchild-holds-stdout' }
  | { readonly do: 'flood-stderr'; readonly bytes: number };

/** What a call of one tool meets. `frames` works over every transport, `post` over HTTP, `child` over stdio. */
export interface Fault {
  readonly frames?: readonly Frame[];
  readonly post?: HttpReply;
  readonly child?: readonly ChildStep[];
}

export interface PeerScript {
  /** By tool name. A fault without members holds the call until `answer` is used. */
  readonly calls?: Readonly<Record<string, Fault>>;
  /** Pages of `tools/list`; the default is one page with `fault` and `healthy`. */
  readonly pages?: readonly (readonly unknown[])[];
  /** `tools/list` never runs out of pages. */
  readonly endlessPages?: true;
  /** Results go out as they are written, also in the 2026 era, where each must say what it is. */
  readonly asWritten?: true;
  /** What `initialize` announces; `{ tools: {} }` by default. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly http?: HttpScript;
  readonly child?: ChildScript;
}

export interface HttpScript {
  /** Hands out an `mcp-session-id`. */
  readonly session?: true;
  /** Answers a GET that asks to resume after an event; 405 by default. */
  readonly resume?: HttpReply;
  /** Answers by path, for redirect targets and an authorization server. */
  readonly routes?: Readonly<Record<string, HttpReply>>;
  /** Legacy SSE: the `retry` that the event stream asks for, in milliseconds. */
  readonly retryMs?: number;
  /** Legacy SSE: answers every event-stream GET after the first. */
  readonly reconnect?: HttpReply;
  /** Legacy SSE: this event follows on the stream when the POST of the call was accepted, as raw SSE text. */
  readonly event?: string;
  /** Closes every socket after each answer, so that a client keeps none. */
  readonly noKeepAlive?: true;
}

export interface ChildScript {
  readonly atStart?: readonly ChildStep[];
  readonly atInitialized?: readonly ChildStep[];
  /** Nobody reads the child's stderr. */
  readonly unreadStderr?: true;
  /** There is no handshake to wait for. */
  readonly startsReady?: true;
}

/** A message from the client, as far as a peer reads it. */
export interface PeerMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: PeerParams | undefined;
}

interface PeerParams {
  readonly _meta?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly cursor?: unknown;
  readonly protocolVersion?: unknown;
}

/** What tests hold of a running peer. */
export interface FaultPeer {
  /** Resolves when the first call of a scripted tool has arrived. */
  readonly arrived: Promise<void>;
  /** How many calls of scripted tools have arrived. */
  callCount(): number;
  /** Sends frames for the scripted call that arrived last. */
  answer(frames: readonly Frame[]): void;
  /** Breaks the connection from the server's side. */
  drop(how: 'end' | 'reset'): void;
  /** Ends the peer and everything that it opened. Safe to call twice. */
  close(): Promise<void>;
}

export const plainTool: Readonly<Record<string, unknown>> = {
  name: 'fault',
  inputSchema: { type: 'object' },
};
export const healthyTool: Readonly<Record<string, unknown>> = { ...plainTool, name: 'healthy' };

export function resultFrame(result: unknown): Frame {
  return JSON.stringify({ jsonrpc: '2.0', id: '$id', result });
}

export function errorFrame(error: unknown): Frame {
  return JSON.stringify({ jsonrpc: '2.0', id: '$id', error });
}

/**
 * In the 2026 era a result must say that it is complete, so a script's results say so there, unless they say anything of
 * the kind. Shipped to the stdio child too.
 */
export function completeResults(script: PeerScript, message: PeerMessage, text: string): string {
  const meta = message.params?._meta;
  const modern =
    typeof meta === 'object' && meta !== null && 'io.modelcontextprotocol/protocolVersion' in meta;
  if (!modern || script.asWritten || text.includes('"resultType"')) return text;
  return text
    .replaceAll('"result":{"', '"result":{"resultType":"complete","')
    .replaceAll('"result":{}', '"result":{"resultType":"complete"}');
}

export function fillFrame(frame: Frame, id: unknown): string {
  return frame.replaceAll('"$id"', JSON.stringify(id)).replaceAll('"$idText"', JSON.stringify(String(id)));
}

/**
 * The answer of a normal server, `undefined` for a notification or an answer. It is also shipped to the stdio child
 * as source text, so it uses nothing from outside itself.
 */
export function answerNormally(script: PeerScript, message: PeerMessage): string | undefined {
  if (message.id === undefined || message.method === undefined) return undefined;
  const answer = (result: unknown) =>
    completeResults(script, message, JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  const params = message.params ?? {};
  const capabilities = script.capabilities ?? { tools: {} };
  // Asked for in the 2026 era, and unknown keys before.
  const cacheable = { ttlMs: 0, cacheScope: 'private' };
  switch (message.method) {
    case 'server/discover':
      return answer({ supportedVersions: ['2026-07-28'], capabilities, ...cacheable });
    case 'initialize':
      return answer({
        protocolVersion: params.protocolVersion,
        capabilities,
        serverInfo: { name: 'fault-peer', version: '1.0.0' },
      });
    case 'tools/list': {
      const page = Number(params.cursor ?? 0);
      if (script.endlessPages) {
        const filler = { name: `filler-${page}`, inputSchema: { type: 'object' } };
        return answer({ tools: [filler], nextCursor: String(page + 1), ...cacheable });
      }
      const pages = script.pages ?? [
        ['fault', 'healthy'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      ];
      const nextCursor = page + 1 < pages.length ? String(page + 1) : undefined;
      return answer({ tools: pages[page] ?? [], nextCursor, ...cacheable });
    }
    case 'tools/call': {
      const args = params.arguments;
      const say = typeof args === 'object' && args !== null && 'say' in args ? String(args.say) : 'fine';
      return answer({ content: [{ type: 'text', text: say }] });
    }
    case 'ping':
      return answer({});
    default:
      return JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Unknown' } });
  }
}

/** The scripted fault that this message calls for, if any. */
export function faultOf(script: PeerScript, message: PeerMessage): Fault | undefined {
  const name = message.params?.name;
  return message.method === 'tools/call' && typeof name === 'string' ? script.calls?.[name] : undefined;
}

/** A promise and the function that resolves it. */
export function signal(): { readonly promise: Promise<void>; readonly fire: () => void } {
  let fire = (): void => {};
  const promise = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}
