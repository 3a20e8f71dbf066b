/**
 * The outcome of one `tools/call`: data only. One interface per kind, a union over them, and the runtime
 * lists that consumers iterate. Nothing in here decides anything; `classify/` does.
 */

/** Every kind of outcome, in the order of the docs. */
export const outcomeKinds = [
  'success',
  'tool_error',
  'failure_body',
  'schema_mismatch',
  'call_failure',
  'cancelled',
] as const;

export type OutcomeKind = (typeof outcomeKinds)[number];

/** What a call that failed means for the caller's next step. `transient_failure` is "everything else", not "safe to retry". */
export const failureCategories = [
  'access_denied',
  'not_found',
  'transient_failure',
  'invalid_input',
] as const;

export type FailureCategory = (typeof failureCategories)[number];

/** Whether the request reached the server: never left, was answered, or nobody can know. */
export type Delivery = 'not_sent' | 'answered' | 'unknown';

/** Why a call ended without a tool result. */
export const callFailureReasons = [
  'http_error',
  'auth_required',
  'protocol_error',
  'timeout',
  'connection_closed',
  'network_error',
  'not_connected',
  'invalid_answer',
  'input_required',
  'task_created',
  'task_required',
  'invalid_arguments',
  'unknown_error',
] as const;

export type CallFailureReason = (typeof callFailureReasons)[number];

/** A content block as the server sent it. Unknown block types and keys are kept. */
export interface ContentBlock {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A well-formed `CallToolResult`, verbatim. `content` may be absent when `structuredContent` is there. */
export interface ToolResult {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | null;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** A result with `isError: true`, verbatim. Its other members were not checked: the flag alone decides. */
export interface ToolErrorResult {
  readonly isError: true;
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly [key: string]: unknown;
}

/** What a recognizer read from a failure body: redacted, `tag` and `code` cut at 128 UTF-16 units, `message` at 2,048. */
export interface Failure {
  /** The name of the recognizer that matched. */
  readonly recognizer: string;
  readonly tag?: string;
  readonly code?: string;
  readonly message?: string;
}

/** One place where a value broke its schema. `path` is a JSON Pointer (RFC 6901); `''` is the whole value. */
export interface SchemaIssue {
  readonly path: string;
  readonly message: string;
}

/** Something about a success that a careful caller may want to know; it is not a failure. */
export interface OutcomeWarning {
  /**
   * `output_schema_unusable`: the tool's output schema could not be used, so the result was judged without it.
   * `output_schema_unchecked`: the schema was not known in time, or the structured content is too large to check.
   */
  readonly code: 'output_schema_unusable' | 'output_schema_unchecked';
  readonly reason: string;
}

/** What an HTTP `WWW-Authenticate` challenge asked for (RFC 6750 section 3). */
export interface AuthChallenge {
  readonly error?: string;
  readonly scope?: string;
}

interface OutcomeBase {
  /** The server's name: the caller's `server` option, else the server's own name, else `mcp`. */
  readonly server: string;
  readonly tool: string;
  /** The caller's id, else a UUID: joins the outcome, its log line, receipt and trace. */
  readonly callId: string;
  /** One line for a person: redacted, control characters as spaces, at most 2,048 UTF-16 units, then `…`. */
  readonly message: string;
  readonly delivery: Delivery;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /**
   * `true` when the tool's annotations say `readOnlyHint` or `idempotentHint`, `false` when they say otherwise,
   * absent when they are not known. A hint of a server that nobody has to trust.
   */
  readonly replaySafe?: boolean;
}

/** A well-formed result with no failure in it. */
export interface SuccessOutcome<T = unknown> extends OutcomeBase {
  readonly kind: 'success';
  readonly ok: true;
  readonly category: 'success';
  readonly result: ToolResult;
  /** The typed output of the caller's `output` schema; without one, `structuredContent`. */
  readonly value: T;
  readonly warnings: readonly OutcomeWarning[];
}

/** The server said `isError: true`. */
export interface ToolErrorOutcome extends OutcomeBase {
  readonly kind: 'tool_error';
  readonly ok: false;
  readonly category: 'tool_error' | FailureCategory;
  readonly result: ToolErrorResult;
  readonly failure?: Failure;
}

/** A recognized failure body under a success envelope. */
export interface FailureBodyOutcome extends OutcomeBase {
  readonly kind: 'failure_body';
  readonly ok: false;
  readonly category: 'tool_error' | FailureCategory;
  readonly result: ToolResult;
  readonly failure: Failure;
}

/** The server answered, but not what was promised. The tool may have done its work. */
export interface SchemaMismatchOutcome extends OutcomeBase {
  readonly kind: 'schema_mismatch';
  readonly ok: false;
  readonly category: 'schema_mismatch';
  /** Which promise was broken: MCP's own result shape, the tool's advertised schema, or the caller's. */
  readonly schema: 'call_tool_result' | 'output_schema' | 'caller_schema';
  /** At most 10. */
  readonly issues: readonly SchemaIssue[];
  readonly result: unknown;
}

/** The call ended without a tool result. */
export interface CallFailureOutcome extends OutcomeBase {
  readonly kind: 'call_failure';
  readonly ok: false;
  readonly category: FailureCategory;
  readonly reason: CallFailureReason;
  readonly httpStatus?: number;
  /** The `code` of the JSON-RPC error object as it stood on the wire. */
  readonly rpcCode?: number;
  /** The `data` of the JSON-RPC error object, verbatim: not redacted. */
  readonly rpcData?: unknown;
  readonly retryAfterMs?: number;
  readonly challenge?: AuthChallenge;
  /** HTTP 404 on a transport that held a session id: the session is gone, the tool may be there. */
  readonly sessionExpired?: true;
  readonly taskId?: string;
  /** A redacted excerpt of the HTTP error body: JSON compacted, at most 2,048 UTF-16 units, then `…`. */
  readonly body?: string;
  /** The thrown value, untouched. Not enumerable: JSON, a spread and a logger never carry it. */
  readonly cause: unknown;
}

/** The caller's own `AbortSignal` stopped the call. */
export interface CancelledOutcome extends OutcomeBase {
  readonly kind: 'cancelled';
  readonly ok: false;
  readonly category: 'cancelled';
  /** The abort reason, untouched. Not enumerable. */
  readonly cause: unknown;
}

/** Exactly one of these comes back from every call. */
export type ToolOutcome<T = unknown> =
  | SuccessOutcome<T>
  | ToolErrorOutcome
  | FailureBodyOutcome
  | SchemaMismatchOutcome
  | CallFailureOutcome
  | CancelledOutcome;

/** Every outcome that is not `ok`. */
export type FailedOutcome = Exclude<ToolOutcome, SuccessOutcome>;
