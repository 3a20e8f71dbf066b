export {
  type CallContext,
  classifyResult,
  classifyRpcError,
  classifyThrown,
} from './classify/classify-values.ts';
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
export type { CallOptions, CallParams, Progress } from './client/read-call.ts';
export type { ToolCallingClient } from './client/sdk-client.ts';
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
  type LogRecord,
  logOutcome,
  logRecordSchema,
  type OutcomeFields,
  type OutcomeLogger,
  outcomeSerializer,
} from './report/log.ts';
