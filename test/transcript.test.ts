import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OptionsError } from '../src/redact/options-error.ts';
import { toAnthropicToolResult } from '../src/report/anthropic.ts';
import { toOpenAIToolMessage } from '../src/report/openai.ts';
import { isFailedToolMessage, markToolMessage, publishToolMessages } from '../src/report/transcript.ts';
import { outcomeArbitrary, samples } from './support/outcomes.ts';

const user = { role: 'user', content: 'refund it' };

test('a failed call is marked, its content untouched; a successful one stays the same object', () => {
  const message = { role: 'tool', tool_call_id: 't', content: 'Internal Server Error' };
  assert.deepEqual(markToolMessage(message, samples.isError), {
    ...message,
    _mcp_outcome: { kind: 'tool_error', category: 'tool_error', callId: 'call-1' },
  });
  assert.equal(markToolMessage(message, samples.text), message);
  assert.deepEqual(message, { role: 'tool', tool_call_id: 't', content: 'Internal Server Error' });
});

const mark = { kind: 'tool_error', category: 'tool_error', callId: 'call-1' };

const rows: readonly { reason: string; marked: object; published: object }[] = [
  {
    reason: 'OpenAI chat, a text',
    marked: { role: 'tool', tool_call_id: 't', content: 'boom' },
    published: { role: 'tool', tool_call_id: 't', content: 'Tool execution failed:\nboom' },
  },
  {
    reason: 'OpenAI chat, a list of parts',
    marked: { role: 'tool', content: [{ type: 'text', text: 'boom' }, { type: 'refusal' }] },
    published: {
      role: 'tool',
      content: [
        { type: 'text', text: 'Tool execution failed:\n' },
        { type: 'text', text: 'boom' },
        { type: 'refusal' },
      ],
    },
  },
  {
    reason: 'an empty text is never sent as one',
    marked: { role: 'tool', content: '' },
    published: { role: 'tool', content: 'Tool execution failed:\n(no detail provided)' },
  },
  {
    reason: 'an empty list is never sent as one',
    marked: { role: 'tool', content: [] },
    published: { role: 'tool', content: 'Tool execution failed:\n(no detail provided)' },
  },
  {
    reason: 'no content at all',
    marked: { role: 'tool', content: null },
    published: { role: 'tool', content: 'Tool execution failed:\n(no detail provided)' },
  },
  {
    reason: 'a message that is prefixed already',
    marked: { role: 'tool', content: 'Tool execution failed:\nboom' },
    published: { role: 'tool', content: 'Tool execution failed:\nboom' },
  },
  {
    reason: 'OpenAI Responses',
    marked: {
      type: 'function_call_output',
      call_id: 't',
      output: [{ type: 'input_image', image_url: 'data:' }],
    },
    published: {
      type: 'function_call_output',
      call_id: 't',
      output: [
        { type: 'input_text', text: 'Tool execution failed:\n' },
        { type: 'input_image', image_url: 'data:' },
      ],
    },
  },
  {
    reason: 'Anthropic, the flag and no prefix: a text block before a tool_result is refused',
    marked: {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't', content: 'boom' },
        { type: 'text', text: 'so?' },
      ],
    },
    published: {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't', content: 'boom', is_error: true },
        { type: 'text', text: 'so?' },
      ],
    },
  },
  {
    reason: 'an Anthropic message whose flag says which call it was',
    marked: { role: 'user', content: [{ type: 'tool_result', is_error: true }, { type: 'tool_result' }] },
    published: { role: 'user', content: [{ type: 'tool_result', is_error: true }, { type: 'tool_result' }] },
  },
  {
    reason: 'Vercel AI SDK, a text',
    marked: { role: 'tool', content: [{ type: 'tool-result', output: { type: 'text', value: 'boom' } }] },
    published: {
      role: 'tool',
      content: [{ type: 'tool-result', output: { type: 'error-text', value: 'boom' } }],
    },
  },
  {
    reason: 'Vercel AI SDK, JSON',
    marked: { type: 'tool-result', output: { type: 'json', value: { error: 'no' } } },
    published: { type: 'tool-result', output: { type: 'error-json', value: { error: 'no' } } },
  },
  {
    reason: 'Vercel AI SDK, content: an error output is text alone',
    marked: {
      type: 'tool-result',
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'boom' },
          { type: 'image-data', data: 'aGk=', mediaType: 'image/png' },
        ],
      },
    },
    published: {
      type: 'tool-result',
      output: { type: 'error-text', value: 'boom\n[image-data: image/png]' },
    },
  },
  {
    reason: 'Gemini',
    marked: { role: 'user', parts: [{ functionResponse: { name: 'refund', response: { output: 'boom' } } }] },
    published: {
      role: 'user',
      parts: [{ functionResponse: { name: 'refund', response: { error: 'boom' } } }],
    },
  },
  {
    reason: 'LangChain',
    marked: { tool_call_id: 't', status: 'success', content: 'boom' },
    published: { tool_call_id: 't', status: 'error', content: 'boom' },
  },
];

