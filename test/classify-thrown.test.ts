/**
 * Thrown values, without a view of the wire: what typed fields, classes and the caller's signal say, and what words,
 * digits and codes in the wrong place must not say.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CallContext, classifyThrown } from '../src/index.ts';
import { assertOutcome, context, type RightOutcome, transient } from './support/right-outcome.ts';
import { below, belowErrors, branded, errorWith, named, sdkCopies } from './support/thrown-errors.ts';

interface Row {
  readonly name: string;
  readonly thrown: unknown;
  readonly right: RightOutcome;
}

function play(rows: readonly Row[], callContext: CallContext = context): void {
  for (const { name, thrown, right } of rows) {
    test(name, () => {
      const outcome = classifyThrown(thrown, callContext);
      assertOutcome(outcome, { ok: false, kind: 'call_failure', ...right });
      if (outcome.kind === 'call_failure') {
        assert.equal(outcome.cause, thrown);
      }
    });
  }
}

function httpError(httpStatus: number, category: string, delivery: string): RightOutcome {
  return { ...transient, category, reason: 'http_error', httpStatus, delivery };
}
const unauthorized = httpError(401, 'access_denied', 'answered');
const forbidden = httpError(403, 'access_denied', 'answered');
const notFound = httpError(404, 'not_found', 'answered');
const serverError = httpError(500, 'transient_failure', 'unknown');
/** Nothing typed says what happened. */
const unknown = { ...transient, reason: 'unknown_error', httpStatus: undefined, delivery: 'unknown' };

const { McpError, UrlElicitationRequiredError } = sdkCopies.ESM.types;
const { StreamableHTTPError } = sdkCopies.ESM.streamableHttp;
const { UnauthorizedError } = sdkCopies.ESM.auth;

test('the two copies of the SDK have classes of their own', () => {
  assert.notEqual(sdkCopies.ESM.types.McpError, sdkCopies.CommonJS.types.McpError);
  assert.notEqual(sdkCopies.ESM.oauth.OAuthError, sdkCopies.CommonJS.oauth.OAuthError);
});

