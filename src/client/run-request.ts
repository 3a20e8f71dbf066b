import { readProperty } from '../redact/safe-read.ts';
import { listenForAbort } from './abort-signals.ts';
import { createDeadline } from './deadline.ts';
import { type Deadline, type RequestRecord, recordSymbol, type Settlement } from './request-record.ts';
import { enterRequest, forget, type Tap } from './tap.ts';

/** A request to be made through the client, and the bounds on it. */
export interface Request {
  readonly params: Readonly<Record<PropertyKey, unknown>>;
  readonly requestOptions: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly maxTotalTimeout: number;
  /** Called when the transport's `send` has settled, either way. */
  readonly onSendSettled?: () => void;
}

export interface FinishedRequest {
  readonly record: RequestRecord;
  readonly settlement: Settlement;
}

/**
 * Makes a request through the client and waits until the client, the caller's signal or the deadline ends it. Never
 * rejects; what comes later is swallowed.
 */
export function runRequest(
  request: Request,
  tap: Tap | undefined,
  invoke: (params: unknown, options: unknown) => unknown,
): Promise<FinishedRequest> {
  return new Promise((resolve) => {
    const { signal, requestOptions, timeout, maxTotalTimeout } = request;
    // The caller's own signal never reaches the SDK, which would leave a listener on it with every call.
    const controller = new AbortController();
    const deadline = createDeadline({
      timeout,
      maxTotalTimeout,
      resetTimeoutOnProgress: requestOptions.resetTimeoutOnProgress === true,
      onExpired: (boundMs) =>
        record.settle({ how: 'ended', reason: 'timeout', message: `no answer within ${boundMs} ms` }),
    });
    let stopListening: (() => void) | undefined;
    const record = createRecord(request, deadline, (settlement) => {
      deadline.clear();
      stopListening?.();
      if (tap !== undefined) {
        forget(tap, record);
      }
      if (settlement.how === 'ended') {
        controller.abort(settlement.message);
      }
      resolve({ record, settlement });
    });
    const onAbort = (): void => {
      if (record.answer !== undefined && record.answer.result?.resultType !== 'input_required') {
        // Answered in this very turn: the server has nothing left to cancel.
        return;
      }
      controller.abort(toAbortReason(signal));
      // The client rejects in this very turn, and an answer in it still counts; this is for a client that does not.
      setImmediate(() => record.settle({ how: 'aborted' }));
    };
    try {
      stopListening = signal && listenForAbort(signal, onAbort);
    } catch (thrown) {
      const problem = 'Option "signal": expected an AbortSignal, got one that cannot be listened to.';
      record.settle({ how: 'not_started', problem, thrown });
      return;
    }
    const params = tap === undefined ? request.params : { ...request.params, [recordSymbol]: record };
    const options = { ...requestOptions, timeout, maxTotalTimeout, signal: controller.signal };
    start(record, () => invoke(params, options));
    if (!record.settled && record.lastId === undefined) {
      // With a tap the request is seen when it leaves; without one it has left for all we know.
      tap === undefined ? deadline.sent() : deadline.waiting();
    }
  });
}

function createRecord(
  { params, onSendSettled }: Request,
  deadline: Deadline,
  onSettled: (settlement: Settlement) => void,
): RequestRecord {
  const record: RequestRecord = {
    name: params.name,
    arguments: params.arguments,
    lastId: undefined,
    answer: undefined,
    malformedAnswer: false,
    sendRejection: undefined,
    exchange: undefined,
    httpRequest: undefined,
    legacySse: false,
    hasSession: false,
    deadline,
    onSendSettled: onSendSettled ?? ignore,
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

function ignore(): void {}

function start(record: RequestRecord, invoke: () => unknown): void {
  const resolved = (value: unknown): void => record.settle({ how: 'resolved', value });
  const rejected = (thrown: unknown): void => record.settle({ how: 'rejected', thrown });
  try {
    Promise.resolve(enterRequest(record, invoke)).then(resolved, rejected);
  } catch (thrown) {
    rejected(thrown);
  }
}

/** SDK v1 turns the reason into a string inside an event listener, where an error would end the process. */
function toAbortReason(signal: unknown): unknown {
  const reason = readProperty(signal, 'reason');
  try {
    String(reason);
    return reason;
  } catch {
    return 'aborted by the caller';
  }
}
