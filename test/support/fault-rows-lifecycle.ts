/**
 * Lifecycle, abort and close (family C), played with functions. The caller's own signal makes a call `cancelled`,
 * whatever its reason, except a `TimeoutError` (that is `AbortSignal.timeout()`). An answer that arrived before the
 * call settled wins over the abort.
 */
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Play, Stage } from './fault-play.ts';
import { cancelled, type FaultRow, httpError, noAnswer, type Right, rpcError, success } from './fault-row.ts';
import { errorFrame, type FaultTransport, type Frame, type PeerScript, resultFrame } from './fault-script.ts';

const everywhere = ['http-json', 'http-sse', 'sse', 'stdio', 'mem'] as const;
const fourKinds = ['http-json', 'sse', 'stdio', 'mem'] as const;
const memory = ['mem'] as const;

/** A server that takes the call and says nothing until the test lets it. */
const holding: PeerScript = { calls: { fault: {} } };
const okFrame = resultFrame({ content: [{ type: 'text', text: 'fine' }] });
const answering: PeerScript = { calls: { fault: { frames: [okFrame] } } };
const progressFrame: Frame = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: '$id', progress: 1 },
});

type Run = <T>(stage: Stage<T>) => Promise<T>;
type Rest = Partial<Omit<FaultRow, 'id' | 'what' | 'play' | 'right' | 'why' | 'transports'>> & {
  readonly play?: Partial<Play>;
};

function row(
  id: string,
  what: string,
  transports: readonly FaultTransport[],
  script: PeerScript,
  run: Run,
  right: Right,
  why: string,
  rest: Rest = {},
): FaultRow {
  const { play, ...others } = rest;
  return { id, what, transports, play: { script, run, ...play }, right, why, ...others };
}

/** Waits until the server has the call; a call that ends before is not waited for. */
async function arrival<T>(stage: Stage<T>, pending: Promise<T>): Promise<void> {
  await Promise.race([stage.connection.peer.arrived, pending]);
}

/** Starts the call, and does something when the server has it. */
function during(act: (stage: Stage<unknown>) => void): Run {
  return async (stage) => {
    const pending = stage.call();
    await arrival(stage, pending);
    act(stage);
    return pending;
  };
}

const callIt: Run = (stage) => stage.call();

/** A reason of the caller's, or the one that `abort()` makes up. */
type Reason = { readonly name: string; readonly reason: unknown } | 'default';

function abort(controller: AbortController, why: Reason): void {
  if (why === 'default') controller.abort();
  else controller.abort(why.reason);
}

function suffix(why: Reason): string {
  return why === 'default' ? '' : `-${why.name}`;
}

function withReason(right: Right, why: Reason): Right {
  return why === 'default' ? right : { ...right, cause: why.reason };
}

function abortBefore(why: Reason): FaultRow {
  return row(
    `lc-abort-before${suffix(why)}`,
    `signal already aborted, reason ${why === 'default' ? why : why.name}`,
    ['http-json', 'mem'],
    holding,
    (stage) => {
      const controller = new AbortController();
      abort(controller, why);
      return stage.call(undefined, { signal: controller.signal });
    },
    withReason({ ...cancelled, delivery: 'not_sent' }, why),
    'the caller gave up before the call; nothing was sent',
  );
}

function abortDuring(why: Reason, transports: readonly FaultTransport[]): FaultRow {
  return row(
    `lc-abort-during${suffix(why)}`,
    `signal aborted during the call, reason ${why === 'default' ? why : why.name}`,
    transports,
    holding,
    abortedRun(why),
    withReason(cancelled, why),
    'the caller gave up, for whatever reason; whether the tool runs on is not known',
  );
}

function abortedRun(why: Reason): Run {
  return async (stage) => {
    const controller = new AbortController();
    // Longer than any row takes, so that it is never the request timer that ends this call.
    const pending = stage.call(undefined, { signal: controller.signal, timeout: 10_000 });
    await arrival(stage, pending);
    abort(controller, why);
    return pending;
  };
}

const reasons = {
  error: { name: 'error', reason: new Error('why') },
  string: { name: 'string', reason: 'why' },
  object: { name: 'object', reason: { why: 1 } },
  null: { name: 'null', reason: null },
  mcpError: { name: 'mcperror', reason: new McpError(-32099, 'mine') },
  timeout: {
    name: 'timeoutreason',
    reason: new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
  },
  namedTimeout: {
    name: 'plain-timeout-name',
    reason: Object.assign(new Error('slow'), { name: 'TimeoutError' }),
  },
} as const;

const dropped = 'the stream that would have brought the answer is gone, and the SDK does not tell the call';
const legacyStream = ['sse'] as const;

function circular(): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}

