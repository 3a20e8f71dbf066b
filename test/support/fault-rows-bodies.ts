/**
 * 2xx answers with a bad body (family B). A body that the SDK cannot read as JSON-RPC is `invalid_answer`. A readable
 * one that does not answer this call leaves the call to its timer; an observed fetch may see the end of the body
 * earlier, which can change the reason and nothing else.
 */
import { type FaultRow, noAnswer, type Right, rpcError, success } from './fault-row.ts';
import type { HttpReply } from './fault-script.ts';

const json = { 'content-type': 'application/json' };
const fine = '{"content":[{"type":"text","text":"fine"}]}';
const ok = `{"jsonrpc":"2.0","id":"$id","result":${fine}}`;

const answered = 'the answer is there, well formed and for this call';
const wrongType = 'the content type is neither JSON nor an event stream';
const notJson = 'the body is not JSON';
const notRpc = 'the body is JSON, but not JSON-RPC';
const nothingForUs = 'nothing in the body answers this call, so only the timer ends it';

/** Readable, but no answer to this call. */
const unanswered: Right = noAnswer('timeout');
const seenUnanswered: Partial<Right> = { reason: ['timeout', 'invalid_answer'] };
const invalid: Right = noAnswer('invalid_answer');

function row(id: string, what: string, post: HttpReply, right: Right, why: string): FaultRow {
  const play = { script: { calls: { fault: { post } } } };
  const observed = right === unanswered ? { observed: seenUnanswered } : {};
  return { id, what, transports: ['http-json'], play, right, why, ...observed };
}

function body(text: string): HttpReply {
  return { headers: json, body: text };
}

function typed(contentType: string, text: string): HttpReply {
  return { headers: { 'content-type': contentType }, body: text };
}

function withId(id: string): HttpReply {
  return body(`{"jsonrpc":"2.0","id":${id},"result":${fine}}`);
}

const error = (message: string): string =>
  `{"jsonrpc":"2.0","id":"$id","error":{"code":-32603,"message":"${message}"}}`;
const progress =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"other","progress":1}}';

const notRpcBodies: readonly (readonly [string, string])[] = [
  ['object', '{"hello":"BODYMARK"}'],
  ['error-obj', '{"error":"BODYMARK forbidden"}'],
  ['null', 'null'],
  ['string', '"BODYMARK"'],
  ['number', '5'],
  ['emptyobj', '{}'],
];

