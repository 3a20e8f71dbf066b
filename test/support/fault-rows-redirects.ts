/**
 * Redirects of the POST (family R). The SDK follows only 307 and 308 within the origin; what it does not follow is an
 * HTTP error with the 3xx status. A redirect is no answer of the tool's server, so its delivery is unknown.
 */
import { type FaultRow, httpError, noAnswer, type Right, success } from './fault-row.ts';
import type { FaultTransport, HttpReply, HttpScript } from './fault-script.ts';

const overHttp = ['http-json', 'sse'] as const;
const json = { 'content-type': 'application/json' };
const refused = 'the SDK refuses this redirect, and its status is what came back';
const followed = 'a redirect within the origin that keeps the method is followed, and the target answers';

function row(
  id: string,
  what: string,
  post: HttpReply,
  right: Right,
  why: string,
  rest: {
    http?: HttpScript;
    follow?: true;
    transports?: readonly FaultTransport[];
    by?: FaultRow['by'];
  } = {},
): FaultRow {
  const script = { calls: { fault: { post } }, ...(rest.http ? { http: rest.http } : {}) };
  const play = { script, ...(rest.follow ? { redirectPolicy: 'follow' as const } : {}) };
  const by = rest.by ? { by: rest.by } : {};
  return { id, what, transports: rest.transports ?? overHttp, play, right, why, ...by };
}

function redirect(status: number, location: string): HttpReply {
  return { status, headers: { location } };
}

function unfollowed(status: number): Right {
  return httpError(status, 'transient_failure', 'unknown');
}

const httpOnly = { transports: ['http-json'] } as const;

/** SDK v1.25 knows no redirect policy: fetch follows, and turns a POST into a GET where the status says so. */
function followedByOldest(right: Right, why: string): { readonly by: NonNullable<FaultRow['by']> } {
  return { by: { 'v1-oldest': { right, why: `the oldest SDK lets fetch follow: ${why}` } } };
}

const gotNothing = followedByOldest(
  httpError(404, 'not_found', 'answered'),
  'a GET of the target, which does not exist',
);
const gotAnswer = followedByOldest(success, 'the target answers');

export const redirectRows: readonly FaultRow[] = [
  ...[301, 302, 303].flatMap((status) => [
    row(
      `redir-${status}-same`,
      `${status} redirect, same origin`,
      redirect(status, '$origin/moved'),
      unfollowed(status),
      refused,
      gotNothing,
    ),
    row(
      `redir-${status}-cross`,
      `${status} redirect, cross origin`,
      redirect(status, '$other/moved'),
      unfollowed(status),
      refused,
      gotNothing,
    ),
  ]),
  ...[307, 308].flatMap((status) => [
    row(
      `redir-${status}-same`,
      `${status} redirect, same origin`,
      redirect(status, '$origin/moved'),
      success,
      followed,
    ),
    row(
      `redir-${status}-cross`,
      `${status} redirect, cross origin`,
      redirect(status, '$other/moved'),
      unfollowed(status),
      refused,
      gotAnswer,
    ),
  ]),
  row(
    'redir-307-loop',
    '307 redirect loop, same origin',
    redirect(307, '$origin/mcp'),
    unfollowed(307),
    'after five hops the SDK gives up with the last status',
    followedByOldest(noAnswer('unknown_error'), 'it gives up with an error without a code'),
  ),
  row(
    'redir-302-noloc',
    '302 without Location',
    { status: 302, headers: { 'content-type': 'text/plain' }, body: 'BODYMARK' },
    unfollowed(302),
    refused,
  ),
  row(
    'redir-302-login',
    '302 to a login page, same origin',
    redirect(302, '$origin/login'),
    unfollowed(302),
    refused,
    { ...httpOnly, ...gotNothing },
  ),
  row(
    'redir-307-cross-follow',
    "307 cross origin with redirectPolicy 'follow'",
    redirect(307, '$other/moved'),
    success,
    'the user allowed it; the target answers',
    { ...httpOnly, follow: true },
  ),
  row(
    'redir-302-same-follow',
    "302 same origin with redirectPolicy 'follow' (becomes GET, 200 JSON that is not JSON-RPC)",
    redirect(302, '$origin/page'),
    noAnswer('invalid_answer'),
    'the page that the GET found is JSON, but not JSON-RPC',
    {
      ...httpOnly,
      follow: true,
      http: { routes: { '/page': { headers: json, body: '{"hello":"BODYMARK"}' } } },
    },
  ),
  row(
    'enotfound',
    "ENOTFOUND during the call (307 to http://nonexistent.invalid with 'follow')",
    redirect(307, 'http://nonexistent.invalid/mcp'),
    { ...noAnswer('network_error'), delivery: 'not_sent' },
    'a name that does not resolve: the request reached nobody who could run the tool',
    { ...httpOnly, follow: true },
  ),
  row('http-300', 'HTTP 300', { status: 300 }, unfollowed(300), 'nothing to follow', httpOnly),
  row('http-304', 'HTTP 304', { status: 304 }, unfollowed(304), 'nothing to follow', httpOnly),
];
