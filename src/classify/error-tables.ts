/**
 * What is known of the errors that MCP clients and fetch throw: names, fields and codes, never their texts.
 * Sources: the two SDKs' own classes, undici's and Node's error codes, OAuth 2.0 (RFC 6749) and its registries.
 */

/** Where a client error keeps the HTTP status of the answer. The first row that gives 300–599 counts. */
export const httpStatusFields: readonly {
  /** Any error, when absent. */
  readonly className?: string;
  readonly path: readonly string[];
}[] = [
  // SDK v1, Streamable HTTP: `code` is the status, or -1 for an unexpected content type.
  { className: 'StreamableHTTPError', path: ['code'] },
  // SDK v1 and v2, the GET of the legacy SSE transport.
  { className: 'SseError', path: ['code'] },
  // SDK v2.
  { className: 'SdkHttpError', path: ['status'] },
  // Fetch helpers, Python-style bridges, hono, http-errors, AI SDK.
  { path: ['status'] },
  { path: ['statusCode'] },
  // axios, ky, got.
  { path: ['response', 'status'] },
  { path: ['response', 'statusCode'] },
];

/** Where a client error keeps the body of an HTTP error answer as text. */
export const httpBodyFields: readonly { readonly className: string; readonly path: readonly string[] }[] = [
  // SDK v2.
  { className: 'SdkHttpError', path: ['data', 'text'] },
  // The MCP client of the AI SDK.
  { className: 'MCPClientError', path: ['responseBody'] },
];

/** Errors that, with an integer `code`, stand for a JSON-RPC error object: no digits in them are an HTTP status. */
export const rpcErrorClasses: readonly string[] = [
  // SDK v1 and v2.
  'McpError',
  'ProtocolError',
  // The MCP client of the AI SDK, which keeps an HTTP status in `statusCode`, without a `code`.
  'MCPClientError',
];

/** Errors that say: authorization is missing. */
export const authErrorClasses: readonly string[] = [
  'UnauthorizedError',
  'InsufficientScopeError',
  // The base class of every OAuth error of SDK v1 (`InvalidGrantError` …), and v2's answer of an authorization server.
  'OAuthError',
  // The base class of what v2 itself refuses in an authorization flow.
  'OAuthClientFlowError',
  // The base class of the same in the MCP client of the AI SDK.
  'MCPClientOAuthError',
];

/** The error that SDK v2 throws for a challenge it has read itself (RFC 6750 section 3.1), with the scope in `requiredScope`. */
export const scopeErrorClass = 'InsufficientScopeError';

/** SDK v2's own errors with an HTTP status, which its transports make of the answer to their request. */
export const transportErrorClasses: readonly string[] = ['SdkHttpError', scopeErrorClass];

/** SDK v2 throws this one in place of an HTTP 403, without a status on it. */
export const impliedStatuses: Readonly<Record<string, number>> = { InsufficientScopeError: 403 };

/** OAuth errors that say "later", not "no" (RFC 6749 section 4.1.2.1, RFC 6585). */
export const temporaryOAuthCodes: readonly string[] = [
  'server_error',
  'temporarily_unavailable',
  'too_many_requests',
];

/** SDK v1's classes for the same, when an error has lost its code. */
export const temporaryOAuthClasses: readonly string[] = [
  'ServerError',
  'TemporarilyUnavailableError',
  'TooManyRequestsError',
];

/** Codes of a connection that was never there: name lookup and refusal, then what ends a TLS handshake (Node's TLS docs). */
export const neverConnectedCodes: readonly string[] = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'UND_ERR_CONNECT_TIMEOUT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
  'ERR_SSL_NO_SHARED_CIPHER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_DH_KEY_TOO_SMALL',
  'ERR_SSL_EE_KEY_TOO_SMALL',
  'ERR_SSL_CA_MD_TOO_WEAK',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
];