for (const [copy, sdk] of Object.entries(sdkCopies)) {
  describe(`the classes of SDK v1, ${copy}: HTTP status`, () => {
    const statuses: readonly (readonly [status: number, category: string, delivery: string])[] = [
      [300, 'transient_failure', 'unknown'],
      [302, 'transient_failure', 'unknown'],
      [399, 'transient_failure', 'unknown'],
      [400, 'transient_failure', 'answered'],
      [401, 'access_denied', 'answered'],
      [402, 'transient_failure', 'answered'],
      [403, 'access_denied', 'answered'],
      [404, 'not_found', 'answered'],
      [407, 'transient_failure', 'answered'],
      // A gateway may have passed the request on before it gave up.
      [408, 'transient_failure', 'unknown'],
      [409, 'transient_failure', 'answered'],
      [410, 'transient_failure', 'answered'],
      [422, 'transient_failure', 'answered'],
      [429, 'transient_failure', 'answered'],
      [499, 'transient_failure', 'answered'],
      [500, 'transient_failure', 'unknown'],
      [502, 'transient_failure', 'unknown'],
      [503, 'transient_failure', 'unknown'],
      [599, 'transient_failure', 'unknown'],
    ];
    play(
      statuses.flatMap(([status, category, delivery]) => {
        const right = {
          ...httpError(status, category, delivery),
          rpcCode: undefined,
          sessionExpired: undefined,
        };
        return [
          {
            name: `StreamableHTTPError ${status}`,
            thrown: new sdk.streamableHttp.StreamableHTTPError(status, 'not found'),
            right,
          },
          {
            name: `SseError ${status}`,
            thrown: new sdk.sse.SseError(status, 'not found', new Event('error')),
            right,
          },
        ];
      }),
    );
    const noStatuses = [undefined, 0, 1, 200, 204, 299, 600, 1_000, 404.5, Number.NaN];
    play(
      noStatuses.map((code) => ({
        name: `StreamableHTTPError ${code}`,
        thrown: new sdk.streamableHttp.StreamableHTTPError(code, 'Unauthorized'),
        right: { ...transient, httpStatus: undefined },
      })),
    );
    play([
      {
        name: 'StreamableHTTPError -1 is an unexpected content type',
        thrown: new sdk.streamableHttp.StreamableHTTPError(-1, 'Unexpected content type: text/html'),
        right: { ...transient, reason: 'invalid_answer', httpStatus: undefined, delivery: 'unknown' },
      },
    ]);
  });

  describe(`the classes of SDK v1, ${copy}: JSON-RPC`, () => {
    play([
      ...[-32_700, -32_601, -32_603, -32_042, -1, 401, 403, 404, 500].map((code) => ({
        name: `McpError ${code} is what the server said`,
        thrown: new sdk.types.McpError(code, 'Unauthorized', { status: 401 }),
        right: {
          ...transient,
          reason: 'protocol_error',
          rpcCode: code,
          rpcData: { status: 401 },
          httpStatus: undefined,
          delivery: 'answered',
        },
      })),
      ...[-32_600, -32_602].map((code) => ({
        name: `McpError ${code} may be the SDK's own`,
        thrown: new sdk.types.McpError(code, 'Tool x not found'),
        right: {
          ...transient,
          reason: 'protocol_error',
          rpcCode: code,
          rpcData: undefined,
          delivery: 'unknown',
        },
      })),
      {
        name: 'a local timeout',
        thrown: new sdk.types.McpError(-32_001, 'Request timed out', { timeout: 60_000 }),
        right: { ...transient, reason: 'timeout', delivery: 'unknown' },
      },
      {
        name: 'a local total timeout',
        thrown: new sdk.types.McpError(-32_001, 'Maximum total timeout exceeded', {
          maxTotalTimeout: 60_000,
          totalElapsed: 61_000,
        }),
        right: { ...transient, reason: 'timeout', delivery: 'unknown' },
      },
      {
        // The SDK's own always carries its timeout, so this one came from the server, and its data are worth keeping.
        name: 'a server that uses -32001 for something else',
        thrown: new sdk.types.McpError(-32_001, 'Rate limited', { retryAfter: 5 }),
        right: { ...transient, reason: 'protocol_error', rpcCode: -32_001, rpcData: { retryAfter: 5 } },
      },
      {
        name: 'a closed connection',
        thrown: new sdk.types.McpError(-32_000, 'Connection closed'),
        right: { ...transient, reason: 'connection_closed', delivery: 'unknown' },
      },
      {
        name: 'a URL elicitation',
        thrown: new sdk.types.UrlElicitationRequiredError([]),
        right: {
          ...transient,
          reason: 'protocol_error',
          rpcCode: -32_042,
          rpcData: { elicitations: [] },
          delivery: 'answered',
        },
      },
    ]);
  });

  describe(`the classes of SDK v1, ${copy}: authorization`, () => {
    const { oauth } = sdk;
    const denied = { ...transient, category: 'access_denied', reason: 'auth_required' };
    const later = { ...transient, category: 'transient_failure', reason: 'auth_required' };
    const rows: readonly Row[] = [
      { name: 'UnauthorizedError', thrown: new sdk.auth.UnauthorizedError(), right: denied },
      {
        name: 'UnauthorizedError with other words',
        thrown: new sdk.auth.UnauthorizedError('HTTP 404'),
        right: { ...denied, httpStatus: undefined },
      },
      ...Object.entries(oauth.OAUTH_ERRORS).map(([code, OAuthClass]) => ({
        name: code,
        thrown: new OAuthClass('server_error'),
        right: ['server_error', 'temporarily_unavailable', 'too_many_requests'].includes(code)
          ? { ...later, httpStatus: undefined }
          : denied,
      })),
      { name: 'the base class', thrown: new oauth.OAuthError('no'), right: denied },
      { name: 'a code of its own', thrown: new oauth.CustomOAuthError('slow_down', 'no'), right: denied },
      ...['server_error', 'temporarily_unavailable', 'too_many_requests'].map((code) => ({
        name: `${code} without its class`,
        thrown: new oauth.CustomOAuthError(code, 'no'),
        right: later,
      })),
      {
        name: 'InsufficientScopeError means 403',
        thrown: new oauth.InsufficientScopeError('no'),
        right: { ...denied, httpStatus: 403, delivery: 'answered' },
      },
      {
        name: 'a subclass',
        thrown: new (class extends sdk.auth.UnauthorizedError {})(),
        right: denied,
      },
      { name: 'a cause', thrown: below(3, new sdk.auth.UnauthorizedError()), right: denied },
      {
        name: 'temporary beside one that is not',
        thrown: new AggregateError([new oauth.ServerError('later'), new sdk.auth.UnauthorizedError()]),
        right: denied,
      },
      {
        name: 'the other way round',
        thrown: new AggregateError([new sdk.auth.UnauthorizedError(), new oauth.ServerError('later')]),
        right: denied,
      },
      {
        name: 'temporary, all of them',
        thrown: new AggregateError([new oauth.ServerError('a'), new oauth.TooManyRequestsError('b')]),
        right: later,
      },
      {
        name: 'temporary, but the POST was answered 401',
        thrown: new AggregateError([
          new oauth.ServerError('no'),
          new sdk.streamableHttp.StreamableHTTPError(401, 'no'),
        ]),
        right: { ...denied, httpStatus: 401 },
      },
      {
        name: 'temporary, and the POST was answered 403',
        thrown: Object.assign(new oauth.TooManyRequestsError('no'), { status: 403 }),
        right: { ...denied, httpStatus: 403 },
      },
      {
        name: 'temporary, and the POST was answered 503',
        thrown: Object.assign(new oauth.ServerError('no'), { status: 503 }),
        right: { ...later, httpStatus: 503 },
      },
    ];
    play(rows);
  });
}

