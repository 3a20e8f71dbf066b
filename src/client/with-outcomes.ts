import { classify } from '../classify/classify.ts';
import type { ClassifyContext, Evidence } from '../classify/evidence.ts';
import type { ToolOutcome } from '../outcome.ts';
import { OptionsError, typeName } from '../redact/options-error.ts';
import { readProperty } from '../redact/safe-read.ts';
import { logOutcomeWith } from '../report/log.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { type OutcomeOptions, readOptions, type Settings } from './options.ts';
import { type BadCall, type Call, type CallOptions, type CallParams, readCall } from './read-call.ts';
import { readServerName, type ToolCallingClient, takesResultSchema } from './sdk-client.ts';

/** A client whose calls come back as outcomes. */
export interface ToolCaller<C extends ToolCallingClient = ToolCallingClient> {
  /** The name that stands on outcomes; follows the client when it connects. */
  readonly server: string;
  /** The client as it was given, usable beside the wrapper. */
  readonly client: C;
  /**
   * Calls a tool. Never rejects, and always settles: within `timeout` + 1 s of the last request it sent, and within
   * `maxTotalTimeout` + 1 s in all. A call that cannot be made is an outcome with the reason `invalid_arguments`.
   */
  readonly callTool: (params: CallParams, options?: CallOptions) => Promise<ToolOutcome>;
}

/**
 * Wraps a client so that every `tools/call` becomes one outcome, and every failed one a warning in the log.
 *
 * @throws OptionsError that names the bad option. Nothing else here or in `callTool` throws.
 */
export function withOutcomes<C extends ToolCallingClient>(
  client: C,
  options?: OutcomeOptions,
): ToolCaller<C> {
  if (typeof readProperty(client, 'callTool') !== 'function') {
    throw new OptionsError('client', 'an object with a callTool function', typeName(client));
  }
  const settings = readOptions(options);
  const withResultSchema = takesResultSchema(client);
  const serverName = (): string => settings.server ?? readServerName(client, settings.redactor) ?? 'mcp';
  return {
    get server() {
      return serverName();
    },
    client,
    callTool: async (params, callOptions) => {
      const startedAt = new Date().toISOString();
      const startedMs = performance.now();
      const call = readCall(params, callOptions, settings);
      const evidence: Evidence =
        'problem' in call
          ? { source: 'bad_call', message: call.problem, thrown: call.thrown }
          : await gatherEvidence(client, withResultSchema, call);
      const outcome = classify(evidence, toContext(call, settings, serverName(), startedAt, startedMs));
      if (call.logger !== false) {
        logOutcomeWith(call.logger, outcome, settings.redactor);
      }
      return outcome;
    },
  };
}

function toContext(
  { tool, callId }: Call | BadCall,
  { redactor, failureBodies, errorBodies }: Settings,
  server: string,
  startedAt: string,
  startedMs: number,
): ClassifyContext {
  const durationMs = Math.round((performance.now() - startedMs) * 1_000) / 1_000;
  return { server, tool, callId, startedAt, durationMs, redactor, failureBodies, errorBodies };
}
