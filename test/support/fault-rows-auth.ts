/**
 * Authorization (family A), mostly with an OAuth provider. What the SDK reports by class (`UnauthorizedError`, the
 * OAuth errors) is `auth_required`. What a provider or the discovery throws is a bare error, in whose text nobody may
 * look: `unknown_error`. An observed fetch knows that the POST was answered 401, but it may change the reason alone.
 */
import { authRoutes, brokenAuthRoutes, tokenGranted, tokenRevoked } from './fault-auth.ts';
import type { Play } from './fault-play.ts';
import { byV2, type FaultRow, httpError, noAnswer, type Right } from './fault-row.ts';
import type { HttpReply, HttpScript } from './fault-script.ts';

const overHttp = ['http-json', 'sse'] as const;

const unauthorized: HttpReply = {
  status: 401,
  headers: {
    'content-type': 'text/plain',
    'www-authenticate':
      'Bearer error="invalid_token", resource_metadata="$origin/.well-known/oauth-protected-resource/mcp"',
  },
  body: 'BODYMARK',
};
const forbidden: HttpReply = {
  status: 403,
  headers: {
    'content-type': 'text/plain',
    'www-authenticate':
      'Bearer error="insufficient_scope", scope="SCOPEMARK:write", resource_metadata="$origin/.well-known/oauth-protected-resource/mcp"',
  },
  body: 'BODYMARK',
};

/** The SDK said by class that authorization failed, not with which status, and whether the POST was read is open. */
const authRequired: Right = {
  ...noAnswer('auth_required'),
  category: 'access_denied',
  delivery: ['answered', 'unknown'],
};
/** A bare error out of the auth code: no class, no status. */
const bareError: Right = noAnswer('unknown_error');
const bareErrorObserved: Partial<Right> = { reason: ['unknown_error', 'auth_required', 'http_error'] };
const bareWhy = 'a bare error without class or code: nothing typed says what it was';

type Rest = Partial<Omit<FaultRow, 'id' | 'what' | 'play' | 'right' | 'why'>>;

function row(
  id: string,
  what: string,
  post: HttpReply,
  setup: { routes?: HttpScript['routes'] } & Omit<Play, 'script'>,
  right: Right,
  why: string,
  rest: Rest = {},
): FaultRow {
  const { routes, ...client } = setup;
  const script = { calls: { fault: { post } }, ...(routes ? { http: { routes } } : {}) };
  const play = { script, ...client };
  return { id, what, transports: overHttp, play, right, why, ...rest };
}

const onlyV2 = ['v2', 'v2-2026'] as const;
const denied403 = httpError(403, 'access_denied', 'answered');
const scopeChallenge = { challenge: { error: 'insufficient_scope', scope: 'SCOPEMARK:write' } };

