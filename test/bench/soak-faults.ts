/** What the servers of the soak do to a call, as data, and which outcome that has to be. */

export interface SoakFault {
  readonly name: string;
  /** How often, of `totalWeight`. */
  readonly weight: number;
  /** Kind and, for a `call_failure`, reason. */
  readonly outcome: string;
  /** Where the call's own number has to stand in the outcome; `nowhere` when the server said nothing. */
  readonly echo: 'result' | 'message' | 'nowhere';
  /** What the caller does about it. */
  readonly caller?: 'aborts' | 'has no time';
}

function textOf(call: number): object {
  return { content: [{ type: 'text', text: `call ${call}` }] };
}

/** A fault that any transport can carry: the members behind `jsonrpc` and `id`. */
export interface MessageFault extends SoakFault {
  readonly message: (call: number) => object;
  /** How the answer comes: at once, after others, or twice. */
  readonly delivery?: 'late' | 'twice';
}

export const messageFaults: readonly MessageFault[] = [
  {
    name: 'a text',
    weight: 400,
    outcome: 'success',
    echo: 'result',
    message: (call) => ({ result: textOf(call) }),
  },
  {
    name: 'a text, after others',
    weight: 200,
    outcome: 'success',
    echo: 'result',
    delivery: 'late',
    message: (call) => ({ result: textOf(call) }),
  },
  {
    name: 'a text, twice',
    weight: 40,
    outcome: 'success',
    echo: 'result',
    delivery: 'twice',
    message: (call) => ({ result: textOf(call) }),
  },
  {
    name: 'structured content',
    weight: 100,
    outcome: 'success',
    echo: 'result',
    message: (call) => ({ result: { content: [], structuredContent: { call: `call ${call}` } } }),
  },
  {
    name: 'isError',
    weight: 60,
    outcome: 'tool_error',
    echo: 'result',
    message: (call) => ({ result: { ...textOf(call), isError: true } }),
  },
  {
    name: 'isError, after others',
    weight: 40,
    outcome: 'tool_error',
    echo: 'result',
    delivery: 'late',
    message: (call) => ({ result: { ...textOf(call), isError: true } }),
  },
  {
    name: 'a failure body',
    weight: 40,
    outcome: 'failure_body',
    echo: 'result',
    message: (call) => ({
      result: { content: [], structuredContent: { success: false, error: `call ${call}` } },
    }),
  },
  {
    name: 'no tool result',
    weight: 30,
    outcome: 'schema_mismatch',
    echo: 'result',
    message: (call) => ({ result: { content: [{ type: 'text', text: 5, call: `call ${call}` }] } }),
  },
  {
    name: 'a JSON-RPC error',
    weight: 40,
    outcome: 'call_failure protocol_error',
    echo: 'message',
    message: (call) => ({ error: { code: -32_603, message: `call ${call}` } }),
  },
  {
    name: 'a task',
    weight: 10,
    outcome: 'call_failure task_created',
    echo: 'message',
    message: (call) => ({ result: { task: { taskId: `call ${call}` } } }),
  },
];

/** Nobody answers in time. */
export const silentFaults: readonly SoakFault[] = [
  { name: 'the caller aborts', weight: 20, outcome: 'cancelled', echo: 'nowhere', caller: 'aborts' },
  {
    name: 'no answer in time',
    weight: 2,
    outcome: 'call_failure timeout',
    echo: 'nowhere',
    caller: 'has no time',
  },
];

export interface HttpFault extends SoakFault {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: (call: number) => string;
  /** The socket closes in place of an answer. */
  readonly reset?: true;
}

const json = { 'content-type': 'application/json' };
const words = (call: number): string => `call ${call}`;

export const httpFaults: readonly HttpFault[] = [
  ...[400, 401, 403, 404, 429, 500, 502, 503].map(
    (status): HttpFault => ({
      name: `HTTP ${status}`,
      weight: 8,
      outcome: 'call_failure http_error',
      echo: 'message',
      status,
      body: words,
    }),
  ),
  {
    name: 'broken JSON',
    weight: 8,
    outcome: 'call_failure invalid_answer',
    echo: 'nowhere',
    headers: json,
    body: (call) => `{"call": ${call}`,
  },
  {
    name: 'an empty answer',
    weight: 8,
    outcome: 'call_failure invalid_answer',
    echo: 'nowhere',
    headers: json,
    body: () => '',
  },
  {
    name: 'an HTML page',
    weight: 8,
    outcome: 'call_failure invalid_answer',
    echo: 'nowhere',
    headers: { 'content-type': 'text/html' },
    body: words,
  },
  {
    name: 'an event stream without an answer',
    weight: 8,
    outcome: 'call_failure invalid_answer',
    echo: 'nowhere',
    headers: { 'content-type': 'text/event-stream' },
    body: () => ': nothing\n\n',
  },
  { name: 'a closed socket', weight: 8, outcome: 'call_failure network_error', echo: 'nowhere', reset: true },
];

/** Always the same fault for a call, spread as if by chance (the finalizer of MurmurHash3). */
export function faultOf<F extends SoakFault>(faults: readonly F[], call: number): F {
  const total = faults.reduce((sum, { weight }) => sum + weight, 0);
  let hash = call + 0x9e3779b9;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  let rest = ((hash ^ (hash >>> 16)) >>> 0) % total;
  for (const fault of faults) {
    rest -= fault.weight;
    if (rest < 0) {
      return fault;
    }
  }
  throw new Error('no faults');
}
