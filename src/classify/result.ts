import type {
  CallFailureOutcome,
  SchemaIssue,
  SchemaMismatchOutcome,
  ToolErrorOutcome,
  ToolErrorResult,
  ToolOutcome,
  ToolResult,
} from '../outcome.ts';
import { oneLine } from '../redact/bounded-text.ts';
import { isArray, isObject, readProperty } from '../redact/safe-read.ts';
import { readErrorMessage } from './error-facts.ts';
import type { ClassifyContext, ResultEvidence } from './evidence.ts';
import { findFailure } from './find-failure.ts';
import { commonParts, hideCause, messageLimit, safeMessage } from './outcome-parts.ts';
import { callToolResultIssues, isToolResult } from './wire-schemas.ts';

/** Judges a result: `isError` first, then an answer that is no result, then its shape, a failure body, and schemas. */
export function classifyToolResult(evidence: ResultEvidence, context: ClassifyContext): ToolOutcome {
  const { result } = evidence;
  if (isToolErrorResult(result)) {
    return toToolError(result, evidence, context);
  }
  if (readProperty(result, 'resultType') === 'input_required') {
    return toUnfinished('input_required', undefined, evidence, context);
  }
  const task = readTask(result);
  if (task !== undefined) {
    return toUnfinished('task_created', task.taskId, evidence, context);
  }
  if (!isToolResult(result)) {
    return toMismatch('call_tool_result', callToolResultIssues(result), evidence, context);
  }
  return classifyWellFormed(result, evidence, context);
}

function classifyWellFormed(
  result: ToolResult,
  evidence: ResultEvidence,
  context: ClassifyContext,
): ToolOutcome {
  const { callerSchema, delivery } = evidence;
  const structuredContent = readProperty(result, 'structuredContent');
  const found = findFailure(result, context.failureBodies, context.redactor, {
    // The caller's schema has accepted the body only if it was shown the body.
    exactTagOnly: callerSchema?.valid === true && isObject(structuredContent) && !isArray(structuredContent),
  });
  if (found !== undefined) {
    const { failure, category } = found;
    const detail = failure.message ?? failure.code ?? failure.tag ?? failure.recognizer;
    const message = safeMessage(context, detail) || noDetail;
    return {
      kind: 'failure_body',
      ok: false,
      category,
      ...commonParts(context, message, delivery),
      result,
      failure,
    };
  }
  const advertised = context.outputSchema?.(structuredContent);
  if (advertised !== undefined && advertised.issues.length > 0) {
    return toMismatch('output_schema', advertised.issues, evidence, context);
  }
  if (callerSchema?.valid === false) {
    return toMismatch('caller_schema', callerSchema.issues, evidence, context);
  }
  return {
    kind: 'success',
    ok: true,
    category: 'success',
    ...commonParts(context, 'success', delivery),
    result,
    value: callerSchema === undefined ? structuredContent : callerSchema.value,
    warnings: (advertised?.warnings ?? []).map(({ code, reason }) => ({
      code,
      reason: oneLine(context.redactor.bounded(reason, 256)),
    })),
  };
}

function toToolError(
  result: ToolErrorResult,
  evidence: ResultEvidence,
  context: ClassifyContext,
): ToolErrorOutcome {
  const found = findFailure(result, context.failureBodies, context.redactor, { exactTagOnly: false });
  const detail = found?.failure.message ?? excerpt(result);
  const message = safeMessage(context, detail) || noDetail;
  return {
    kind: 'tool_error',
    ok: false,
    category: found?.category ?? 'tool_error',
    ...commonParts(context, message, evidence.delivery),
    result,
    ...(found === undefined ? {} : { failure: found.failure }),
  };
}

function toUnfinished(
  reason: 'input_required' | 'task_created',
  taskId: string | undefined,
  evidence: ResultEvidence,
  context: ClassifyContext,
): CallFailureOutcome {
  const { thrown, delivery } = evidence;
  const said =
    reason === 'input_required'
      ? `the server asked for more input instead of a result${thrown === undefined ? '' : `: ${readErrorMessage(thrown)}`}`
      : `the server created a task instead of a result${taskId === undefined ? '' : `: ${taskId}`}`;
  return hideCause({
    kind: 'call_failure',
    ok: false,
    category: 'transient_failure',
    ...commonParts(context, safeMessage(context, said), delivery),
    reason,
    ...(taskId === undefined ? {} : { taskId: context.redactor.bounded(taskId, 256) }),
    cause: thrown,
  });
}

