/**
 * The calls that carry canaries, as data: what the server or the transport does, what the outcome has to be, and where
 * a secret stays because the contract says "verbatim". A row without `leaks` leaks nothing, over every transport.
 */
import * as v from 'valibot';
import type { CallOptions, OutcomeKind } from '../../src/index.ts';
import { bareWords, encodings, type Leaks, opaqueEcho } from './canary-echoes.ts';
import type { HttpAnswer, SeenRequest } from './canary-peers.ts';
import { type Place, secret } from './canary-secrets.ts';

export type CanaryTransport = 'http-json' | 'http-sse' | 'sse' | 'stdio' | 'memory';

export interface CanaryRow {
  readonly name: string;
  /** The name of the tool, where it is not the row's. */
  readonly tool?: string;
  /** All transports, unless the row says otherwise; those of HTTP for a row with `http`. */
  readonly over?: readonly CanaryTransport[];
  /** The members behind `jsonrpc` and `id`. */
  readonly answer?: object;
  /** An HTTP answer, or the members of a message, made from the request as it arrived. */
  readonly http?: (seen: SeenRequest) => HttpAnswer | object;
  /** What the transport's `send` rejects with, in place of a call. */
  readonly thrown?: () => unknown;
  /** `fetch` gets the URL with its user and password, and refuses it. */
  readonly refusedUrl?: true;
  /** A header of this value is set for the call: `fetch` quotes what it refuses. */
  readonly invalidHeader?: string;
  /** The child writes its environment to stderr and exits. */
  readonly dump?: true;
  readonly outputSchema?: object;
  readonly options?: () => CallOptions;
  readonly kind: OutcomeKind;
  readonly reason?: string;
  /** The lines in the log: one by default, none for a success and for the caller's abort. */
  readonly lines?: number;
  /** Where the secret of a place stays. */
  readonly verbatim?: readonly (readonly [where: string, place: Place])[];
  readonly leaks?: Leaks;
}

const httpTransports: readonly CanaryTransport[] = ['http-json', 'http-sse', 'sse'];
const allTransports: readonly CanaryTransport[] = [...httpTransports, 'stdio', 'memory'];

function transportsOf({
  over,
  http,
  refusedUrl,
  invalidHeader,
  dump,
}: CanaryRow): readonly CanaryTransport[] {
  if (over !== undefined) return over;
  if (dump === true) return ['stdio'];
  const needsHttp = http !== undefined || refusedUrl !== undefined || invalidHeader !== undefined;
  return needsHttp ? httpTransports : allTransports;
}

export function toolOf({ tool, name }: CanaryRow): string {
  return tool ?? name;
}

/** A dump of the environment, as a crashing program prints it. */
function environmentDump(value: string): string {
  return `spawn failed\nPATH=/usr/bin\nDB_PASSWORD=${value}\nAPI_KEY=${value}\nHOME=/root`;
}

function inHeaders(value: string): object {
  return { authorization: `Bearer ${value}`, 'x-api-key': value, accept: 'application/json' };
}

function failWith(message: string, data?: unknown): object {
  return { error: { code: -32_603, message, ...(data === undefined ? {} : { data }) } };
}

function failText(text: string): object {
  return { result: { content: [{ type: 'text', text }], isError: true } };
}

const rpc = secret('JSON-RPC message');
const toolText = secret('text of a failed tool');
const body = secret('HTTP body');

