/**
 * JSON-RPC errors and envelopes (family J), over every transport. A well-formed error object is `protocol_error` with
 * its raw code. A message that breaks the envelope is no answer; how that shows depends on the transport: Streamable
 * HTTP with JSON rejects at once, in memory the broken message reaches the client, elsewhere it is dropped and only
 * the timer ends the call (or, with an observed fetch, the end of the answer stream).
 */
import { type FaultRow, noAnswer, type Right, rpcError } from './fault-row.ts';
import { errorFrame, type Frame } from './fault-script.ts';

const everywhere = ['http-json', 'http-sse', 'sse', 'stdio', 'mem'] as const;

function row(id: string, what: string, frame: Frame, right: Right, why: string): FaultRow {
  const play = { script: { calls: { fault: { frames: [frame] } } } };
  return { id, what, transports: everywhere, play, right, why };
}

const wellFormed = 'a well-formed error object is a protocol error; its code is no HTTP status';

const plainCodes = [
  -32601, -32602, -32603, -32700, -32600, -32000, -32001, -32002, -32003, -32020, -32021, -32022, -32800, 0,
  1, -1, 400, 401, 403, 404, 429, 500, 503,
];

const headerMismatch = -32020;
const resent: NonNullable<FaultRow['by']> = {
  'v2-2026': {
    resends: true,
    why: 'the client lists the tools and asks once more; the answer to that one counts',
  },
};

function errorRow(id: string, what: string, code: number, message: string, data?: unknown): FaultRow {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return row(id, what, errorFrame(error), rpcError(code), wellFormed);
}

/** Broken, so it is no answer: seen as such in memory and by a rejected `send`, dropped elsewhere. */
function brokenRow(id: string, what: string, message: string): FaultRow {
  return {
    ...row(
      id,
      what,
      message,
      noAnswer('timeout'),
      'an answer that breaks the envelope is none; where the SDK drops it unseen, the call runs into its timer',
    ),
    rightOn: { 'http-json': noAnswer('invalid_answer'), mem: noAnswer('invalid_answer') },
    observedOn: { 'http-sse': { reason: 'invalid_answer' } },
    endedByTimer: ['mem'],
  };
}

const fine = '{"content":[{"type":"text","text":"fine"}]}';
const ok = `"jsonrpc":"2.0","id":"$id","result":${fine}`;

function brokenError(error: string): Frame {
  return `{"jsonrpc":"2.0","id":"$id","error":${error}}`;
}

function brokenResult(result: string): Frame {
  return `{"jsonrpc":"2.0","id":"$id","result":${result}}`;
}

const schemaText = 'data/x must be number';

