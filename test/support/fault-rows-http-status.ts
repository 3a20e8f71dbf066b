/**
 * HTTP status of the POST (family H): the status is the verdict. 401 and 403 are `access_denied`, 404 is `not_found`,
 * all else is `transient_failure`. A 4xx other than 408 is an answer of the server; anything else may come from a
 * gateway behind which the tool ran. The body never decides, not even when it is a JSON-RPC message.
 */
import { byV2, type FaultRow, httpError, noAnswer, type Right, rpcError } from './fault-row.ts';
import type { HttpReply } from './fault-script.ts';

const overHttp = ['http-json', 'sse'] as const;
const json = { 'content-type': 'application/json' };
const plain = { 'content-type': 'text/plain' };

type Rest = Partial<Omit<FaultRow, 'id' | 'what' | 'play' | 'right' | 'why'>>;

function row(
  id: string,
  what: string,
  post: HttpReply,
  right: Right,
  why: string,
  rest: Rest = {},
): FaultRow {
  const play = { script: { calls: { fault: { post } } } };
  return { id, what, transports: overHttp, play, right, why, ...rest };
}

const byStatus: readonly (readonly [number, string, 'answered' | 'unknown'])[] = [
  [400, 'transient_failure', 'answered'],
  [401, 'access_denied', 'answered'],
  [402, 'transient_failure', 'answered'],
  [403, 'access_denied', 'answered'],
  [404, 'not_found', 'answered'],
  [405, 'transient_failure', 'answered'],
  [406, 'transient_failure', 'answered'],
  [408, 'transient_failure', 'unknown'],
  [409, 'transient_failure', 'answered'],
  [410, 'transient_failure', 'answered'],
  [413, 'transient_failure', 'answered'],
  [415, 'transient_failure', 'answered'],
  [422, 'transient_failure', 'answered'],
  [429, 'transient_failure', 'answered'],
  [500, 'transient_failure', 'unknown'],
  [501, 'transient_failure', 'unknown'],
  [503, 'transient_failure', 'unknown'],
  [504, 'transient_failure', 'unknown'],
];

const statusRows = byStatus.map(([status, category, delivery]) =>
  row(
    `http-${status}`,
    `HTTP ${status}, JSON body`,
    { status, headers: json, body: '{"error":"BODYMARK"}' },
    { ...httpError(status, category, delivery), sessionExpired: null },
    'the status decides; without a session id no session can have expired',
    { observed: { retryAfterMs: null, challenge: null } },
  ),
);

/** HTTP errors whose body is a JSON-RPC error with the right id. */
const rpcBodies: readonly (readonly [number, number, string, 'answered' | 'unknown'])[] = [
  [400, -32600, 'transient_failure', 'answered'],
  [400, -32602, 'transient_failure', 'answered'],
  [400, -32020, 'transient_failure', 'answered'],
  [401, -32001, 'access_denied', 'answered'],
  [403, -32003, 'access_denied', 'answered'],
  [404, -32601, 'not_found', 'answered'],
  [429, -32029, 'transient_failure', 'answered'],
  [500, -32603, 'transient_failure', 'unknown'],
  [503, -32000, 'transient_failure', 'unknown'],
];

const rpcBodyRows = rpcBodies.map(([status, code, category, delivery]) =>
  row(
    `http-${status}-rpc${code}`,
    `HTTP ${status} whose body is a JSON-RPC error ${code} with the right id`,
    {
      status,
      headers: json,
      body: `{"jsonrpc":"2.0","id":"$id","error":{"code":${code},"message":"BODYMARK"}}`,
    },
    httpError(status, category, delivery),
    'a body of an HTTP error is no JSON-RPC answer: the client does not read it as one',
    status === 400
      ? {
          by: {
            'v2-2026': {
              right: rpcError(code),
              // The code says that the client's headers do not fit the tool: it lists the tools, and asks again.
              ...(code === -32020 ? { resends: true } : {}),
              why: 'in the 2026 era a 400 may carry the answer, and the client reads it as one: no status is left',
            },
          },
        }
      : {},
  ),
);

const scopeChallenge = { error: 'insufficient_scope', scope: 'SCOPEMARK:write' };

