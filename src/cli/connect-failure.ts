import { classifyRpcError, type Redactor, type ToolOutcome, withOutcomes } from '../index.ts';
import { HandshakeError } from './connection.ts';

/** The call that was never sent, because its server could not be reached or refused the handshake. */
export interface UnsentCall {
  readonly tool: string;
  readonly server: string | undefined;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly startedAt: Date;
}

/**
 * What connecting threw, as the outcome of the call, never delivered: the server's error for the handshake as any other
 * JSON-RPC error, all else as any other thrown value.
 */
export async function toConnectFailure(thrown: unknown, call: UnsentCall): Promise<ToolOutcome> {
  const facts = {
    delivery: 'not_sent',
    startedAt: call.startedAt.toISOString(),
    durationMs: Date.now() - call.startedAt.getTime(),
  } as const;
  const refused = thrown instanceof HandshakeError;
  const outcome = refused ? classifyHandshakeError(thrown, call) : await classifyThrown(thrown, call);
  switch (outcome.kind) {
    case 'call_failure': {
      const reason = outcome.reason === 'unknown_error' ? 'not_connected' : outcome.reason;
      return keepCause({ ...outcome, ...facts, reason }, refused ? thrown.cause : outcome.cause);
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

function classifyHandshakeError(
  { error }: HandshakeError,
  { tool, server = 'mcp', redactor }: UnsentCall,
): ToolOutcome {
  return classifyRpcError({ ...error, message: redactor.text(error.message) }, { server, tool });
}

function classifyThrown(
  thrown: unknown,
  { tool, server, redactor, signal }: UnsentCall,
): Promise<ToolOutcome> {
  const unconnected = { callTool: () => Promise.reject(thrown) };
  const { callTool } = withOutcomes(unconnected, {
    logger: false,
    redactor,
    ...(server === undefined ? {} : { server }),
  });
  return callTool({ name: tool }, { signal });
}

/** A spread loses what is not enumerable. */
function keepCause<T extends object>(outcome: T, cause: unknown): T & { readonly cause: unknown } {
  return Object.defineProperty({ ...outcome, cause }, 'cause', { enumerable: false });
}
