import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  CallToolResultSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { type CallToolResult, toCallToolResult } from '../src/index.ts';
import type { ContentBlock, ToolOutcome } from '../src/outcome.ts';
import {
  failureBody,
  hostileOutcomeArbitrary,
  outcomeArbitrary,
  type SampleName,
  samples,
  success,
  toolError,
} from './support/outcomes.ts';

const refundSchema = {
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
} as const;

const rows: readonly { name: SampleName; reason: string; result: object }[] = [
  {
    name: 'textAndStructured',
    reason: 'a success as it came, its false flag included',
    result: {
      content: [{ type: 'text', text: '{"total":3}' }],
      structuredContent: { total: 3 },
      isError: false,
    },
  },
  { name: 'silent', reason: 'a success may be empty', result: { content: [] } },
  {
    name: 'isError',
    reason: "the tool's own content, untouched",
    result: { content: [{ type: 'text', text: 'Internal Server Error' }], isError: true },
  },
  {
    name: 'isErrorStructured',
    reason: 'readers of text get the body too',
    result: {
      content: [{ type: 'text', text: '{"success":false,"error":"step 2 failed","stats":{"steps":2}}' }],
      structuredContent: { success: false, error: 'step 2 failed', stats: { steps: 2 } },
      isError: true,
    },
  },
  {
    name: 'isErrorEmpty',
    reason: 'a failure is never empty',
    result: { content: [{ type: 'text', text: '(no detail provided)' }], isError: true },
  },
  {
    name: 'isErrorBlank',
    reason: 'a failure is never blank',
    result: { content: [{ type: 'text', text: '(no detail provided)' }], isError: true },
  },
  {
    name: 'isErrorMalformed',
    reason: 'blocks and _meta that a client refuses are made harmless, the rest of _meta stays',
    result: {
      content: [
        { type: 'text', text: '[unsupported content: unknown]' },
        { type: 'text', text: '[unsupported content: unknown]' },
        { type: 'text', text: '[unsupported content: text]' },
        { type: 'text', text: '[image: image/png]' },
      ],
      isError: true,
      _meta: { code: 'INVALID_INPUT' },
    },
  },
  {
    name: 'wrongOutput',
    reason: 'our finding first, then the answer',
    result: {
      content: [
        {
          type: 'text',
          text: "Error: MCP tool 'shop/refund' failed: the result does not match its output schema: /total must be a number",
        },
        { type: 'text', text: 'refunded 120' },
      ],
      structuredContent: { total: '120' },
      isError: true,
    },
  },
  {
    name: 'timeout',
    reason: 'no result at all',
    result: {
      content: [{ type: 'text', text: "Error: MCP tool 'shop/refund' failed: no answer within 60000 ms" }],
      isError: true,
    },
  },
];

for (const { name, reason, result } of rows) {
  test(`tool result of ${name}: ${reason}`, () => {
    assert.deepEqual(toCallToolResult(samples[name]), result);
  });
}

test('with the output schema, a failure body that does not fit moves to text and _meta', () => {
  const body = { success: false, error: 'step 2 failed', stats: { steps: 2 } };
  assert.deepEqual(toCallToolResult(samples.isErrorStructured, { outputSchema: refundSchema }), {
    content: [{ type: 'text', text: '{"success":false,"error":"step 2 failed","stats":{"steps":2}}' }],
    isError: true,
    _meta: { 'mcp-outcome/structuredContent': body },
  });
});

test('the text is not repeated when a block holds the same JSON, however it is spaced', () => {
  const spaced = toolError({
    content: [{ type: 'text', text: '{\n  "error": "no"\n}' }],
    structuredContent: { error: 'no' },
  });
  assert.deepEqual(toCallToolResult(spaced, { outputSchema: refundSchema }).content, [
    { type: 'text', text: '{\n  "error": "no"\n}' },
  ]);
  const other = toolError({ content: [{ type: 'text', text: 'no' }], structuredContent: { error: 'no' } });
  assert.deepEqual(toCallToolResult(other, { outputSchema: refundSchema }).content, [
    { type: 'text', text: 'no' },
    { type: 'text', text: '{"error":"no"}' },
  ]);
});

