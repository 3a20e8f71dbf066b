/**
 * An observed fetch changes nothing that the SDK sees, pairs every HTTP exchange with its own call, and ends calls whose
 * answer stream is over.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import {
  type CallFailureOutcome,
  OptionsError,
  observeFetch,
  type ToolOutcome,
  withOutcomes,
} from '../src/index.ts';
import {
  connectOverHttp,
  connectTo,
  type HttpCall,
  type HttpPeerOptions,
  startHttpPeer,
} from './support/http-peer.ts';
import { textResult } from './support/in-memory-peer.ts';

const quiet = { logger: false, server: 'peer', outputSchemas: 'off' } as const;
const params = { name: 'tool', arguments: {} };
const json = { 'content-type': 'application/json' };
const eventStream = { 'content-type': 'text/event-stream' };
const observed = { fetch: observeFetch() };

function failed(outcome: ToolOutcome): CallFailureOutcome {
  assert.ok(outcome.kind === 'call_failure', `${outcome.kind}: ${outcome.message}`);
  return outcome;
}

/** One call, on a connection of its own. */
async function callOnce(
  options: HttpPeerOptions | HttpPeerOptions['onCall'],
  transportOptions: StreamableHTTPClientTransportOptions = observed,
): Promise<ToolOutcome> {
  const peerOptions = typeof options === 'function' ? { onCall: options } : options;
  const connection = await connectOverHttp(peerOptions, transportOptions);
  try {
    return await withOutcomes(connection.client, quiet).callTool(params, { timeout: 2_000 });
  } finally {
    await connection.close();
  }
}

function event(call: { readonly id: number }, result: object, id?: string): string {
  const data = JSON.stringify({ jsonrpc: '2.0', id: call.id, result });
  return `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${data}\n\n`;
}

const transparentRows: readonly { readonly name: string; readonly answer: (call: HttpCall) => void }[] = [
  { name: 'a JSON result', answer: (call) => call.result(textResult('ok')) },
  { name: 'a JSON-RPC error', answer: (call) => call.fail({ code: 5, message: 'no', data: { a: 1 } }) },
  { name: 'an event stream', answer: (call) => call.reply(200, eventStream, event(call, textResult('ok'))) },
  {
    name: 'an event stream in single bytes, with comments, CRLF and unicode',
    answer: (call) => {
      call.response.writeHead(200, eventStream);
      const text = `: keep-alive\r\n\r\n${event(call, textResult('ünï 😀')).replaceAll('\n', '\r\n')}`;
      for (const byte of Buffer.from(text)) call.response.write(Buffer.from([byte]));
      call.response.end();
    },
  },
  { name: 'HTTP 403 with a body', answer: (call) => call.reply(403, json, '{"error":"no"}') },
  { name: 'HTTP 500 with 1 MiB of text', answer: (call) => call.reply(500, {}, 'x'.repeat(1 << 20)) },
  {
    name: 'HTTP 500 with invalid UTF-8',
    answer: (call) => void call.response.writeHead(500).end(Buffer.from([0xff, 0x41])),
  },
  { name: 'HTTP 500 without a body', answer: (call) => call.reply(500, {}, '') },
  { name: 'HTTP 204', answer: (call) => void call.response.writeHead(204).end() },
  { name: 'a page', answer: (call) => call.reply(200, { 'content-type': 'text/html' }, '<p>') },
  { name: 'text that claims to be JSON', answer: (call) => call.reply(200, json, 'oops') },
  {
    name: 'a redirect to another host',
    answer: (call) => call.reply(307, { location: 'http://localhost:1/' }, 'moved'),
  },
  { name: 'a broken socket', answer: (call) => void call.response.destroy() },
];

