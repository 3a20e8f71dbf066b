import type { Evidence } from '../classify/evidence.ts';
import { readProperty } from '../redact/safe-read.ts';
import { isAborted, listenForAbort } from './abort-signals.ts';
import { type CallRecord, callSymbol, type Deadline, type Settlement } from './call-record.ts';
import { collectEvidence } from './collect-evidence.ts';
import { createDeadline } from './deadline.ts';
import { isFetchObserved } from './observe-fetch.ts';
import type { Call } from './read-call.ts';
import { callToolOf, type ToolCallingClient } from './sdk-client.ts';
import { enterCall, forget, type Tap, tapTransport } from './tap.ts';

/** Makes the call and waits until the client, the caller's signal or the deadline ends it. Never rejects. */
export async function gatherEvidence(
  client: ToolCallingClient,
  withResultSchema: boolean,
  call: Call,
): Promise<Evidence> {
  const { signal } = call;
  if (signal !== undefined && isAborted(signal)) {
    return { source: 'aborted', abortReason: readProperty(signal, 'reason'), delivery: 'not_sent' };
  }
  const before = readTransport(client);
  const tap = tapTransport(before);
  const strangers = tap?.strangers;
  const { record, settlement } = await runCall(client, withResultSchema, call, tap);
  const now = readTransport(client);
  return collectEvidence(record, {
    settlement,
    aborted: isAborted(signal),
    abortReason: readProperty(signal, 'reason'),
    sendSeen:
      before === undefined
        ? now === undefined
        : tap !== undefined && tap.strangers === strangers && (now === before || now === undefined),
    connected: now !== undefined,
  });
}

/** The client's transport: `undefined` while it is not connected, `'none'` for a client that has no such thing. */
function readTransport(client: ToolCallingClient): unknown {
  const transport = readProperty(client, 'transport') ?? undefined;
  return transport === undefined && !hasMember(client, 'transport') ? 'none' : transport;
}

function hasMember(value: object, key: string): boolean {
  try {
    return key in value;
  } catch {
    return false;
  }
}

interface FinishedCall {
  readonly record: CallRecord;
  readonly settlement: Settlement;
}

function runCall(
  client: ToolCallingClient,
  withResultSchema: boolean,
  call: Call,
  tap: Tap | undefined,
): Promise<FinishedCall> {
  return new Promise((resolve) => {
    const { signal, requestOptions, timeout, maxTotalTimeout } = call;
    // A controller and its listener cost more than the rest of a call: only who can abort needs one. The caller's own
    // signal never reaches the SDK, which would leave a listener on it with every call.
    const controller =
      signal !== undefined || call.bounded || isFetchObserved() ? new AbortController() : undefined;
    const deadline = createDeadline({
      timeout,
      maxTotalTimeout,
      resetTimeoutOnProgress: requestOptions.resetTimeoutOnProgress === true,
      onExpired: (boundMs) =>
        record.settle({ how: 'ended', reason: 'timeout', message: `no answer within ${boundMs} ms` }),
    });
    let stopListening: (() => void) | undefined;
    const record = createRecord(call, deadline, (settlement) => {
      deadline.clear();
      stopListening?.();
      if (tap !== undefined) {
        forget(tap, record);
      }
      if (settlement.how === 'ended') {
        controller?.abort(settlement.message);
      }
      resolve({ record, settlement });
    });
    if (signal !== undefined) {
      stopListening = listenForAbort(signal, () => {
        controller?.abort(toAbortReason(signal));
        // The client rejects in this very turn, and an answer in it still counts; this is for a client that does not.
        setImmediate(() => record.settle({ how: 'aborted' }));
      });
    }
    const params = tap === undefined ? call.params : { ...call.params, [callSymbol]: record };
    const options = {
      ...requestOptions,
      timeout,
      maxTotalTimeout,
      ...(controller && { signal: controller.signal }),
    };
    start(record, () => callToolOf(client, withResultSchema, params, options));
    if (!record.settled && record.lastId === undefined) {
      // With a tap the request is seen when it leaves; without one it has left for all we know.
      tap === undefined ? deadline.sent() : deadline.waiting();
    }
  });
}

function createRecord(
  call: Call,
  deadline: Deadline,
  onSettled: (settlement: Settlement) => void,
): CallRecord {
  const record: CallRecord = {
    name: call.tool,
    arguments: call.params.arguments,
    lastId: undefined,
    answer: undefined,
    malformedAnswer: false,
    sendRejection: undefined,
    exchange: undefined,
    request: undefined,
    legacySse: false,
    hasSession: false,
    deadline,
    settled: false,
    settle: (settlement) => {
      if (!record.settled) {
        record.settled = true;
        onSettled(settlement);
      }
    },
  };
  return record;
}

function start(record: CallRecord, callTool: () => unknown): void {
  const resolved = (value: unknown): void => record.settle({ how: 'resolved', value });
  const rejected = (thrown: unknown): void => record.settle({ how: 'rejected', thrown });
  try {
    Promise.resolve(enterCall(record, callTool)).then(resolved, rejected);
  } catch (thrown) {
    rejected(thrown);
  }
}

/** SDK v1 turns the reason into a string inside an event listener, where an error would end the process. */
function toAbortReason(signal: AbortSignal): unknown {
  const reason = readProperty(signal, 'reason');
  try {
    String(reason);
    return reason;
  } catch {
    return 'aborted by the caller';
  }
}
