import { AsyncLocalStorage } from 'node:async_hooks';
import { Buffer } from 'node:buffer';
import { createParser } from 'eventsource-parser';
import { OptionsError, typeName } from '../redact/options-error.ts';
import { readProperty } from '../redact/safe-read.ts';
import { isSettled, type RequestId, type RequestRecord, settle } from './request-record.ts';
import { readChallenge, readRetryAfter } from './response-headers.ts';

/** The request on whose behalf `fetch` runs: entered around the transport's `send` alone, where it is never another caller's. */
const scope = new AsyncLocalStorage<RequestRecord | undefined>();

/** An `AsyncLocalStorage` that is in use slows every promise down, so it is entered only when somebody observes. */
let observing = false;

export function isFetchObserved(): boolean {
  return observing;
}

/**
 * Runs a transport's `send` so that an observed `fetch` knows its call. What runs for no record is out of every scope: a
 * transport reads an answer stream in the scope of its call, and whatever a handler then sends is not that call's.
 */
export function runObserved<T>(record: RequestRecord | undefined, run: () => T): T {
  return observing ? scope.run(record, run) : run();
}

/** The request on whose behalf this runs, if `fetch` is observed. */
export function observedRecord(): RequestRecord | undefined {
  return observing ? scope.getStore() : undefined;
}

/**
 * A transparent `fetch` for the `fetch` option of an SDK transport: same answers, errors, streaming and cancellation.
 *
 * From what it sees, outcomes get `retryAfterMs`, `challenge` and the body of error answers, and a call whose answer
 * stream ended without an answer and without an event id settles within a second. One may serve several transports.
 *
 * @throws OptionsError when `fetch` is not a function.
 */
export function observeFetch(fetch?: typeof globalThis.fetch): typeof globalThis.fetch {
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw new OptionsError('fetch', 'a function', typeName(fetch));
  }
  observing = true;
  return async (input, init) => {
    const run = fetch ?? globalThis.fetch;
    const record = scope.getStore();
    if (record === undefined || isSettled(record) || !carriesCall(input, init)) {
      return run(input, init);
    }
    const id = record.lastId;
    // A refused attempt that was answered with a challenge says nothing about the next one.
    record.exchange = undefined;
    record.httpRequest = { url: input, headers: init?.headers ?? readProperty(input, 'headers') };
    const response = await run(input, init);
    return record.lastId === id ? observe(record, response) : response;
  };
}

/** What a foreign `fetch` answers with may be less than a `Response`: then there is nothing to see, and nothing to change. */
function observe(record: RequestRecord, response: Response): Response {
  try {
    return observeResponse(record, response);
  } catch {
    return response;
  }
}

/**
 * Within a call's `send` there are also the requests of its authorization; only the POST of the call counts. Where a
 * middleware has turned its body into something else than a string, the headers tell: transports name their protocol.
 */
function carriesCall(input: unknown, init: RequestInit | undefined): boolean {
  const method = init?.method ?? readProperty(input, 'method');
  const { body } = init ?? {};
  if (method !== 'POST' || typeof body === 'string') {
    return method === 'POST' && String(body).includes('"tools/call"');
  }
  try {
    const headers = new Headers(init?.headers ?? Object(readProperty(input, 'headers')));
    return (
      Boolean(headers.get('content-type')?.includes('application/json')) &&
      headers.has('mcp-protocol-version')
    );
  } catch {
    return false;
  }
}

function observeResponse(record: RequestRecord, response: Response): Response {
  const { status, headers, body } = response;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  const challenge = readChallenge(headers.get('www-authenticate'));
  const exchange: NonNullable<RequestRecord['exchange']> = {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(challenge === undefined ? {} : { challenge }),
  };
  record.exchange = exchange;
  const eventStream = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
  const readable = body !== null && typeof body.getReader === 'function' && !body.locked;
  if (!readable || (status < 400 && !eventStream)) {
    return response;
  }
  return likeResponse(status < 400 ? watchEvents(record, body) : watchErrorBody(exchange, body), response);
}

/** As much of an error body as a bounded excerpt can use, once JSON is compacted. */
const bodyLimit = 64 * 1024;

/** The transport loses the body of a 401 that goes to an auth provider, and of an answer that breaks midway. */
function watchErrorBody(exchange: { body?: string }, body: Body): Body {
  const decoder = new TextDecoder();
  let text = '';
  return passThrough(body, (chunk) => {
    if (text.length < bodyLimit) {
      text += decoder.decode(chunk, { stream: true });
      exchange.body = text;
    }
  });
}

function watchEvents(record: RequestRecord, body: Body): Body {
  const id = record.lastId;
  const hasEventId = eventIdScanner();
  let resumable = false;
  return passThrough(
    body,
    (chunk) => {
      resumable ||= hasEventId(chunk);
    },
    () => {
      if (!resumable) {
        settleWhenUnanswered(record, id);
      }
    },
  );
}

type Body = ReadableStream<Uint8Array>;

/** The same stream, as fast as its reader, seen on the way. Never a `tee`: a branch of one cannot be cancelled alone. */
function passThrough(body: Body, see: (chunk: Uint8Array) => void, ended: () => void = () => {}): Body {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        reader ??= body.getReader();
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            ended();
            return;
          }
          see(value);
          controller.enqueue(value);
        } catch (error) {
          controller.error(error);
          ended();
        }
      },
      cancel: (reason) => (reader === undefined ? body.cancel(reason) : reader.cancel(reason)),
    },
    { highWaterMark: 0 },
  );
}

/** Whether an SSE stream has carried an event with an `id` so far: the SDK, with the same parser, resumes such a stream. */
function eventIdScanner(): (chunk: Uint8Array) => boolean {
  let found = false;
  const parser = createParser({
    onEvent: ({ id }) => {
      found ||= id !== undefined && id !== '';
    },
  });
  return ({ buffer, byteOffset, byteLength }) => {
    if (!found) {
      // The fields are ASCII; what their values mean is not looked at.
      parser.feed(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'));
    }
    return found;
  };
}

/** The transport parses the last bytes of a stream after it has ended: an answer in them still comes. */
const parseGraceMs = 50;

function settleWhenUnanswered(record: RequestRecord, id: RequestId | undefined): void {
  const settleUnanswered = (): void => {
    if (record.lastId === id && record.answer === undefined) {
      const message = 'the answer stream ended without an answer';
      settle(record, { how: 'ended', reason: 'invalid_answer', message });
    }
  };
  setImmediate(() => {
    if (record.answer === undefined) {
      setTimeout(settleUnanswered, parseGraceMs).unref();
    }
  });
}

/** `new Response()` cannot be told a URL, and the transport resolves redirects against it. */
function likeResponse(body: Body | null, response: Response): Response {
  const { status, statusText, headers, url, redirected, type } = response;
  const copy = new Response(body, { status, statusText, headers });
  return Object.defineProperties(copy, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
    clone: { value: () => likeResponse(Response.prototype.clone.call(copy).body, response) },
  });
}