const answers: readonly CanaryRow[] = [
  {
    name: 'a JSON-RPC error with headers in its message, and secrets in its nested data',
    answer: failWith(`upstream refused: authorization: Bearer ${rpc}, x-api-key: ${rpc}`, {
      request: { headers: inHeaders(secret('JSON-RPC data')) },
      trail: [{ deep: [{ password: secret('JSON-RPC data') }, secret('JSON-RPC data')] }],
    }),
    kind: 'call_failure',
    reason: 'protocol_error',
    verbatim: [
      ['rpcData', 'JSON-RPC data'],
      ['toStatusResult.data', 'JSON-RPC data'],
      ['serializeOutcome', 'JSON-RPC data'],
      ['cause', 'JSON-RPC message'],
      ['cause', 'JSON-RPC data'],
    ],
  },
  {
    name: 'a JSON-RPC error with an environment dump',
    answer: failWith(environmentDump(rpc)),
    kind: 'call_failure',
    reason: 'protocol_error',
    verbatim: [['cause', 'JSON-RPC message']],
  },
  {
    name: 'a JSON-RPC error with a connection string',
    answer: failWith(`connect ECONNREFUSED postgres://app:${rpc}@db.internal:5432/shop`),
    kind: 'call_failure',
    reason: 'protocol_error',
  },
  {
    name: 'a JSON-RPC error with JSON in JSON',
    answer: failWith(`400 ${JSON.stringify({ cause: JSON.stringify({ client_secret: rpc }) })}`),
    kind: 'call_failure',
    reason: 'protocol_error',
  },
  {
    name: 'a JSON-RPC error with a bare secret',
    answer: failWith(`no such tenant: ${rpc}`),
    kind: 'call_failure',
    reason: 'protocol_error',
    leaks: {
      unobserved: ['JSON-RPC message'],
      observed: ['JSON-RPC message'],
      why: 'a word that looks random, with no name beside it, is an id for all that anybody can know',
    },
  },
  {
    name: 'a failed tool with an environment dump',
    answer: failText(environmentDump(toolText)),
    kind: 'tool_error',
    verbatim: [
      ['result', 'text of a failed tool'],
      ['outcomeText', 'text of a failed tool'],
      ['toCallToolResult', 'text of a failed tool'],
      ['toAnthropicToolResult', 'text of a failed tool'],
      ['serializeOutcome', 'text of a failed tool'],
    ],
  },
  {
    name: 'a failed tool with structured content alone',
    answer: {
      result: {
        content: [],
        structuredContent: { request: inHeaders(secret('structured content of a failed tool')) },
        isError: true,
      },
    },
    kind: 'tool_error',
    verbatim: [
      ['result', 'structured content of a failed tool'],
      ['outcomeText', 'structured content of a failed tool'],
      ['toStatusResult.data', 'structured content of a failed tool'],
      ['toCallToolResult', 'structured content of a failed tool'],
    ],
  },
  {
    name: 'a failure body',
    answer: {
      result: {
        content: [],
        structuredContent: {
          _tag: 'OrchestratorMcpFailure',
          code: `api_key=${secret('failure body code')}`,
          message: `refused: Authorization: Bearer ${secret('failure body message')}`,
          password: secret('failure body member'),
        },
      },
    },
    kind: 'failure_body',
    verbatim: [
      ['result', 'failure body code'],
      ['result', 'failure body message'],
      ['result', 'failure body member'],
      ['outcomeText', 'failure body message'],
    ],
  },
  {
    name: 'a failure body as text',
    answer: {
      result: {
        content: [
          {
            type: 'text',
            text: JSON.stringify({ ok: false, error: `password=${secret('failure body message')}` }),
          },
        ],
      },
    },
    kind: 'failure_body',
    verbatim: [['result', 'failure body message']],
  },
  {
    name: 'a success: nothing is logged, nothing is touched',
    answer: {
      result: {
        content: [{ type: 'text', text: `token=${secret('text of a success')}` }],
        structuredContent: { token: secret('structured content') },
      },
    },
    kind: 'success',
    lines: 0,
    verbatim: [
      ['result', 'text of a success'],
      ['value', 'structured content'],
      ['outcomeText', 'text of a success'],
      ['toStatusResult.data', 'structured content'],
      ['toCallToolResult', 'text of a success'],
    ],
  },
  {
    name: 'an answer that is no tool result',
    answer: { result: { content: [{ type: 'text', text: 5, password: secret('structured content') }] } },
    kind: 'schema_mismatch',
    verbatim: [['result', 'structured content']],
  },
  {
    name: 'a name in the structured content that breaks the schema',
    answer: {
      result: { content: [], structuredContent: { [`password=${secret('structured content')}`]: 'x' } },
    },
    outputSchema: { type: 'object', additionalProperties: { type: 'number' } },
    kind: 'schema_mismatch',
    verbatim: [['result', 'structured content']],
  },
  {
    name: 'a pattern in the schema',
    answer: { result: { content: [], structuredContent: { token: 'x' } } },
    outputSchema: {
      type: 'object',
      properties: { token: { type: 'string', pattern: `^token=${secret('schema')}$` } },
    },
    kind: 'schema_mismatch',
  },
  {
    name: 'a constant in the schema, and another in the content',
    answer: { result: { content: [], structuredContent: { token: secret('structured content') } } },
    outputSchema: { type: 'object', properties: { token: { const: secret('schema') } } },
    kind: 'schema_mismatch',
    verbatim: [['result', 'structured content']],
  },
  {
    name: 'a schema that cannot be used',
    answer: { result: { content: [], structuredContent: {} } },
    outputSchema: { type: 'object', $schema: `https://user:${secret('schema')}@example.com/schema` },
    kind: 'success',
    lines: 1,
  },
  {
    name: 'the caller’s own schema names the place, not the value',
    answer: { result: { content: [], structuredContent: { password: secret('structured content') } } },
    options: () => ({ output: v.object({ password: v.number('must be a number') }) }),
    kind: 'schema_mismatch',
    verbatim: [['result', 'structured content']],
  },
  {
    name: 'the caller’s own schema quotes the value',
    answer: { result: { content: [], structuredContent: { password: secret('structured content') } } },
    options: () => ({ output: v.object({ password: v.number() }) }),
    kind: 'schema_mismatch',
    leaks: {
      unobserved: ['structured content'],
      observed: ['structured content'],
      why: 'the schema’s message is the caller’s text, and a quoted word that looks random may be an id',
    },
  },
  {
    name: 'a task in place of a result',
    answer: { result: { task: { taskId: `api_key=${secret('task id')}`, status: 'working' } } },
    kind: 'call_failure',
    reason: 'task_created',
  },
  {
    name: 'an answer that is no JSON-RPC response',
    answer: { result: {}, error: `token=${rpc}` },
    options: () => ({ timeout: 50 }),
    kind: 'call_failure',
  },
  {
    name: 'an unknown tool, named by the model',
    tool: `search token=${secret('tool name')}`,
    answer: failWith(`Tool search token=${secret('tool name')} not found`),
    kind: 'call_failure',
    reason: 'protocol_error',
  },
  {
    name: 'a child that dumps its environment and dies',
    dump: true,
    kind: 'call_failure',
    reason: 'connection_closed',
  },
];