test('a failure body that fits the schema stays, one that does not moves', () => {
  const body = { total: 0, error: 'nothing to refund' };
  const outcome = failureBody(
    { content: [{ type: 'text', text: 'nothing to refund' }], structuredContent: body },
    { recognizer: 'looseFailure' },
  );
  assert.deepEqual(toCallToolResult(outcome, { outputSchema: refundSchema }), {
    content: [{ type: 'text', text: 'nothing to refund' }],
    structuredContent: body,
    isError: true,
  });
  const other = { type: 'object', required: ['receipt'] };
  assert.equal(toCallToolResult(outcome, { outputSchema: other }).structuredContent, undefined);
});

test('a schema that cannot be used moves every failure body: nobody can tell what its reader makes of it', () => {
  const unusable = { $ref: 'https://example.com/refund.json' };
  const { structuredContent } = toCallToolResult(samples.isErrorStructured, { outputSchema: unusable });
  assert.equal(structuredContent, undefined);
});

test('structured content that is no object moves, in a success too: SDK v1 clients refuse it in place', () => {
  assert.deepEqual(toCallToolResult(success({ structuredContent: [1] })), {
    content: [{ type: 'text', text: '[1]' }],
    _meta: { 'mcp-outcome/structuredContent': [1] },
  });
});

test('structured content that is null says nothing beside a text, and is the answer where there is none', () => {
  const hello = [{ type: 'text', text: 'hello' }];
  const result = (content: ContentBlock[]) => toCallToolResult(success({ content, structuredContent: null }));
  assert.deepEqual(result(hello), { content: hello });
  const answer = {
    content: [{ type: 'text', text: 'null' }],
    _meta: { 'mcp-outcome/structuredContent': null },
  };
  assert.deepEqual(result([]), answer);
  const blank = { type: 'text', text: ' ' };
  assert.deepEqual(result([blank]), { ...answer, content: [blank, ...answer.content] });
  assert.deepEqual(toCallToolResult(success({ content: hello, structuredContent: 0 })).content, [
    ...hello,
    { type: 'text', text: '0' },
  ]);
});

test('a well-formed block stays the same object, one with an odd member keeps its payload', () => {
  const fine = { type: 'text', text: 'a', annotations: { audience: ['user'], priority: 1 }, extra: 1 };
  const odd = { type: 'text', text: 'b', annotations: { priority: 7 } };
  const noName = { type: 'resource_link', uri: 'shop://1' };
  const nullType = { type: 'resource', resource: { uri: 'shop://1', text: 'paid', mimeType: null } };
  const { content } = toCallToolResult(toolError({ content: [fine, odd, noName, nullType] }));
  assert.equal(content[0], fine);
  assert.deepEqual(content.slice(1), [
    { type: 'text', text: 'b' },
    { type: 'text', text: '[resource_link: unknown media type shop://1]' },
    { type: 'text', text: 'paid' },
  ]);
});

test('a date that SDK v1 takes stays, one that no calendar has goes with its annotations', () => {
  const dated = (lastModified: string) => ({ type: 'text', text: 'a', annotations: { lastModified } });
  const { content } = toCallToolResult(
    success({
      content: ['2026-02-28T10:00:00.5Z', '2026-02-30T10:00:00Z', '2026-13-01T10:00:00Z'].map(dated),
    }),
  );
  assert.deepEqual(content, [
    { type: 'text', text: 'a', annotations: { lastModified: '2026-02-28T10:00:00.5Z' } },
    { type: 'text', text: 'a' },
    { type: 'text', text: 'a' },
  ]);
});

test('a real SDK v1 client that listed the tools takes every failure, and its body is still in it', async () => {
  const failures: readonly ToolOutcome[] = Object.values(samples).filter(({ ok }) => !ok);
  const received = await throughSdkClient(
    failures.map((outcome) => toCallToolResult(outcome, { outputSchema: refundSchema })),
  );
  for (const [index, result] of received.entries()) {
    assert.equal(result.isError, true);
    assert.ok(result.content.length > 0);
    const body = JSON.stringify(toCallToolResult(failures[index] ?? samples.isError).structuredContent);
    assert.ok(body === undefined || textOf(result).includes(body), textOf(result));
  }
});