const invalidArguments: Right = {
  ...noAnswer('invalid_arguments'),
  category: 'invalid_input',
  delivery: 'not_sent',
};
const serializing = ['http-json', 'http-sse', 'sse', 'stdio'] as const;
const unserializable = 'JSON cannot carry the arguments, so no byte of the call left';
const notConnected: Right = { ...noAnswer('not_connected'), delivery: 'not_sent' };
const closed: Right = noAnswer('connection_closed');

export const lifecycleRows: readonly FaultRow[] = [
  row(
    'lc-timeout',
    'no answer: request timeout',
    fourKinds,
    holding,
    callIt,
    noAnswer('timeout'),
    'the server says nothing',
  ),
  row(
    'lc-close',
    'client.close() during the call',
    fourKinds,
    holding,
    during((stage) => void stage.connection.client.close()),
    closed,
    'closed under the call; whether the tool ran is not known',
    { notUsable: true },
  ),
  row(
    'lc-tclose',
    'transport.close() during the call',
    fourKinds,
    holding,
    during((stage) => void stage.connection.closeTransport()),
    closed,
    'closed under the call; whether the tool ran is not known',
    { notUsable: true },
  ),
  row(
    'lc-remote-close',
    'peer closes the connection during the call',
    ['sse', 'mem'],
    holding,
    during((stage) => stage.connection.peer.drop('end')),
    closed,
    'in memory the client is told; on the legacy stream it is not',
    { notUsable: true, rightOn: { sse: noAnswer('timeout') } },
  ),
  row(
    'lc-sse-drop-reconnect',
    'SSE GET stream reset during the call (EventSource reconnects)',
    legacyStream,
    { ...holding, http: { retryMs: 20 } },
    during((stage) => stage.connection.peer.drop('reset')),
    noAnswer('timeout'),
    dropped,
    { notUsable: true },
  ),
  row(
    'lc-sse-drop-404',
    'SSE GET stream ends during the call; the reconnect answers 404',
    legacyStream,
    { ...holding, http: { retryMs: 20, reconnect: { status: 404 } } },
    during((stage) => stage.connection.peer.drop('end')),
    noAnswer('timeout'),
    'the 404 belongs to the stream, not to the call, and must not colour it',
    { notUsable: true },
  ),
  row(
    'lc-sse-malformed',
    'SSE message event is not JSON',
    legacyStream,
    { calls: { fault: { post: { status: 202 } } }, http: { event: 'data: BODYMARK not json\n\n' } },
    callIt,
    noAnswer('timeout'),
    'the SDK drops the event',
  ),
  row(
    'lc-sse-body-in-post',
    'legacy SSE: the POST answers 200 with the JSON-RPC response in its body',
    legacyStream,
    {
      calls: { fault: { post: { headers: { 'content-type': 'application/json' }, body: okFrame } } },
    },
    callIt,
    noAnswer('timeout'),
    'the legacy transport does not read the body of a POST, so the result never reached the client',
  ),
  row(
    'lc-preconnect',
    'callTool before connect',
    everywhere,
    answering,
    callIt,
    notConnected,
    'the client holds no transport',
    { play: { notConnected: true }, notUsable: true },
  ),
  row(
    'lc-afterclose',
    'callTool after close',
    fourKinds,
    answering,
    async (stage) => {
      await stage.connection.client.close();
      return stage.call();
    },
    notConnected,
    'the client holds no transport any more',
    { notUsable: true },
  ),
  abortBefore('default'),
  abortBefore(reasons.error),
  abortBefore(reasons.string),
  abortBefore(reasons.object),
  abortBefore(reasons.null),
  abortDuring('default', everywhere),
  abortDuring(reasons.error, fourKinds),
  abortDuring(reasons.string, fourKinds),
  abortDuring(reasons.null, memory),
  abortDuring(reasons.mcpError, fourKinds),
  abortDuring(reasons.namedTimeout, memory),
  row(
    'lc-abort-during-timeoutreason',
    'signal aborted during the call, reason a DOMException named TimeoutError',
    fourKinds,
    holding,
    abortedRun(reasons.timeout),
    noAnswer('timeout'),
    'a TimeoutError as the reason is the common way to set a timeout',
  ),
  row(
    'lc-abort-after',
    'signal aborted after the call resolved',
    fourKinds,
    answering,
    async (stage) => {
      const controller = new AbortController();
      const outcome = await stage.call(undefined, { signal: controller.signal });
      controller.abort();
      return outcome;
    },
    success,
    'the answer was there first',
  ),
  row(
    'lc-abort-race',
    'response arrives in the same tick as the abort',
    memory,
    holding,
    async (stage) => {
      const controller = new AbortController();
      const pending = stage.call(undefined, { signal: controller.signal });
      await arrival(stage, pending);
      controller.abort();
      stage.connection.peer.answer([okFrame]);
      return pending;
    },
    success,
    'the answer arrived before the call settled, even if the client then reports the abort',
  ),
  row(
    'lc-abort-race-reversed',
    'abort in the same tick as the response, after it',
    memory,
    holding,
    async (stage) => {
      const controller = new AbortController();
      const pending = stage.call(undefined, { signal: controller.signal });
      await arrival(stage, pending);
      stage.connection.peer.answer([okFrame]);
      controller.abort();
      return pending;
    },
    success,
    'the answer arrived before the call settled, even if the client then reports the abort',
  ),
  row(
    'lc-timeout-signal',
    'AbortSignal.timeout(300)',
    fourKinds,
    holding,
    (stage) => stage.call(undefined, { signal: AbortSignal.timeout(300), timeout: 10_000 }),
    noAnswer('timeout'),
    'a TimeoutError as the reason is the common way to set a timeout',
  ),
  row(
    'lc-maxtotal',
    'maxTotalTimeout with progress keeping it alive',
    ['http-sse', 'sse', 'mem'],
    holding,
    async (stage) => {
      const { peer } = stage.connection;
      const pending = stage.call(undefined, {
        // The SDKs leave this timer behind when the total is over.
        timeout: 2_000,
        maxTotalTimeout: 300,
        resetTimeoutOnProgress: true,
        onprogress: () => {},
      });
      await arrival(stage, pending);
      const beat = setInterval(() => peer.answer([progressFrame]), 20);
      return pending.finally(() => clearInterval(beat));
    },
    noAnswer('timeout'),
    'progress keeps the request timer away, not the limit over all',
  ),
  row(
    'lc-onprogress-throws',
    'onprogress callback throws',
    everywhere,
    { calls: { fault: { frames: [progressFrame, okFrame] } } },
    (stage) =>
      stage.call(undefined, {
        onprogress: () => {
          throw new Error('the callback failed');
        },
      }),
    success,
    'a callback of the caller is not the call',
  ),
  ...concurrentRows(),
  row(
    'lc-circular-args',
    'arguments that JSON cannot carry (circular)',
    ['http-json', 'http-sse', 'sse', 'stdio', 'mem'],
    answering,
    (stage) => stage.call({ name: 'fault', arguments: circular() }),
    invalidArguments,
    `${unserializable}; in memory nothing serializes them, and the server answers`,
    { rightOn: { mem: success } },
  ),
  row(
    'lc-bigint-args',
    'arguments with a BigInt',
    serializing,
    answering,
    (stage) => stage.call({ name: 'fault', arguments: { big: 1n } }),
    invalidArguments,
    unserializable,
  ),
  row(
    'lc-double-connect',
    'connect twice',
    fourKinds,
    answering,
    async (stage) => {
      await stage.connection.connect().catch(() => {});
      return stage.call();
    },
    success,
    'the second connect is refused, and the first connection lives on',
    // In the 2026 era it takes the connection down before it refuses.
    { clients: ['v1', 'v1-oldest', 'v2'] },
  ),
  row(
    'lc-throwing-fetch',
    'custom fetch throws a non-Error',
    ['http-json', 'http-sse', 'sse'],
    answering,
    callIt,
    noAnswer('unknown_error'),
    'a string is thrown: nothing typed says what it was, nor whether anything left',
    {
      play: {
        fetch: (url, init) => {
          if (typeof init?.body === 'string' && init.body.includes('"fault"')) throw 'string thrown';
          return fetch(url, init);
        },
      },
    },
  ),
  row(
    'lc-throwing-onclose',
    'user onclose callback throws while a call is pending',
    memory,
    holding,
    during(({ connection }) => {
      connection.client.onclose = () => {
        throw new Error('the callback failed');
      };
      connection.peer.drop('end');
    }),
    closed,
    'SDK v1 never settles this call; the connection is closed all the same',
    { notUsable: true },
  ),
];

