/**
 * A scripted peer at the server's end of an SDK's in-memory pair: raw messages, no SDK server. What a script says as
 * text reaches the client as the parsed object, unchecked. Arguments pass by reference and are never serialized.
 */
import {
  answerNormally,
  completeResults,
  type FaultPeer,
  type Frame,
  faultOf,
  fillFrame,
  type PeerMessage,
  type PeerScript,
  signal,
} from './fault-script.ts';
import type { MemoryEnd } from './fault-sdk.ts';

export async function startMemoryPeer(script: PeerScript, own: MemoryEnd): Promise<FaultPeer> {
  const arrived = signal();
  let call: PeerMessage = {};
  let calls = 0;

  const write = (text: string): void => {
    // A client that is gone by now is what some rows are about.
    own.send(JSON.parse(text)).catch(() => {});
  };
  const answer = (frames: readonly Frame[]): void => {
    for (const frame of frames) write(completeResults(script, call, fillFrame(frame, call.id)));
  };

  own.onmessage = (message: PeerMessage) => {
    const fault = faultOf(script, message);
    if (fault) {
      call = message;
      calls += 1;
      arrived.fire();
      answer(fault.frames ?? []);
      return;
    }
    const normal = answerNormally(script, message);
    if (normal !== undefined) write(normal);
  };
  await own.start();

  // A client whose `onclose` throws throws into this close; the peer is closed all the same.
  const close = async (): Promise<void> => own.close().catch(() => {});
  return {
    arrived: arrived.promise,
    callCount: () => calls,
    answer,
    drop: () => void close(),
    close,
  };
}
