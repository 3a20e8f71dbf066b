import type { AbortEvidence, Evidence, HttpExchange, RejectionEvidence } from '../classify/evidence.ts';
import type { RpcResponse } from '../classify/wire-schemas.ts';
import { isArray, isObject, readProperty } from '../redact/safe-read.ts';
import type { RequestRecord, Settlement } from './request-record.ts';

/** What the wrapper knows at the end of a call beside its record. */
export interface CallEnd {
  readonly settlement: Settlement;
  readonly aborted: boolean;
  readonly abortReason: unknown;
  /** The call's transport was tapped, and every `tools/call` that could be this one carried its record. */
  readonly sendSeen: boolean;
  /** The client holds a transport. */
  readonly connected: boolean;
}

/** Turns what was seen of a call into the one piece of evidence that decides: the order of these checks is the contract's. */
export function collectEvidence(record: RequestRecord, end: CallEnd): Evidence {
  const { settlement, aborted, abortReason } = end;
  const { answer } = record;
  const resolvedElsewhere =
    settlement.how === 'resolved' && !(answer?.result && isSameResult(settlement.value, answer.result));
  const waitsForInput = answer?.result?.resultType === 'input_required';
  if (answer !== undefined && !resolvedElsewhere && !(waitsForInput && aborted)) {
    return answered(answer, record, settlement);
  }
  if (aborted) {
    return { source: 'aborted', abortReason, delivery: deliveryOf(record, end) };
  }
  switch (settlement.how) {
    case 'not_started':
      return { source: 'bad_call', message: settlement.problem, thrown: settlement.thrown };
    case 'resolved':
      return { source: 'result', result: settlement.value, delivery: 'unknown' };
    case 'rejected':
      return rejected(settlement.thrown, record, end);
    case 'aborted':
      return { source: 'aborted', abortReason, delivery: deliveryOf(record, end) };
    case 'ended': {
      const { reason, message } = settlement;
      const delivery = deliveryOf(record, end);
      return record.malformedAnswer
        ? { source: 'ended', reason: 'invalid_answer', message: malformed, delivery, ...exchangeOf(record) }
        : { source: 'ended', reason, message, delivery, ...exchangeOf(record) };
    }
  }
}

const malformed = 'the answer is not a JSON-RPC response';

function answered(answer: RpcResponse, record: RequestRecord, settlement: Settlement): Evidence {
  if (answer.error === undefined) {
    return { source: 'result', result: answer.result, delivery: 'answered' };
  }
  const thrown = settlement.how === 'rejected' ? settlement.thrown : undefined;
  return { source: 'rpc_error', error: answer.error, thrown, ...exchangeOf(record) };
}

function rejected(thrown: unknown, record: RequestRecord, end: CallEnd): RejectionEvidence {
  const { lastId, sendRejection, malformedAnswer, legacySse, hasSession } = record;
  const bySend = sendRejection !== undefined && Object.is(sendRejection.thrown, thrown);
  const origin = lastId === undefined ? (end.sendSeen ? 'not_sent' : 'unknown') : bySend ? 'send' : 'sent';
  return {
    source: 'rejected',
    thrown,
    origin,
    transport: { legacySse, hasSession, connected: end.connected },
    malformedAnswer,
    unserializable: (bySend || origin === 'not_sent') && isUnserializable(record.arguments, thrown),
    ...exchangeOf(record),
  };
}

function deliveryOf(record: RequestRecord, end: CallEnd): AbortEvidence['delivery'] {
  return record.lastId === undefined && end.sendSeen ? 'not_sent' : 'unknown';
}

function exchangeOf({ exchange }: RequestRecord): { readonly exchange?: HttpExchange } {
  return exchange === undefined ? {} : { exchange };
}

/** Errors with a code or a cause are the network's or the server's; only for others are the arguments serialized once more. */
function isUnserializable(args: unknown, thrown: unknown): boolean {
  if (readProperty(thrown, 'code') !== undefined || readProperty(thrown, 'cause') !== undefined) {
    return false;
  }
  try {
    JSON.stringify(args);
    return false;
  } catch {
    return true;
  }
}

/**
 * Whether a client resolved with the result that crossed the transport. SDKs copy it, drop members that they do not know
 * and invent an empty `content`; an override that resolves with anything else has an answer of its own.
 */
function isSameResult(resolved: unknown, tapped: object): boolean {
  return resolved === tapped || (isObject(resolved) && isPartOf(resolved, tapped, 0));
}

const maxDepth = 6;

function isPartOf(part: unknown, whole: unknown, depth: number): boolean {
  if (Object.is(part, whole)) {
    return true;
  }
  if (!isObject(part) || !isObject(whole) || isArray(part) !== isArray(whole) || depth > maxDepth) {
    return false;
  }
  if (isArray(part)) {
    return (
      part.length === whole.length && part.every((item, index) => isPartOf(item, whole[index], depth + 1))
    );
  }
  return Object.keys(part).every(
    (key) => isInvented(part, key, whole, depth) || isPartOf(part[key], whole[key], depth + 1),
  );
}

function isInvented(part: object, key: string, whole: object, depth: number): boolean {
  const value = readProperty(part, key);
  return (
    depth === 0 &&
    key === 'content' &&
    isArray(value) &&
    value.length === 0 &&
    readProperty(whole, key) === undefined
  );
}