export const authRows: readonly FaultRow[] = [
  row(
    'auth-noprov',
    '401 + WWW-Authenticate, no provider',
    unauthorized,
    {},
    httpError(401, 'access_denied', 'answered'),
    'without a provider the 401 itself comes back',
    { observed: { challenge: { error: 'invalid_token' } } },
  ),
  row(
    'auth-redirect',
    '401, OAuth provider: user must authorize (REDIRECT)',
    unauthorized,
    { provider: {}, routes: authRoutes(tokenGranted) },
    authRequired,
    'UnauthorizedError: a person has to authorize first',
  ),
  row(
    'auth-nometa',
    '401, OAuth provider, no metadata anywhere, DCR not possible',
    unauthorized,
    { provider: { unregistered: true } },
    bareError,
    bareWhy,
    { observed: bareErrorObserved },
  ),
  row(
    'auth-asdown',
    '401, OAuth provider, auth server metadata answers 500',
    unauthorized,
    { provider: {}, routes: brokenAuthRoutes({ status: 500, body: 'BODYMARK' }) },
    bareError,
    'the 500 of the auth server stands only in the text of a bare error',
    { observed: bareErrorObserved },
  ),
  row(
    'auth-throws',
    '401, provider.redirectToAuthorization throws',
    unauthorized,
    { provider: { redirectThrows: new Error('user refused') }, routes: authRoutes(tokenGranted) },
    bareError,
    bareWhy,
    { observed: bareErrorObserved },
  ),
  row(
    'auth-tokens-throw',
    'provider.tokens() throws on the call',
    unauthorized,
    { provider: { tokensThrow: new Error('keychain locked') } },
    { ...bareError, delivery: ['not_sent', 'unknown'] },
    'thrown before the POST, but bare: whether the wrapper can know that it never left is open',
    { observed: bareErrorObserved },
  ),
  row(
    'auth-refresh-fails',
    '401, provider has a refresh token, token endpoint answers invalid_grant',
    unauthorized,
    { provider: { refreshToken: true }, routes: authRoutes(tokenRevoked) },
    authRequired,
    'InvalidGrantError is an OAuth error class, and not one of the temporary ones',
  ),
  row(
    'auth-still-401',
    '401 again after a successful refresh',
    unauthorized,
    { provider: { refreshToken: true }, routes: authRoutes(tokenGranted) },
    httpError(401, 'access_denied', 'answered'),
    'over Streamable HTTP the second 401 comes back with its status',
    // The legacy transport refreshes and posts for ever; the timer ends the call, not the loop.
    {
      rightOn: { sse: noAnswer('timeout') },
      by: byV2({ rightOn: {}, why: 'SDK v2 gives up at the second 401, over either transport' }),
    },
  ),
  row(
    'auth-v2-token-only',
    '401, a provider that can only hand out tokens',
    unauthorized,
    { tokens: {} },
    authRequired,
    'UnauthorizedError: nobody can get another token',
    { clients: onlyV2 },
  ),
  row(
    'auth-v2-onunauth-throws',
    '401, the provider throws when it is told',
    unauthorized,
    {
      tokens: {
        onUnauthorized: async () => {
          throw new TypeError('custom refusal');
        },
      },
    },
    bareError,
    bareWhy,
    { clients: onlyV2, observed: bareErrorObserved },
  ),
  row(
    'auth-v2-onunauth-noop',
    '401 twice, the provider does nothing about it',
    unauthorized,
    { tokens: { onUnauthorized: async () => {} } },
    httpError(401, 'access_denied', 'answered'),
    'the second 401 comes back with its status',
    { clients: onlyV2 },
  ),
  row(
    'auth-v2-token-throws',
    'the provider throws when the call asks for its token',
    unauthorized,
    { tokens: { tokenThrows: new Error('vault down') } },
    { ...bareError, delivery: ['not_sent', 'unknown'] },
    'thrown before the POST, but bare',
    { clients: onlyV2, observed: bareErrorObserved },
  ),
  row(
    'auth-403-scope-redirect',
    '403 insufficient_scope, OAuth provider: user must authorize',
    forbidden,
    { provider: {}, routes: authRoutes(tokenGranted) },
    authRequired,
    'Streamable HTTP steps up and ends in UnauthorizedError; the legacy transport reports the 403',
    { rightOn: { sse: denied403 }, observedOn: { sse: scopeChallenge } },
  ),
  row(
    'auth-403-scope-refresh',
    '403 insufficient_scope again after a step-up that succeeds',
    forbidden,
    { provider: { refreshToken: true }, routes: authRoutes(tokenGranted) },
    denied403,
    'the 403 after the step-up comes back with its status',
    { observed: scopeChallenge },
  ),
  row(
    'auth-403-scope-throw',
    "403 insufficient_scope, onInsufficientScope: 'throw'",
    forbidden,
    { provider: {}, onInsufficientScope: 'throw' },
    { ...denied403, reason: 'auth_required', ...scopeChallenge },
    'InsufficientScopeError stands for this 403 and keeps the scope; the legacy transport reports the bare 403',
    { clients: onlyV2, rightOn: { sse: denied403 } },
  ),
  row(
    'auth-as-hang',
    '401, OAuth provider, auth server never answers',
    unauthorized,
    { provider: {}, routes: brokenAuthRoutes({ finish: 'silent' }) },
    noAnswer('timeout'),
    'the exchange with the auth server has no timer of its own',
  ),
];