for (const { reason, marked, published } of rows) {
  test(`publishing a marked message: ${reason}`, () => {
    const given = { ...marked, _mcp_outcome: mark };
    assert.deepEqual(publishToolMessages([user, given]), [user, published]);
    assert.ok(isFailedToolMessage(given), 'marked');
    assert.ok(isFailedToolMessage(published), 'published');
    assert.deepEqual(given, { ...marked, _mcp_outcome: mark }, 'the stored message is not touched');
  });
}

const textOf = (words: string) => [{ type: 'text', text: words }];

const parallel: readonly {
  reason: string;
  message: (a: object, b: object) => object;
  fine: object;
  boom: object;
  published: object;
}[] = [
  {
    reason: 'Anthropic',
    message: (a, b) => ({ role: 'user', content: [a, b, { type: 'text', text: 'so?' }] }),
    fine: { type: 'tool_result', tool_use_id: 'call-0', content: textOf('fine') },
    boom: { type: 'tool_result', tool_use_id: 'call-1', content: textOf('boom') },
    published: { type: 'tool_result', tool_use_id: 'call-1', content: textOf('boom'), is_error: true },
  },
  {
    reason: 'Gemini',
    message: (a, b) => ({ role: 'user', parts: [a, b] }),
    fine: { functionResponse: { id: 'call-0', name: 'refund', response: { output: 'fine' } } },
    boom: { functionResponse: { id: 'call-1', name: 'refund', response: { output: 'boom' } } },
    published: { functionResponse: { id: 'call-1', name: 'refund', response: { error: 'boom' } } },
  },
  {
    reason: 'Vercel AI SDK',
    message: (a, b) => ({ role: 'tool', content: [a, b] }),
    fine: { type: 'tool-result', toolCallId: 'call-0', output: { type: 'text', value: 'fine' } },
    boom: { type: 'tool-result', toolCallId: 'call-1', output: { type: 'text', value: 'boom' } },
    published: { type: 'tool-result', toolCallId: 'call-1', output: { type: 'error-text', value: 'boom' } },
  },
];

for (const { reason, message, fine, boom, published } of parallel) {
  test(`parallel results in one message, the failed one marked: ${reason}`, () => {
    const marked = message(fine, markToolMessage(boom, samples.isError));
    const clean = message(fine, boom);
    const [once, same] = publishToolMessages([marked, clean]);
    assert.deepEqual(once, message(fine, published));
    assert.equal(same, clean, 'an unmarked message stays the same object');
    assert.equal(itemsOf(once)[0], fine, 'an unmarked item stays the same object');
    assert.equal(publishToolMessages([once ?? {}])[0], once, 'twice changes nothing');
    assert.ok(isFailedToolMessage(marked), 'marked');
    assert.ok(isFailedToolMessage(once), 'published');
    assert.equal(isFailedToolMessage(clean), false);
    assert.deepEqual(
      marked,
      message(fine, { ...boom, _mcp_outcome: mark }),
      'the stored message is not touched',
    );
  });

  test(`parallel results in one message, the whole message marked: ${reason}`, () => {
    const clean = message(fine, boom);
    const marked = markToolMessage(clean, samples.isError);
    assert.deepEqual(marked, message(fine, { ...boom, _mcp_outcome: mark }), 'the call it was is marked');
    assert.deepEqual(publishToolMessages([marked]), [message(fine, published)]);
    const other = { ...samples.isError, callId: 'call-0' };
    const both = markToolMessage(marked, other);
    assert.deepEqual(itemsOf(both).slice(0, 2), [
      { ...fine, _mcp_outcome: { ...mark, callId: 'call-0' } },
      { ...boom, _mcp_outcome: mark },
    ]);
    const unknown = { ...samples.isError, callId: 'call-7' };
    const whole = markToolMessage(clean, unknown);
    assert.deepEqual(whole, { ...clean, _mcp_outcome: { ...mark, callId: 'call-7' } });
    const [all] = publishToolMessages([whole]);
    assert.ok(
      itemsOf(all)
        .slice(0, 2)
        .every((item) => isFailedToolMessage(item)),
      'none is known: each of them',
    );
    assert.equal(markToolMessage(clean, samples.text), clean);
  });
}

function itemsOf(message: object | undefined): readonly unknown[] {
  const items: unknown = Reflect.get(message ?? {}, 'content') ?? Reflect.get(message ?? {}, 'parts');
  assert.ok(Array.isArray(items));
  return items;
}

