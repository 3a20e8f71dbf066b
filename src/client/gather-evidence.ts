import type { Evidence } from '../classify/evidence.ts';
import { readProperty } from '../redact/safe-read.ts';
import { isAborted } from './abort-signals.ts';
import { collectEvidence } from './collect-evidence.ts';
import type { Call } from './read-call.ts';
import type { RequestRecord } from './request-record.ts';
import { runRequest } from './run-request.ts';
import { readTransport, type ToolCallingClient } from './sdk-client.ts';
import type { Tap } from './tap.ts';

export interface GatheredCall {
  readonly evidence: Evidence;
  /** Absent for a call that was never started. */
  readonly record?: RequestRecord;
}

/** Makes the call and gathers what was seen of it. Never rejects. */
export async function gatherEvidence(
  client: ToolCallingClient,
  call: Call,
  tap: Tap | undefined,
  onSendSettled: (() => void) | undefined,
  invoke: (params: unknown, options: unknown) => unknown,
): Promise<GatheredCall> {
  const before = tap?.transport ?? readTransport(client);
  const strangers = tap?.strangers.get(call.tool);
  const { record, settlement } = await runRequest(
    onSendSettled === undefined ? call : { ...call, onSendSettled },
    tap,
    invoke,
  );
  const now = readTransport(client);
  const sendSeen =
    before === undefined
      ? now === undefined
      : tap !== undefined &&
        tap.strangers.get(call.tool) === strangers &&
        (now === before || now === undefined);
  const evidence = collectEvidence(record, {
    settlement,
    aborted: isAborted(call.signal),
    abortReason: readProperty(call.signal, 'reason'),
    sendSeen,
    connected: now !== undefined,
  });
  return { evidence, record };
}
