import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { outcomeText } from '../src/report/text.ts';
import { hostileOutcomeArbitrary, type SampleName, samples, success, toolError } from './support/outcomes.ts';

const rows: readonly { name: SampleName; reason: string; text: string }[] = [
  { name: 'text', reason: 'text blocks, one line each', text: 'three\nlinks' },
  {
    name: 'structured',
    reason: 'no text, so that the structured content is the answer',
    text: '{"total":3}',
  },
  { name: 'textAndStructured', reason: 'the text says it already', text: '{"total":3}' },
  { name: 'silent', reason: 'a success may say nothing', text: '' },
  {
    name: 'media',
    reason: 'what is no text is named, in its place, without its bytes',
    text: [
      'the invoice',
      '[image: image/png]',
      '[audio: audio/wav]',
      '[resource_link: text/csv https://shop.test/1.csv]',
      'paid',
      '[resource: application/pdf]',
      '[unsupported content: hologram]',
    ].join('\n'),
  },
  {
    name: 'isError',
    reason: "the tool's own words",
    text: "Error: MCP tool 'shop/refund' reported a failure: Internal Server Error",
  },
  {
    name: 'isErrorStructured',
    reason: 'no text, so that the structured content is the detail',
    text: `Error: MCP tool 'shop/refund' reported a failure: {"success":false,"error":"step 2 failed","stats":{"steps":2}}`,
  },
  {
    name: 'isErrorEmpty',
    reason: 'never an empty detail',
    text: "Error: MCP tool 'shop/refund' reported a failure: (no detail provided)",
  },
  {
    name: 'isErrorBlank',
    reason: 'white space is no detail',
    text: "Error: MCP tool 'shop/refund' reported a failure: (no detail provided)",
  },
  {
    name: 'isErrorImage',
    reason: 'an image beside the text',
    text: "Error: MCP tool 'shop/refund' reported a failure: no such button\n[image: image/png]",
  },
  {
    name: 'isErrorMalformed',
    reason: 'nobody checks the content of a result with isError',
    text: [
      "Error: MCP tool 'shop/refund' reported a failure: [unsupported content: unknown]",
      '[unsupported content: unknown]',
      '[unsupported content: text]',
      '[image: image/png]',
    ].join('\n'),
  },
  {
    name: 'returnedFailure',
    reason: 'a failure body is the words of the tool',
    text: `Error: MCP tool 'shop/refund' reported a failure: {"_tag":"OrchestratorMcpFailure","code":"thread_not_found","message":"The thread was not found."}`,
  },
  {
    name: 'wrongOutput',
    reason: 'what was wrong, and what the tool answered: it may have done its work',
    text: [
      "Error: MCP tool 'shop/refund' failed: the result does not match its output schema: /total must be a number",
      'The tool answered:',
      'refunded 120',
    ].join('\n'),
  },
  {
    name: 'wrongResult',
    reason: 'a text in place of the list of blocks is what the tool said',
    text: [
      "Error: MCP tool 'shop/refund' failed: the result is not a well-formed MCP tool result: /content must be an array",
      'The tool answered:',
      'boom',
    ].join('\n'),
  },
  {
    name: 'http403',
    reason: 'the status and the body that the server sent',
    text: `Error: MCP tool 'shop/refund' failed: HTTP 403: {"error":"forbidden","scope":"refunds"}`,
  },
  {
    name: 'httpStatusOnly',
    reason: 'no body, no colon',
    text: "Error: MCP tool 'shop/refund' failed: HTTP 404",
  },
  {
    name: 'rpcError',
    reason: 'a JSON-RPC error object',
    text: "Error: MCP tool 'shop/refund' failed: JSON-RPC error -32602: unknown tool",
  },
  {
    name: 'timeout',
    reason: 'no answer at all',
    text: "Error: MCP tool 'shop/refund' failed: no answer within 60000 ms",
  },
  {
    name: 'cancelled',
    reason: 'the caller, if it asks',
    text: "Error: MCP tool 'shop/refund' failed: the caller cancelled the call",
  },
];

for (const { name, reason, text } of rows) {
  test(`outcomeText of ${name}: ${reason}`, () => {
    assert.equal(outcomeText(samples[name]), text);
  });
}

test('a success may hold null as its structured content, a failure says nothing with it', () => {
  assert.equal(outcomeText(success({ structuredContent: null })), 'null');
  assert.equal(
    outcomeText(toolError({ structuredContent: null })),
    "Error: MCP tool 'shop/refund' reported a failure: (no detail provided)",
  );
});

test('names of servers and tools cannot forge a line or flood the text', () => {
  const outcome = toolError(
    { content: [{ type: 'text', text: 'no' }] },
    { server: 'a\nb', tool: 'x'.repeat(300) },
  );
  assert.equal(outcomeText(outcome), `Error: MCP tool 'a b/${'x'.repeat(252)}…' reported a failure: no`);
});

test('a resource link whose address is its bytes becomes a marker without them', () => {
  const block = {
    type: 'resource_link',
    uri: 'DATA:image/png;base64,aVZCT1I=',
    name: 'x',
    mimeType: 'image/png',
  };
  assert.equal(outcomeText(success({ content: [block] })), '[resource_link: image/png]');
});

test('a revoked proxy is rendered like any other unreadable content', () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  assert.equal(
    outcomeText(toolError({ content: proxy, structuredContent: proxy })),
    "Error: MCP tool 'shop/refund' reported a failure: [structured content that JSON cannot carry]",
  );
});

test('any result at all is rendered, and a failure never as nothing', () => {
  fc.assert(
    fc.property(hostileOutcomeArbitrary(), (outcome) => {
      assert.match(outcomeText(outcome), /^Error: MCP tool '.+' (failed|reported a failure): \S/);
    }),
    { seed: 6, numRuns: 500 },
  );
});
