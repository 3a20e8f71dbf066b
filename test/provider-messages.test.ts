import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  ToolMessage,
} from '@langchain/core/messages';
import { modelMessageSchema } from 'ai';
import fc from 'fast-check';
import type { ToolOutcome } from '../src/outcome.ts';
import { toAISDKToolResultOutput } from '../src/report/ai-sdk.ts';
import { fromAnthropicToolResult, toAnthropicToolResult } from '../src/report/anthropic.ts';
import { toGeminiFunctionResponse } from '../src/report/gemini.ts';
import { toLangChainToolMessage } from '../src/report/langchain.ts';
import { toOpenAIFunctionCallOutput, toOpenAIToolMessage } from '../src/report/openai.ts';
import { isFailedToolMessage, markToolMessage, publishToolMessages } from '../src/report/transcript.ts';
import {
  hostileOutcomeArbitrary,
  outcomeArbitrary,
  type SampleName,
  samples,
  success,
  toolError,
} from './support/outcomes.ts';

const sentence = {
  http403: `Error: MCP tool 'shop/refund' failed: HTTP 403: {"error":"forbidden","scope":"refunds"}`,
  mismatch: [
    "Error: MCP tool 'shop/refund' failed: the result does not match its output schema: /total must be a number",
    'The tool answered:',
  ].join('\n'),
};
const steps = '{"success":false,"error":"step 2 failed","stats":{"steps":2}}';
const stepsJson = { success: false, error: 'step 2 failed', stats: { steps: 2 } };

/** What each rendering is expected to make of one outcome; ids, names and constant members are checked once, below. */
interface Row {
  readonly name: SampleName;
  readonly reason: string;
  readonly anthropic: readonly object[] | undefined;
  readonly chat: string;
  readonly responses?: string | readonly object[];
  readonly gemini: object;
  readonly geminiParts?: readonly object[];
  readonly aiSdk: object;
  readonly langChain: string | readonly object[];
}

