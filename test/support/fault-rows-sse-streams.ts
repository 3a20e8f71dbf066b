/**
 * The SSE answer stream of a POST (family E). The SDK says nothing when such a stream ends without the answer: bare,
 * only the timer ends the call. An observed fetch sees the end, and settles the call as `invalid_answer` at once,
 * unless the stream carried an event id: then the SDK may still resume it, and must be left to.
 */
import { type FaultRow, noAnswer, type Right, rpcError, success } from './fault-row.ts';
import type { HttpReply } from './fault-script.ts';

const stream = { 'content-type': 'text/event-stream' };
const fine = '{"content":[{"type":"text","text":"fine"}]}';
const ok = `{"jsonrpc":"2.0","id":"$id","result":${fine}}`;
const priming = 'id: e1\nretry: 10\ndata:\n\n';

const answered = 'the answer came, and what follows it changes nothing';
const endsUnanswered = 'the stream ended without an answer and without an event id: nothing to resume from';
const mayResume = 'the stream carried an event id, so the SDK may get the answer by resuming';

const lost: Right = noAnswer('timeout');

function row(
  id: string,
  what: string,
  text: string,
  right: Right,
  why: string,
  rest: { finish?: 'hold' | 'reset'; resume?: HttpReply; observed?: Partial<Right> } = {},
): FaultRow {
  const post: HttpReply = {
    headers: stream,
    body: text,
    ...(rest.finish ? { finish: rest.finish } : {}),
  };
  const script = {
    calls: { fault: { post } },
    ...(rest.resume ? { http: { resume: rest.resume } } : {}),
  };
  const observed = why === endsUnanswered ? { reason: 'invalid_answer' as const } : rest.observed;
  return {
    id,
    what,
    transports: ['http-json'],
    play: { script },
    right,
    why,
    ...(observed ? { observed } : {}),
  };
}

export const sseStreamRows: readonly FaultRow[] = [
  row('sse-ok', 'control: SSE ok', `event: message\ndata: ${ok}\n\n`, success, answered),
  row('sse-empty', 'SSE stream closed at once, no event', '', lost, endsUnanswered),
  row('sse-comment', 'SSE keep-alive comment, then closed', ': keep-alive\n\n', lost, endsUnanswered),
  row('sse-prime-405', 'SSE priming id then close; GET answers 405', priming, lost, mayResume, {
    resume: { status: 405 },
  }),
  row('sse-prime-404', 'SSE priming id then close; GET answers 404', priming, lost, mayResume, {
    resume: { status: 404 },
  }),
  row(
    'sse-prime-replay',
    'SSE priming id then close; GET replays the response',
    priming,
    success,
    'the SDK resumes and gets the answer',
    { resume: { headers: stream, body: `id: e2\ndata: ${ok}\n\n` } },
  ),
  row(
    'sse-prime-empty',
    'SSE priming id then close; GET gives empty streams for ever',
    priming,
    lost,
    mayResume,
    { resume: { headers: stream, body: 'id: e1\ndata:\n\n' } },
  ),
  row(
    'sse-malformed',
    'SSE data is not JSON, then closed',
    'data: BODYMARK not json\n\n',
    lost,
    endsUnanswered,
  ),
  row(
    'sse-notrpc',
    'SSE data is JSON but not JSON-RPC',
    'data: {"hello":"BODYMARK"}\n\n',
    lost,
    endsUnanswered,
  ),
  row(
    'sse-malformed-ok',
    'SSE malformed data, then the response',
    `data: BODYMARK\n\ndata: ${ok}\n\n`,
    success,
    'a malformed event is none; the answer after it counts',
  ),
  row(
    'sse-event-error',
    'SSE `event: error` with text, then closed',
    'event: error\ndata: BODYMARK\n\n',
    lost,
    endsUnanswered,
  ),
  row(
    'sse-event-other',
    'the response under `event: result`',
    `event: result\ndata: ${ok}\n\n`,
    lost,
    endsUnanswered,
  ),
  row('sse-noblank', 'response without the blank line, then closed', `data: ${ok}`, lost, endsUnanswered),
  row(
    'sse-wrongid',
    'SSE response with wrong id',
    `data: {"jsonrpc":"2.0","id":999,"result":${fine}}\n\n`,
    lost,
    endsUnanswered,
  ),
  row('sse-batch', 'SSE data is a batch array [response]', `data: [${ok}]\n\n`, lost, endsUnanswered),
  row('sse-reset', 'SSE stream reset mid-event, no id', 'data: {"jsonrpc":"2.0",', lost, endsUnanswered, {
    finish: 'reset',
  }),
  row('sse-reset-primed', 'SSE stream reset after a priming id; GET 405', priming, lost, mayResume, {
    finish: 'reset',
    resume: { status: 405 },
  }),
  row('sse-ok-then-reset', 'SSE response, then reset', `data: ${ok}\n\n`, success, answered, {
    finish: 'reset',
  }),
  row(
    'sse-open',
    'SSE stream stays open without a response',
    ': open\n\n',
    lost,
    'an open stream may still answer, so only the timer ends the call',
    { finish: 'hold' },
  ),
  row(
    'sse-err-primed',
    'SSE id + JSON-RPC error then close',
    'id: e1\ndata: {"jsonrpc":"2.0","id":"$id","error":{"code":-32603,"message":"x"}}\n\n',
    rpcError(-32603),
    'an error is an answer, primed or not',
  ),
  row(
    'sse-two',
    'SSE two responses same id: ok then error',
    `data: ${ok}\n\ndata: {"jsonrpc":"2.0","id":"$id","error":{"code":-32603,"message":"second"}}\n\n`,
    success,
    'the first valid answer counts',
  ),
];