export const bodyRows: readonly FaultRow[] = [
  row('control-ok', 'control: 200 JSON ok', body(ok), success, answered),
  row(
    'control-ok-charset',
    'control: application/json; charset=utf-8',
    typed('application/json; charset=utf-8', ok),
    success,
    answered,
  ),
  row(
    'ct-html',
    '200 text/html login page',
    typed('text/html', '<html>BODYMARK login</html>'),
    invalid,
    wrongType,
  ),
  row(
    'ct-plain-ok',
    '200 text/plain with a valid JSON-RPC body',
    typed('text/plain', ok),
    invalid,
    wrongType,
  ),
  row('ct-none-ok', '200 no content-type, valid body', { body: ok }, invalid, wrongType),
  row(
    'ct-problem',
    '200 application/problem+json',
    typed('application/problem+json', '{"title":"BODYMARK","status":403}'),
    invalid,
    wrongType,
  ),
  {
    ...row(
      'ct-jsonrpc',
      '200 application/json-rpc, valid body',
      typed('application/json-rpc', ok),
      invalid,
      wrongType,
    ),
    by: {
      'v1-oldest': { right: success, why: 'the oldest SDK looks for application/json anywhere in the type' },
    },
  },
  row('empty-json', '200 application/json, empty body', body(''), invalid, notJson),
  row('empty-none', '200 no content-type, empty body', {}, invalid, wrongType),
  row('bad-json', '200 invalid JSON', body('{"jsonrpc":"2.0",BODYMARK'), invalid, notJson),
  row('html-as-json', '200 HTML labelled application/json', body('<html>BODYMARK</html>'), invalid, notJson),
  ...notRpcBodies.map(([name, text]) =>
    row(`json-not-rpc-${name}`, `200 JSON that is not JSON-RPC: ${text}`, body(text), invalid, notRpc),
  ),
  row(
    'json-not-rpc-emptyarr',
    '200 JSON that is not JSON-RPC: []',
    body('[]'),
    unanswered,
    'to the SDK an empty batch is fine, and nothing in it answers this call',
  ),
  row('wrong-id-999', '200 JSON-RPC ok with wrong id 999', withId('999'), unanswered, nothingForUs),
  row('wrong-id-str', '200 JSON-RPC ok with wrong id "other"', withId('"other"'), unanswered, nothingForUs),
  row(
    'wrong-id-null',
    '200 JSON-RPC ok with wrong id null',
    withId('null'),
    invalid,
    'a result must have an id, so this is not JSON-RPC',
  ),
  row(
    'wrong-id-float',
    '200 JSON-RPC ok with wrong id 1.5',
    withId('1.5'),
    invalid,
    'an id is a string or an integer, so this is not JSON-RPC',
  ),
  row('wrong-id--1', '200 JSON-RPC ok with wrong id -1', withId('-1'), unanswered, nothingForUs),
  row(
    'id-as-string',
    '200 JSON-RPC ok with the right id as a string',
    body(`{"jsonrpc":"2.0","id":"$idText","result":${fine}}`),
    success,
    'the SDK takes "1" as the answer to 1, and so do we',
  ),
  row(
    'id-missing',
    '200 JSON-RPC result without an id',
    body(`{"jsonrpc":"2.0","result":${fine}}`),
    invalid,
    'a result must have an id, so this is not JSON-RPC',
  ),
  row(
    'err-id-missing',
    '200 JSON-RPC error without an id',
    body('{"jsonrpc":"2.0","error":{"code":-32603,"message":"BODYMARK"}}'),
    unanswered,
    'an error without an id answers no call that anyone could name',
  ),
  row(
    'err-id-null',
    '200 JSON-RPC error with id null',
    body('{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"BODYMARK"}}'),
    invalid,
    'to the SDK a null id is not JSON-RPC, and `send` says so',
  ),
  row(
    'err-id-wrong',
    '200 JSON-RPC error with wrong id',
    body('{"jsonrpc":"2.0","id":999,"error":{"code":-32603,"message":"BODYMARK"}}'),
    unanswered,
    nothingForUs,
  ),
  row('batch-ok', '200 batch [response]', body(`[${ok}]`), success, answered),
  row('batch-notif-ok', '200 batch [notification, response]', body(`[${progress},${ok}]`), success, answered),
  row(
    'batch-err-then-ok',
    '200 batch [error, result] same id',
    body(`[${error('first')},${ok}]`),
    rpcError(-32603),
    'the first valid answer counts',
  ),
  row(
    'batch-ok-then-err',
    '200 batch [result, error] same id',
    body(`[${ok},${error('second')}]`),
    success,
    'the first valid answer counts',
  ),
  row(
    'batch-bad-ok',
    '200 batch [garbage, result]',
    body(`[{"hello":1},${ok}]`),
    invalid,
    'the SDK parses a batch whole, so the result beside the garbage never reached the client',
  ),
  row(
    's201',
    '201 with a valid body',
    { status: 201, headers: json, body: ok },
    success,
    'any 2xx may carry the answer',
  ),
  row('s202-nobody', '202 without body', { status: 202 }, unanswered, 'accepted, and never answered'),
  row(
    's202-body',
    '202 with a valid JSON-RPC body',
    { status: 202, headers: json, body: ok },
    unanswered,
    'the SDK does not read the body of a 202, so the result never reached the client',
  ),
  row('s204', '204', { status: 204 }, invalid, 'an answer without content is none'),
  row('s205', '205', { status: 205 }, invalid, 'an answer without content is none'),
  row(
    's206',
    '206 with a valid body',
    { status: 206, headers: json, body: ok },
    success,
    'any 2xx may carry the answer',
  ),
  row(
    'gzip-garbage',
    '200 content-encoding gzip with plain bytes',
    { headers: { ...json, 'content-encoding': 'gzip' }, body: ok },
    noAnswer('network_error'),
    'fetch fails with a cause that has a code (Z_DATA_ERROR), like any broken connection',
  ),
  row(
    'server-request',
    '200 JSON: a server request instead of a response',
    body('{"jsonrpc":"2.0","id":77,"method":"ping"}'),
    unanswered,
    nothingForUs,
  ),
  row('bom', '200 JSON with a BOM', body(`\uFEFF${ok}`), success, 'fetch drops the mark'),
];