const noDetail = '(no detail provided)';

const brokenPromises: Readonly<Record<SchemaMismatchOutcome['schema'], string>> = {
  call_tool_result: 'the result is not a well-formed MCP tool result',
  output_schema: 'the result does not match its output schema',
  caller_schema: "the result does not match the caller's schema",
};

function toMismatch(
  schema: SchemaMismatchOutcome['schema'],
  found: readonly SchemaIssue[],
  evidence: ResultEvidence,
  context: ClassifyContext,
): SchemaMismatchOutcome {
  const issues = found.slice(0, 10).map(({ path, message }) => ({
    path: context.redactor.bounded(path, 256),
    message: context.redactor.bounded(message, 256),
  }));
  const [first = { path: '', message: 'is not valid' }] = issues;
  const message = safeMessage(
    context,
    `${brokenPromises[schema]}: ${`${first.path} ${first.message}`.trim()}`,
  );
  return {
    kind: 'schema_mismatch',
    ok: false,
    category: 'schema_mismatch',
    ...commonParts(context, message, evidence.delivery),
    schema,
    issues,
    result: evidence.result,
  };
}

function isToolErrorResult(result: unknown): result is ToolErrorResult {
  return readProperty(result, 'isError') === true;
}

/**
 * The task of a `CreateTaskResult`, which has no content. SDK v1 fills in `content: []` before it resolves with one; then
 * only a task with an id is one.
 */
function readTask(result: unknown): { readonly taskId?: string } | undefined {
  const task = readProperty(result, 'task');
  const content = readProperty(result, 'content');
  if (!isObject(task) || readProperty(result, 'structuredContent') !== undefined) {
    return undefined;
  }
  const taskId = readProperty(task, 'taskId');
  if (typeof taskId === 'string') {
    return content === undefined || isEmptyList(content) ? { taskId } : undefined;
  }
  return content === undefined && !isArray(task) ? {} : undefined;
}

function isEmptyList(value: unknown): boolean {
  return isArray(value) && readProperty(value, 'length') === 0;
}

/** More than `Redactor.bounded` looks at, so that it knows of the cut; less than a scan of the content. */
const excerptWindow = messageLimit + 4_097;

/** What a failed tool said, as far as a message can hold it: its texts, else the structured content. */
function excerpt(result: ToolErrorResult): string {
  let text = '';
  for (const block of readBlocks(result)) {
    const part = readText(block);
    if (part !== undefined) {
      text += `${text === '' ? '' : '\n'}${part.slice(0, excerptWindow)}`;
    }
    if (text.length > excerptWindow) {
      break;
    }
  }
  return text === '' ? jsonExcerpt(readProperty(result, 'structuredContent')) : text;
}

/** Of a text block, of an embedded resource, or of a string where a server put one in place of a block. */
function readText(block: unknown): string | undefined {
  if (typeof block === 'string') {
    return block;
  }
  const type = readProperty(block, 'type');
  const holder = type === 'resource' ? readProperty(block, 'resource') : block;
  const text = type === 'text' || type === 'resource' ? readProperty(holder, 'text') : undefined;
  return typeof text === 'string' ? text : undefined;
}

function readBlocks(result: unknown): readonly unknown[] {
  const content = readProperty(result, 'content');
  if (typeof content === 'string') {
    return [content];
  }
  try {
    return isArray(content) ? Array.from(content) : [];
  } catch {
    return [];
  }
}

function jsonExcerpt(value: unknown): string {
  let nodes = 0;
  const bounded = (_key: string, member: unknown): unknown => {
    nodes += 1;
    const kept = typeof member === 'string' ? member.slice(0, excerptWindow) : member;
    return nodes > excerptWindow ? undefined : kept;
  };
  try {
    return value === undefined || value === null ? '' : (JSON.stringify(value, bounded) ?? '');
  } catch {
    return '';
  }
}
