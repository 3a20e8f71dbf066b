export type { CallContext } from './classify/call-context.ts';
export { classifyResult, classifyRpcError, classifyThrown } from './classify/classify-values.ts';
export {
  declaredFailure,
  defaultFailureBodies,
  defineFailureBody,
  effectAiError,
  type FailureBodyDefinition,
  type FailureReading,
  looseFailure,
  orchestratorMcpFailure,
  type RecognizedFailure,
  type Recognizer,
} from './classify/failure-bodies.ts';
export { observeFetch } from './client/observe-fetch.ts';
export type { OutcomeOptions } from './client/options.ts';
export type { CallOptions, CallOptionsFor, CallParams, Progress } from './client/read-call.ts';
export type { ToolCallingClient } from './client/sdk-client.ts';
export { type CallToolResultOptions, toCallToolResult } from './client/to-call-tool-result.ts';
export { type ToolCaller, withOutcomes } from './client/with-outcomes.ts';
export {
  type AuthChallenge,
  type CallFailureOutcome,
  type CallFailureReason,
  type CancelledOutcome,
  type ContentBlock,
  callFailureReasons,
  type Delivery,
  type FailedOutcome,
  type Failure,
  type FailureBodyOutcome,
  type FailureCategory,
  failureCategories,
  type OutcomeKind,
  type OutcomeWarning,
  outcomeKinds,
  type SchemaIssue,
  type SchemaMismatchOutcome,
  type SuccessOutcome,
  type ToolErrorOutcome,
  type ToolErrorResult,
  type ToolOutcome,
  type ToolResult,
} from './outcome.ts';
export { OptionsError } from './redact/options-error.ts';
export { createRedactor, type Redactor, type RedactorOptions } from './redact/redactor.ts';
export {
  type AISDKContentPart,
  type AISDKToolResultOutput,
  toAISDKToolResultOutput,
} from './report/ai-sdk.ts';
export {
  type AnthropicToolResult,
  type AnthropicToolResultContent,
  fromAnthropicToolResult,
  type ToolResultFromAnthropic,
  toAnthropicToolResult,
} from './report/anthropic.ts';
export { type OtelAttributes, toOtelAttributes } from './report/attributes.ts';
export type { CallToolResult } from './report/call-tool-result.ts';
export {
  type GeminiFunctionResponse,
  type GeminiFunctionResponsePart,
  toGeminiFunctionResponse,
} from './report/gemini.ts';
export type { JsonValue } from './report/json.ts';
export {
  type LangChainContentBlock,
  type LangChainToolMessage,
  toLangChainToolMessage,
} from './report/langchain.ts';
export {
  type LogRecord,
  logOutcome,
  logRecordSchema,
  type OutcomeFields,
  type OutcomeLogger,
  outcomeSerializer,
} from './report/log.ts';
export {
  type OpenAIFunctionCallOutput,
  type OpenAIOutputPart,
  type OpenAIToolMessage,
  toOpenAIFunctionCallOutput,
  toOpenAIToolMessage,
} from './report/openai.ts';
export {
  type DispatcherCategory,
  dispatcherCategory,
  type ToolReceipt,
  toReceipt,
} from './report/receipt.ts';
export { type StatusResult, toStatusResult } from './report/status-result.ts';
export { outcomeText } from './report/text.ts';
export { outcomeDigest, parseOutcome, serializeOutcome } from './report/trace.ts';
export {
  isFailedToolMessage,
  markToolMessage,
  publishToolMessages,
  type ToolMessageMark,
  type TranscriptOptions,
} from './report/transcript.ts';
export { ToolCallError, unwrap } from './report/unwrap.ts';
export type { CallToolResultBlock } from './report/wire-blocks.ts';