export const envelopeRows: readonly FaultRow[] = [
  ...plainCodes.map((code) => ({
    ...errorRow(`rpc${code}`, `error ${code}`, code, `M${code}`),
    ...(code === headerMismatch ? { by: resent } : {}),
  })),
  errorRow('rpc-32000-mimic', 'server-sent copy of the local ConnectionClosed', -32000, 'Connection closed'),
  errorRow(
    'rpc-32001-mimic',
    'server-sent copy of the local timeout, same data',
    -32001,
    'Request timed out',
    { timeout: 10_000 },
  ),
  errorRow(
    'rpc-32600-mimic',
    'server-sent copy of the local "no structured content" error',
    -32600,
    'Tool fault has an output schema but did not return structured content',
  ),
  errorRow(
    'rpc-32602-mimic',
    'server-sent copy of the local output-schema error',
    -32602,
    `Structured content does not match the tool's output schema: ${schemaText}`,
  ),
  errorRow('rpc-32602-unknown-tool', '-32602 "Unknown tool"', -32602, 'Unknown tool: fault'),
  errorRow('rpc-32602-uri', '-32602 with data exactly {uri}', -32602, 'M', { uri: 'file:///x' }),
  errorRow('rpc-32002-uri', '-32002 with data.uri', -32002, 'M', { uri: 'file:///x', extra: 1 }),
  errorRow('rpc-32042', '-32042 with elicitations', -32042, 'M', {
    elicitations: [
      { mode: 'url', elicitationId: 'e1', url: 'https://example.com/authorize', message: 'Please sign in' },
    ],
  }),
  errorRow('rpc-32042-nodata', '-32042 without data', -32042, 'M'),
  errorRow('rpc-32042-bad', '-32042 with elicitations "x"', -32042, 'M', { elicitations: 'x' }),
  errorRow('rpc-32042-null', '-32042 with elicitations null', -32042, 'M', { elicitations: null }),
  errorRow('rpc-32021-caps', '-32021 with requiredCapabilities', -32021, 'M', {
    requiredCapabilities: { elicitation: {} },
  }),
  errorRow('rpc-32022-vers', '-32022 with supported/requested', -32022, 'M', {
    supported: ['2026-07-28'],
    requested: '2025-11-25',
  }),
  errorRow('rpc-msg-empty', 'error message ""', -32603, ''),
  errorRow('rpc-data-obj', 'error with data {"a":{"b":1},"status":403}', -32603, 'M', {
    a: { b: 1 },
    status: 403,
  }),
  errorRow('rpc-data-str', 'error with data "s"', -32603, 'M', 's'),
  errorRow('rpc-data-arr', 'error with data [1]', -32603, 'M', [1]),
  errorRow('rpc-data-null', 'error with data null', -32603, 'M', null),
  errorRow('rpc-data-zero', 'error with data 0', -32603, 'M', 0),
  errorRow('rpc-data-false', 'error with data false', -32603, 'M', false),
  errorRow('rpc-data-name', 'error with data {"name":"X","message":"Y","stack":"Z"}', -32603, 'M', {
    name: 'X',
    message: 'Y',
    stack: 'Z',
  }),
  row(
    'rpc-extra',
    'error object with extra keys',
    brokenError('{"code":-32603,"message":"M","status":403,"retryAfter":5}'),
    rpcError(-32603),
    'JSON-RPC closes the envelope, not the error object; the keys decide nothing',
  ),
  row(
    'rpc-proto',
    'error data with __proto__ key',
    brokenError('{"code":-32603,"message":"M","data":{"__proto__":{"polluted":true}}}'),
    rpcError(-32603),
    wellFormed,
  ),
  {
    id: 'rpc-200-retry-after',
    what: '200 JSON-RPC error -32000 with a Retry-After header',
    transports: ['http-json'],
    play: {
      script: {
        calls: {
          fault: {
            post: {
              headers: { 'content-type': 'application/json', 'retry-after': '7' },
              body: errorFrame({ code: -32000, message: 'Rate limited' }),
            },
          },
        },
      },
    },
    right: rpcError(-32000),
    observed: { retryAfterMs: [7_000, 7_000] },
    why: 'a JSON-RPC error like any other; the header is what an observed fetch adds',
  },
  brokenRow('rpc-code-string', 'error code "403" (string)', brokenError('{"code":"403","message":"M"}')),
  brokenRow('rpc-code-float', 'error code 1.5', brokenError('{"code":1.5,"message":"M"}')),
  brokenRow('rpc-code-null', 'error code null', brokenError('{"code":null,"message":"M"}')),
  brokenRow('rpc-code-missing', 'error without code', brokenError('{"message":"M"}')),
  brokenRow('rpc-msg-missing', 'error without message', brokenError('{"code":-32603}')),
  brokenRow('rpc-msg-null', 'error message null', brokenError('{"code":-32603,"message":null}')),
  brokenRow('rpc-msg-number', 'error message 5', brokenError('{"code":-32603,"message":5}')),
  brokenRow(
    'rpc-extra-top',
    'error response with extra top-level key',
    '{"jsonrpc":"2.0","id":"$id","error":{"code":-32603,"message":"M"},"extra":1}',
  ),
  brokenRow('rpc-error-null', 'error: null', brokenError('null')),
  brokenRow(
    'rpc-error-null-result',
    'error: null beside a result (JSON-RPC 1.0 style)',
    `{${ok},"error":null}`,
  ),
  brokenRow('rpc-error-string', 'error: "boom"', brokenError('"boom"')),
  brokenRow('rpc-both', 'both result and error', `{${ok},"error":{"code":-32603,"message":"M"}}`),
  brokenRow('rpc-neither', 'neither result nor error', '{"jsonrpc":"2.0","id":"$id"}'),
  brokenRow('rpc-result-null', 'result null', brokenResult('null')),
  brokenRow('rpc-result-string', 'result "str"', brokenResult('"str"')),
  brokenRow('rpc-result-number', 'result 5', brokenResult('5')),
  brokenRow('rpc-result-true', 'result true', brokenResult('true')),
  brokenRow('rpc-result-array', 'result []', brokenResult('[]')),
  brokenRow(
    'rpc-result-arrayfull',
    'result [{"type":"text","text":"x"}]',
    brokenResult('[{"type":"text","text":"x"}]'),
  ),
  brokenRow('rpc-nojsonrpc', 'no "jsonrpc" member', `{"id":"$id","result":${fine}}`),
  brokenRow('rpc-jsonrpc1', '"jsonrpc":"1.0"', `{"jsonrpc":"1.0","id":"$id","result":${fine}}`),
  brokenRow('rpc-top-extra', 'success with extra top-level key', `{${ok},"extra":1}`),
  {
    ...brokenRow('rpc-code-huge', 'error code 1e20', brokenError('{"code":1e20,"message":"M"}')),
    rightOn: {
      'http-json': noAnswer('invalid_answer'),
      // In memory it is open whether 1e20 is the integer that JSON-RPC asks for; the SDK says no.
      mem: { ...noAnswer(['invalid_answer', 'protocol_error']), delivery: ['unknown', 'answered'] },
    },
  },
];
