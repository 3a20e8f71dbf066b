/**
 * An OAuth provider that fails on purpose, for the clients of `fault-server.ts`, and the routes of a small
 * authorization server on the same origin. The provider holds an access token from the start, so the handshake works.
 */
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { HttpReply } from './fault-script.ts';

export interface ProviderPlan {
  /** The client is not registered and cannot register. */
  readonly unregistered?: true;
  readonly refreshToken?: true;
  /** Thrown by `redirectToAuthorization`. */
  readonly redirectThrows?: unknown;
  /** Thrown by `tokens` while the provider is armed. */
  readonly tokensThrow?: unknown;
}

/** SDK v2's other kind of provider: it hands out tokens and knows nothing of OAuth. */
export interface TokenSource {
  token(): Promise<string | undefined>;
  onUnauthorized?(): Promise<void>;
}

export interface TokenPlan {
  /** Thrown by `token` while the source is armed. */
  readonly tokenThrows?: unknown;
  readonly onUnauthorized?: TokenSource['onUnauthorized'];
}

export interface FaultTokens {
  readonly source: TokenSource;
  setArmed(armed: boolean): void;
}

export function createFaultTokens({ tokenThrows, onUnauthorized }: TokenPlan): FaultTokens {
  let armed = false;
  const token = async (): Promise<string> => {
    if (armed && tokenThrows !== undefined) throw tokenThrows;
    return 'access-0';
  };
  return {
    source: onUnauthorized ? { token, onUnauthorized } : { token },
    setArmed: (value) => {
      armed = value;
    },
  };
}

export interface FaultProvider {
  readonly provider: OAuthClientProvider;
  /** Armed after the handshake, disarmed before the next healthy call. */
  setArmed(armed: boolean): void;
}

const redirectUrl = 'http://127.0.0.1/callback';

export function createFaultProvider(plan: ProviderPlan, issuer: string): FaultProvider {
  let armed = false;
  let refreshToken: string | undefined = plan.refreshToken ? 'refresh-0' : undefined;
  const registration = {
    saveClientInformation: () => {},
    clientInformation: () => ({ client_id: 'fault-client', redirect_uris: [redirectUrl], issuer }),
  };
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl] },
    ...(plan.unregistered ? { clientInformation: () => undefined } : registration),
    tokens: () => {
      if (armed && plan.tokensThrow !== undefined) throw plan.tokensThrow;
      // With the scope that the server asks for, else SDK v2 sends the person to authorize instead of refreshing.
      const refresh =
        refreshToken === undefined ? {} : { refresh_token: refreshToken, scope: 'SCOPEMARK:write' };
      return { access_token: 'access-0', token_type: 'Bearer', issuer, ...refresh };
    },
    saveTokens: (tokens) => {
      refreshToken = tokens.refresh_token ?? refreshToken;
    },
    redirectToAuthorization: () => {
      if (plan.redirectThrows !== undefined) throw plan.redirectThrows;
    },
    saveCodeVerifier: () => {},
    codeVerifier: () => 'verifier',
  };
  return {
    provider,
    setArmed: (value) => {
      armed = value;
    },
  };
}

const json = { 'content-type': 'application/json' };
const resourceMetadata: HttpReply = {
  headers: json,
  body: '{"resource":"$origin/mcp","authorization_servers":["$origin/"]}',
};
const serverMetadata: HttpReply = {
  headers: json,
  body: JSON.stringify({
    issuer: '$origin/',
    authorization_endpoint: '$origin/authorize',
    token_endpoint: '$origin/token',
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  }),
};

const resourcePath = '/.well-known/oauth-protected-resource/mcp';
const serverPath = '/.well-known/oauth-authorization-server';

/** Metadata of resource and authorization server, and this answer at the token endpoint. */
export function authRoutes(token: HttpReply): Readonly<Record<string, HttpReply>> {
  return { [resourcePath]: resourceMetadata, [serverPath]: serverMetadata, '/token': token };
}

/** An authorization server whose metadata document is answered with this. */
export function brokenAuthRoutes(metadata: HttpReply): Readonly<Record<string, HttpReply>> {
  return { [resourcePath]: resourceMetadata, [serverPath]: metadata };
}

export const tokenGranted: HttpReply = {
  headers: json,
  body: '{"access_token":"access-1","token_type":"Bearer","refresh_token":"refresh-1"}',
};

export const tokenRevoked: HttpReply = {
  status: 400,
  headers: json,
  body: '{"error":"invalid_grant","error_description":"BODYMARK refresh revoked"}',
};
