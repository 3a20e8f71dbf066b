/** The servers of the soak. Both count what they did, by the name of the fault. */
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { answerTo, type HttpPeer, listenOnLoopback, type MemoryEnd, type RpcMessage } from './peer.ts';
import {
  faultOf,
  type HttpFault,
  httpFaults,
  type MessageFault,
  messageFaults,
  type SoakFault,
  silentFaults,
} from './soak-faults.ts';

export const memorySoakFaults: readonly (MessageFault | SoakFault)[] = [...messageFaults, ...silentFaults];
export const httpSoakFaults: readonly (MessageFault | HttpFault | SoakFault)[] = [
  ...messageFaults,
  ...silentFaults,
  ...httpFaults,
];

export type Counts = Map<string, number>;

export function count(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** What the peers tell of the calls that reach them. */
export interface Arrivals {
  /** How often each fault was played, by its name. */
  readonly sent: Counts;
  /** Called when a call has reached the server, by the call's number. */
  readonly waiting: Map<number, () => void>;
}

export function createArrivals(): Arrivals {
  return { sent: new Map(), waiting: new Map() };
}

function arrived({ sent, waiting }: Arrivals, call: number, fault: SoakFault): void {
  count(sent, fault.name);
  const tell = waiting.get(call);
  if (tell !== undefined) {
    waiting.delete(call);
    setImmediate(tell);
  }
}

function calledNumber({ method, params }: RpcMessage): number | undefined {
  return method === 'tools/call' ? params?.arguments?.call : undefined;
}

/** Holds answers back until there are some, or nothing else happens, and sends them in another order. */
function holdBack(): (send: () => void) => void {
  const waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const send of waiting.splice(0).reverse()) {
      send();
    }
  };
  return (send) => {
    waiting.push(send);
    if (waiting.length >= 64) {
      flush();
    } else {
      timer ??= setTimeout(flush, 2);
    }
  };
}

/** Sends the answer as the fault says. */
function deliver(fault: MessageFault, send: () => void, late: (send: () => void) => void): void {
  switch (fault.delivery) {
    case 'late':
      late(send);
      break;
    case 'twice':
      send();
      send();
      break;
    case undefined:
      send();
      break;
  }
}

/** Answers at the other end of an SDK's in-memory pair. */
export function soakInMemoryPeer(serverEnd: MemoryEnd, arrivals: Arrivals): void {
  const late = holdBack();
  const send = (message: object): void => void Reflect.apply(serverEnd.send, serverEnd, [message]);
  const onmessage = (message: RpcMessage): void => {
    const call = calledNumber(message);
    if (call === undefined) {
      const answer = answerTo(message);
      if (answer !== undefined) {
        send(answer);
      }
      return;
    }
    const fault = faultOf(memorySoakFaults, call);
    arrived(arrivals, call, fault);
    if ('message' in fault) {
      deliver(fault, () => send({ jsonrpc: '2.0', id: message.id, ...fault.message(call) }), late);
    }
  };
  Reflect.set(serverEnd, 'onmessage', onmessage);
}

export async function startSoakServer(arrivals: Arrivals): Promise<HttpPeer> {
  const late = holdBack();
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const message: RpcMessage = Object(await json(request));
    const call = calledNumber(message);
    if (call === undefined) {
      const answer = answerTo(message);
      answer === undefined ? response.writeHead(202).end() : sayJson(response, answer);
      return;
    }
    const fault = faultOf(httpSoakFaults, call);
    arrived(arrivals, call, fault);
    if ('message' in fault) {
      const answer = { jsonrpc: '2.0', id: message.id, ...fault.message(call) };
      // Half of all answers come as an event stream.
      const say = call % 2 === 0 ? sayJson : sayEvent;
      // A response carries one answer.
      const repeat = fault.delivery === 'twice';
      repeat ? say(response, answer) : deliver(fault, () => say(response, answer), late);
    } else {
      misbehave(fault, call, response);
    }
  });
  return listenOnLoopback(server);
}

function sayJson(response: ServerResponse, answer: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

function sayEvent(response: ServerResponse, answer: object): void {
  const event = `event: message\ndata: ${JSON.stringify(answer)}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event);
}

/** A silent fault leaves the answer open until the caller hangs up. */
function misbehave(fault: HttpFault, call: number, response: ServerResponse): void {
  if (fault.reset === true) {
    response.socket?.destroy();
  } else if (fault.body !== undefined) {
    response.writeHead(fault.status ?? 200, fault.headers).end(fault.body(call));
  }
}
