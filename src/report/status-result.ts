import type { CallFailureOutcome, ToolOutcome } from '../outcome.ts';
import { readProperty } from '../redact/safe-read.ts';

/** A call as a REST client reports one. */
export interface StatusResult {
  readonly ok: boolean;
  /** 200 when the server answered, the HTTP status when it refused, 0 when no answer is known. */
  readonly status: number;
  readonly data?: unknown;
  /** Redacted, one line. Absent for a success and for an HTTP failure, whose `data` is the error body. */
  readonly error?: string;
}

/**
 * A success is `{ ok: true, status: 200, data: value }`. What the server answered with a failure in it is status 200
 * with `error`, and `data` the structured content or the `data` of the JSON-RPC error. An HTTP failure has its status
 * and as `data` the redacted body: parsed JSON, or its text when it is none or was cut. All else is status 0.
 */
export function toStatusResult(outcome: ToolOutcome): StatusResult {
  switch (outcome.kind) {
    case 'success':
      return { ok: true, status: 200, ...asData(outcome.value) };
    case 'tool_error':
    case 'failure_body':
    case 'schema_mismatch':
      return answered(readProperty(outcome.result, 'structuredContent'), outcome.message);
    case 'call_failure':
      return callFailureStatus(outcome);
    case 'cancelled':
      return { ok: false, status: 0, error: outcome.message };
  }
}

function callFailureStatus(outcome: CallFailureOutcome): StatusResult {
  const { reason, httpStatus, rpcData, body, delivery, message } = outcome;
  if (httpStatus !== undefined && reason !== 'protocol_error') {
    return { ok: false, status: httpStatus, ...asData(body === undefined ? undefined : parseBody(body)) };
  }
  return delivery === 'answered' ? answered(rpcData, message) : { ok: false, status: 0, error: message };
}

function answered(data: unknown, error: string): StatusResult {
  return { ok: false, status: 200, ...asData(data), error };
}

function asData(data: unknown): Pick<StatusResult, 'data'> {
  return data === undefined ? {} : { data };
}

/** A cut body ends with `…` and is no JSON. A bare number or word is a text that happens to parse. */
function parseBody(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' || typeof parsed === 'string' ? parsed : body;
  } catch {
    return body;
  }
}
