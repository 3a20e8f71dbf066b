import type { ToolOutcome } from '../outcome.ts';
import { oneLine } from '../redact/bounded-text.ts';
import { OptionsError, typeName } from '../redact/options-error.ts';
import type { Redactor } from '../redact/redactor.ts';
import { readProperty } from '../redact/safe-read.ts';
import { logOutcomeWith, logUnusableSchema } from '../report/log.ts';
import { type GatheredCall, gatherEvidence } from './gather-evidence.ts';
import { judgeCall } from './judge-call.ts';
import { callRedactor } from './known-secrets.ts';
import { readOptions, type Settings } from './options.ts';
import { type BadCall, type Call, readCall } from './read-call.ts';
import {
  callToolOf,
  isSdkV2,
  readServerName,
  type ToolCallingClient,
  takesResultSchema,
} from './sdk-client.ts';
import { fixedCatalog, listedCatalog, type ToolCatalog } from './tool-catalog.ts';
import { withToolDefinition } from './tool-definition.ts';

/** A client with everything that its calls share. */
export interface WrappedClient {
  readonly client: ToolCallingClient;
  readonly settings: Settings;
  readonly invoke: (params: unknown, options: unknown) => unknown;
  /** The name that stands on outcomes. */
  readonly serverName: () => string;
  readonly catalog: ToolCatalog;
  /** The tools whose output schema has been reported as unusable. */
  readonly reported: Set<string>;
}

export function wrapClient(client: ToolCallingClient, options: unknown): WrappedClient {
  if (typeof readProperty(client, 'callTool') !== 'function') {
    throw new OptionsError('client', 'an object with a callTool function', typeName(client));
  }
  const settings = readOptions(options);
  const withResultSchema = takesResultSchema(client);
  const compilesFirst = isSdkV2(client);
  const catalog = toCatalog(client, settings);
  return {
    client,
    settings,
    invoke: (params, requestOptions) => {
      const options = compilesFirst ? withToolDefinition(catalog, params, requestOptions) : requestOptions;
      return callToolOf(client, withResultSchema, params, options);
    },
    serverName: serverNameReader(client, settings),
    catalog,
    reported: new Set(),
  };
}

function toCatalog(client: ToolCallingClient, { outputSchemas }: Settings): ToolCatalog {
  if (typeof outputSchemas === 'object') {
    return fixedCatalog(outputSchemas);
  }
  return outputSchemas === 'auto' ? listedCatalog(client) : fixedCatalog({});
}

/** The name is the server's own text, made safe once and not for every call; it changes when the client connects anew. */
function serverNameReader(client: ToolCallingClient, { server, redactor }: Settings): () => string {
  let own: string | undefined;
  let safe = 'mcp';
  return () => {
    const name = server ?? readServerName(client);
    if (name !== own) {
      own = name;
      safe = server ?? (name === undefined ? 'mcp' : oneLine(redactor.bounded(name, 128)));
    }
    return safe;
  };
}

/** One call from end to end: read, made, judged, logged. Never rejects. */
export async function makeCall(
  wrapped: WrappedClient,
  params: unknown,
  options: unknown,
): Promise<ToolOutcome> {
  const { client, catalog, settings } = wrapped;
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  const call = readCall(params, options, settings);
  const gathered =
    'problem' in call ? notMade(call) : await gatherEvidence(client, catalog, call, wrapped.invoke);
  const durationMs = Math.round((performance.now() - startedMs) * 1_000) / 1_000;
  const redactor = callRedactor(settings.redactor, gathered.record);
  const { tool, callId } = call;
  const { failureBodies, errorBodies } = settings;
  const server = wrapped.serverName();
  const context = { server, tool, callId, startedAt, durationMs, redactor, failureBodies, errorBodies };
  const judged = judgeCall(catalog, 'output' in call ? call.output : undefined, gathered, context);
  const outcome = judged instanceof Promise ? await judged : judged;
  report(wrapped, call.logger, outcome, redactor);
  return outcome;
}

function notMade({ problem, thrown }: BadCall): GatheredCall {
  return { evidence: { source: 'bad_call', message: problem, thrown } };
}

function report(
  wrapped: WrappedClient,
  logger: Call['logger'],
  outcome: ToolOutcome,
  redactor: Redactor,
): void {
  if (logger === false) {
    return;
  }
  logOutcomeWith(logger, outcome, redactor);
  if (outcome.ok && outcome.warnings.length > 0 && !wrapped.reported.has(outcome.tool)) {
    const unusable = outcome.warnings.find(({ code }) => code === 'output_schema_unusable');
    if (unusable !== undefined) {
      wrapped.reported.add(outcome.tool);
      logUnusableSchema(logger, outcome.server, outcome.tool, unusable.reason);
    }
  }
}