/** Families of codes with the same meaning: certificates and their revocation lists, alerts of a TLS handshake. */
export const neverConnectedPrefixes: readonly string[] = [
  'CERT_',
  'CRL_',
  'ERR_SSL_TLSV1_ALERT_',
  'ERR_SSL_TLSV13_ALERT_',
];

/** System calls that fail before a connection stands, whatever their code (`ETIMEDOUT` also comes from a read). */
export const connectingSystemCalls: readonly string[] = ['connect', 'getaddrinfo'];

/** Codes of a connection that broke while it stood. */
export const brokenConnectionCodes: readonly string[] = [
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENETDOWN',
  'ENETRESET',
  'EPROTO',
  'ERR_STREAM_PREMATURE_CLOSE',
];

/** Families of codes with the same meaning: undici, Node's HTTP parser, TLS, zlib. */
export const brokenConnectionPrefixes: readonly string[] = ['UND_ERR_', 'HPE_', 'ERR_SSL_', 'ERR_TLS_', 'Z_'];

/** Errors of a broken connection that may come without a code: undici's for bytes that are not HTTP, on Node 24. */
export const brokenConnectionClasses: readonly string[] = ['HTTPParserError'];

/** What an error class or a code of it says about the call when no answer was seen. */
export type ErrorSign =
  | 'invalid_answer'
  | 'timeout'
  | 'connection_closed'
  | 'not_connected'
  | 'input_required'
  | 'task_required';

export const errorSigns: readonly {
  readonly className: string;
  readonly code?: string | number;
  readonly sign: ErrorSign;
  /** The sign holds only when the request is known never to have left. */
  readonly notSentOnly?: boolean;
}[] = [
  // SDK v1: the content type is neither JSON nor an event stream.
  { className: 'StreamableHTTPError', code: -1, sign: 'invalid_answer' },
  // The answer is not JSON, or not JSON-RPC; zod 3 and 4 name their error differently.
  { className: 'SyntaxError', sign: 'invalid_answer' },
  { className: 'ZodError', sign: 'invalid_answer' },
  { className: '$ZodError', sign: 'invalid_answer' },
  // SDK v1 makes these itself: -32001 after `timeout`, -32000 on close, -32600 for a tool that is a task.
  { className: 'McpError', code: -32_001, sign: 'timeout' },
  { className: 'McpError', code: -32_000, sign: 'connection_closed' },
  { className: 'McpError', code: -32_600, sign: 'task_required', notSentOnly: true },
  // SDK v2's string codes never come from the wire.
  { className: 'SdkError', code: 'REQUEST_TIMEOUT', sign: 'timeout' },
  { className: 'SdkError', code: 'CONNECTION_CLOSED', sign: 'connection_closed' },
  { className: 'SdkError', code: 'NOT_CONNECTED', sign: 'not_connected' },
  { className: 'SdkError', code: 'CLIENT_HTTP_UNEXPECTED_CONTENT', sign: 'invalid_answer' },
  { className: 'SdkError', code: 'INVALID_RESULT', sign: 'invalid_answer' },
  { className: 'SdkError', code: 'UNSUPPORTED_RESULT_TYPE', sign: 'invalid_answer' },
  { className: 'SdkError', code: 'INPUT_REQUIRED_ROUNDS_EXCEEDED', sign: 'input_required' },
  // `AbortSignal.timeout()` inside somebody's fetch, and timeout errors of the common libraries.
  { className: 'TimeoutError', sign: 'timeout' },
];

/** JSON-RPC codes that an SDK also makes itself: without a view of the wire they prove no answer. */
export const ambiguousRpcCodes: readonly { readonly className: string; readonly codes: readonly number[] }[] =
  [
    { className: 'McpError', codes: [-32_000, -32_001, -32_600, -32_602] },
    // v2's own timeouts and closed connections have string codes; its output-schema errors do not.
    { className: 'ProtocolError', codes: [-32_600, -32_602] },
  ];