const local: readonly CanaryRow[] = [
  {
    name: 'an error with a cause, a code, a request and a stack',
    thrown: () => {
      const thrown = secret('thrown message');
      const cause = new Error(`connect redis://:${secret('thrown cause')}@cache:6379`, {
        cause: new TypeError(`x-api-key: ${secret('thrown cause')}`),
      });
      return Object.assign(new Error(`gateway refused token=${thrown}`, { cause }), {
        code: `api_key=${secret('thrown code')}`,
        config: {
          headers: inHeaders(secret('thrown request')),
          url: `https://x/?k=${secret('thrown request')}`,
        },
        response: { data: secret('thrown request') },
      });
    },
    kind: 'call_failure',
    reason: 'unknown_error',
    verbatim: [
      ['cause', 'thrown message'],
      ['cause', 'thrown cause'],
      ['cause', 'thrown code'],
      ['cause', 'thrown request'],
    ],
  },
  {
    name: 'an error whose stack says more than its message',
    thrown: () => {
      const error = new Error('gateway broke');
      error.stack = `Error: gateway broke\n    at https://bob:${secret('thrown message')}@cdn.example/app.js:1:2`;
      return error;
    },
    kind: 'call_failure',
    reason: 'unknown_error',
    verbatim: [['cause', 'thrown message']],
  },
  {
    name: 'an error of an HTTP client with a status',
    thrown: () =>
      Object.assign(
        new Error(
          `GET https://bob:${secret('thrown message')}@api.example/?api_key=${secret('thrown message')} failed`,
        ),
        {
          status: 503,
          response: { headers: inHeaders(secret('thrown request')) },
        },
      ),
    kind: 'call_failure',
    reason: 'http_error',
  },
  {
    name: 'several errors in one',
    thrown: () =>
      new AggregateError([
        new Error(`token=${secret('thrown message')}`),
        new Error(`password=${secret('thrown cause')}`),
      ]),
    kind: 'call_failure',
    reason: 'unknown_error',
  },
  {
    name: 'a thrown string',
    thrown: () => `Set-Cookie: session=${secret('thrown message')}`,
    kind: 'call_failure',
    reason: 'unknown_error',
    verbatim: [['cause', 'thrown message']],
  },
  {
    name: 'the caller’s abort',
    options: () => ({ signal: AbortSignal.abort(new Error(`token=${secret('abort reason')} expired`)) }),
    kind: 'cancelled',
    lines: 0,
    verbatim: [['cause', 'abort reason']],
  },
  {
    name: 'the caller’s timeout',
    options: () => ({
      signal: AbortSignal.abort(new DOMException(`token=${secret('abort reason')} expired`, 'TimeoutError')),
    }),
    kind: 'call_failure',
    reason: 'timeout',
    verbatim: [['cause', 'abort reason']],
  },
];

