import type { Evidence } from '../classify/evidence.ts';
import { readProperty } from '../redact/safe-read.ts';
import { isAborted } from './abort-signals.ts';
import { collectEvidence } from './collect-evidence.ts';
import type { Call } from './read-call.ts';
import type { Params, RequestRecord } from './request-record.ts';
import { type FinishedRequest, runRequest } from './run-request.ts';
import { readTransport, type ToolCallingClient } from './sdk-client.ts';
import { tapOf, tapTransport, watchClient } from './tap.ts';
import type { ToolCatalog } from './tool-catalog.ts';
import { isSchemaRefusal } from './tool-definition.ts';

export interface GatheredCall {
  readonly evidence: Evidence;
  /** Absent for a call that was never started. */
  readonly record?: RequestRecord;
}

/** Makes the call, beside it the listing that is due, and gathers what was seen of the call. Never rejects. */
export function gatherEvidence(
  client: ToolCallingClient,
  catalog: ToolCatalog,
  call: Call,
  invoke: (params: Params, options: unknown) => unknown,
): GatheredCall | Promise<GatheredCall> {
  const { signal } = call;
  if (signal !== undefined && isAborted(signal)) {
    const abortReason = readProperty(signal, 'reason');
    return { evidence: { source: 'aborted', abortReason, delivery: 'not_sent' } };
  }
  const { unsent, connecting } = watchClient(client);
  const before = readTransport(client);
  const tap = tapTransport(before, unsent);
  const connectsLater = connecting && before === undefined;
  const view = tap !== undefined || connectsLater ? { unsent } : undefined;
  const listing = catalog.prepare(tap);
  return runRequest(call, view, invoke, listing?.start).then((finished) => {
    const now = readTransport(client);
    // A client that has connected since then was watched doing so, and its transport has told everything.
    const seenBy = connectsLater && now !== undefined ? tapOf(now) : tap;
    const refused = isSchemaRefusal(client, finished);
    if (refused) {
      seenBy?.refused.add(call.tool);
    }
    const due = connectsLater ? catalog.prepare(seenBy) : listing;
    if (finished.record.lastId === undefined && !refused) {
      due?.drop();
    } else {
      due?.start();
    }
    const sameTransport = now === undefined || now === before || connectsLater;
    const sendSeen =
      seenBy === undefined
        ? before === undefined && now === undefined
        : sameTransport && !finished.record.mayHaveLeft;
    return toGathered(finished, call, sendSeen, now !== undefined);
  });
}

function toGathered(
  { record, settlement }: FinishedRequest,
  { signal }: Call,
  sendSeen: boolean,
  connected: boolean,
): GatheredCall {
  const aborted = signal !== undefined && isAborted(signal);
  const abortReason = aborted ? readProperty(signal, 'reason') : undefined;
  return {
    evidence: collectEvidence(record, { settlement, aborted, abortReason, sendSeen, connected }),
    record,
  };
}
