/** Plays the public bug reports: each row becomes one or more plays, and each of them ends in one outcome. */
import * as v from 'valibot';
import {
  type CallContext,
  classifyResult,
  classifyRpcError,
  classifyThrown,
  defaultFailureBodies,
  defineFailureBody,
  logOutcome,
  looseFailure,
  type Recognizer,
  type ToolOutcome,
} from '../../src/index.ts';
import { type Members, members, type OutcomeCase, type Played } from './outcome-case-rows.ts';
import { playOverHttp } from './outcome-cases-http.ts';
import { context } from './right-outcome.ts';
import { sdkCopies } from './thrown-errors.ts';

export async function playCase(row: OutcomeCase): Promise<readonly Played[]> {
  const { via, input } = row;
  switch (via) {
    case 'result':
      return playResults(row);
    case 'throw':
      return thrownValues(input).map(({ label, thrown, signal }) =>
        logged(label, classifyThrown(thrown, signal === undefined ? context : { ...context, signal })),
      );
    case 'jsonrpc_error':
      return 'responseId' in input
        ? playOverHttp(row)
        : variants(input).map(({ label, value }) => logged(label, classifyRpcError(value, context)));
    case 'http':
    case 'transport':
      return playOverHttp(row);
    case 'log':
      return logPlays(String(input.text));
  }
}

function logged(label: string, outcome: ToolOutcome): Played {
  const records: object[] = [];
  logOutcome({ warn: (record, message) => records.push({ ...record, msg: message }) }, outcome);
  return { label, outcome, logged: records };
}

/** `moraine.mcp.error.v1`, as a caller who knows that server would register it. */
const moraineError = defineFailureBody({
  name: 'moraineError',
  schema: v.object({
    schema: v.literal('moraine.mcp.error.v1'),
    error: v.object({ code: v.string(), message: v.string() }),
  }),
  failure: ({ error }) => error,
});

const optIns: Readonly<Record<'looseFailure' | 'custom recognizer', Recognizer>> = {
  looseFailure,
  'custom recognizer': moraineError,
};

function playResults({ input, right }: OutcomeCase): readonly Played[] {
  // A task's own status decides nothing: its `tasks/result` is judged like every result.
  const result = v.parse(members, fill(input.result ?? input.tasksResult));
  const callContext: CallContext = {
    ...context,
    ...v.parse(v.object({ outputSchema: v.exactOptional(members) }), input),
    ...(right.optIn && { failureBodies: [...defaultFailureBodies, optIns[right.optIn]] }),
  };
  return variants({ ...result, variants: input.variants }).map(({ label, value }) =>
    logged(label, classifyResult(value, callContext)),
  );
}

/** The value itself, then one for each of its `variants`, which replace some of its members. */
function variants({ variants: others = [], ...base }: Members): readonly { label: string; value: Members }[] {
  const changed = v.parse(v.array(members), others);
  return [
    { label: '', value: base },
    ...changed.map((change) => ({ label: JSON.stringify(change), value: { ...base, ...change } })),
  ];
}

/** `"<generate: 'A' x 3>"` stands for `"AAA"`. */
function fill(value: unknown): unknown {
  const text = JSON.stringify(value);
  return JSON.parse(
    text.replace(/<generate: '(.)' x (\d+)>/g, (_all, unit: string, times: string) =>
      unit.repeat(Number(times)),
    ),
  );
}

interface Thrown {
  readonly label: string;
  readonly thrown: unknown;
  readonly signal?: AbortSignal;
}

function thrownValues(input: Members): readonly Thrown[] {
  if (input.variants !== undefined) {
    return v
      .parse(v.array(v.object({ thrown: v.unknown() })), input.variants)
      .flatMap(({ thrown }) => withoutPlaceholder(thrown));
  }
  const thrown = toError(input);
  if (input.signalAborted !== true) {
    return [{ label: '', thrown }];
  }
  return [
    { label: 'no reason', thrown, signal: AbortSignal.abort() },
    { label: 'the error', thrown, signal: AbortSignal.abort(thrown) },
    { label: 'null', thrown, signal: AbortSignal.abort(null) },
    { label: 'why', thrown, signal: AbortSignal.abort('why') },
  ];
}

function withoutPlaceholder(thrown: unknown): readonly Thrown[] {
  if (thrown === '<undefined>') {
    return [{ label: 'undefined', thrown: undefined }];
  }
  if (thrown !== '<object with throwing getters / revoked Proxy>') {
    return [{ label: JSON.stringify(thrown), thrown }];
  }
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const explode = (): never => {
    throw new Error('do not read me');
  };
  const getters = Object.fromEntries(
    ['name', 'message', 'code', 'status', 'cause', 'errors'].map((key) => [key, { get: explode }]),
  );
  return [
    { label: 'throwing getters', thrown: Object.defineProperties({}, getters) },
    { label: 'revoked', thrown: proxy },
  ];
}

/** The error that a row describes: of the SDK's own class where it names one, else an `Error` with these members. */
function toError({ name, message, code, data, cause, errors, status }: Members): unknown {
  const words = String(message ?? '');
  const nested = cause === undefined ? undefined : toError(v.parse(members, cause));
  if (name === 'StreamableHTTPError') {
    const { StreamableHTTPError } = sdkCopies.ESM.streamableHttp;
    return new StreamableHTTPError(Number(code), words.replace('Streamable HTTP error: ', ''));
  }
  if (name === 'McpError') {
    return new sdkCopies.ESM.types.McpError(Number(code), words.replace(`MCP error ${code}: `, ''), data);
  }
  const given = Object.entries({ name, code, status }).filter(([, value]) => value !== undefined);
  const error =
    errors === undefined
      ? new Error(words, nested === undefined ? {} : { cause: nested })
      : new AggregateError(v.parse(v.array(members), errors).map(toError), words);
  return Object.assign(error, Object.fromEntries(given));
}

/** A text gets into a log as the words of an error, as what a tool said, and as the body of an HTTP error. */
function logPlays(text: string): readonly Played[] {
  const { StreamableHTTPError } = sdkCopies.ESM.streamableHttp;
  const said = { content: [{ type: 'text', text }], isError: true };
  const posted = new StreamableHTTPError(500, `Error POSTing to endpoint: ${text}`);
  const plays = [
    logged('as an error', classifyThrown(new Error(text), context)),
    logged('as the cause of an error', classifyThrown(new Error('no', { cause: new Error(text) }), context)),
    logged('as a tool error', classifyResult(said, context)),
    logged('as an HTTP body', classifyThrown(posted, context)),
  ];
  return text.startsWith('{"name"')
    ? [...plays, logged('as the error itself', classifyThrown(JSON.parse(text), context))]
    : plays;
}
