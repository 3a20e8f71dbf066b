import { randomUUID } from 'node:crypto';
import type { ToolOutcome } from '../outcome.ts';
import { defaultRedactor } from '../redact/redactor.ts';
import { safeNames } from '../redact/safe-names.ts';
import { readProperty } from '../redact/safe-read.ts';
import { type CallContext, readCallContext } from './call-context.ts';
import { classify } from './classify.ts';
import type { ClassifyContext } from './evidence.ts';
import { defaultFailureBodies } from './failure-bodies.ts';
import { toOutputSchemaCheck } from './output-schema-check.ts';

/**
 * Classifies what a `tools/call` or a `tasks/result` returned, of any shape; `delivery` is `answered`.
 *
 * @throws OptionsError for a bad context alone; the same for the two below.
 */
export function classifyResult(result: unknown, context: CallContext): ToolOutcome {
  return classify({ source: 'result', result, delivery: 'answered' }, toClassifyContext(context));
}

/** Classifies the `error` member of a JSON-RPC response. */
export function classifyRpcError(error: unknown, context: CallContext): ToolOutcome {
  return classify({ source: 'rpc_error', error, thrown: undefined }, toClassifyContext(context));
}

/**
 * Classifies what a client threw, of any type: never a success.
 *
 * Without a view of the wire an error that a server sent looks like one that SDK v1 made itself: then `delivery` is
 * `unknown`.
 */
export function classifyThrown(thrown: unknown, context: CallContext): ToolOutcome {
  const signal = readProperty(context, 'signal');
  return classify(
    readProperty(signal, 'aborted') === true
      ? { source: 'aborted', abortReason: readProperty(signal, 'reason'), delivery: 'unknown' }
      : { source: 'rejected', thrown, origin: 'unknown' },
    toClassifyContext(context),
  );
}

const safeName = safeNames(defaultRedactor);

/** The clock and the id are the caller's where they matter; the defaults are for everybody else. */
function toClassifyContext(context: CallContext): ClassifyContext {
  const { server, tool, callId, outputSchema, failureBodies, startedAt, durationMs } =
    readCallContext(context);
  return {
    server: safeName(server),
    tool: safeName(tool),
    callId: callId ?? randomUUID(),
    startedAt: startedAt ?? new Date().toISOString(),
    durationMs: durationMs ?? 0,
    redactor: defaultRedactor,
    failureBodies: failureBodies ?? defaultFailureBodies,
    errorBodies: 'include',
    ...(outputSchema === undefined ? {} : { outputSchema: toOutputSchemaCheck(outputSchema) }),
  };
}