const rows: readonly Row[] = [
  {
    name: 'text',
    reason: 'two text blocks',
    anthropic: [
      { type: 'text', text: 'three' },
      { type: 'text', text: 'links' },
    ],
    chat: 'three\nlinks',
    gemini: { output: 'three\nlinks' },
    aiSdk: { type: 'text', value: 'three\nlinks' },
    langChain: 'three\nlinks',
  },
  {
    name: 'structured',
    reason: 'structured content stays structured where there is a place for it',
    anthropic: [{ type: 'text', text: '{"total":3}' }],
    chat: '{"total":3}',
    gemini: { output: { total: 3 } },
    aiSdk: { type: 'json', value: { total: 3 } },
    langChain: '{"total":3}',
  },
  {
    name: 'silent',
    reason: 'Anthropic refuses empty text blocks, not an absent content',
    anthropic: undefined,
    chat: '',
    gemini: { output: '' },
    aiSdk: { type: 'text', value: '' },
    langChain: '',
  },
  {
    name: 'media',
    reason: 'each provider gets the media it takes, in their order, and a marker for the rest',
    anthropic: [
      { type: 'text', text: 'the invoice' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aVZCT1I=' } },
      { type: 'text', text: '[audio: audio/wav]' },
      { type: 'text', text: '[resource_link: text/csv https://shop.test/1.csv]' },
      { type: 'text', text: 'paid' },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' } },
      { type: 'text', text: '[unsupported content: hologram]' },
    ],
    chat: [
      'the invoice',
      '[image: image/png]',
      '[audio: audio/wav]',
      '[resource_link: text/csv https://shop.test/1.csv]',
      'paid',
      '[resource: application/pdf]',
      '[unsupported content: hologram]',
    ].join('\n'),
    responses: [
      { type: 'input_text', text: 'the invoice' },
      { type: 'input_image', image_url: 'data:image/png;base64,aVZCT1I=', detail: 'auto' },
      { type: 'input_text', text: '[audio: audio/wav]' },
      { type: 'input_text', text: '[resource_link: text/csv https://shop.test/1.csv]' },
      { type: 'input_text', text: 'paid' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERg==', filename: '1.pdf' },
      { type: 'input_text', text: '[unsupported content: hologram]' },
    ],
    gemini: {
      output: [
        'the invoice',
        '[image: image/png]',
        '[audio: audio/wav]',
        '[resource_link: text/csv https://shop.test/1.csv]',
        'paid',
        '[resource: application/pdf]',
        '[unsupported content: hologram]',
      ].join('\n'),
    },
    geminiParts: [
      { inlineData: { mimeType: 'image/png', data: 'aVZCT1I=' } },
      { inlineData: { mimeType: 'application/pdf', data: 'JVBERg==' } },
    ],
    aiSdk: {
      type: 'content',
      value: [
        { type: 'text', text: 'the invoice' },
        { type: 'image-data', data: 'aVZCT1I=', mediaType: 'image/png' },
        { type: 'file-data', data: 'UklGRg==', mediaType: 'audio/wav' },
        { type: 'text', text: '[resource_link: text/csv https://shop.test/1.csv]' },
        { type: 'text', text: 'paid' },
        { type: 'file-data', data: 'JVBERg==', mediaType: 'application/pdf' },
        { type: 'text', text: '[unsupported content: hologram]' },
      ],
    },
    langChain: [
      { type: 'text', text: 'the invoice' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aVZCT1I=' } },
      { type: 'text', text: '[audio: audio/wav]' },
      { type: 'text', text: '[resource_link: text/csv https://shop.test/1.csv]' },
      { type: 'text', text: 'paid' },
      { type: 'text', text: '[resource: application/pdf]' },
      { type: 'text', text: '[unsupported content: hologram]' },
    ],
  },
  {
    name: 'isError',
    reason: "the tool's own words, unchanged",
    anthropic: [{ type: 'text', text: 'Internal Server Error' }],
    chat: 'Tool execution failed:\nInternal Server Error',
    gemini: { error: 'Internal Server Error' },
    aiSdk: { type: 'error-text', value: 'Internal Server Error' },
    langChain: "Error: MCP tool 'shop/refund' reported a failure: Internal Server Error",
  },
  {
    name: 'isErrorStructured',
    reason: 'structured content when there is no text',
    anthropic: [{ type: 'text', text: steps }],
    chat: `Tool execution failed:\n${steps}`,
    gemini: { error: steps },
    aiSdk: { type: 'error-json', value: stepsJson },
    langChain: `Error: MCP tool 'shop/refund' reported a failure: ${steps}`,
  },
  {
    name: 'isErrorEmpty',
    reason: 'never an empty text, never []',
    anthropic: [{ type: 'text', text: '(no detail provided)' }],
    chat: 'Tool execution failed:\n(no detail provided)',
    gemini: { error: '(no detail provided)' },
    aiSdk: { type: 'error-text', value: '(no detail provided)' },
    langChain: "Error: MCP tool 'shop/refund' reported a failure: (no detail provided)",
  },
  {
    name: 'isErrorImage',
    reason:
      'the Anthropic API refuses anything but text beside is_error; Responses and Gemini have no such rule',
    anthropic: [
      { type: 'text', text: 'no such button' },
      { type: 'text', text: '[image: image/png]' },
    ],
    chat: 'Tool execution failed:\nno such button\n[image: image/png]',
    responses: [
      { type: 'input_text', text: 'Tool execution failed:\n' },
      { type: 'input_text', text: 'no such button' },
      { type: 'input_image', image_url: 'data:image/png;base64,aVZCT1I=', detail: 'auto' },
    ],
    gemini: { error: 'no such button\n[image: image/png]' },
    geminiParts: [{ inlineData: { mimeType: 'image/png', data: 'aVZCT1I=' } }],
    aiSdk: { type: 'error-text', value: 'no such button\n[image: image/png]' },
    langChain: "Error: MCP tool 'shop/refund' reported a failure: no such button\n[image: image/png]",
  },
  {
    name: 'wrongOutput',
    reason: 'our finding, then what the tool answered',
    anthropic: [
      { type: 'text', text: sentence.mismatch },
      { type: 'text', text: 'refunded 120' },
    ],
    chat: `Tool execution failed:\n${sentence.mismatch}\nrefunded 120`,
    gemini: { error: `${sentence.mismatch}\nrefunded 120` },
    aiSdk: { type: 'error-text', value: `${sentence.mismatch}\nrefunded 120` },
    langChain: `${sentence.mismatch}\nrefunded 120`,
  },
  {
    name: 'http403',
    reason: 'our sentence, with the body of the server in it',
    anthropic: [{ type: 'text', text: sentence.http403 }],
    chat: `Tool execution failed:\n${sentence.http403}`,
    gemini: { error: sentence.http403 },
    aiSdk: { type: 'error-text', value: sentence.http403 },
    langChain: sentence.http403,
  },
  {
    name: 'flagForged',
    reason: 'where the text alone carries the flag, a success cannot fake a failure',
    anthropic: [{ type: 'text', text: 'Tool execution failed:\nnot really' }],
    chat: 'Tool execution succeeded:\nTool execution failed:\nnot really',
    gemini: { output: 'Tool execution failed:\nnot really' },
    aiSdk: { type: 'text', value: 'Tool execution failed:\nnot really' },
    langChain: 'Tool execution failed:\nnot really',
  },
];

for (const {
  name,
  reason,
  anthropic,
  chat,
  responses = chat,
  gemini,
  geminiParts,
  aiSdk,
  langChain,
} of rows) {
  test(`provider messages of ${name}: ${reason}`, () => {
    const outcome: ToolOutcome = samples[name];
    assert.deepEqual(toAnthropicToolResult(outcome, { toolUseId: 'toolu_1' }), {
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      ...(anthropic && { content: anthropic }),
      ...(!outcome.ok && { is_error: true }),
    });
    assert.deepEqual(toOpenAIToolMessage(outcome, { toolCallId: 'call_1' }), {
      role: 'tool',
      tool_call_id: 'call_1',
      content: chat,
    });
    assert.deepEqual(toOpenAIFunctionCallOutput(outcome, { callId: 'call_1' }), {
      type: 'function_call_output',
      call_id: 'call_1',
      output: responses,
    });
    assert.deepEqual(toGeminiFunctionResponse(outcome), {
      name: 'refund',
      response: gemini,
      ...(geminiParts && { parts: geminiParts }),
    });
    assert.deepEqual(toAISDKToolResultOutput(outcome), aiSdk);
    assert.deepEqual(toLangChainToolMessage(outcome, { toolCallId: 'call_1' }), {
      tool_call_id: 'call_1',
      name: 'refund',
      status: outcome.ok ? 'success' : 'error',
      content: langChain,
    });
  });
}

test('Gemini takes the id of the call and the name that the model knows', () => {
  assert.deepEqual(toGeminiFunctionResponse(samples.silent, { id: 'f-1', name: 'shop__refund' }), {
    id: 'f-1',
    name: 'shop__refund',
    response: { output: '' },
  });
});

const mediaTypes: readonly { reason: string; mimeType: unknown; anthropic: string }[] = [
  { reason: 'upper case and a parameter', mimeType: 'Image/PNG; x=1', anthropic: 'image/png' },
  { reason: 'a common name that is not registered', mimeType: 'image/jpg', anthropic: 'image/jpeg' },
  {
    reason: 'an image that the API does not read',
    mimeType: 'image/svg+xml',
    anthropic: '[image: image/svg+xml]',
  },
  { reason: 'no media type', mimeType: undefined, anthropic: '[image: unknown media type]' },
];

for (const { reason, mimeType, anthropic } of mediaTypes) {
  test(`image of type ${mimeType}: ${reason}`, () => {
    const outcome = success({ content: [{ type: 'image', data: 'aVZCT1I=', mimeType }] });
    const block = toAnthropicToolResult(outcome, { toolUseId: 't' }).content?.[0];
    assert.equal(
      block?.type === 'image' ? block.source.media_type : block?.type === 'text' && block.text,
      anthropic,
    );
  });
}

test('media without a type or without data become markers, where each provider refuses them', () => {
  const outcome = success({
    content: [
      { type: 'audio', data: 'UklGRg==' },
      { type: 'image', data: '', mimeType: 'image/png' },
    ],
  });
  assert.deepEqual(toAISDKToolResultOutput(outcome), {
    type: 'content',
    value: [
      { type: 'text', text: '[audio: unknown media type]' },
      { type: 'text', text: '[image: image/png]' },
    ],
  });
  assert.equal(
    toOpenAIFunctionCallOutput(outcome, { callId: 'c' }).output,
    '[audio: unknown media type]\n[image: image/png]',
  );
});

/** Every rendering of an outcome that a transcript may hold. */
function messagesOf(outcome: ToolOutcome): readonly object[] {
  const anthropic = toAnthropicToolResult(outcome, { toolUseId: 't' });
  const gemini = toGeminiFunctionResponse(outcome);
  const output = toAISDKToolResultOutput(outcome);
  const part = { type: 'tool-result', toolCallId: 't', toolName: 'refund', output };
  const langChain = toLangChainToolMessage(outcome, { toolCallId: 't' });
  return [
    anthropic,
    { role: 'user', content: [anthropic, { type: 'text', text: 'go on' }] },
    toOpenAIToolMessage(outcome, { toolCallId: 't' }),
    toOpenAIFunctionCallOutput(outcome, { callId: 't' }),
    gemini,
    { functionResponse: gemini },
    { role: 'user', parts: [{ functionResponse: gemini }] },
    output,
    part,
    { role: 'tool', content: [part] },
    langChain,
  ];
}

test('the flag comes back from every rendering of every outcome, after persistence too', () => {
  fc.assert(
    fc.property(fc.oneof(outcomeArbitrary(), hostileOutcomeArbitrary()), (outcome) => {
      for (const message of messagesOf(outcome)) {
        const stored: unknown = JSON.parse(JSON.stringify(message));
        assert.equal(isFailedToolMessage(stored), !outcome.ok, JSON.stringify(message));
      }
    }),
    { seed: 6, numRuns: 500 },
  );
});

test('equal content with another flag never makes equal messages', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom('Tool execution failed:\n', 'Tool execution succeeded:\n', ''),
  );
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 3 }), fc.array(texts, { maxLength: 3 }), (ours, theirs) => {
      const blocks = (lines: string[]) => lines.map((text) => ({ type: 'text', text }));
      const failed = messagesOf(toolError({ content: blocks(ours) }));
      const succeeded = messagesOf(success({ content: blocks(theirs) }));
      for (const [index, message] of failed.entries()) {
        assert.notDeepEqual(message, succeeded[index]);
      }
    }),
    { seed: 6, numRuns: 500 },
  );
});