export const httpStatusRows: readonly FaultRow[] = [
  ...statusRows,
  ...rpcBodyRows,
  row(
    'http-429-date',
    'HTTP 429, Retry-After as HTTP-date',
    // The date is fixed when this file loads, so that the row stays data; the window below leaves the run five minutes.
    {
      status: 429,
      headers: { ...plain, 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() },
      body: 'BODYMARK slow down',
    },
    httpError(429, 'transient_failure', 'answered'),
    'the date is turned into the time from now on, which only an observed fetch can see',
    { observed: { retryAfterMs: [3_300_000, 3_601_000] } },
  ),
  row(
    'http-429-seconds',
    'HTTP 429, Retry-After in seconds',
    { status: 429, headers: { ...plain, 'retry-after': '7' }, body: 'BODYMARK slow down' },
    httpError(429, 'transient_failure', 'answered'),
    'seconds become milliseconds',
    { observed: { retryAfterMs: [7_000, 7_000] } },
  ),
  row(
    'http-502-html',
    'HTTP 502, HTML body',
    {
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: '<html><body>BODYMARK Bad Gateway</body></html>',
    },
    httpError(502, 'transient_failure', 'unknown'),
    'the status decides; a gateway may have passed the call on',
  ),
  row(
    'http-500-empty',
    'HTTP 500, empty body',
    { status: 500 },
    httpError(500, 'transient_failure', 'unknown'),
    'an empty body takes nothing from the status',
  ),
  row(
    'http-500-huge',
    'HTTP 500, 2 MiB body',
    { status: 500, headers: plain, body: `BODYMARK${'y'.repeat(2 * 1024 * 1024)}` },
    httpError(500, 'transient_failure', 'unknown'),
    'the size of the body changes nothing but the excerpt',
  ),
  row(
    'http-499',
    'HTTP 499 (nginx)',
    { status: 499, headers: plain, body: 'BODYMARK' },
    httpError(499, 'transient_failure', 'answered'),
    'unregistered, but in the range 400–499',
  ),
  row(
    'http-520',
    'HTTP 520 (cdn)',
    { status: 520, headers: plain, body: 'BODYMARK' },
    httpError(520, 'transient_failure', 'unknown'),
    'unregistered, and from a gateway',
  ),
  row(
    'http-403-mentions-404',
    'HTTP 403 whose body says "404 not found"',
    { status: 403, headers: plain, body: 'BODYMARK 404 not found' },
    httpError(403, 'access_denied', 'answered'),
    'digits in a body never decide',
  ),
  row(
    'http-500-mimics-sse-prefix',
    'HTTP 500 whose body is the text that the legacy SSE transport writes for a 404',
    { status: 500, headers: plain, body: 'Error POSTing to endpoint (HTTP 404): gone' },
    httpError(500, 'transient_failure', 'unknown'),
    'the trusted prefix is anchored at the start of the error, where a body cannot stand',
  ),
  row(
    'http-404-session',
    'HTTP 404 session gone, JSON-RPC body id null -32001',
    {
      status: 404,
      headers: json,
      body: '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
    },
    { ...httpError(404, 'not_found', 'answered'), sessionExpired: null },
    'a 404 on a transport without a session id names the tool or path, not a session',
  ),
  {
    id: 'http-404-session-held',
    what: 'HTTP 404 on a transport that holds a session id',
    transports: ['http-json'],
    play: {
      script: {
        http: { session: true },
        calls: { fault: { post: { status: 404, headers: json, body: '{"error":"gone"}' } } },
      },
    },
    right: { ...httpError(404, 'not_found', 'answered'), sessionExpired: true },
    by: {
      'v2-2026': {
        right: { ...httpError(404, 'not_found', 'answered'), sessionExpired: null },
        why: 'the 2026 era has no sessions',
      },
    },
    why: 'the same 404 beside a session id means that the session is gone',
  },
  row(
    'http-400-session',
    'HTTP 400 "No valid session ID", JSON-RPC body id null -32000',
    {
      status: 400,
      headers: json,
      body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}',
    },
    { ...httpError(400, 'transient_failure', 'answered'), sessionExpired: null },
    'only a 404 tells of a lost session; text does not',
  ),
  row(
    'http-500-rpc-success',
    'HTTP 500 whose body is a JSON-RPC success',
    {
      status: 500,
      headers: json,
      body: '{"jsonrpc":"2.0","id":"$id","result":{"content":[{"type":"text","text":"fine"}]}}',
    },
    httpError(500, 'transient_failure', 'unknown'),
    'a result under an HTTP error never reached the client as an answer',
  ),
  row(
    'http-403-scope-noprov',
    'HTTP 403 insufficient_scope, no provider',
    {
      status: 403,
      headers: {
        ...json,
        'www-authenticate': 'Bearer error="insufficient_scope", scope="SCOPEMARK:write"',
      },
      body: '{"error":"BODYMARK"}',
    },
    httpError(403, 'access_denied', 'answered'),
    'without a provider nobody acts on the challenge; an observed fetch reports it',
    {
      observed: { challenge: scopeChallenge },
      by: byV2({
        rightOn: {
          'http-json': {
            ...httpError(403, 'access_denied', 'answered'),
            reason: 'auth_required',
            challenge: scopeChallenge,
          },
        },
        why: 'over Streamable HTTP SDK v2 throws an error of its own for the challenge, which keeps the scope',
      }),
    },
  ),
  {
    id: 'sse-post-200-html',
    what: 'legacy SSE: the POST answers 200 text/html (login page), nothing on the stream',
    transports: ['sse'],
    play: {
      script: {
        calls: {
          fault: { post: { headers: { 'content-type': 'text/html' }, body: '<html>login</html>' } },
        },
      },
    },
    right: noAnswer('timeout'),
    why: 'the legacy transport takes any 2xx as accepted; the answer never comes',
  },
  {
    id: 'sse-post-204',
    what: 'legacy SSE: the POST answers 204, nothing on the stream',
    transports: ['sse'],
    play: { script: { calls: { fault: { post: { status: 204 } } } } },
    right: noAnswer('timeout'),
    why: 'the legacy transport takes any 2xx as accepted; the answer never comes',
  },
];
