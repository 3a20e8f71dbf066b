import { readErrorNodes } from '../classify/error-facts.ts';
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
  const thrown = settlement.how === 'rejected' ? settlement.thrown : undefined;
  if (answer.error === undefined) {
    return { source: 'result', result: answer.result, delivery: 'answered', thrown };
  }
  return { source: 'rpc_error', error: answer.error, thrown, ...exchangeOf(record) };
}

function rejected(thrown: unknown, record: RequestRecord, end: CallEnd): RejectionEvidence {
  const { lastId, sendRejection, malformedAnswer, legacySse, hasSession } = record;
  const bySend = sendRejection !== undefined && stemsFrom(thrown, sendRejection.thrown);
  const origin = lastId === undefined ? (end.sendSeen ? 'not_sent' : 'unknown') : bySend ? 'send' : 'sent';
  return {
    source: 'rejected',
    thrown,
    origin,
    transport: { legacySse, hasSession, connected: end.connected },
    malformedAnswer,
    unserializable:
      (bySend || origin === 'not_sent') && record.exchange === undefined && isUnserializable(record.params),
    ...exchangeOf(record),
  };
}

function deliveryOf(record: RequestRecord, end: CallEnd): AbortEvidence['delivery'] {
  return record.lastId === undefined && end.sendSeen ? 'not_sent' : 'unknown';
}

function exchangeOf({ exchange }: RequestRecord): { readonly exchange?: HttpExchange } {
  return exchange === undefined ? {} : { exchange };
}

/** A subclass may wrap what `send()` rejected with. */
function stemsFrom(thrown: unknown, rejection: unknown): boolean {
  return Object.is(thrown, rejection) || readErrorNodes(thrown).some(({ value }) => value === rejection);
}

/** Only asked of a call that failed before anything came back: it serializes the parameters once more. */
function isUnserializable(params: unknown): boolean {
  try {
    JSON.stringify(params);
    return false;
  } catch {
    return true;
  }
}

/**
 * Whether a client resolved with the result that crossed the transport. SDKs copy it, drop what they do not know from its
 * blocks, drop `resultType`, and invent what says nothing. An override that resolves with anything else, or with less,
 * has an answer of its own.
 */
function isSameResult(resolved: unknown, tapped: Readonly<Record<string, unknown>>): boolean {
  return (
    resolved === tapped ||
    (isObject(resolved) &&
      Object.keys(tapped).every((key) => key === 'resultType' || key in resolved) &&
      Object.keys(resolved).every(
        (key) =>
          isInvented(key, resolved, tapped) || isCopy(readProperty(resolved, key), tapped[key], key, 0),
      ))
  );
}

/** An empty `content`, and with the MCP client of the AI SDK a flag that says nothing. */
function isInvented(key: string, resolved: object, tapped: object): boolean {
  const value = readProperty(resolved, key);
  const empty =
    key === 'content' ? isArray(value) && value.length === 0 : key === 'isError' && value === false;
  return empty && !(key in tapped);
}

/** Deeper than any result that JSON carries and a client copies. */
const maxDepth = 1_000;

/** Whether a member of the resolved result says what the tapped one says. Only blocks and `_meta` may have lost members. */
function isCopy(part: unknown, whole: unknown, member: string, depth: number): boolean {
  if (Object.is(part, whole)) {
    return true;
  }
  if (!isObject(part) || !isObject(whole) || isArray(part) !== isArray(whole) || depth > maxDepth) {
    return false;
  }
  const keys = Object.keys(part);
  const complete = isArray(part) || member === 'structuredContent';
  return (
    (!complete || keys.length === Object.keys(whole).length) &&
    keys.every((key) => isCopy(part[key], whole[key], member, depth + 1))
  );
}
