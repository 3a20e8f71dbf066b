import { classifyResult, classifyRpcError, type ToolOutcome } from '../index.ts';
import { createOpenRequests } from './open-requests.ts';
import { type Message, readMessages } from './read-message.ts';
import { looksLikeToolResult } from './result-shape.ts';

/** The names that outcomes carry where the log has none, and the schema of the structured content. */
export interface LogContext {
  readonly server: string;
  readonly tool: string;
  readonly outputSchema: object | undefined;
}

export interface LogClassifier {
  /** The outcomes in one JSON value of the log; none for messages that are no answer to a tool call. */
  readonly classify: (line: number, value: unknown) => readonly ToolOutcome[];
  readonly requests: () => number;
  /** Responses to requests that were no tool calls. */
  readonly otherResponses: () => number;
}

/** What answers these is a tool result. */
const toolMethods: ReadonlySet<unknown> = new Set(['tools/call', 'tasks/result']);

/** Classifies the messages of a log in their order. A request in it tells what the response with its id answers. */
export function createLogClassifier({ server, tool, outputSchema }: LogContext): LogClassifier {
  const open = createOpenRequests();
  const startedAt = new Date().toISOString();
  let requests = 0;
  let otherResponses = 0;
  let lastLine = 0;
  let onLine = 0;

  /** Several messages may begin on one line: members of a list, values that touch. */
  const nextCallId = (line: number): string => {
    onLine = line === lastLine ? onLine + 1 : 1;
    lastLine = line;
    return onLine === 1 ? `line-${line}` : `line-${line}-${onLine}`;
  };

  const toOutcome = (message: Message, callId: string): ToolOutcome | undefined => {
    if (message.is === 'request') {
      open.add(message.id, { ofTool: toolMethods.has(message.method), tool: toolName(message.tool) });
      requests += 1;
      return undefined;
    }
    const request = open.take(
      message.id,
      message.is === 'result' ? looksLikeToolResult(message.result) : undefined,
    );
    if (request?.ofTool === false) {
      otherResponses += 1;
      return undefined;
    }
    const base = { server, tool: request?.tool ?? tool, callId, startedAt };
    const context = outputSchema === undefined ? base : { ...base, outputSchema };
    return message.is === 'error'
      ? classifyRpcError(message.error, context)
      : classifyResult(message.result, context);
  };

  return {
    classify: (line, value) =>
      readMessages(value).flatMap((message) => toOutcome(message, nextCallId(line)) ?? []),
    requests: () => requests,
    otherResponses: () => otherResponses,
  };
}

/** A longer name is none: names are remembered, and counted by tool. */
const longestName = 256;

function toolName(name: unknown): string | undefined {
  return typeof name === 'string' && name !== '' && name.length <= longestName ? name : undefined;
}
