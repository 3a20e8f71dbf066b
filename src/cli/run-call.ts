import {
  logOutcome,
  type OutcomeLogger,
  type Progress,
  type Redactor,
  type ToolOutcome,
  withOutcomes,
} from '../index.ts';
import { toConnectFailure } from './connect-failure.ts';
import type { Connection } from './connection.ts';

export interface CallRequest {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The server's name in a config file. */
  readonly server: string | undefined;
  /** For connecting and the call together. */
  readonly timeoutMs: number;
  readonly outputSchema: object | undefined;
}

export interface CallSurroundings {
  readonly signal: AbortSignal;
  readonly logger: OutcomeLogger;
  readonly redactor: Redactor;
  readonly onprogress: ((progress: Progress) => void) | undefined;
}

/** Connects and calls. Never rejects: a server that cannot be reached is an outcome too. */
export async function runCall(
  connection: Connection,
  request: CallRequest,
  { signal, logger, redactor, onprogress }: CallSurroundings,
): Promise<ToolOutcome> {
  const { tool, args, server, timeoutMs, outputSchema } = request;
  const startedAt = new Date();
  try {
    await connection.open(timeoutMs, signal);
  } catch (thrown) {
    const outcome = await toConnectFailure(thrown, { tool, server, redactor, signal, startedAt });
    logOutcome(logger, outcome);
    return outcome;
  }
  const { callTool } = withOutcomes(connection.client, {
    logger,
    redactor,
    ...(server === undefined ? {} : { server }),
    ...(outputSchema === undefined ? {} : { outputSchemas: { [tool]: outputSchema } }),
  });
  const timeout = Math.max(1, timeoutMs - (Date.now() - startedAt.getTime()));
  return callTool(
    { name: tool, arguments: args },
    { signal, timeout, ...(onprogress === undefined ? {} : { onprogress }) },
  );
}
