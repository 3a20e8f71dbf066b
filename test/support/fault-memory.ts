/**
 * A scripted peer over the SDK's `InMemoryTransport` pair: raw messages, no SDK server. What a script says as text
 * reaches the client as the parsed object, unchecked. Arguments pass by reference and are never serialized.
 */
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import {
  answerNormally,
  type FaultPeer,
  type Frame,
  faultOf,
  fillFrame,
  type PeerMessage,
  type PeerScript,
  signal,
} from './fault-script.ts';

export interface MemoryPeer extends FaultPeer {
  readonly clientTransport: InMemoryTransport;
}

export async function startMemoryPeer(script: PeerScript): Promise<MemoryPeer> {
  const [clientTransport, own] = InMemoryTransport.createLinkedPair();
  const arrived = signal();
  let callId: unknown;
  let calls = 0;

  const write = (text: string): void => {
    const message: JSONRPCMessage = JSON.parse(text);
    // A client that is gone by now is what some rows are about.
    own.send(message).catch(() => {});
  };
  const answer = (frames: readonly Frame[]): void => {
    for (const frame of frames) write(fillFrame(frame, callId));
  };

  own.onmessage = (message: PeerMessage) => {
    const fault = faultOf(script, message);
    if (fault) {
      callId = message.id;
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
    clientTransport,
    arrived: arrived.promise,
    callCount: () => calls,
    answer,
    drop: () => void close(),
    close,
  };
}
