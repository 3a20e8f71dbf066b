import { randomUUID } from 'node:crypto';
import type { ToolOutcome } from '../outcome.ts';
import { defaultRedactor } from '../redact/redactor.ts';
import { readProperty } from '../redact/safe-read.ts';
import { classify } from './classify.ts';
import type { ClassifyContext } from './evidence.ts';
import { defaultFailureBodies, type Recognizer } from './failure-bodies.ts';
import { toOutputSchemaCheck } from './output-schema-check.ts';

/** Where a result, a JSON-RPC error or a thrown value came from, for runtimes with a client of their own. */
export interface CallContext {
  readonly server: string;
  readonly tool: string;
  /** Default: a UUID. */
  readonly callId?: string;
  /** The caller's own signal: when it is aborted, a thrown value is a cancelled call. */
  readonly signal?: AbortSignal;
  /** The tool's advertised output schema (JSON Schema 2020-12 or draft-07); for `classifyResult`. */
  readonly outputSchema?: object;
  /** Replaces `defaultFailureBodies`. */
  readonly failureBodies?: readonly Recognizer[];
  /** ISO 8601. Default: now. */
  readonly startedAt?: string;
  /** Default: 0. */
  readonly durationMs?: number;
}

/** Classifies what a `tools/call` or a `tasks/result` returned, of any shape. Never throws; `delivery` is `answered`. */
export function classifyResult(result: unknown, context: CallContext): ToolOutcome {
  return classify({ source: 'result', result, delivery: 'answered' }, toClassifyContext(context));
}

/** Classifies the `error` member of a JSON-RPC response. Never throws. */
export function classifyRpcError(error: unknown, context: CallContext): ToolOutcome {
  return classify({ source: 'rpc_error', error, thrown: undefined }, toClassifyContext(context));
}

/**
 * Classifies what a client threw, of any type. Never throws, and never answers with a success.
 *
 * Without a view of the wire an error that a server sent looks like one that SDK v1 made itself: then `delivery` is
 * `unknown`.
 */
export function classifyThrown(thrown: unknown, context: CallContext): ToolOutcome {
  const { signal } = context;
  return classify(
    readProperty(signal, 'aborted') === true
      ? { source: 'aborted', abortReason: readProperty(signal, 'reason'), delivery: 'unknown' }
      : { source: 'rejected', thrown, origin: 'unknown' },
    toClassifyContext(context),
  );
}

/** The clock and the id are the caller's where they matter; the defaults are for everybody else. */
function toClassifyContext(context: CallContext): ClassifyContext {
  const { server, tool, callId, outputSchema, failureBodies, startedAt, durationMs } = context;
  return {
    server,
    tool,
    callId: callId ?? randomUUID(),
    startedAt: startedAt ?? new Date().toISOString(),
    durationMs: durationMs ?? 0,
    redactor: defaultRedactor,
    failureBodies: failureBodies ?? defaultFailureBodies,
    errorBodies: 'include',
    ...(outputSchema === undefined ? {} : { outputSchema: toOutputSchemaCheck(outputSchema) }),
  };
}
