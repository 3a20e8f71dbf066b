import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ToolOutcome } from '../outcome.ts';
import { OptionsError } from '../redact/options-error.ts';
import { makeCall, wrapClient } from './make-call.ts';
import type { OutcomeOptions } from './options.ts';
import type { CallOptionsFor, CallParams, SchemaCallOptionsFor } from './read-call.ts';
import type { ToolCallingClient } from './sdk-client.ts';

/** A client whose calls come back as outcomes. */
export interface ToolCaller<C extends ToolCallingClient = ToolCallingClient> {
  /** The name that stands on outcomes; follows the client when it connects. */
  readonly server: string;
  /** The client as it was given, usable beside the wrapper. */
  readonly client: C;
  // A method, so that a caller of one client fits where any caller will do; its options are only more.
  /**
   * Calls a tool. Never rejects, and always settles: within `timeout` + 1 s of the last request it sent, and within
   * `maxTotalTimeout` + 1 s in all. A call that cannot be made is an outcome with the reason `invalid_arguments`.
   */
  callTool<S extends StandardSchemaV1>(
    this: void,
    params: CallParams,
    options: SchemaCallOptionsFor<C, S>,
  ): Promise<ToolOutcome<StandardSchemaV1.InferOutput<S>>>;
  callTool(this: void, params: CallParams, options?: CallOptionsFor<C>): Promise<ToolOutcome>;
}

/** Wrapped twice, every failure would be a result that nothing says is one. */
const callers = new WeakSet<object>();

/**
 * Wraps a client so that every `tools/call` becomes one outcome, and every failed one a warning in the log.
 *
 * @throws OptionsError that names the bad option. Nothing else here or in `callTool` throws.
 */
export function withOutcomes<C extends ToolCallingClient>(
  client: C,
  options?: OutcomeOptions,
): ToolCaller<C> {
  if (callers.has(client)) {
    throw new OptionsError('client', 'a client of an MCP server', 'one that withOutcomes has wrapped');
  }
  const wrapped = wrapClient(client, options);

  function callTool<S extends StandardSchemaV1>(
    params: CallParams,
    callOptions: SchemaCallOptionsFor<C, S>,
  ): Promise<ToolOutcome<StandardSchemaV1.InferOutput<S>>>;
  function callTool(params: CallParams, callOptions?: CallOptionsFor<C>): Promise<ToolOutcome>;
  function callTool(params: unknown, callOptions?: unknown): Promise<ToolOutcome> {
    return makeCall(wrapped, params, callOptions);
  }

  const caller: ToolCaller<C> = {
    get server() {
      return wrapped.serverName();
    },
    client,
    callTool,
  };
  callers.add(caller);
  return caller;
}
