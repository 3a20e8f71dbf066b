/** The rows that need a wire: a real SDK v1 client, wrapped, against a real HTTP server that does what the row says. */
import * as v from 'valibot';
import { observeFetch, withOutcomes } from '../../src/index.ts';
import { connectOverHttp, type HttpCall, type HttpPeerOptions } from './http-peer.ts';
import type { OutcomeCase, Played } from './outcome-case-rows.ts';
import { context } from './right-outcome.ts';

/** Nothing ever comes for these, so without an observed fetch only the client's timer ends the call. */
const endedByTimer: ReadonlySet<string> = new Set(['D05', 'F01', 'G09']);
const shortTimeoutMs = 300;
const patientTimeoutMs = 20_000;

const reply = v.object({
  status: v.number(),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.string(),
  requestHadSessionId: v.optional(v.boolean(), false),
});

/** Rows about the optional event stream that the client opens with a GET: a refused one, and one that breaks later. */
const brokenStreams: Readonly<Record<string, 'refused' | 'broken later'>> = {
  D11: 'refused',
  F09: 'broken later',
};

export async function playOverHttp(row: OutcomeCase): Promise<readonly Played[]> {
  return [await play(row, false), await play(row, true)];
}

async function play(row: OutcomeCase, observed: boolean): Promise<Played> {
  const stream = eventStream(brokenStreams[row.id]);
  const logged: object[] = [];
  const connection = await connectOverHttp(
    { ...peerOf(row), ...(stream && { onGet: stream.onGet }) },
    observed ? { fetch: observeFetch() } : {},
  );
  try {
    const told = new Promise<void>((resolve) => {
      connection.client.onerror = () => resolve();
    });
    await stream?.opened;
    const caller = withOutcomes(connection.client, {
      server: context.server,
      timeout: endedByTimer.has(row.id) ? shortTimeoutMs : patientTimeoutMs,
      outputSchemas: 'off',
      logger: { warn: (record, message) => logged.push({ ...record, msg: message }) },
    });
    const outcome = await caller.callTool({ name: context.tool });
    if (brokenStreams[row.id] === 'broken later') {
      stream?.breakOff();
      await told;
    }
    return { label: observed ? 'observed' : 'bare', outcome, logged };
  } finally {
    await connection.close();
  }
}

function peerOf({ via, input }: OutcomeCase): HttpPeerOptions {
  if (via === 'jsonrpc_error') {
    const { code, message, responseId } = input;
    const answer = { jsonrpc: '2.0', id: responseId, error: { code, message } };
    const json = { 'content-type': 'application/json' };
    return { onCall: (call) => call.reply(200, json, JSON.stringify(answer)) };
  }
  if (input.sequence !== undefined) {
    const result = { content: [{ type: 'text', text: 'ok' }] };
    return { onCall: (call) => call.result(result) };
  }
  if (input.event !== undefined) {
    return { onCall: exit };
  }
  const { status, headers, body, requestHadSessionId } = v.parse(reply, input);
  return {
    onCall: (call) => call.reply(status, headers, body),
    ...(requestHadSessionId && { sessionId: 'session-1' }),
  };
}

/** The server took the request, began to answer, and is gone. */
function exit({ response }: HttpCall): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': working\n\n', () => response.destroy());
}

function eventStream(how: 'refused' | 'broken later' | undefined) {
  if (how === undefined) {
    return undefined;
  }
  let opened: () => void;
  let breakOff = (): void => {};
  return {
    opened: new Promise<void>((resolve) => {
      opened = resolve;
    }),
    breakOff: () => breakOff(),
    onGet: (...[, response]: Parameters<NonNullable<HttpPeerOptions['onGet']>>): void => {
      if (how === 'refused') {
        response.writeHead(404).end(opened);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': idle\n\n', opened);
      breakOff = () => response.destroy();
    },
  };
}