describe('authorization by a name alone, by a brand, and not at all', () => {
  const denied = { ...transient, category: 'access_denied', reason: 'auth_required' };
  play([
    { name: 'the name UnauthorizedError', thrown: named('UnauthorizedError'), right: denied },
    {
      name: 'the name InsufficientScopeError',
      thrown: named('InsufficientScopeError'),
      right: { ...denied, httpStatus: 403 },
    },
    {
      name: 'the name OAuthError and a code, SDK v2',
      thrown: named('OAuthError', { code: 'invalid_grant' }),
      right: denied,
    },
    {
      name: 'the name OAuthError and a temporary code, SDK v2',
      thrown: named('OAuthError', { code: 'temporarily_unavailable' }),
      right: { ...denied, category: 'transient_failure' },
    },
    { name: 'the brand of UnauthorizedError', thrown: branded('mcp.UnauthorizedError'), right: denied },
    {
      name: 'the brand of InsufficientScopeError',
      thrown: branded('mcp.OAuthClientFlowError', 'mcp.InsufficientScopeError'),
      right: { ...denied, httpStatus: 403 },
    },
    { name: 'the brand of OAuthError', thrown: branded('mcp.OAuthError'), right: denied },
    {
      name: 'an OAuth error of SDK v2 that has no OAuth code',
      thrown: branded('mcp.OAuthClientFlowError', 'mcp.RegistrationRejectedError'),
      right: denied,
    },
    // The negative neighbours.
    { name: 'a foreign brand', thrown: branded('mcp.Other'), right: unknown },
    { name: 'the words', thrown: new Error('UnauthorizedError: Unauthorized (401)'), right: unknown },
    {
      name: 'the code of an OAuth error alone',
      thrown: errorWith({ code: 'invalid_grant' }),
      right: unknown,
    },
    { name: 'an errorCode alone', thrown: errorWith({ errorCode: 'invalid_token' }), right: unknown },
    { name: 'a class that only ends so', thrown: named('NotAnUnauthorizedError'), right: unknown },
    { name: 'a temporary class name alone', thrown: named('ServerError'), right: unknown },
  ]);

  test('an UnauthorizedError does not say that the POST was never sent', () => {
    // SDK v1 throws it after the server answered the POST with a 401.
    assert.notEqual(classifyThrown(new UnauthorizedError(), context).delivery, 'not_sent');
  });
});