test('a LangChain ToolMessage made from the fields keeps the flag', () => {
  const toMessage = (outcome: ToolOutcome) =>
    new ToolMessage(toLangChainToolMessage(outcome, { toolCallId: 't' }));
  assert.ok(isFailedToolMessage(toMessage(samples.isError)));
  assert.equal(isFailedToolMessage(toMessage(samples.text)), false);
});

test('a mark on a LangChain ToolMessage outlives what LangChain stores of it', () => {
  const message = new ToolMessage({ content: 'boom', tool_call_id: 't' });
  const marked = markToolMessage(message, samples.isError);
  const [published] = publishToolMessages([marked]);
  assert.ok(published instanceof ToolMessage);
  const [stored] = mapChatMessagesToStoredMessages([published]);
  assert.ok(stored);
  assert.equal(Reflect.get(stored.data, 'status'), 'error');
  assert.ok(!('_mcp_outcome' in stored.data));
  const [loaded] = mapStoredMessagesToChatMessages(mapChatMessagesToStoredMessages([marked]));
  assert.ok(loaded instanceof ToolMessage && isFailedToolMessage(loaded));
  assert.equal(publishToolMessages([loaded])[0]?.status, 'error');
  assert.ok(!isFailedToolMessage(message));
});

test("the AI SDK's own schema takes every output", () => {
  for (const outcome of Object.values(samples)) {
    const output = toAISDKToolResultOutput(outcome);
    const part = { type: 'tool-result', toolCallId: 't', toolName: 'refund', output };
    assert.deepEqual(modelMessageSchema.parse({ role: 'tool', content: [part] }).content, [part]);
  }
});

