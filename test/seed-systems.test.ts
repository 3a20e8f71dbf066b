/**
 * Four agent runtimes, each with the failure that made it ask for outcomes. Every test reads as that system's need:
 * what its server sends, over a real connection with a real SDK client, and what the runtime then has in its hands.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  dispatcherCategory,
  isFailedToolMessage,
  markToolMessage,
  outcomeDigest,
  outcomeText,
  parseOutcome,
  publishToolMessages,
  serializeOutcome,
  toReceipt,
  toStatusResult,
  unwrap,
  withOutcomes,
} from '../src/index.ts';
import { connectOverHttp, type HttpCall, type HttpConnection } from './support/http-peer.ts';
import { textResult } from './support/in-memory-peer.ts';

interface Line {
  readonly record: object;
  readonly message: string;
}

function warnings(): {
  readonly lines: Line[];
  readonly logger: { warn(record: object, message: string): void };
} {
  const lines: Line[] = [];
  return { lines, logger: { warn: (record, message) => void lines.push({ record, message }) } };
}

async function withHttpServer(
  onCall: (call: HttpCall) => void,
  use: (connection: HttpConnection) => Promise<void>,
  tools: readonly object[] = [],
): Promise<void> {
  const connection = await connectOverHttp({ onCall, tools });
  try {
    await use(connection);
  } finally {
    await connection.close();
  }
}

describe('t3code: a failure that the orchestrator returned', () => {
  test('has its tag, code and message, though the tool advertises another shape and the client knows it', () => {
    // A thread that is not there: `isError` is false, and the body is none of the advertised ones.
    const failure = {
      _tag: 'OrchestratorMcpFailure',
      code: 'thread_not_found',
      message: 'The thread was not found.',
    };
    const outputSchema = { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] };
    return withHttpServer(
      (call) => call.result({ content: [], structuredContent: failure, isError: false }),
      async ({ client }) => {
        // What the plain client makes of it, once it has listed the tools: the body is gone.
        await client.listTools();
        await assert.rejects(
          client.callTool({ name: 'list_threads' }),
          /does not match the tool's output schema/,
        );

        const tools = withOutcomes(client, { server: 'orchestrator', logger: false });
        const outcome = await tools.callTool({ name: 'list_threads' });

        assert.equal(outcome.kind, 'failure_body');
        assert.equal(outcome.category, 'not_found');
        assert.deepEqual(outcome.failure, {
          recognizer: 'orchestratorMcpFailure',
          tag: 'OrchestratorMcpFailure',
          code: 'thread_not_found',
          message: 'The thread was not found.',
        });
        assert.deepEqual(outcome.result, { content: [], structuredContent: failure, isError: false });
        assert.equal(
          outcomeText(outcome),
          "Error: MCP tool 'orchestrator/list_threads' reported a failure: " +
            '{"_tag":"OrchestratorMcpFailure","code":"thread_not_found","message":"The thread was not found."}',
        );
      },
      [{ name: 'list_threads', inputSchema: { type: 'object' }, outputSchema }],
    );
  });

  test('and a page of threads, failed ones among them, is a success', () => {
    const page = { items: [{ id: 't-1', status: 'failed', error: null }], nextCursor: null };
    return withHttpServer(
      (call) => call.result({ content: [], structuredContent: page }),
      async ({ client }) => {
        const outcome = await withOutcomes(client, { logger: false }).callTool({ name: 'list_threads' });
        assert.deepEqual(unwrap(outcome), page);
      },
    );
  });
});

describe('verifiers: a flag beside the content', () => {
  // The same words, once as an answer and once as a failure: only the flag tells them apart.
  const words = 'No such file: notes.txt';
  const answer = (call: HttpCall): void =>
    call.result(call.name === 'search' ? textResult(words) : { ...textResult(words), isError: true });

  test('survives the transcript, the disk, the provider and the digest of the trace', () =>
    withHttpServer(answer, async ({ client }) => {
      const tools = withOutcomes(client, { server: 'files', logger: false });
      const found = await tools.callTool({ name: 'search' });
      const failed = await tools.callTool({ name: 'read' }, { callId: 'call-2' });
      assert.deepEqual([found.ok, failed.ok], [true, false]);

      // In the transcript the content stays as it is, and the flag is a key of its own.
      const question = { role: 'user', content: 'What is in my notes?' };
      const plain = { role: 'tool', tool_call_id: 'call-1', content: words };
      const mark = { kind: 'tool_error', category: 'tool_error', callId: 'call-2' };
      const transcript = [question, markToolMessage(plain, found), markToolMessage(plain, failed)];
      assert.deepEqual(transcript, [question, plain, { ...plain, _mcp_outcome: mark }]);

      // The flag survives the disk, and the provider gets words in its place, once.
      const resumed: object[] = JSON.parse(JSON.stringify(transcript));
      assert.deepEqual(
        resumed.map((message) => isFailedToolMessage(message)),
        [false, false, true],
      );
      const published = publishToolMessages(resumed);
      const said = { ...plain, content: 'Tool execution failed:\nNo such file: notes.txt' };
      assert.deepEqual(published, [question, plain, said]);
      assert.deepEqual(publishToolMessages(published), [question, plain, said]);

      // A trace tells the two apart, also after it was written and read.
      assert.notEqual(outcomeDigest(found), outcomeDigest(failed));
      assert.equal(outcomeDigest(parseOutcome(serializeOutcome(failed))), outcomeDigest(failed));
    }));
});

describe('netclaw: a receipt with the true category, and one warning', () => {
  const rows: readonly {
    readonly name: string;
    readonly answer: (call: HttpCall) => void;
    readonly receipt: object;
    readonly dispatcher: string;
    readonly warning: string;
  }[] = [
    {
      name: 'HTTP 500 is a transient failure, with the status in the warning',
      answer: (call) => call.reply(500, {}, 'upstream is down'),
      receipt: {
        kind: 'call_failure',
        category: 'transient_failure',
        reason: 'http_error',
        httpStatus: 500,
        delivery: 'unknown',
      },
      dispatcher: 'transient_failure',
      warning: "MCP tool 'shortener/search-links' failed (HTTP 500): upstream is down",
    },
    {
      name: 'HTTP 403 is a denied access',
      answer: (call) => call.reply(403, {}, 'forbidden'),
      receipt: {
        kind: 'call_failure',
        category: 'access_denied',
        reason: 'http_error',
        httpStatus: 403,
        delivery: 'answered',
      },
      dispatcher: 'access_denied',
      warning: "MCP tool 'shortener/search-links' failed (HTTP 403): forbidden",
    },
    {
      name: 'a JSON-RPC error is a transient failure, whatever its code and its words',
      answer: (call) => call.fail({ code: -32_602, message: '403 Forbidden: token expired' }),
      receipt: {
        kind: 'call_failure',
        category: 'transient_failure',
        reason: 'protocol_error',
        rpcCode: -32_602,
        delivery: 'answered',
      },
      dispatcher: 'transient_failure',
      warning:
        "MCP tool 'shortener/search-links' failed: JSON-RPC error -32602: 403 Forbidden: token expired",
    },
    {
      name: 'a failure that the tool declared is told by another sentence, and by its flag alone',
      answer: (call) => call.result({ ...textResult('Request failed: 403 Forbidden'), isError: true }),
      receipt: { kind: 'tool_error', category: 'tool_error', delivery: 'answered' },
      dispatcher: 'transient_failure',
      warning: "MCP tool 'shortener/search-links' reported a failure: Request failed: 403 Forbidden",
    },
  ];

  for (const { name, answer, receipt, dispatcher, warning } of rows) {
    test(name, () =>
      withHttpServer(answer, async ({ client, peer }) => {
        const { lines, logger } = warnings();
        const tools = withOutcomes(client, { server: 'shortener', logger });
        const outcome = await tools.callTool({ name: 'search-links' }, { callId: 'call-1' });

        const { startedAt, durationMs, ...facts } = { startedAt: '', durationMs: -1, ...toReceipt(outcome) };
        assert.deepEqual(facts, { callId: 'call-1', server: 'shortener', tool: 'search-links', ...receipt });
        assert.ok(Date.parse(startedAt) > 0 && durationMs >= 0);
        assert.equal(dispatcherCategory(outcome), dispatcher);
        assert.deepEqual(
          lines.map(({ message }) => message),
          [warning],
        );
        // Nothing was tried again behind the runtime's back.
        assert.equal(peer.callBodies.length, 1);
      }),
    );
  }

  test('a good answer whose words look like an error, and the caller’s own abort, warn of nothing', () =>
    withHttpServer(
      (call) => call.result(textResult('Error: 500 links found')),
      async ({ client }) => {
        const { lines, logger } = warnings();
        const tools = withOutcomes(client, { server: 'shortener', logger });
        const success = await tools.callTool({ name: 'search-links' });
        const cancelled = await tools.callTool({ name: 'search-links' }, { signal: AbortSignal.abort() });
        assert.deepEqual([success.kind, cancelled.kind], ['success', 'cancelled']);
        assert.equal(toReceipt(cancelled), undefined);
        assert.deepEqual(lines, []);
      },
    ));
});

describe('frontmcp: a refused action with its reason', () => {
  test('is a status result with the parsed body, and a text with the status and the body', () => {
    const body = {
      error: 'refund_too_large',
      message: 'Refund 500 exceeds the paid amount 120.',
      maxRefund: 120,
    };
    const json = { 'content-type': 'application/json' };
    return withHttpServer(
      (call) => call.reply(422, json, JSON.stringify(body, null, 2)),
      async ({ client }) => {
        const tools = withOutcomes(client, { server: 'payments', logger: false });
        const outcome = await tools.callTool({ name: 'refund', arguments: { amount: 500 } });

        assert.deepEqual(toStatusResult(outcome), { ok: false, status: 422, data: body });
        assert.equal(
          outcomeText(outcome),
          "Error: MCP tool 'payments/refund' failed: HTTP 422: " +
            '{"error":"refund_too_large","message":"Refund 500 exceeds the paid amount 120.","maxRefund":120}',
        );
      },
    );
  });

  test('and with `status-only` neither has a word of the body', () =>
    withHttpServer(
      (call) => call.reply(422, {}, '{"error":"refund_too_large"}'),
      async ({ client }) => {
        const tools = withOutcomes(client, { server: 'payments', logger: false, errorBodies: 'status-only' });
        const outcome = await tools.callTool({ name: 'refund' });
        assert.deepEqual(toStatusResult(outcome), { ok: false, status: 422 });
        assert.equal(outcomeText(outcome), "Error: MCP tool 'payments/refund' failed: HTTP 422");
      },
    ));

  test('and a server that gave no answer has status 0 and says why', () =>
    withHttpServer(
      (call) => call.response.socket?.destroy(),
      async ({ client }) => {
        const tools = withOutcomes(client, { server: 'payments', logger: false });
        const { error, ...status } = toStatusResult(await tools.callTool({ name: 'refund' }));
        assert.deepEqual(status, { ok: false, status: 0 });
        assert.match(error ?? '', /^fetch failed/);
      },
    ));
});