describe('an HTTP status in a typed field', () => {
  play([
    { name: 'status', thrown: errorWith({ status: 500 }), right: serverError },
    { name: 'statusCode', thrown: errorWith({ statusCode: 404 }), right: notFound },
    {
      name: 'response.status, axios',
      thrown: errorWith({ code: 'ERR_BAD_REQUEST', response: { status: 403 } }),
      right: forbidden,
    },
    {
      name: 'response.statusCode, got',
      thrown: errorWith({ response: { statusCode: 401 } }),
      right: unauthorized,
    },
    {
      name: 'an inherited getter',
      thrown: new (class extends Error {
        get status(): number {
          return 401;
        }
      })(),
      right: unauthorized,
    },
    { name: 'a plain object', thrown: { status: 404 }, right: notFound },
    { name: 'a name and a code', thrown: named('StreamableHTTPError', { code: 404 }), right: notFound },
    { name: 'SseError by name', thrown: named('SseError', { code: 403 }), right: forbidden },
    {
      name: 'SdkHttpError by name, SDK v2',
      thrown: named('SdkHttpError', {
        code: 'CLIENT_HTTP_NOT_IMPLEMENTED',
        status: 404,
        data: { status: 404 },
      }),
      right: notFound,
    },
    {
      name: 'the status decides, not the words',
      thrown: errorWith({ status: 404 }, 'unauthorized route or invalid_token (401)'),
      right: notFound,
    },
    // The negative neighbours: right number, wrong place.
    { name: 'a bare code', thrown: errorWith({ code: 404 }), right: unknown },
    { name: 'a code as text', thrown: errorWith({ code: '401' }), right: unknown },
    { name: 'a status as text', thrown: errorWith({ status: '404' }), right: unknown },
    { name: 'a status with a fraction', thrown: errorWith({ status: 401.5 }), right: unknown },
    { name: 'a boxed status', thrown: errorWith({ status: { valueOf: () => 401 } }), right: unknown },
    { name: 'status 200', thrown: errorWith({ status: 200 }), right: unknown },
    { name: 'status 600', thrown: errorWith({ status: 600 }), right: unknown },
    { name: 'status 5, gRPC', thrown: errorWith({ status: 5 }), right: unknown },
    { name: 'errno', thrown: errorWith({ errno: 404 }), right: unknown },
    { name: 'data.status', thrown: errorWith({ data: { status: 401 } }), right: unknown },
    {
      name: 'response.data.status',
      thrown: errorWith({ response: { data: { status: 404 } } }),
      right: unknown,
    },
    { name: 'body.statusCode', thrown: errorWith({ body: { statusCode: 401 } }), right: unknown },
    {
      name: 'the name in the message',
      thrown: errorWith({ code: 404 }, 'StreamableHTTPError'),
      right: unknown,
    },
    { name: 'the code of a DOMException', thrown: new DOMException('no', 'AbortError'), right: unknown },
    {
      name: 'the code of an McpError by name',
      thrown: named('McpError', { code: 403 }),
      right: { ...transient, reason: 'protocol_error', rpcCode: 403, httpStatus: undefined },
    },
    {
      name: 'the code of a ProtocolError by name, SDK v2',
      thrown: named('ProtocolError', { code: 404 }),
      right: { ...transient, reason: 'protocol_error', rpcCode: 404, httpStatus: undefined },
    },
    { name: 'the code of an McpError below', thrown: below(1, new McpError(403, 'no')), right: unknown },
  ]);
});

