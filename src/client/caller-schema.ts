import type { StandardSchemaV1 } from '@standard-schema/spec';
import { readErrorMessage } from '../classify/error-facts.ts';
import type { CallerSchemaVerdict } from '../classify/evidence.ts';
import type { SchemaIssue } from '../outcome.ts';
import { toJsonPointer } from '../redact/json-pointer.ts';
import { isArray, isObject, readProperty } from '../redact/safe-read.ts';

/** Asks the caller's own schema, which may throw, reject, hang or answer with anything, until `limitMs` have passed. */
export async function checkCallerSchema(
  schema: StandardSchemaV1,
  value: unknown,
  limitMs: number,
): Promise<CallerSchemaVerdict> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const waiting = new Promise<symbol>((resolve) => {
      timer = setTimeout(resolve, limitMs, timeUp);
    });
    const answer: unknown = await Promise.race([schema['~standard'].validate(value), waiting]);
    return answer === timeUp ? refused('the schema gave no verdict in time') : toVerdict(answer);
  } catch (thrown) {
    return refused(`the schema failed: ${readErrorMessage(thrown)}`);
  } finally {
    clearTimeout(timer);
  }
}

const timeUp = Symbol('time up');

function toVerdict(answer: unknown): CallerSchemaVerdict {
  const issues = readProperty(answer, 'issues');
  if (isArray(issues)) {
    return {
      valid: false,
      issues: issues.length === 0 ? [noReason] : Array.from(issues.slice(0, 10), toIssue),
    };
  }
  return isObject(answer) && issues === undefined && 'value' in answer
    ? { valid: true, value: answer.value }
    : refused('the schema gave no verdict');
}

const noReason: SchemaIssue = { path: '', message: 'is not valid' };

function refused(message: string): CallerSchemaVerdict {
  return { valid: false, issues: [{ path: '', message }] };
}

function toIssue(issue: unknown): SchemaIssue {
  const message = readProperty(issue, 'message');
  const path = readProperty(issue, 'path');
  return {
    // ArkType's path is an array of a class of its own, whose `map` makes a step out of a length.
    path: toJsonPointer(isArray(path) ? Array.from(path, (step) => readProperty(step, 'key') ?? step) : []),
    message: typeof message === 'string' ? message : noReason.message,
  };
}
