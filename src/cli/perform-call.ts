import { createRedactor, serializeOutcome, type ToolOutcome } from '../index.ts';
import { createConnection } from './connection.ts';
import { listenForInterrupts } from './interrupts.ts';
import { createProgressLine } from './progress-line.ts';
import { renderText } from './render-text.ts';
import { type CallRequest, runCall } from './run-call.ts';
import { secretsOf } from './secrets.ts';
import type { ServerTarget } from './server-target.ts';
import { print, say } from './streams.ts';
import { createWarnings } from './warnings.ts';

export interface CallLine {
  readonly target: ServerTarget;
  readonly request: CallRequest;
  readonly format: 'json' | 'text';
}

/** Connects, calls, prints the outcome and closes. Resolves with the exit code. */
export async function performCall({ target, request, format }: CallLine): Promise<number> {
  const redactor = createRedactor({ values: secretsOf(target) });
  const connection = createConnection(target);
  const interrupts = listenForInterrupts(() => {
    connection.kill();
    process.exit(130);
  });
  const progress = createProgressLine(process.stderr, redactor);
  const warnings = createWarnings(format, redactor);
  try {
    const outcome = await runCall(connection, request, {
      signal: interrupts.signal,
      logger: {
        warn: (record, message) => {
          progress?.clear();
          warnings.warn(record, message);
        },
      },
      redactor,
      onprogress: progress?.show,
    });
    interrupts.disarm();
    progress?.clear();
    return await report(outcome, format);
  } finally {
    await connection.close();
  }
}

/** Prints the outcome at once: closing a stubborn server takes seconds. */
async function report(outcome: ToolOutcome, format: 'json' | 'text'): Promise<number> {
  try {
    await print(format === 'text' ? renderText(outcome) : `${serializeOutcome(outcome)}\n`);
  } catch (error) {
    // The result may be nested deeper than any writer of JSON follows.
    const words = error instanceof Error ? error.message : String(error);
    say(`mcp-outcome: the outcome is ${outcome.kind}, but cannot be printed: ${words}`);
    return 1;
  }
  return outcome.ok ? 0 : 1;
}