describe('a status below `cause` and `errors`', () => {
  const denied = errorWith({ status: 403 });
  const gone = errorWith({ status: 404 });
  const broken = errorWith({ status: 500 });
  play([
    { name: 'a cause', thrown: below(1, denied), right: forbidden },
    { name: 'ten causes deep', thrown: below(10, denied), right: forbidden },
    { name: 'eleven causes deep is too deep', thrown: below(11, denied), right: unknown },
    { name: 'ten errors deep', thrown: belowErrors(10, denied), right: forbidden },
    { name: 'eleven errors deep is too deep', thrown: belowErrors(11, denied), right: unknown },
    { name: 'the cause of a plain object', thrown: { cause: { cause: gone } }, right: notFound },
    {
      name: 'denied before not found before the rest',
      thrown: new AggregateError([broken, gone, denied]),
      right: forbidden,
    },
    { name: 'not found before the rest', thrown: new AggregateError([broken, gone]), right: notFound },
    {
      name: 'the rest',
      thrown: new AggregateError([broken, errorWith({ status: 500 })]),
      right: serverError,
    },
    {
      name: 'denied below before a status above',
      thrown: errorWith({ status: 500, cause: denied }),
      right: forbidden,
    },
    {
      name: 'beside an error that was cancelled',
      thrown: new AggregateError([named('CancelledError'), denied]),
      right: forbidden,
    },
    {
      name: 'beside values that are no errors',
      thrown: new AggregateError([null, 401, 'x', gone]),
      right: notFound,
    },
    {
      name: 'the last of many',
      thrown: new AggregateError([...Array.from({ length: 500 }, () => new Error('no')), denied]),
      right: forbidden,
    },
    { name: 'errors that are no list', thrown: errorWith({ errors: { 0: denied } }), right: unknown },
    { name: 'suppressed is not a cause', thrown: errorWith({ suppressed: denied }), right: unknown },
    { name: 'a cause that is a number', thrown: new Error('no', { cause: 401 }), right: unknown },
  ]);

  const self = errorWith({});
  Object.assign(self, { cause: self });
  const first = errorWith({});
  const second = errorWith({ cause: first, status: 404 });
  Object.assign(first, { cause: second });
  const group = new AggregateError([]);
  group.errors.push(group, first);
  play([
    { name: 'an error that is its own cause', thrown: self, right: unknown },
    { name: 'two errors that are each other’s cause', thrown: first, right: notFound },
    { name: 'a group that holds itself', thrown: group, right: notFound },
  ]);
});

describe('the network', () => {
  const fetchFailed = (cause: unknown): unknown => new TypeError('fetch failed', { cause });
  const neverLeft = { ...transient, reason: 'network_error', delivery: 'not_sent', httpStatus: undefined };
  const broke = { ...neverLeft, delivery: 'unknown' };
  const coded = (code: string): Row['thrown'] => fetchFailed(errorWith({ code }));
  const notSent = [
    // Refused, or no such host.
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    // The TLS handshake failed: what Node and OpenSSL say of a certificate, and of each other.
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'CERT_HAS_EXPIRED',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    'CERT_SIGNATURE_FAILURE',
    'CERT_CHAIN_TOO_LONG',
    'INVALID_PURPOSE',
  ];
  const unclear = [
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'UND_ERR_SOCKET',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
    'HPE_INVALID_CONSTANT',
    'Z_DATA_ERROR',
  ];
  play([
    ...notSent.map((code) => ({ name: code, thrown: coded(code), right: neverLeft })),
    ...unclear.map((code) => ({ name: code, thrown: coded(code), right: broke })),
    { name: 'an error of a socket itself', thrown: errorWith({ code: 'ECONNRESET' }), right: broke },
    {
      name: 'a parser error without a code',
      thrown: fetchFailed(named('HTTPParserError', {})),
      right: broke,
    },
    {
      name: 'both addresses refused',
      thrown: fetchFailed(
        Object.assign(new AggregateError([{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }], ''), {
          code: 'ECONNREFUSED',
        }),
      ),
      right: neverLeft,
    },
    {
      name: 'one address refused, one broke',
      thrown: fetchFailed(new AggregateError([{ code: 'ECONNREFUSED' }, { code: 'ECONNRESET' }])),
      right: broke,
    },
    {
      name: 'an SdkError of SDK v2 around it',
      thrown: named('SdkError', {
        code: 'ERA_NEGOTIATION_FAILED',
        cause: fetchFailed(errorWith({ code: 'ECONNREFUSED' })),
      }),
      right: neverLeft,
    },
    {
      name: 'digits of the port are no status',
      thrown: fetchFailed(
        errorWith({ code: 'ECONNREFUSED', port: 4_010 }, 'connect ECONNREFUSED 127.0.0.1:4010'),
      ),
      right: neverLeft,
    },
    // The negative neighbours.
    { name: 'the words alone', thrown: new TypeError('fetch failed: connect ECONNREFUSED'), right: unknown },
    { name: 'fetch failed, nobody knows why', thrown: fetchFailed(undefined), right: unknown },
    { name: 'a code in lower case', thrown: coded('econnrefused'), right: unknown },
    { name: 'errno alone', thrown: errorWith({ errno: -111 }), right: unknown },
    { name: 'a code in data', thrown: errorWith({ data: { code: 'ECONNREFUSED' } }), right: unknown },
    {
      name: 'a file that is not there',
      thrown: errorWith({ code: 'ENOENT', syscall: 'open' }),
      right: unknown,
    },
  ]);

  test('a message with no words of its own takes them from the errors inside', () => {
    const refused = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
    assert.ok(classifyThrown(refused, context).message.includes('ECONNREFUSED'));
    const group = new AggregateError([new Error('connect refused')], '');
    assert.ok(classifyThrown(group, context).message.includes('connect refused'));
  });
});