const noFailures: readonly { reason: string; message: unknown }[] = [
  {
    reason: 'a user who quotes the prefix',
    message: { role: 'user', content: 'Tool execution failed:\nwhy?' },
  },
  { reason: 'an assistant who says so', message: { role: 'assistant', content: 'Tool execution failed:\n' } },
  { reason: 'the prefix further down', message: { role: 'tool', content: 'log:\nTool execution failed:\n' } },
  { reason: 'is_error: null', message: { type: 'tool_result', tool_use_id: 't', is_error: null } },
  {
    reason: 'a response with output only',
    message: { functionResponse: { response: { output: { error: 1 } } } },
  },
  { reason: 'an MCP result that is no error', message: { content: [], isError: false } },
  { reason: 'the flag without content', message: { isError: true } },
  { reason: 'no message', message: null },
];

for (const { reason, message } of noFailures) {
  test(`not a failed tool message: ${reason}`, () => {
    assert.equal(isFailedToolMessage(message), false);
  });
}

test('an Anthropic block comes back in the words of MCP', () => {
  const block = toAnthropicToolResult(samples.media, { toolUseId: 'toolu_1' });
  assert.deepEqual(fromAnthropicToolResult(block), {
    toolUseId: 'toolu_1',
    isError: false,
    content: [
      { type: 'text', text: 'the invoice' },
      { type: 'image', data: 'aVZCT1I=', mimeType: 'image/png' },
      { type: 'text', text: '[audio: audio/wav]' },
      { type: 'text', text: '[resource_link: text/csv https://shop.test/1.csv]' },
      { type: 'text', text: 'paid' },
      { type: 'resource', resource: { uri: 'document', mimeType: 'application/pdf', blob: 'JVBERg==' } },
      { type: 'text', text: '[unsupported content: hologram]' },
    ],
  });
});