const inner: readonly { reason: string; marked: object; published: object }[] = [
  {
    reason: 'a Gemini functionResponse',
    marked: {
      parts: [{ functionResponse: { name: 'refund', response: { error: 'boom' }, _mcp_outcome: mark } }],
    },
    published: { parts: [{ functionResponse: { name: 'refund', response: { error: 'boom' } } }] },
  },
  {
    reason: 'an AI SDK output',
    marked: {
      role: 'tool',
      content: [{ type: 'tool-result', output: { type: 'text', value: 'boom', _mcp_outcome: mark } }],
    },
    published: {
      role: 'tool',
      content: [{ type: 'tool-result', output: { type: 'error-text', value: 'boom' } }],
    },
  },
  {
    reason: 'a text part, which has no flag',
    marked: { role: 'tool', content: [{ type: 'text', text: 'boom', _mcp_outcome: mark }] },
    published: { role: 'tool', content: [{ type: 'text', text: 'Tool execution failed:\nboom' }] },
  },
  {
    reason: 'a part that has neither a flag nor a text',
    marked: { role: 'tool', content: [{ type: 'refusal', _mcp_outcome: mark }] },
    published: { role: 'tool', content: [{ type: 'refusal' }] },
  },
];

for (const { reason, marked, published } of inner) {
  test(`the key never reaches a provider: marked was ${reason}`, () => {
    assert.ok(isFailedToolMessage(marked));
    assert.deepEqual(publishToolMessages([marked]), [published]);
    assert.equal(publishToolMessages([published])[0], published);
  });
}

test('a key in what the tool wrote is no mark', () => {
  const message = {
    role: 'tool',
    content: [{ type: 'tool-result', output: { type: 'json', value: { _mcp_outcome: mark } } }],
  };
  assert.equal(publishToolMessages([message])[0], message);
  assert.equal(isFailedToolMessage(message), false);
});

test('a message of a class stays one, also a frozen one', () => {
  class ToolMessage {
    readonly role = 'tool';
    readonly content: string;
    constructor(content: string) {
      this.content = content;
    }
  }
  for (const message of [new ToolMessage('boom'), Object.freeze(new ToolMessage('boom'))]) {
    const marked = markToolMessage(message, samples.isError);
    const [published] = publishToolMessages([marked]);
    assert.ok(marked instanceof ToolMessage && published instanceof ToolMessage);
    assert.deepEqual({ ...marked }, { role: 'tool', content: 'boom', _mcp_outcome: mark });
    assert.deepEqual({ ...published }, { role: 'tool', content: 'Tool execution failed:\nboom' });
  }
});

test('messages without the key stay the same objects', () => {
  const messages = [user, { role: 'tool', content: 'boom' }, { role: 'tool', content: '' }];
  for (const [index, message] of publishToolMessages(messages).entries()) {
    assert.equal(message, messages[index]);
  }
});

test('publishing twice, and publishing what was persisted, changes nothing', () => {
  fc.assert(
    fc.property(fc.array(outcomeArbitrary(), { maxLength: 5 }), (outcomes) => {
      const messages = outcomes.flatMap((outcome) => [
        user,
        markToolMessage(toOpenAIToolMessage(outcome, { toolCallId: 't' }), outcome),
        markToolMessage(
          { role: 'user', content: [toAnthropicToolResult(outcome, { toolUseId: 't' })] },
          outcome,
        ),
        markToolMessage({ role: 'tool', content: outcome.message }, outcome),
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'other', content: 'fine' },
            markToolMessage(toAnthropicToolResult(outcome, { toolUseId: 't' }), outcome),
          ],
        },
      ]);
      const once = publishToolMessages<object>(messages);
      assert.deepEqual(publishToolMessages(once), once);
      const stored: object[] = JSON.parse(JSON.stringify(messages));
      assert.deepEqual(publishToolMessages(stored), JSON.parse(JSON.stringify(once)));
      assert.doesNotMatch(JSON.stringify(once), /_mcp_outcome/);
    }),
    { seed: 6, numRuns: 200 },
  );
});

test('another key', () => {
  const message = { role: 'tool', content: 'boom' };
  const marked = markToolMessage(message, samples.isError, { key: '_flag' });
  assert.deepEqual(Object.keys(marked), ['role', 'content', '_flag']);
  assert.equal(isFailedToolMessage(marked), false);
  assert.ok(isFailedToolMessage(marked, { key: '_flag' }));
  assert.equal(publishToolMessages([marked])[0], marked);
  assert.deepEqual(publishToolMessages([marked], { key: '_flag' }), [
    { role: 'tool', content: 'Tool execution failed:\nboom' },
  ]);
});

test('a key that is no key is refused by name, whatever the outcome', () => {
  for (const outcome of [samples.isError, samples.text]) {
    assert.throws(
      () => markToolMessage({}, outcome, { key: '' }),
      (error) =>
        OptionsError.isInstance(error) && error.option === 'key' && /non-empty string/.test(error.message),
    );
  }
});