describe('other classes and codes', () => {
  const reason = (value: string): RightOutcome => ({ ...transient, reason: value, httpStatus: undefined });
  const sdkError = (code: string): object => named('SdkError', { code });
  play([
    { name: 'SyntaxError', thrown: new SyntaxError('Unexpected token <'), right: reason('invalid_answer') },
    { name: 'ZodError', thrown: named('ZodError', { issues: [] }), right: reason('invalid_answer') },
    { name: '$ZodError', thrown: named('$ZodError', { issues: [] }), right: reason('invalid_answer') },
    { name: 'SdkError timeout', thrown: sdkError('REQUEST_TIMEOUT'), right: reason('timeout') },
    { name: 'SdkError closed', thrown: sdkError('CONNECTION_CLOSED'), right: reason('connection_closed') },
    {
      name: 'SdkError not connected',
      thrown: sdkError('NOT_CONNECTED'),
      right: { ...reason('not_connected'), delivery: 'not_sent' },
    },
    {
      name: 'SdkError content type',
      thrown: sdkError('CLIENT_HTTP_UNEXPECTED_CONTENT'),
      right: reason('invalid_answer'),
    },
    { name: 'SdkError invalid result', thrown: sdkError('INVALID_RESULT'), right: reason('invalid_answer') },
    { name: 'a timeout of fetch', thrown: new DOMException('no', 'TimeoutError'), right: reason('timeout') },
    {
      // SDK v2 has string codes for its own timeout and close: this number came from the wire.
      name: 'ProtocolError -32001, SDK v2',
      thrown: named('ProtocolError', { code: -32_001, data: { timeout: 5 } }),
      right: { ...reason('protocol_error'), rpcCode: -32_001, rpcData: { timeout: 5 }, delivery: 'answered' },
    },
    {
      name: 'ProtocolError -32000, SDK v2',
      thrown: named('ProtocolError', { code: -32_000 }),
      right: { ...reason('protocol_error'), rpcCode: -32_000, delivery: 'answered' },
    },
    {
      name: 'ProtocolError -32602 may be the own of SDK v2',
      thrown: named('ProtocolError', { code: -32_602 }),
      right: { ...reason('protocol_error'), rpcCode: -32_602, delivery: 'unknown' },
    },
    // The negative neighbours.
    { name: 'TypeError', thrown: new TypeError('Unexpected token <'), right: unknown },
    {
      name: 'a code of SdkError on an Error',
      thrown: errorWith({ code: 'REQUEST_TIMEOUT' }),
      right: unknown,
    },
    { name: 'a code that SdkError has not', thrown: sdkError('SOMETHING_ELSE'), right: unknown },
    { name: '-32001 on an Error', thrown: errorWith({ code: -32_001 }, 'Request timed out'), right: unknown },
    { name: '-1 on an Error', thrown: errorWith({ code: -1 }), right: unknown },
    { name: 'McpError without a code', thrown: named('McpError'), right: unknown },
    { name: 'McpError with a code as text', thrown: named('McpError', { code: '-32001' }), right: unknown },
    { name: 'the words of a timeout', thrown: new Error('TimeoutError: Request timed out'), right: unknown },
    { name: 'the words of the SDK before connect', thrown: new Error('Not connected'), right: unknown },
    { name: 'an abort that is not the caller’s', thrown: named('AbortError', { code: 20 }), right: unknown },
    {
      // Only on an error that this transport's own `send()` rejected with may the text count; here nobody knows.
      name: 'the words of the legacy SSE transport',
      thrown: new Error('Error POSTing to endpoint (HTTP 403): no'),
      right: unknown,
    },
  ]);
});