const anthropicBlocks: readonly { reason: string; block: object; isError: boolean; content: object[] }[] = [
  {
    reason: 'text as a string',
    block: { content: 'no', is_error: true },
    isError: true,
    content: [{ type: 'text', text: 'no' }],
  },
  { reason: 'is_error: null', block: { content: [], is_error: null }, isError: false, content: [] },
  { reason: 'is_error: false', block: { is_error: false }, isError: false, content: [] },
  {
    reason: 'a plain text document',
    block: {
      content: [
        { type: 'document', title: 'a.txt', source: { type: 'text', media_type: 'text/plain', data: 'hi' } },
      ],
    },
    isError: false,
    content: [{ type: 'resource', resource: { uri: 'a.txt', mimeType: 'text/plain', text: 'hi' } }],
  },
  {
    reason: 'a block that MCP has no word for',
    block: { content: [{ type: 'image', source: { type: 'url', url: 'https://shop.test/1.png' } }, 7] },
    isError: false,
    content: [{ type: 'image', source: { type: 'url', url: 'https://shop.test/1.png' } }],
  },
];

for (const { reason, block, isError, content } of anthropicBlocks) {
  test(`from an Anthropic block: ${reason}`, () => {
    assert.deepEqual(fromAnthropicToolResult({ tool_use_id: 'toolu_1', ...block }), {
      toolUseId: 'toolu_1',
      isError,
      content,
    });
  });
}
