import { readProperty } from '../redact/safe-read.ts';
import { listenForAbort } from './abort-signals.ts';
import { disarm, expectAnswer, expectNothing } from './deadline.ts';
import { isFetchObserved } from './observe-fetch.ts';
import {
  isAnswered,
  isSettled,
  markWithRecord,
  type OwnParams,
  type Params,
  type RequestRecord,
  removeFrom,
  type Settlement,
  settle,
} from './request-record.ts';
import { forget } from './tap.ts';

/** A request to be made through the client, and the bounds on it. */
export interface Request {
  readonly params: OwnParams;
  readonly requestOptions: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly maxTotalTimeout: number;
  /** Whether the whole has a bound that the client may not keep by itself. */
  readonly bounded: boolean;
}

/** That a request will be seen: on a transport that is tapped, or when the client has connected. */
export interface View {
  /** The client's calls that have not been seen leaving. */
  readonly unsent: RequestRecord[];
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
  view: View | undefined,
  invoke: (params: Params, options: unknown) => unknown,
  onSendSettled: () => void = ignore,
): Promise<FinishedRequest> {
  return new Promise((resolve) => {
    const { signal, timeout, maxTotalTimeout } = request;
    // A controller and its listener cost more than the rest of a call: only what may have to be aborted has one. The
    // caller's own signal never reaches the SDK, which would leave a listener on it with every call.
    const controller =
      signal !== undefined || request.bounded || view === undefined || isFetchObserved()
        ? new AbortController()
        : undefined;
    let stopListening: (() => void) | undefined;
    const record = createRecord(request, onSendSettled, (settlement) => {
      disarm(record);
      stopListening?.();
      forget(record);
      removeFrom(view?.unsent, record);
      if (settlement.how === 'ended') {
        controller?.abort(settlement.message);
      }
      resolve({ record, settlement });
    });
    if (signal !== undefined) {
      try {
        stopListening = listenForAbort(signal, () => abort(record, controller, signal));
      } catch (thrown) {
        const problem = 'Option "signal": expected an AbortSignal, got one that cannot be listened to.';
        settle(record, { how: 'not_started', problem, thrown });
        return;
      }
    }
    const { params } = request;
    if (view !== undefined) {
      markWithRecord(params, record);
      view.unsent.push(record);
    }
    const bounds = { ...request.requestOptions, timeout, maxTotalTimeout };
    const options = controller === undefined ? bounds : { ...bounds, signal: controller.signal };
    start(record, () => invoke(params, options));
    if (!isSettled(record) && record.lastId === undefined) {
      // A request that will be seen has its time from then on; any other has left for all we know.
      view === undefined || record.mayHaveLeft ? expectAnswer(record) : expectNothing(record);
    }
  });
}

function ignore(): void {}

function createRecord(
  { params, requestOptions, timeout, maxTotalTimeout }: Request,
  onSendSettled: () => void,
  onSettled: (settlement: Settlement) => void,
): RequestRecord {
  return {
    params,
    lastId: undefined,
    sentName: undefined,
    mayHaveLeft: false,
    pending: undefined,
    answer: undefined,
    malformedAnswer: false,
    sendRejection: undefined,
    exchange: undefined,
    httpRequest: undefined,
    legacySse: false,
    hasSession: false,
    deadline: {
      timeout,
      maxTotalTimeout,
      resetTimeoutOnProgress: requestOptions.resetTimeoutOnProgress === true,
      startedAt: performance.now(),
      dueAt: Number.POSITIVE_INFINITY,
      timer: undefined,
    },
    onSendSettled,
    onSettled,
  };
}

function start(record: RequestRecord, invoke: () => unknown): void {
  const rejected = (thrown: unknown): void => settle(record, { how: 'rejected', thrown });
  try {
    Promise.resolve(invoke()).then((value) => settle(record, { how: 'resolved', value }), rejected);
  } catch (thrown) {
    rejected(thrown);
  }
}

function abort(record: RequestRecord, controller: AbortController | undefined, signal: AbortSignal): void {
  const stop = (): void => {
    controller?.abort(toAbortReason(signal));
    // The client rejects in this very turn, and an answer in it still counts; this is for a client that does not.
    setImmediate(() => settle(record, { how: 'aborted' }));
  };
  if (isAnswered(record)) {
    // Answered in this very turn, the server has nothing left to cancel; but a client that goes on would ask it again.
    setImmediate(() => (isSettled(record) ? undefined : stop()));
    return;
  }
  stop();
}

/** SDK v1 turns the reason into a string inside an event listener, where an error would end the process. */
function toAbortReason(signal: AbortSignal): unknown {
  const reason = readProperty(signal, 'reason');
  try {
    const words = String(reason);
    return reason instanceof Error ? reason : words;
  } catch {
    return 'aborted by the caller';
  }
}
