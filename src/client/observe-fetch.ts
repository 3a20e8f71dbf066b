import { AsyncLocalStorage } from 'node:async_hooks';
import { Buffer } from 'node:buffer';
import { createParser } from 'eventsource-parser';
import { OptionsError, typeName } from '../redact/options-error.ts';
import { isSettled, type RequestRecord, settle } from './request-record.ts';
import { readChallenge, readRetryAfter } from './response-headers.ts';

/** The request on whose behalf `fetch` runs: entered around the transport's `send` alone, where it is never another caller's. */
const scope = new AsyncLocalStorage<RequestRecord>();

/** An `AsyncLocalStorage` that is in use slows every promise down, so it is entered only when somebody observes. */
let observing = false;

export function isFetchObserved(): boolean {
  return observing;
}

/** Runs a transport's `send` so that an observed `fetch` knows its call. */
export function runObserved<T>(record: RequestRecord, run: () => T): T {
  return observing ? scope.run(record, run) : run();
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
    if (record === undefined || isSettled(record) || !carriesCall(init)) {
      return run(input, init);
    }
    const id = record.lastId;
    // A refused attempt that was answered with a challenge says nothing about the next one.
    record.exchange = undefined;
    record.httpRequest = { url: input, headers: init?.headers };
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

/** Within a call's `send` there are also the requests of its authorization; only the POST of the call counts. */
function carriesCall(init: RequestInit | undefined): boolean {
  return init?.method === 'POST' && typeof init.body === 'string' && init.body.includes('"tools/call"');
}

function observeResponse(record: RequestRecord, response: Response): Response {
  const { status, headers, body } = response;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  const challenge = readChallenge(headers.get('www-authenticate'));
  const exchange: NonNullable<RequestRecord['exchange']> = {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(challenge === undefined ? {} : { challenge }),
  };
  record.exchange = exchange;
  if (body === null) {
    return response;
  }
  if (status >= 400) {
    void collectBody(response, exchange);
    return response;
  }
  const eventStream = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
  return response.ok && eventStream ? watchStream(record, response, body) : response;
}

/** As much of an error body as a bounded excerpt can use, once JSON is compacted. */
const bodyLimit = 64 * 1024;

/** Reads beside the transport: it loses the body of a 401 that goes to an auth provider, and of one that breaks midway. */
async function collectBody(response: Response, exchange: { body?: string }): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    // A logging fetch may have read the body already, and a foreign one may answer with something less than a Response.
    const reader = response.clone().body?.getReader();
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      text += decoder.decode(part.value, { stream: true });
      exchange.body = text;
      if (text.length > bodyLimit) {
        await reader?.cancel();
        return;
      }
    }
  } catch {
    // What came before the break is kept. The transport reads the answer, and says what is wrong with it.
  }
}

function watchStream(record: RequestRecord, response: Response, body: ReadableStream<Uint8Array>): Response {
  const id = record.lastId;
  const reader = body.getReader();
  const hasEventId = eventIdScanner();
  let resumable = false;
  const ended = (): void => {
    if (!resumable) {
      settleWhenUnanswered(record, id);
    }
  };
  const watched = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            ended();
            return;
          }
          resumable ||= hasEventId(value);
          controller.enqueue(value);
        } catch (error) {
          controller.error(error);
          ended();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return likeResponse(watched, response);
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

function settleWhenUnanswered(record: RequestRecord, id: number | undefined): void {
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
function likeResponse(body: ReadableStream<Uint8Array>, response: Response): Response {
  const { status, statusText, headers, url, redirected, type } = response;
  const copy = new Response(body, { status, statusText, headers });
  return Object.defineProperties(copy, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
  });
}