describe('transparent', () => {
  const play = async (answer: HttpPeerOptions['onCall'], options: StreamableHTTPClientTransportOptions) => {
    const connection = await connectOverHttp({ onCall: answer }, options);
    const bare = await connection.client.callTool(params).then(
      (result) => ({ result }),
      (error: Error) => {
        const text = `${error.name}/${error.constructor.name}: ${error.message}`;
        return { error: text.replaceAll(connection.peer.origin, ''), code: Reflect.get(error, 'code') };
      },
    );
    const { kind, category, ok, delivery, message } = await withOutcomes(connection.client, quiet).callTool(
      params,
    );
    await connection.close();
    return {
      bare,
      outcome: { kind, category, ok, delivery, message: message.replaceAll(connection.peer.origin, '') },
    };
  };
  for (const { name, answer } of transparentRows) {
    test(`${name}: the same with and without`, async () => {
      assert.deepEqual(await play(answer, observed), await play(answer, {}));
    });
  }

  test('an answer streams: progress arrives before the stream ends', async () => {
    let finish = (): void => {};
    const connection = await connectOverHttp(
      {
        onCall: (call) => {
          const progress = { progressToken: call.id, progress: 1 };
          call.response.writeHead(200, eventStream);
          call.response.write(
            `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: progress })}\n\n`,
          );
          finish = () => void call.response.end(event(call, textResult('ok')));
        },
      },
      observed,
    );
    const seen: number[] = [];
    const outcome = await withOutcomes(connection.client, quiet).callTool(params, {
      timeout: 5_000,
      onprogress: ({ progress }) => {
        seen.push(progress);
        finish();
      },
    });
    assert.equal(outcome.kind, 'success', outcome.message);
    assert.deepEqual(seen, [1]);
    await connection.close();
  });

  test('closing the client cancels the open stream', async () => {
    let streamClosed: Promise<unknown> = Promise.resolve();
    let close = (): void => {};
    const connection = await connectOverHttp(
      {
        onCall: (call) => {
          streamClosed = once(call.response, 'close');
          call.response.writeHead(200, eventStream).write(': open\n\n', () => close());
        },
      },
      observed,
    );
    close = () => void connection.client.close();
    const outcome = failed(await withOutcomes(connection.client, quiet).callTool(params));
    await streamClosed;
    await connection.close();
    assert.equal(outcome.reason, 'connection_closed');
  });

  test('a fetch of the caller’s own is what it calls, with the very same arguments', async () => {
    const seen: unknown[] = [];
    const own: typeof fetch = async (input, init) => {
      seen.push(input, init);
      return new Response('{}', { status: 200 });
    };
    const url = new URL('http://127.0.0.1/x');
    const init = { method: 'POST', body: '"tools/call"' };
    await observeFetch(own)(url, init);
    assert.deepEqual(
      seen.map((argument, index) => argument === [url, init][index]),
      [true, true],
    );
    const refusal = new TypeError('fetch failed');
    await assert.rejects(observeFetch(() => Promise.reject(refusal))(url), (error) => error === refusal);
  });

  const oddAnswers: readonly (readonly [name: string, answer: () => Promise<Response>])[] = [
    ['has no headers', async () => JSON.parse('{"status":429,"body":null}')],
    ['was read by a logging fetch', readResponse],
    ['is nothing', async () => JSON.parse('null')],
  ];
  for (const [name, answer] of oddAnswers) {
    test(`an answer that ${name} is passed on as it is`, async () => {
      const own: typeof fetch = (input, init) =>
        String(init?.body).includes('"tools/call"') ? answer() : fetch(input, init);
      const peer: HttpPeerOptions = { onCall: (call) => call.reply(200, {}, '') };
      const { kind, message } = await callOnce(peer, { fetch: own });
      assert.equal(kind, 'call_failure');
      const seen = await callOnce(peer, { fetch: observeFetch(own) });
      assert.deepEqual({ kind: seen.kind, message: seen.message }, { kind, message });
    });
  }

  async function readResponse(): Promise<Response> {
    const response = new Response('no', { status: 500 });
    await response.text();
    return response;
  }

  test('what is no function is refused', () => {
    assert.throws(
      () => Reflect.apply(observeFetch, undefined, ['fetch']),
      (error) => OptionsError.isInstance(error) && error.option === 'fetch',
    );
  });

  test('a response keeps its url, status text and headers', async () => {
    const peer = await startHttpPeer({
      onCall: (call) => {
        call.response.writeHead(200, 'Fine', { ...eventStream, 'x-own': 'kept' });
        call.response.end(event(call, textResult('ok')));
      },
    });
    const seen: object[] = [];
    const inner = observeFetch();
    const { client } = await connectTo(peer, {
      fetch: async (input, init) => {
        const response = await inner(input, init);
        const { url, status, statusText, redirected, type, ok } = response;
        if (init?.method === 'POST' && String(init.body).includes('tools/call')) {
          seen.push({ url, status, statusText, redirected, type, ok, own: response.headers.get('x-own') });
        }
        return response;
      },
    });
    assert.equal((await withOutcomes(client, quiet).callTool(params)).kind, 'success');
    const expected = {
      url: peer.url.href,
      status: 200,
      statusText: 'Fine',
      redirected: false,
      type: 'basic',
      ok: true,
      own: 'kept',
    };
    assert.deepEqual(seen, [expected]);
    await client.close();
    await peer.close();
  });
});

