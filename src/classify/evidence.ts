import type { AuthChallenge, Delivery, OutcomeWarning, SchemaIssue } from '../outcome.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { Recognizer } from './failure-bodies.ts';

/** The server's tool result, or what a client without a tapped transport resolved with. */
export interface ResultEvidence {
  readonly source: 'result';
  readonly result: unknown;
  readonly delivery: 'answered' | 'unknown';
  /** What the client rejected with in spite of the result. */
  readonly thrown?: unknown;
  /** What the caller's own `output` schema said of the structured content; absent when there is no such schema. */
  readonly callerSchema?: CallerSchemaVerdict;
}

/** A JSON-RPC error object, with the raw code and data of the wire. */
export interface RpcErrorEvidence {
  readonly source: 'rpc_error';
  readonly error: unknown;
  readonly thrown: unknown;
  readonly exchange?: HttpExchange;
}

/** The caller's own signal was aborted and no answer came first. */
export interface AbortEvidence {
  readonly source: 'aborted';
  readonly abortReason: unknown;
  readonly delivery: Delivery;
}

/**
 * The client rejected and no answer had come. `origin` is what the transport tap knows of it:
 * `not_sent` (a guard inside the client), `send` (the very object that `send()` rejected with), `sent` (the request
 * went out, then nothing came for it), `unknown` (no tap: nothing can be told apart).
 */
export interface RejectionEvidence {
  readonly source: 'rejected';
  readonly thrown: unknown;
  readonly origin: 'not_sent' | 'send' | 'sent' | 'unknown';
  readonly transport?: TransportFacts;
  readonly exchange?: HttpExchange;
  /** Something for this id arrived, but broke the JSON-RPC envelope. */
  readonly malformedAnswer?: boolean;
  /** `JSON.stringify` throws on the arguments, so no transport could have carried them. */
  readonly unserializable?: boolean;
}

/** The wrapper or a timeout signal ended the call, because the client did not. */
export interface EndedEvidence {
  readonly source: 'ended';
  readonly reason: 'timeout' | 'connection_closed' | 'invalid_answer';
  readonly message: string;
  readonly delivery: Delivery;
  readonly thrown?: unknown;
  readonly exchange?: HttpExchange;
}

/** The call itself was wrong; nothing was sent. */
export interface BadCallEvidence {
  readonly source: 'bad_call';
  readonly message: string;
  readonly thrown: unknown;
}

/** How one call ended: exactly one of these is true of it. */
export type Evidence =
  | ResultEvidence
  | RpcErrorEvidence
  | AbortEvidence
  | RejectionEvidence
  | EndedEvidence
  | BadCallEvidence;

export type CallerSchemaVerdict =
  | { readonly valid: true; readonly value: unknown }
  | { readonly valid: false; readonly issues: readonly SchemaIssue[] };

/** What the client's transport is, as far as a verdict depends on it. */
interface TransportFacts {
  /** The SDK's legacy SSE transport, whose errors carry the HTTP status in their text alone. */
  readonly legacySse: boolean;
  readonly hasSession: boolean;
  /** The client holds no transport (any more). */
  readonly connected: boolean;
}

/** What an observed `fetch` saw of the POST that carried the call. */
export interface HttpExchange {
  readonly retryAfterMs?: number;
  readonly challenge?: AuthChallenge;
  /** The body of an error answer, as far as it was read. */
  readonly body?: string;
}

/** What the tool's advertised output schema says of a would-be success. */
export type OutputSchemaCheck = (structuredContent: unknown) => {
  readonly issues: readonly SchemaIssue[];
  readonly warnings: readonly OutcomeWarning[];
};

/** Everything about a call that does not decide how it ended. */
export interface ClassifyContext {
  readonly server: string;
  readonly tool: string;
  readonly callId: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly replaySafe?: boolean;
  readonly redactor: Redactor;
  readonly failureBodies: readonly Recognizer[];
  readonly errorBodies: 'include' | 'status-only';
  readonly outputSchema?: OutputSchemaCheck;
}