/** Ten calls at once; each outcome must be its own call's. Three rows, one for each of three calls among the ten. */
function concurrentRows(): readonly FaultRow[] {
  const script: PeerScript = {
    calls: {
      fault: { post: { status: 403, body: 'BODYMARK' } },
      broken: { frames: [errorFrame({ code: -32603, message: 'broken' })] },
    },
  };
  const names = [
    'healthy',
    'healthy',
    'healthy',
    'fault',
    'healthy',
    'broken',
    'healthy',
    'healthy',
    'healthy',
    'healthy',
  ];
  const judged: readonly (readonly [number, Right])[] = [
    [3, httpError(403, 'access_denied', 'answered')],
    [5, rpcError(-32603)],
    [9, success],
  ];
  return judged.map(([index, right]) =>
    row(
      `lc-concurrent-${names[index]}`,
      `ten calls at once, one 403, one error, others ok: the ${names[index]} one`,
      ['http-json'],
      script,
      async (stage) => {
        const calls = names.map((name, say) => stage.call({ name, arguments: { say } }));
        const outcomes = await Promise.all(calls);
        const [chosen] = outcomes.slice(index, index + 1);
        if (chosen === undefined) throw new Error('The call has no outcome.');
        return chosen;
      },
      right,
      'every outcome belongs to its own call',
    ),
  );
}
