import { test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import type { FunctionResponse } from '@google/genai';
import type { ToolMessageFields } from '@langchain/core/messages';
import type { CallToolResult as SdkCallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { JSONValue, ToolResultPart } from 'ai';
import { expectTypeOf } from 'expect-type';
import type OpenAI from 'openai';
import { toCallToolResult } from '../src/index.ts';
import { toAISDKToolResultOutput } from '../src/report/ai-sdk.ts';
import { type fromAnthropicToolResult, toAnthropicToolResult } from '../src/report/anthropic.ts';
import { toGeminiFunctionResponse } from '../src/report/gemini.ts';
import type { JsonValue } from '../src/report/json.ts';
import { toLangChainToolMessage } from '../src/report/langchain.ts';
import { toOpenAIFunctionCallOutput, toOpenAIToolMessage } from '../src/report/openai.ts';
import { markToolMessage, publishToolMessages } from '../src/report/transcript.ts';
import { samples } from './support/outcomes.ts';

// The compiler does the work: each rendering fits the parameter type of the provider's own package.

test('every message fits its provider', () => {
  expectTypeOf(toAnthropicToolResult).returns.toExtend<Anthropic.ToolResultBlockParam>();
  expectTypeOf(toOpenAIToolMessage).returns.toExtend<OpenAI.ChatCompletionToolMessageParam>();
  expectTypeOf(
    toOpenAIFunctionCallOutput,
  ).returns.toExtend<OpenAI.Responses.ResponseInputItem.FunctionCallOutput>();
  expectTypeOf(toGeminiFunctionResponse).returns.toExtend<FunctionResponse>();
  expectTypeOf(toAISDKToolResultOutput).returns.toExtend<ToolResultPart['output']>();
  expectTypeOf(toLangChainToolMessage).returns.toExtend<ToolMessageFields>();
  expectTypeOf(toCallToolResult).returns.toExtend<SdkCallToolResult>();
  expectTypeOf<JsonValue>().toExtend<JSONValue>();
});

test('one provider does not fit another', () => {
  expectTypeOf(toOpenAIToolMessage).returns.not.toExtend<Anthropic.ToolResultBlockParam>();
  expectTypeOf(toAnthropicToolResult).returns.not.toExtend<OpenAI.ChatCompletionToolMessageParam>();
  expectTypeOf(toGeminiFunctionResponse).returns.not.toExtend<ToolResultPart['output']>();
});

test("the provider's own blocks and messages go back in without a cast", () => {
  expectTypeOf<Anthropic.ToolResultBlockParam>().toExtend<Parameters<typeof fromAnthropicToolResult>[0]>();
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    toOpenAIToolMessage(samples.text, { toolCallId: 't' }),
  ];
  const marked = messages.map((message) => markToolMessage(message, samples.isError));
  expectTypeOf(publishToolMessages(marked)).toEqualTypeOf<OpenAI.ChatCompletionMessageParam[]>();
});
