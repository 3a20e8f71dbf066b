/**
 * A Streamable HTTP server and its authorization server on one origin, with refresh tokens that work once, and a client
 * whose access token can run out.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { answerTo, type PeerMessage, textResult } from './in-memory-peer.ts';

export interface RotatingTokenServer {
  /** Signs in by itself, as long as its refresh token is good. */
  readonly clientTransport: StreamableHTTPClientTransport;
  /** How often the client asked for new tokens. */
  readonly refreshes: number;
  /** How often the client gave up and sent its user to sign in. */
  readonly redirects: number;
  /** From now on the access token is refused. */
  expire(): void;
  close(): Promise<void>;
}

export async function startRotatingTokenServer(tools: readonly object[]): Promise<RotatingTokenServer> {
  let generation = 0;
  let accepted = 'access-0';
  let refreshes = 0;
  let redirects = 0;
  let origin = '';

  const say = (response: ServerResponse, status: number, body: object, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

  const refresh = (form: URLSearchParams, response: ServerResponse): void => {
    refreshes += 1;
    if (form.get('refresh_token') !== `refresh-${generation}`) {
      say(response, 400, { error: 'invalid_grant' });
      return;
    }
    generation += 1;
    accepted = `access-${generation}`;
    const refresh_token = `refresh-${generation}`;
    say(response, 200, { access_token: accepted, token_type: 'Bearer', refresh_token });
  };

  const answer = (message: PeerMessage, response: ServerResponse): void => {
    const { id, method } = message;
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const result = method === 'tools/call' ? textResult('done') : answerTo(method, tools);
    say(response, 200, { jsonrpc: '2.0', id, result });
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
        say(response, 200, { resource: `${origin}/mcp`, authorization_servers: [`${origin}/`] });
      } else if (request.url?.startsWith('/.well-known/oauth-authorization-server')) {
        say(response, 200, {
          issuer: `${origin}/`,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        });
      } else if (request.url === '/token') {
        refresh(new URLSearchParams(body), response);
      } else if (request.method !== 'POST') {
        response.writeHead(405).end();
      } else if (request.headers.authorization !== `Bearer ${accepted}`) {
        say(response, 401, {}, { 'www-authenticate': 'Bearer error="invalid_token"' });
      } else {
        answer(JSON.parse(body), response);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  const issuer = `${origin}/`;
  const first = { access_token: accepted, token_type: 'Bearer', refresh_token: 'refresh-0', issuer };
  let tokens: OAuthTokens | undefined = first;
  const redirectUrl = 'http://127.0.0.1/callback';
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl] },
    clientInformation: () => ({ client_id: 'catalog-tests', redirect_uris: [redirectUrl], issuer }),
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    invalidateCredentials: () => {
      tokens = undefined;
    },
    redirectToAuthorization: () => {
      redirects += 1;
    },
    saveCodeVerifier: () => {},
    codeVerifier: () => 'verifier',
  };

  return {
    clientTransport: new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider }),
    get refreshes() {
      return refreshes;
    },
    get redirects() {
      return redirects;
    },
    expire: () => {
      accepted = 'none';
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
