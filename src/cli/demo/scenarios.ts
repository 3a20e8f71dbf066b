/** What a demo server sends for a call. */
export type Answer =
  | { readonly http: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | 'nothing'
  | 'exit';

/** One tool of the demo: what its server does, and what the call truly was. */
export interface Scenario {
  readonly tool: string;
  readonly over: 'http' | 'stdio';
  /** The answer in words, for the table. */
  readonly sends: string;
  readonly answer: Answer;
  readonly outputSchema?: object;
  /** The caller aborts once the server has the call. */
  readonly abort?: true;
  readonly expected: { readonly kind: string; readonly category: string };
}

/** Long enough for an answer on loopback, short enough to wait for. */
export const demoTimeout = 400;

const failureBody = {
  _tag: 'OrchestratorMcpFailure',
  code: 'orchestration_error',
  message: 'The operation could not be completed.',
};

const returnedFailure = {
  result: {
    content: [{ type: 'text', text: JSON.stringify(failureBody) }],
    structuredContent: failureBody,
    isError: false,
  },
};

const itemsSchema = {
  type: 'object',
  properties: { items: { type: 'array' }, nextCursor: { type: ['string', 'null'] } },
  required: ['items', 'nextCursor'],
};

const json = { 'content-type': 'application/json' };

/** One tool for every way in which a call ends. */
export const scenarios: readonly Scenario[] = [
  {
    tool: 'search',
    over: 'http',
    sends: 'a result',
    answer: { result: { content: [{ type: 'text', text: '3 links found' }] } },
    expected: { kind: 'success', category: 'success' },
  },
  {
    tool: 'shorten',
    over: 'http',
    sends: 'isError: true',
    answer: { result: { content: [{ type: 'text', text: 'Internal Server Error' }], isError: true } },
    expected: { kind: 'tool_error', category: 'tool_error' },
  },
  {
    tool: 'list-threads',
    over: 'http',
    sends: 'isError: false, failure body',
    answer: returnedFailure,
    expected: { kind: 'failure_body', category: 'transient_failure' },
  },
  {
    tool: 'list-tasks',
    over: 'http',
    sends: 'the same, with an outputSchema',
    answer: returnedFailure,
    outputSchema: itemsSchema,
    expected: { kind: 'failure_body', category: 'transient_failure' },
  },
  {
    tool: 'start-thread',
    over: 'http',
    sends: 'failure body as text only',
    answer: {
      result: {
        content: [
          {
            type: 'text',
            text: '{"_tag":"OrchestratorMcpFailure","code":"capability_denied","message":"Not allowed."}',
          },
        ],
      },
    },
    expected: { kind: 'failure_body', category: 'access_denied' },
  },
  {
    tool: 'payroll',
    over: 'http',
    sends: 'HTTP 401, WWW-Authenticate',
    answer: {
      http: 401,
      headers: { ...json, 'www-authenticate': 'Bearer error="invalid_token", scope="payroll:read"' },
      body: '{"error":"invalid_mcp_credential","message":"The credential was not accepted."}',
    },
    expected: { kind: 'call_failure', category: 'access_denied' },
  },
  {
    tool: 'delete-user',
    over: 'http',
    sends: 'HTTP 403, text with "404"',
    answer: { http: 403, headers: { 'content-type': 'text/plain' }, body: 'Rule 404 forbids this.' },
    expected: { kind: 'call_failure', category: 'access_denied' },
  },
  {
    tool: 'resume',
    over: 'http',
    sends: 'HTTP 404, session gone',
    answer: {
      http: 404,
      headers: json,
      body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
    },
    expected: { kind: 'call_failure', category: 'not_found' },
  },
  {
    tool: 'domains',
    over: 'http',
    sends: 'HTTP 429, Retry-After: 52',
    answer: { http: 429, headers: { ...json, 'retry-after': '52' }, body: '{"error":"Too Many Requests"}' },
    expected: { kind: 'call_failure', category: 'transient_failure' },
  },
  {
    tool: 'deploy',
    over: 'http',
    sends: 'HTTP 500, JSON with a token',
    answer: {
      http: 500,
      headers: json,
      body: '{\n  "error": "upstream refused",\n  "sent": { "authorization": "Bearer demo-0f9d8a7b6c5e4d3f2a1b" }\n}',
    },
    expected: { kind: 'call_failure', category: 'transient_failure' },
  },
  {
    tool: 'report',
    over: 'http',
    sends: 'HTTP 502, an HTML page',
    answer: {
      http: 502,
      headers: { 'content-type': 'text/html' },
      body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
    },
    expected: { kind: 'call_failure', category: 'transient_failure' },
  },
  {
    tool: 'convert',
    over: 'http',
    sends: 'JSON-RPC error -32602',
    answer: { error: { code: -32602, message: 'Unknown tool: convert' } },
    expected: { kind: 'call_failure', category: 'transient_failure' },
  },
  {
    tool: 'reindex',
    over: 'http',
    sends: 'JSON-RPC -32001, as the SDK says',
    answer: { error: { code: -32001, message: 'Request timed out', data: { timeout: demoTimeout } } },
    expected: { kind: 'call_failure', category: 'transient_failure' },
  },
  {
    tool: 'translate',
    over: 'http',
    sends: 'content that is no array',
    answer: { result: { content: 'Bonjour' } },
    expected: { kind: 'schema_mismatch', category: 'schema_mismatch' },
  },
  {
    tool: 'ping-host',
    over: 'http',
    sends: 'an empty result: {}',
    answer: { result: {} },
    expected: { kind: 'schema_mismatch', category: 'schema_mismatch' },
  },
  {
    tool: 'weather',
    over: 'http',
    sends: 'isError: true, and a broken schema',
    answer: {
      result: {
        content: [{ type: 'text', text: 'No station of that name.' }],
        structuredContent: { error: 'no_station' },
        isError: true,
      },
    },
    outputSchema: itemsSchema,
    expected: { kind: 'tool_error', category: 'tool_error' },
  },
  {
    tool: 'crawl',
    over: 'http',
    sends: 'nothing, ever',
    answer: 'nothing',
    expected: { kind: 'call_failure', category: 'transient_failure' },
  },
  {
    tool: 'render',
    over: 'http',
    sends: 'nothing; the caller aborts',
    answer: 'nothing',
    abort: true,
    expected: { kind: 'cancelled', category: 'cancelled' },
  },
  {
    tool: 'read-file',
    over: 'stdio',
    sends: 'a result, over stdio',
    answer: { result: { content: [{ type: 'text', text: '# Notes' }] } },
    expected: { kind: 'success', category: 'success' },
  },
  {
    tool: 'write-file',
    over: 'stdio',
    sends: 'its process dies mid-call',
    answer: 'exit',
    expected: { kind: 'call_failure', category: 'transient_failure' },
  },
];

/** The demo's answer to every request but a `tools/call`; `undefined` when there is none to give. */
export function handshakeResult(method: unknown, over: Scenario['over']): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: over === 'http' ? 'demo' : 'demo-files', version: '1.0.0' },
      };
    case 'tools/list':
      return {
        tools: scenarios
          .filter((scenario) => scenario.over === over)
          .map(({ tool, outputSchema }) => ({
            name: tool,
            inputSchema: { type: 'object' },
            ...(outputSchema === undefined ? {} : { outputSchema }),
          })),
      };
    default:
      return undefined;
  }
}