const overHttp: readonly CanaryRow[] = [
  ...encodings.map(
    ({ name, contentType, encode }): CanaryRow => ({
      name: `the request echoed as ${name}`,
      http: (seen) => ({ status: 500, headers: { 'content-type': contentType }, body: encode(seen) }),
      kind: 'call_failure',
      reason: 'http_error',
      leaks: opaqueEcho,
    }),
  ),
  {
    name: 'the request’s credentials, bare, in an HTTP body',
    http: (seen) => ({ status: 403, body: bareWords(seen) }),
    kind: 'call_failure',
    reason: 'http_error',
    leaks: credentialsWithoutNames(),
  },
  {
    name: 'the request’s credentials, bare, in a JSON-RPC error',
    http: (seen) => failWith(bareWords(seen)),
    kind: 'call_failure',
    reason: 'protocol_error',
    leaks: credentialsWithoutNames(),
  },
  {
    name: 'the request’s credentials, bare, in the text of a failed tool',
    http: (seen) => failText(bareWords(seen)),
    kind: 'tool_error',
    verbatim: [['result', 'x-api-key header']],
    leaks: credentialsWithoutNames(),
  },
  {
    name: 'the user and the password of the URL, as Basic credentials in a sentence',
    http: ({ headers }) => ({
      status: 400,
      body: `The gateway refused ${headers['proxy-authorization']} today.`,
    }),
    kind: 'call_failure',
    reason: 'http_error',
  },
  {
    name: 'a body with a secret across the cut',
    http: () => ({ status: 500, body: `${'word '.repeat(407)}token=${body} ${'more '.repeat(2_000)}` }),
    kind: 'call_failure',
    reason: 'http_error',
    verbatim: [['cause', 'HTTP body']],
  },
  {
    name: 'an HTTP 401 with a challenge',
    http: () => ({
      status: 401,
      headers: {
        'www-authenticate': `Bearer error="invalid_token", scope="read token=${secret('WWW-Authenticate challenge')}"`,
      },
      body: JSON.stringify({ error: 'invalid_token', access_token: body }),
    }),
    kind: 'call_failure',
    reason: 'http_error',
  },
  {
    name: 'broken JSON with a secret',
    // The legacy transport never reads the body of an accepted POST.
    over: ['http-json', 'http-sse'],
    http: () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: `{"access_token":"${body}"x}`,
    }),
    kind: 'call_failure',
    reason: 'invalid_answer',
  },
  {
    name: 'a word with a secret instead of JSON',
    over: ['http-json', 'http-sse'],
    http: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: `token=${body}` }),
    kind: 'call_failure',
    reason: 'invalid_answer',
  },
  {
    name: 'JSON that breaks right behind a secret, which JSON.parse then quotes without its start',
    over: ['http-json', 'http-sse'],
    http: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: `["${body}",@]` }),
    kind: 'call_failure',
    reason: 'invalid_answer',
  },
  {
    name: 'a secret instead of JSON, whose start JSON.parse quotes',
    over: ['http-json', 'http-sse'],
    http: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body }),
    kind: 'call_failure',
    reason: 'invalid_answer',
  },
  {
    name: 'an HTML page in place of an answer',
    over: ['http-json', 'http-sse'],
    http: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: `<p>token=${body}</p>` }),
    kind: 'call_failure',
    reason: 'invalid_answer',
  },
  {
    name: 'fetch refuses a URL with a user and a password',
    refusedUrl: true,
    kind: 'call_failure',
    reason: 'unknown_error',
    verbatim: [['cause', 'password in the URL']],
    leaks: {
      unobserved: ['tenant in the URL'],
      observed: [],
      why: 'a query parameter whose name says nothing',
    },
  },
  {
    name: 'fetch refuses a header',
    invalidHeader: `one\n${secret('HTTP header that is refused')}`,
    kind: 'call_failure',
    reason: 'unknown_error',
    verbatim: [['cause', 'HTTP header that is refused']],
  },
  {
    name: 'a server that remembers the URL of the event stream',
    over: ['sse'],
    answer: failWith(`not known here: ${secret('api_key of the event stream')}`),
    kind: 'call_failure',
    reason: 'protocol_error',
    leaks: {
      unobserved: ['api_key of the event stream'],
      observed: ['api_key of the event stream'],
      why: 'the legacy transport sends its calls to another URL than the one that it was given',
    },
  },
];

function credentialsWithoutNames(): Leaks {
  return {
    unobserved: [
      'Authorization header',
      'x-api-key header',
      'x-tenant header',
      'session cookie',
      'api_key in the URL',
      'tenant in the URL',
      'password in the URL',
      'session id of the server',
      'argument "password"',
    ],
    observed: ['x-tenant header', 'argument "password"'],
    why:
      'only `observeFetch` tells which words of an answer were credentials of the request; a header whose name says ' +
      'nothing and the tool’s arguments are none for it',
  };
}

export const canaryRows: readonly CanaryRow[] = [...answers, ...local, ...overHttp];

/** A child that died answers no more: its row comes last. */
export function rowsOver(transport: CanaryTransport): readonly CanaryRow[] {
  return canaryRows
    .filter((row) => transportsOf(row).includes(transport))
    .toSorted((a, b) => Number(a.dump ?? false) - Number(b.dump ?? false));
}