describe('the body of an HTTP error', () => {
  const posted = (body: string, status = 500): Error =>
    new StreamableHTTPError(status, `Error POSTing to endpoint: ${body}`);
  const long = 'A'.repeat(2_048);
  play([
    {
      name: 'is compacted outside strings',
      thrown: posted('{ "error" : "too  many",\n\t"limit": 5 }', 429),
      right: {
        body: '{"error":"too  many","limit":5}',
        message: 'HTTP 429: {"error":"too  many","limit":5}',
      },
    },
    {
      name: 'text is kept',
      thrown: posted('404 page  not found\n', 404),
      right: { body: '404 page  not found', message: 'HTTP 404: 404 page  not found' },
    },
    { name: 'empty adds nothing', thrown: posted(''), right: { body: undefined, message: 'HTTP 500' } },
    {
      name: 'a body that the SDK could not read adds nothing',
      thrown: posted('null'),
      right: { body: undefined, message: 'HTTP 500' },
    },
    { name: '2,048 units are whole', thrown: posted(long), right: { body: long } },
    { name: '2,049 units are cut', thrown: posted(`${long}B`), right: { body: `${long}…` } },
    {
      name: 'stands in `data.text` of SDK v2',
      thrown: named('SdkHttpError', { status: 503, data: { status: 503, text: '{ "a": 1 }' } }),
      right: { body: '{"a":1}', message: 'HTTP 503: {"a":1}' },
    },
    {
      name: 'below a cause',
      thrown: below(2, posted('{"a":1}')),
      right: { body: '{"a":1}', message: 'HTTP 500: {"a":1}' },
    },
    // The negative neighbours: right words, wrong error.
    {
      name: 'not from the message of another error',
      thrown: errorWith({ status: 500 }, 'Streamable HTTP error: Error POSTing to endpoint: {"a":1}'),
      right: { ...serverError, body: undefined },
    },
    {
      name: 'not from the middle of a message',
      thrown: new StreamableHTTPError(500, 'again: Error POSTing to endpoint: {"a":1}'),
      right: { ...serverError, body: undefined },
    },
    {
      name: 'not from an error without a status',
      thrown: new StreamableHTTPError(-1, 'Error POSTing to endpoint: {"a":1}'),
      right: { body: undefined },
    },
    {
      name: 'a JSON-RPC success in it is only a body',
      thrown: posted('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'),
      right: { ...serverError, body: '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}' },
    },
    {
      name: 'a JSON-RPC error in it does not undo the status',
      thrown: posted(
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
        404,
      ),
      right: { ...notFound, rpcCode: undefined, sessionExpired: undefined },
    },
  ]);
});

