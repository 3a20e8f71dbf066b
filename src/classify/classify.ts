import type { CancelledOutcome, ToolOutcome } from '../outcome.ts';
import { isObject, readProperty } from '../redact/safe-read.ts';
import { readErrorMessage } from './error-facts.ts';
import type { AbortEvidence, ClassifyContext, Evidence } from './evidence.ts';
import { classifyBadCall, classifyEnded, classifyRejection, classifyRpcErrorObject } from './failure.ts';
import { commonParts, hideCause, safeMessage } from './outcome-parts.ts';
import { classifyToolResult } from './result.ts';

/** Evidence in, outcome out: total, without I/O, clock or logger. The same evidence always gives the same outcome. */
export function classify(evidence: Evidence, context: ClassifyContext): ToolOutcome {
  switch (evidence.source) {
    case 'result':
      return classifyToolResult(evidence, context);
    case 'rpc_error':
      return classifyRpcErrorObject(evidence, context);
    case 'aborted':
      return classifyAbort(evidence, context);
    case 'rejected':
      return classifyRejection(evidence, context);
    case 'ended':
      return classifyEnded(evidence, context);
    case 'bad_call':
      return classifyBadCall(evidence, context);
  }
}

/** `AbortSignal.timeout()` is the common way to set a timeout: its reason is a failure, every other one the caller's wish. */
function classifyAbort(evidence: AbortEvidence, context: ClassifyContext): ToolOutcome {
  const { abortReason, delivery } = evidence;
  if (isTimeoutReason(abortReason)) {
    const message = readErrorMessage(abortReason);
    return classifyEnded(
      { source: 'ended', reason: 'timeout', message, delivery, thrown: abortReason },
      context,
    );
  }
  const reason = readReason(abortReason);
  const words = reason === undefined ? '' : `: ${reason}`;
  const outcome: CancelledOutcome = {
    kind: 'cancelled',
    ok: false,
    category: 'cancelled',
    ...commonParts(context, safeMessage(context, `cancelled by the caller${words}`), delivery),
    cause: abortReason,
  };
  return hideCause(outcome);
}

/** The words of a reason: any value may be one. */
function readReason(reason: unknown): string | undefined {
  const words = isObject(reason) ? readProperty(reason, 'message') : reason;
  return words === undefined || words === null || words === '' || isObject(words) ? undefined : String(words);
}

function isTimeoutReason(reason: unknown): boolean {
  return tagOf(reason) === 'DOMException' && readProperty(reason, 'name') === 'TimeoutError';
}

/** A `DOMException` of any realm: `instanceof` knows only this one's. */
function tagOf(value: unknown): unknown {
  return readProperty(value, Symbol.toStringTag);
}