describe('pairing', () => {
  test('100 calls at once, each with its own Retry-After, on two transports', async () => {
    const waiting: HttpCall[] = [];
    const onCall = (call: HttpCall): void => {
      waiting.push(call);
      if (waiting.length < 100) return;
      // The last one first, so that no order helps.
      for (const { params: sent, reply } of waiting.reverse()) {
        const seconds = String(Reflect.get(Object(sent.arguments), 'n'));
        reply(
          429,
          { 'retry-after': seconds, 'www-authenticate': `Bearer scope="s${seconds}"` },
          `body ${seconds}`,
        );
      }
    };
    const peer = await startHttpPeer({ onCall });
    const clients = [await connectTo(peer, observed), await connectTo(peer, observed)];
    const callers = clients.map(({ client }) => withOutcomes(client, quiet));
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => callers[n % 2]?.callTool({ name: 'tool', arguments: { n } })),
    );
    assert.deepEqual(
      outcomes.map(
        (outcome) =>
          outcome?.kind === 'call_failure' && [outcome.retryAfterMs, outcome.challenge, outcome.body],
      ),
      Array.from({ length: 100 }, (_, n) => [n * 1_000, { scope: `s${n}` }, `body ${n}`]),
    );
    await Promise.all(clients.map(({ client }) => client.close()));
    await peer.close();
  });

  test('what a raw user of the client and the handshake meet colours no call', async () => {
    const connection = await connectOverHttp(
      {
        onCall: (call) =>
          call.name === 'raw'
            ? call.reply(429, { 'retry-after': '7' }, 'slow down')
            : call.reply(500, {}, 'broken'),
      },
      observed,
    );
    const raw = assert.rejects(connection.client.callTool({ name: 'raw' }));
    const outcome = failed(await withOutcomes(connection.client, quiet).callTool(params));
    await raw;
    assert.equal(outcome.retryAfterMs, undefined);
    assert.equal(outcome.message, 'HTTP 500: broken');
    await connection.close();
  });
});

/** What a raw call meets that a handler makes while the stream of a wrapped call is read. */
const nestedRows: readonly { readonly name: string; readonly meets: (call: HttpCall) => void }[] = [
  {
    name: 'a refusal with headers',
    meets: (call) =>
      call.reply(429, { 'retry-after': '7', 'www-authenticate': 'Bearer error="other"' }, 'slow down'),
  },
  { name: 'a stream without an answer', meets: (call) => call.reply(200, eventStream, ': nothing\n\n') },
];