test('without the schema option, that client does throw such a failure away', async () => {
  await assert.rejects(
    throughSdkClient([toCallToolResult(samples.isErrorStructured)]),
    /does not match the tool's output schema/,
  );
});

const at = (schema: object) => ({ type: 'object', properties: { at: schema } });

const readings: readonly {
  readonly reason: string;
  readonly schema: object;
  readonly at: unknown;
  readonly stays: boolean;
}[] = [
  {
    reason: 'a format is no annotation there',
    schema: at({ format: 'date-time' }),
    at: 'never',
    stays: false,
  },
  { reason: 'its neighbour', schema: at({ format: 'date-time' }), at: '2026-01-01T00:00:00Z', stays: true },
  {
    reason: 'a format that only a library of formats knows',
    schema: at({ format: 'uuid' }),
    at: '',
    stays: false,
  },
  { reason: 'a format that nobody knows', schema: at({ format: 'price' }), at: '', stays: true },
  { reason: '19.99 is no multiple there', schema: at({ multipleOf: 0.01 }), at: 19.99, stays: false },
  {
    reason: 'prefixItems is unknown there, items is for all',
    schema: at({ prefixItems: [{ type: 'number' }], items: { type: 'string' } }),
    at: [1, 'x'],
    stays: false,
  },
  {
    reason: 'contains needs one there',
    schema: at({ contains: { type: 'number' }, minContains: 0 }),
    at: [],
    stays: false,
  },
  {
    reason: 'what stands beside a $ref of draft-07 counts there',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...at({ $ref: '#/definitions/price', minimum: 10 }),
      definitions: { price: { type: 'number' } },
    },
    at: 1,
    stays: false,
  },
  { reason: 'neither reading takes it', schema: at({ type: 'string' }), at: 1, stays: false },
  { reason: 'both do', schema: at({ type: 'string', pattern: '^a+$' }), at: 'aa', stays: true },
];

for (const { reason, schema, at, stays } of readings) {
  test(`a real SDK v1 client takes a failure, whatever it reads in the schema: ${reason}`, async () => {
    const outcome = toolError({ content: [], structuredContent: { at } });
    const result = toCallToolResult(outcome, { outputSchema: schema });
    assert.deepEqual(result.structuredContent, stays ? { at } : undefined);
    const [received] = await throughSdkClient([result], schema);
    assert.equal(received?.isError, true);
    assert.equal(received && textOf(received), JSON.stringify({ at }));
  });
}

test("every outcome's tool result is one by the SDK's own schema", () => {
  fc.assert(
    fc.property(fc.oneof(outcomeArbitrary(), hostileOutcomeArbitrary()), (outcome) => {
      const result = toCallToolResult(outcome, { outputSchema: refundSchema });
      const parsed = CallToolResultSchema.safeParse(result);
      assert.ok(parsed.success, parsed.error?.message);
      assert.equal(result.isError === true, !outcome.ok);
      assert.ok(outcome.ok || JSON.stringify(result.content) !== '[]');
    }),
    { seed: 6, numRuns: 1_000 },
  );
});

async function throughSdkClient(results: readonly CallToolResult[], outputSchema: object = refundSchema) {
  const server = new Server({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [
      {
        name: 'refund',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' as const, ...outputSchema },
      },
    ],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const result = results[Number(params.arguments?.index)];
    assert.ok(result);
    return result;
  });
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  try {
    await client.listTools();
    const received = [];
    for (const index of results.keys()) {
      received.push(
        CallToolResultSchema.parse(await client.callTool({ name: 'refund', arguments: { index } })),
      );
    }
    return received;
  } finally {
    await client.close();
  }
}

function textOf({ content }: { content: readonly { type: string }[] }): string {
  return content.map((block) => ('text' in block ? block.text : '')).join('\n');
}
