import type {
  CallFailureOutcome,
  CallFailureReason,
  CancelledOutcome,
  Delivery,
  FailureCategory,
  OutcomeKind,
  ToolOutcome,
} from '../outcome.ts';

/** What a runtime keeps of one call: no server text, no content, safe to store and to compare. */
export interface ToolReceipt {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly kind: Exclude<OutcomeKind, 'cancelled'>;
  readonly category: 'success' | 'tool_error' | 'schema_mismatch' | FailureCategory;
  readonly reason?: CallFailureReason;
  readonly httpStatus?: number;
  readonly rpcCode?: number;
  readonly delivery: Delivery;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** The closed set of a tool dispatcher, which knows no "the tool itself failed". */
export type DispatcherCategory = 'success' | FailureCategory;

/**
 * The receipt of a call, frozen, its keys always in the same order; `undefined` for a call that the caller
 * cancelled, because nothing was completed.
 */
export function toReceipt(outcome: Exclude<ToolOutcome, CancelledOutcome>): ToolReceipt;
export function toReceipt(outcome: ToolOutcome): ToolReceipt | undefined;
export function toReceipt(outcome: ToolOutcome): ToolReceipt | undefined {
  if (outcome.kind === 'cancelled') {
    return undefined;
  }
  return Object.freeze({
    callId: outcome.callId,
    server: outcome.server,
    tool: outcome.tool,
    kind: outcome.kind,
    category: outcome.category,
    ...(outcome.kind === 'call_failure' ? callFailureFacts(outcome) : {}),
    delivery: outcome.delivery,
    startedAt: outcome.startedAt,
    durationMs: outcome.durationMs,
  });
}

function callFailureFacts(outcome: CallFailureOutcome): Partial<ToolReceipt> {
  const { reason, httpStatus, rpcCode } = outcome;
  return {
    reason,
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(rpcCode === undefined ? {} : { rpcCode }),
  };
}

/**
 * The outcome's category in the words of a dispatcher. A tool's own failure and a broken schema count as
 * `transient_failure`, which there means "everything else" and not "safe to retry"; `undefined` for `cancelled`.
 */
export function dispatcherCategory(outcome: ToolOutcome): DispatcherCategory | undefined {
  switch (outcome.category) {
    case 'cancelled':
      return undefined;
    case 'tool_error':
    case 'schema_mismatch':
      return 'transient_failure';
    case 'success':
    case 'access_denied':
    case 'not_found':
    case 'transient_failure':
    case 'invalid_input':
      return outcome.category;
  }
}