describe('a call that a handler makes', () => {
  for (const { name, meets } of nestedRows) {
    for (const of of ['the same client', 'another client'] as const) {
      test(`${name}, of ${of}: colours no other call`, async () => {
        const open: HttpCall[] = [];
        const onCall = (call: HttpCall): void => {
          if (call.name === 'raw') {
            meets(call);
            return;
          }
          open.push(call);
          const notification = { progressToken: call.id, progress: 1 };
          const message = { jsonrpc: '2.0', method: 'notifications/progress', params: notification };
          call.response.writeHead(200, eventStream).write(`data: ${JSON.stringify(message)}\n\n`);
        };
        const peer = await startHttpPeer({ onCall });
        const mine = await connectTo(peer, observed);
        const other = of === 'the same client' ? mine : await connectTo(peer, observed);
        const onprogress = async (): Promise<void> => {
          await other.client.callTool({ name: 'raw' }, undefined, { timeout: 500 }).catch(() => {});
          for (const { id, response } of open) {
            const error = { code: 5, message: 'mine' };
            response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`);
          }
        };
        const outcome = failed(await withOutcomes(mine.client, quiet).callTool(params, { onprogress }));
        const { reason, retryAfterMs, challenge } = outcome;
        assert.deepEqual(
          { reason, retryAfterMs, challenge },
          { reason: 'protocol_error', retryAfterMs: undefined, challenge: undefined },
        );
        await Promise.all([mine.client.close(), other.client.close()]);
        await peer.close();
      });
    }
  }
});

/** A provider with a token that the server refuses, and a refresh token that works. */
function refreshingProvider(origin: string): OAuthClientProvider {
  let tokens: OAuthTokens & { issuer: string } = {
    access_token: 'stale',
    token_type: 'Bearer',
    refresh_token: 'refresh',
    issuer: `${origin}/`,
  };
  return {
    redirectUrl: `${origin}/callback`,
    clientMetadata: { redirect_uris: [`${origin}/callback`] },
    clientInformation: () => ({ client_id: 'client', issuer: `${origin}/` }),
    tokens: () => tokens,
    saveTokens: (fresh) => {
      tokens = { ...fresh, issuer: `${origin}/` };
    },
    redirectToAuthorization: () => {},
    saveCodeVerifier: () => {},
    codeVerifier: () => 'verifier',
  };
}

describe('authorization on the way', () => {
  const routes = (origin: string, tokenStatus: number): Readonly<Record<string, object>> => ({
    '/.well-known/oauth-protected-resource/mcp': {
      resource: `${origin}/mcp`,
      authorization_servers: [`${origin}/`],
    },
    '/.well-known/oauth-authorization-server': {
      issuer: `${origin}/`,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    },
    '/token':
      tokenStatus === 200
        ? { access_token: 'fresh', token_type: 'Bearer', refresh_token: 'refresh' }
        : { error: 'invalid_grant', error_description: 'revoked' },
  });

  async function callWithProvider(tokenStatus: number, afterRefresh: (call: HttpCall) => void) {
    const attempts: (string | undefined)[] = [];
    let origin = '';
    const peer = await startHttpPeer({
      onCall: (call) => {
        attempts.push(call.headers.authorization);
        if (call.headers.authorization === 'Bearer fresh') afterRefresh(call);
        else
          call.reply(
            401,
            { 'www-authenticate': 'Bearer error="invalid_token"', 'retry-after': '9' },
            '{"why":"stale"}',
          );
      },
      onOther: (path, response: ServerResponse) => {
        const status = path === '/token' ? tokenStatus : 200;
        const body = routes(origin, tokenStatus)[path];
        response.writeHead(body === undefined ? 404 : status, json).end(JSON.stringify(body ?? {}));
      },
    });
    origin = peer.origin;
    const { client } = await connectTo(peer, { ...observed, authProvider: refreshingProvider(origin) });
    const outcome = await withOutcomes(client, quiet).callTool(params, { timeout: 5_000 });
    await client.close();
    await peer.close();
    return { outcome, attempts };
  }

  test('401, a token refresh, then 200: a success', async () => {
    const { outcome, attempts } = await callWithProvider(200, (call) => call.result(textResult('ok')));
    assert.equal(outcome.kind, 'success', outcome.message);
    assert.deepEqual(attempts, ['Bearer stale', 'Bearer fresh']);
  });

  test('401, a token refresh, then 429: the last exchange speaks', async () => {
    const { outcome } = await callWithProvider(200, (call) =>
      call.reply(429, { 'retry-after': '3' }, 'slow'),
    );
    const { httpStatus, retryAfterMs, challenge, body, reason } = failed(outcome);
    assert.deepEqual(
      { httpStatus, retryAfterMs, challenge, body, reason },
      { httpStatus: 429, retryAfterMs: 3_000, challenge: undefined, body: 'slow', reason: 'http_error' },
    );
  });

  test('401, a token refresh, then a broken socket: nothing of the 401 is left', async () => {
    const { outcome } = await callWithProvider(200, (call) => void call.response.destroy());
    const { reason, httpStatus, retryAfterMs, challenge, body, delivery } = failed(outcome);
    assert.deepEqual(
      { reason, httpStatus, retryAfterMs, challenge, body, delivery },
      {
        reason: 'network_error',
        httpStatus: undefined,
        retryAfterMs: undefined,
        challenge: undefined,
        body: undefined,
        delivery: 'unknown',
      },
    );
  });

  test('401, and the refresh is refused: the challenge of the POST is kept, and no token shows', async () => {
    const { outcome } = await callWithProvider(400, (call) => call.result(textResult('never')));
    const { reason, category, challenge } = failed(outcome);
    assert.deepEqual(
      { reason, category, challenge },
      { reason: 'auth_required', category: 'access_denied', challenge: { error: 'invalid_token' } },
    );
    assert.ok(!JSON.stringify(outcome).includes('stale"'), 'no access token');
  });
});

describe('Retry-After', () => {
  const inFuture = (ms: number): string => new Date(Date.now() + ms).toUTCString();
  const rows: readonly {
    readonly name: string;
    readonly header: () => string;
    readonly from?: number;
    readonly to?: number;
  }[] = [
    { name: 'seconds', header: () => '120', from: 120_000, to: 120_000 },
    { name: 'zero', header: () => '0', from: 0, to: 0 },
    { name: 'seconds with blanks around', header: () => ' 5 ', from: 5_000, to: 5_000 },
    { name: 'an HTTP date', header: () => inFuture(90_000), from: 80_000, to: 90_000 },
    { name: 'an HTTP date that has passed', header: () => 'Wed, 21 Oct 2015 07:28:00 GMT', from: 0, to: 0 },
    { name: 'the obsolete RFC 850 date', header: () => 'Wednesday, 21-Oct-15 07:28:00 GMT', from: 0, to: 0 },
    { name: 'the obsolete asctime date', header: () => 'Wed Oct 21 07:28:00 2015', from: 0, to: 0 },
    { name: 'a negative number', header: () => '-5' },
    { name: 'a fraction', header: () => '1.5' },
    { name: 'words', header: () => 'soon' },
    { name: 'a number with a unit', header: () => '5s' },
    { name: 'a hexadecimal number', header: () => '0x10' },
    { name: 'an ISO date', header: () => new Date(Date.now() + 60_000).toISOString() },
    { name: 'a day that does not exist', header: () => 'Mon, 31 Feb 2039 07:28:00 GMT' },
    { name: 'nothing', header: () => '' },
    { name: 'more digits than anybody waits', header: () => '9'.repeat(400) },
  ];
  for (const { name, header, from, to } of rows) {
    test(name, async () => {
      const value = header();
      const outcome = failed(await callOnce((call) => call.reply(503, { 'retry-after': value }, 'later')));
      if (from === undefined || to === undefined) {
        assert.equal(outcome.retryAfterMs, undefined);
        assert.ok(!('retryAfterMs' in outcome), 'absent, not undefined');
      } else {
        assert.ok(
          outcome.retryAfterMs !== undefined && outcome.retryAfterMs >= from && outcome.retryAfterMs <= to,
          String(outcome.retryAfterMs),
        );
      }
    });
  }
});

describe('WWW-Authenticate', () => {
  const rows: readonly { readonly header: string; readonly challenge: object | undefined }[] = [
    {
      header: 'Bearer error="insufficient_scope", scope="files:read files:write"',
      challenge: { error: 'insufficient_scope', scope: 'files:read files:write' },
    },
    { header: 'Bearer realm="x", error=invalid_token', challenge: { error: 'invalid_token' } },
    { header: 'Bearer scope=read', challenge: { scope: 'read' } },
    { header: 'Bearer ERROR="invalid_token"', challenge: { error: 'invalid_token' } },
    { header: 'Bearer error = "invalid_token"', challenge: { error: 'invalid_token' } },
    { header: 'Bearer error="a \\"quoted\\" word"', challenge: { error: 'a "quoted" word' } },
    { header: 'Bearer error_description="error=\\"fake\\", scope=all"', challenge: undefined },
    { header: 'Bearer realm="this, error=fake", scope="read"', challenge: { scope: 'read' } },
    { header: 'Basic realm="x", Bearer error="invalid_token"', challenge: { error: 'invalid_token' } },
    {
      header: 'Digest realm="r", scope="digest", Bearer error="insufficient_scope", scope="files:read"',
      challenge: { error: 'insufficient_scope', scope: 'files:read' },
    },
    { header: 'DPoP error="use_dpop_nonce", Bearer scope="s"', challenge: { scope: 's' } },
    {
      header: 'DPoP error="use_dpop_nonce", Bearer realm="r"',
      challenge: { error: 'use_dpop_nonce' },
    },
    { header: 'Negotiate dG9rZW4=, Bearer error="invalid_token"', challenge: { error: 'invalid_token' } },
    { header: 'Negotiate, Bearer, DPoP error="x"', challenge: { error: 'x' } },
    { header: 'error="invalid_token"', challenge: { error: 'invalid_token' } },
    { header: 'Basic realm="x"', challenge: undefined },
    { header: 'Bearer', challenge: undefined },
    { header: 'Bearer error="', challenge: undefined },
  ];
  for (const { header, challenge } of rows) {
    test(header, async () => {
      const outcome = failed(await callOnce((call) => call.reply(401, { 'www-authenticate': header }, '')));
      assert.equal(outcome.category, 'access_denied');
      assert.deepEqual(outcome.challenge, challenge);
    });
  }

  test('a very long one is cut', async () => {
    const header = `Bearer error="${'e'.repeat(3_000)}"`;
    const outcome = failed(await callOnce((call) => call.reply(401, { 'www-authenticate': header }, '')));
    assert.ok((outcome.challenge?.error?.length ?? 0) <= 257);
  });
});

describe('bodies that the SDK loses', () => {
  test('a redirect: nothing is lost that the SDK keeps', async () => {
    const outcome = failed(
      await callOnce((call) => call.reply(302, { location: 'http://localhost:1/login' }, 'sign in')),
    );
    assert.equal(outcome.httpStatus, 302);
    assert.equal(outcome.category, 'transient_failure');
  });

  test('a body that breaks midway: what came is kept', async () => {
    const answer = (call: HttpCall): void => {
      call.response
        .writeHead(500, { 'content-length': '500' })
        .write('{"error":"disk full"', () => call.response.destroy());
    };
    const without = failed(await callOnce(answer, {}));
    const outcome = failed(await callOnce(answer));
    assert.equal(without.body, undefined, 'the SDK has nothing');
    assert.equal(outcome.body, '{"error":"disk full"');
    assert.equal(outcome.message, 'HTTP 500: {"error":"disk full"');
  });

  test('without it, the SDK’s own text is where the body comes from', async () => {
    const answer = (call: HttpCall): void => call.reply(500, json, '{ "error": "disk full" }');
    assert.equal(failed(await callOnce(answer, {})).body, '{"error":"disk full"}');
    assert.equal(failed(await callOnce(answer)).body, '{"error":"disk full"}');
  });
});

describe('an answer stream that ends without an answer', () => {
  const progress = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n\n`;
  const rows: readonly {
    readonly name: string;
    readonly stream: (call: HttpCall) => string;
    readonly reset?: true;
  }[] = [
    { name: 'at once', stream: () => '' },
    { name: 'after a comment', stream: () => ': keep-alive\n\n' },
    { name: 'after a notification', stream: () => progress },
    { name: 'after malformed data', stream: () => 'data: {oops\n\n' },
    { name: 'after an answer to another id', stream: () => event({ id: 999 }, textResult('stray')) },
    { name: 'in the middle of the answer', stream: (call) => event(call, textResult('ok')).slice(0, 40) },
    { name: 'with an empty event id, which resumes nothing', stream: () => 'id:\ndata:\n\n' },
    {
      name: 'in an event with an id that never got its blank line: nothing to resume from',
      stream: () => 'id: 7\ndata: {',
    },
    { name: 'with the word id elsewhere', stream: () => ': id: 7\ndata: id: 7\n\n' },
    { name: 'reset', stream: () => ': open\n\n', reset: true },
  ];
  for (const { name, stream, reset } of rows) {
    test(`${name}: settles within a second`, async () => {
      const startedAt = performance.now();
      const outcome = failed(
        await callOnce((call) => {
          call.response.writeHead(200, eventStream);
          call.response.write(stream(call), () => (reset ? call.response.destroy() : call.response.end()));
          call.response.flushHeaders();
        }),
      );
      assert.ok(performance.now() - startedAt < 1_000);
      assert.equal(outcome.reason, 'invalid_answer');
      assert.equal(outcome.delivery, 'unknown');
      assert.equal(outcome.category, 'transient_failure');
    });
  }

  /** The first answer stream breaks off after these chunks; a GET that asks for what came after event 7 gets the answer. */
  const resume = async (
    chunks: readonly string[],
    fetchOption: { fetch?: typeof fetch },
  ): Promise<ToolOutcome> => {
    const pending: HttpCall[] = [];
    return callOnce(
      {
        onCall: async (call) => {
          pending.push(call);
          call.response.writeHead(200, eventStream);
          for (const chunk of chunks) {
            await new Promise<void>((resolve) => call.response.write(chunk, () => setImmediate(resolve)));
          }
          call.response.end();
        },
        onGet: (request, response) => {
          const [call] = pending;
          if (request.headers['last-event-id'] !== '7' || call === undefined) response.writeHead(405).end();
          else response.writeHead(200, eventStream).end(event(call, textResult('resumed'), '8'));
        },
      },
      {
        ...fetchOption,
        reconnectionOptions: {
          // Longer than it takes to settle a call whose stream is over.
          initialReconnectionDelay: 150,
          maxReconnectionDelay: 150,
          reconnectionDelayGrowFactor: 1,
          maxRetries: 2,
        },
      },
    );
  };
  const resumed: readonly { readonly name: string; readonly chunks: readonly string[] }[] = [
    { name: 'an event id', chunks: ['id: 7\ndata:\n\n'] },
    { name: 'an event id without a blank', chunks: ['id:7\ndata:\n\n'] },
    { name: 'an event id and a notification', chunks: [`id: 7\n${progress}`] },
    { name: 'an event id in single bytes', chunks: [...'id: 7\ndata:\n\n'] },
    { name: 'an event id between CRs', chunks: [': x\rid:7\rdata:\r\r: y\n'] },
    { name: 'an event id behind a byte order mark', chunks: ['\ufeffid: 7\ndata:\n\n'] },
  ];
  for (const { name, chunks } of resumed) {
    test(`after ${name}: is left alone, and resumes over GET`, async () => {
      assert.equal((await resume(chunks, {})).kind, 'success', 'the SDK resumes this');
      const outcome = await resume(chunks, observed);
      assert.equal(outcome.kind, 'success', outcome.message);
    });
  }

  test('a stream of one call that ends settles no other call', async () => {
    const connection = await connectOverHttp(
      {
        onCall: (call) => {
          call.response.writeHead(200, eventStream);
          if (call.name === 'ends') call.response.end();
          else setTimeout(() => call.response.end(event(call, textResult('ok'))), 150);
        },
      },
      observed,
    );
    const caller = withOutcomes(connection.client, quiet);
    const [ends, goesOn] = await Promise.all([
      caller.callTool({ name: 'ends' }),
      caller.callTool({ name: 'goes on' }),
    ]);
    assert.equal(failed(ends).reason, 'invalid_answer');
    assert.equal(goesOn.kind, 'success', goesOn.message);
    await connection.close();
  });
});

describe('a middleware around an observed fetch', () => {
  const busyOnce =
    (peer: { calls: number }): HttpPeerOptions['onCall'] =>
    (call) => {
      peer.calls += 1;
      if (peer.calls > 1) {
        call.result(textResult('at last'));
        return;
      }
      // The body never ends.
      call.response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '7' });
      call.response.write('busy');
    };

  /** Drops the body of a refusal and asks again. */
  const retrying =
    (inner: typeof fetch): typeof fetch =>
    async (input, init) => {
      for (;;) {
        const response = await inner(input, init);
        if (response.status !== 503) return response;
        await response.body?.cancel();
      }
    };

  for (const [name, inner] of [
    ['a bare fetch', fetch],
    ['an observed one', observeFetch()],
  ] as const) {
    test(`that cancels an error body and tries again, around ${name}`, async () => {
      const outcome = await callOnce(busyOnce({ calls: 0 }), { fetch: retrying(inner) });
      assert.equal(outcome.kind, 'success', outcome.message);
    });
  }

  test('that hands on a Request', async () => {
    const inner = observeFetch();
    const outcome = failed(
      await callOnce((call) => call.reply(429, { 'retry-after': '7' }, 'slow down'), {
        fetch: (input, init) => inner(new Request(input, init)),
      }),
    );
    assert.equal(outcome.httpStatus, 429);
    assert.equal(outcome.retryAfterMs, 7_000);
    assert.equal(outcome.body, 'slow down');
  });

  test('that clones an answer: the clone is as good as the answer', async () => {
    const clones: unknown[] = [];
    const inner = observeFetch();
    const outcome = failed(
      await callOnce((call) => call.reply(500, {}, 'broken'), {
        fetch: async (input, init) => {
          const response = await inner(input, init);
          if (response.status === 500) {
            const clone = response.clone();
            clones.push(clone.url === response.url, clone.type === response.type, await clone.text());
          }
          return response;
        },
      }),
    );
    assert.deepEqual(clones, [true, true, 'broken']);
    assert.equal(outcome.body, 'broken');
  });

  test('that answers with a body that somebody has read: nothing is seen, nothing is changed', async () => {
    const outcome = failed(
      await callOnce((call) => call.reply(500, {}, 'broken'), {
        fetch: observeFetch(async (input, init) => {
          const response = await fetch(input, init);
          if (response.status === 500) await response.text();
          return response;
        }),
      }),
    );
    assert.equal(outcome.httpStatus, 500);
  });
});
