import { setTimeout as delay } from 'node:timers/promises';
import {
  classifyRpcError,
  observeFetch,
  type Redactor,
  type ToolCallingClient,
  type ToolOutcome,
  withOutcomes,
} from '../index.ts';
import { HandshakeError, RefusedError } from './connection.ts';

/** The call that was never sent, because its server could not be reached or refused the handshake. */
export interface UnsentCall {
  readonly tool: string;
  readonly server: string | undefined;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly startedAt: Date;
}

/**
 * What connecting threw, as the outcome of the call, never delivered: the server's error for the handshake is judged like
 * every JSON-RPC error, all else like every thrown value.
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
  const client =
    thrown instanceof RefusedError ? refusedClient(thrown) : { callTool: () => Promise.reject(thrown) };
  const { callTool } = withOutcomes(client, {
    logger: false,
    redactor,
    outputSchemas: 'off',
    ...(server === undefined ? {} : { server }),
  });
  return callTool({ name: tool }, { signal });
}

/** An error body that never ends is read for this long. */
const bodyMs = 500;

interface RefusedClient extends ToolCallingClient {
  readonly transport: object;
}

/** A client whose call is refused as the handshake was: so its outcome has all that the answer says. */
function refusedClient(refused: RefusedError): RefusedClient {
  const fetchAgain = observeFetch(async () => refused.answer);
  const transport = {
    onmessage: () => undefined,
    send: async (message: object): Promise<never> => {
      const answer = await fetchAgain('http://refused.invalid', {
        method: 'POST',
        body: JSON.stringify(message),
      });
      await Promise.race([answer.text().catch(() => ''), delay(bodyMs)]);
      throw refused;
    },
  };
  return {
    transport,
    callTool: (params: object) => transport.send({ jsonrpc: '2.0', id: 0, method: 'tools/call', params }),
  };
}

/** A spread loses what is not enumerable. */
function keepCause<T extends object>(outcome: T, cause: unknown): T & { readonly cause: unknown } {
  return Object.defineProperty({ ...outcome, cause }, 'cause', { enumerable: false });
}
