import type { Redactor } from '../index.ts';
import { type ToolOutcome, withOutcomes } from '../index.ts';

/** The call that was never sent, because its server could not be reached or refused the handshake. */
export interface UnsentCall {
  readonly tool: string;
  readonly server: string | undefined;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly startedAt: Date;
}

/** What connecting threw, as the outcome of the call: judged as any other thrown value, and never delivered. */
export async function toConnectFailure(thrown: unknown, call: UnsentCall): Promise<ToolOutcome> {
  const { tool, server, redactor, signal, startedAt } = call;
  const unconnected = { callTool: () => Promise.reject(thrown) };
  const { callTool } = withOutcomes(unconnected, {
    logger: false,
    redactor,
    ...(server === undefined ? {} : { server }),
  });
  const outcome = await callTool({ name: tool }, { signal });
  const facts = {
    delivery: 'not_sent',
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
  } as const;
  switch (outcome.kind) {
    case 'call_failure': {
      const reason = outcome.reason === 'unknown_error' ? 'not_connected' : outcome.reason;
      return keepCause({ ...outcome, ...facts, reason }, outcome.cause);
    }
    case 'cancelled':
      return keepCause({ ...outcome, ...facts }, outcome.cause);
    case 'success':
    case 'tool_error':
    case 'failure_body':
    case 'schema_mismatch':
      return outcome;
  }
}

/** A spread loses what is not enumerable. */
function keepCause<T extends object>(outcome: T, cause: unknown): T & { readonly cause: unknown } {
  return Object.defineProperty({ ...outcome, cause }, 'cause', { enumerable: false });
}