describe('the caller’s signal', () => {
  const reasons: readonly (readonly [name: string, reason: unknown])[] = [
    ['an Error', new Error('user cancelled')],
    ['null', null],
    ['a string', 'why'],
    ['a number', 404],
    ['a symbol', Symbol('why')],
    ['an error with a status', errorWith({ status: 401 })],
    ['a DOMException named AbortError', new DOMException('no', 'AbortError')],
    ['an Error named TimeoutError', errorWith({ name: 'TimeoutError' })],
  ];
  const thrownValues: readonly (readonly [name: string, thrown: unknown])[] = [
    ['an AbortError', new DOMException('This operation was aborted', 'AbortError')],
    ['an McpError', new McpError(-32_001, 'AbortError: This operation was aborted')],
    ['an HTTP error', new StreamableHTTPError(401, 'no')],
    ['undefined', undefined],
  ];
  for (const [name, reason] of reasons) {
    for (const [thrownName, thrown] of thrownValues) {
      test(`aborted with ${name}, thrown ${thrownName}`, () => {
        const outcome = classifyThrown(thrown, { ...context, signal: AbortSignal.abort(reason) });
        assertOutcome(outcome, { kind: 'cancelled', ok: false, category: 'cancelled', delivery: 'unknown' });
        assert.ok(outcome.kind === 'cancelled');
        assert.equal(outcome.cause, reason);
        assert.equal(Object.keys(outcome).includes('cause'), false);
      });
    }
  }

  test('aborted without a reason', () => {
    const outcome = classifyThrown(new Error('no'), { ...context, signal: AbortSignal.abort() });
    assertOutcome(outcome, { kind: 'cancelled', ok: false, category: 'cancelled' });
  });

  const timedOut = { ...transient, reason: 'timeout', delivery: 'unknown', httpStatus: undefined };
  test('AbortSignal.timeout() is a timeout', async () => {
    const signal = AbortSignal.timeout(1);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    assertOutcome(classifyThrown(new McpError(-32_001, 'TimeoutError'), { ...context, signal }), timedOut);
  });

  for (const cause of [
    errorWith({ status: 401 }),
    errorWith({ code: 'ECONNREFUSED' }),
    new UnauthorizedError(),
  ]) {
    test(`a TimeoutError is a timeout, whatever its cause: ${JSON.stringify(cause)}`, () => {
      const reason = Object.defineProperty(new DOMException('no', 'TimeoutError'), 'cause', { value: cause });
      const outcome = classifyThrown(new Error('no'), { ...context, signal: AbortSignal.abort(reason) });
      assertOutcome(outcome, timedOut);
    });
  }

  describe('that is not aborted changes nothing', () => {
    const { signal } = new AbortController();
    play(
      [
        { name: 'an AbortError', thrown: new DOMException('no', 'AbortError'), right: unknown },
        { name: 'the words', thrown: new Error('user cancelled'), right: unknown },
        { name: 'an HTTP error', thrown: new StreamableHTTPError(401, 'no'), right: unauthorized },
      ],
      { ...context, signal },
    );
  });
});

describe('anything can be thrown', () => {
  const values: readonly unknown[] = [
    undefined,
    null,
    '',
    'HTTP 401: Unauthorized',
    0,
    404,
    -32_001,
    5n,
    true,
    Symbol('401'),
    () => 404,
    {},
    [],
    [errorWith({ status: 401 })],
    Object.freeze(new Error('no')),
    Object.create(null),
    new Error(''),
    new Error(' \n'),
  ];
  for (const thrown of values) {
    test(typeof thrown === 'object' ? `${JSON.stringify(thrown)}` : String(thrown), () => {
      const outcome = classifyThrown(thrown, context);
      assertOutcome(outcome, { ...unknown, rpcCode: undefined });
      assert.ok(outcome.kind === 'call_failure');
      assert.equal(outcome.cause, thrown);
      assert.notEqual(outcome.message, '');
    });
  }

  test('the cause is there, and nothing that copies or prints the outcome takes it along', () => {
    const thrown = errorWith({ config: { headers: { authorization: 'EXAMPLE' } } });
    const outcome = classifyThrown(thrown, context);
    assert.equal(Object.keys(outcome).includes('cause'), false);
    assert.equal('cause' in { ...outcome }, false);
    assert.doesNotMatch(JSON.stringify(outcome), /EXAMPLE|cause/);
  });

  test('the message is one line with the words of the error and of its cause', () => {
    const thrown = new TypeError('fetch\nfailed', { cause: new Error('other side closed') });
    const { message } = classifyThrown(thrown, context);
    assert.match(message, /fetch failed.*other side closed/);
  });

  test('the caller says what stands on the outcome beside the verdict', () => {
    const { server, tool, callId, startedAt, durationMs } = context;
    assertOutcome(classifyThrown(new UrlElicitationRequiredError([]), context), {
      server,
      tool,
      callId,
      startedAt,
      durationMs,
      replaySafe: undefined,
    });
  });
});
