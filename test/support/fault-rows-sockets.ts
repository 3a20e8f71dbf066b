/**
 * Sockets, DNS and timing (family N). A broken connection is `network_error`: fetch rejects with a cause that has a
 * code. Only a refused connection is known not to have carried the call. Late answers are answers that the server
 * sends when the client's cancellation arrives, so no row has to guess a delay.
 */
import { type FaultRow, httpError, noAnswer, type Right } from './fault-row.ts';
import type { HttpReply } from './fault-script.ts';

const json = { 'content-type': 'application/json' };
const ok = '{"jsonrpc":"2.0","id":"$id","result":{"content":[{"type":"text","text":"fine"}]}}';
const half = '{"jsonrpc":"2.0","id":"$id","resul';
const short = { ...json, 'content-length': '1000' };

const broken = 'the connection broke after the request was out: it may have been carried out';
const late = 'the answer comes after the call has settled, and a late answer does not count';

function row(id: string, what: string, post: HttpReply, right: Right, why: string): FaultRow {
  return {
    id,
    what,
    transports: ['http-json'],
    play: { script: { calls: { fault: { post } } } },
    right,
    why,
  };
}

const lostNetwork = noAnswer('network_error');
const lostTime = noAnswer('timeout');

export const socketRows: readonly FaultRow[] = [
  row('reset-before', 'socket reset before headers', { finish: 'reset' }, lostNetwork, broken),
  row('close-before', 'socket closed (FIN) before headers', { finish: 'fin' }, lostNetwork, broken),
  row(
    'reset-mid',
    'socket reset mid-body (Content-Length short)',
    { status: 200, headers: short, body: half, finish: 'reset' },
    lostNetwork,
    broken,
  ),
  row(
    'fin-mid',
    'FIN mid-body (Content-Length short)',
    { status: 200, headers: short, body: half, finish: 'fin' },
    lostNetwork,
    broken,
  ),
  row(
    'chunked-abort',
    'chunked body aborted',
    { status: 200, headers: json, body: half, finish: 'fin' },
    lostNetwork,
    broken,
  ),
  row(
    'err-body-reset',
    'HTTP 403 whose body is reset midway',
    { status: 403, headers: short, body: '{"error":"BODY', finish: 'reset' },
    httpError(403, 'access_denied', 'answered'),
    'the status line came; only the body is lost',
  ),
  row(
    'garbage-http',
    'server answers bytes that are not HTTP',
    { bytes: 'BODYMARK this is not HTTP\r\n\r\n' },
    lostNetwork,
    'fetch fails with a parser code as its cause',
  ),
  row(
    'header-overflow',
    'response headers of 64 KiB',
    { status: 200, headers: { ...json, 'x-large': 'h'.repeat(64 * 1024) }, body: ok },
    lostNetwork,
    'fetch fails with a code as its cause',
  ),
  row(
    'slow-headers',
    'no headers within the timeout',
    { finish: 'silent' },
    lostTime,
    'only the timer ends the call',
  ),
  row(
    'slow-body',
    'headers at once, body never finishes',
    { status: 200, headers: json, body: half, finish: 'hold' },
    lostTime,
    'only the timer ends the call',
  ),
  row(
    'slow-err-body',
    'HTTP 403 headers at once, body never finishes',
    { status: 403, headers: json, body: '{"error":', finish: 'hold' },
    lostTime,
    'the client never got to see the error; that an observed fetch saw the status must not change the verdict',
  ),
  row(
    'late',
    'the response comes after the timeout',
    { status: 200, headers: json, body: ok, afterCancel: true },
    lostTime,
    late,
  ),
  row(
    'late-403',
    'HTTP 403 comes after the timeout',
    { status: 403, headers: json, body: '{"error":"BODYMARK"}', afterCancel: true },
    lostTime,
    late,
  ),
  {
    id: 'econnrefused',
    what: 'ECONNREFUSED during the call (server gone)',
    transports: ['http-json', 'sse'],
    play: {
      script: { http: { noKeepAlive: true } },
      run: async (stage) => {
        await stage.connection.peer.close();
        return stage.call();
      },
    },
    right: { ...noAnswer('network_error'), delivery: 'not_sent' },
    notUsable: true,
    why: 'nobody listens, so nothing was delivered',
  },
  {
    id: 'session-404',
    what: 'server restarted: 404 for the old session',
    transports: ['http-json'],
    play: {
      script: { http: { session: true } },
      run: (stage) => {
        stage.connection.server?.answerAll({
          status: 404,
          headers: json,
          body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
        });
        return stage.call();
      },
    },
    right: { ...httpError(404, 'not_found', 'answered'), sessionExpired: true },
    by: {
      'v2-2026': {
        right: { ...httpError(404, 'not_found', 'answered'), sessionExpired: null },
        why: 'the 2026 era has no sessions',
      },
    },
    notUsable: true,
    why: 'a 404 on a transport that holds a session id: the session is gone',
  },
];
