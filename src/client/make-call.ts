import type { SuccessOutcome, ToolOutcome } from '../outcome.ts';
import { OptionsError, typeName } from '../redact/options-error.ts';
import type { Redactor } from '../redact/redactor.ts';
import { safeNames } from '../redact/safe-names.ts';
import { readProperty } from '../redact/safe-read.ts';
import { keepRedactor, logOutcome, logUnusableSchema, type OutcomeLogger } from '../report/log.ts';
import { type GatheredCall, gatherEvidence } from './gather-evidence.ts';
import { judgeCall } from './judge-call.ts';
import { callRedactor } from './known-secrets.ts';
import { readOptions, type Settings } from './options.ts';
import { type BadCall, type Call, readCall } from './read-call.ts';
import { type Params, withOwnArguments } from './request-record.ts';
import {
  callClient,
  callSdkV1,
  isSdkV1,
  isSdkV2,
  readServerName,
  type ToolCallingClient,
} from './sdk-client.ts';
import { fixedCatalog, listedCatalog, type ToolCatalog } from './tool-catalog.ts';
import { withToolDefinition } from './tool-definition.ts';

/** A client with everything that its calls share. */
export interface WrappedClient {
  readonly client: ToolCallingClient;
  readonly settings: Settings;
  readonly invoke: (params: Params, options: unknown) => unknown;
  /** The name that stands on outcomes. */
  readonly serverName: () => string;
  /** A tool's name as it stands on outcomes: the model may have invented it. */
  readonly toolName: (name: string) => string;
  readonly catalog: ToolCatalog;
}

export function wrapClient(client: ToolCallingClient, options: unknown): WrappedClient {
  if (typeof readProperty(client, 'callTool') !== 'function') {
    throw new OptionsError('client', 'an object with a callTool function', typeName(client));
  }
  const settings = readOptions(options);
  const catalog = toCatalog(client, settings);
  const safeName = safeNames(settings.redactor);
  return {
    client,
    settings,
    invoke: invoker(client, catalog),
    // It changes when the client connects anew.
    serverName: () => safeName(settings.server ?? readServerName(client) ?? 'mcp'),
    toolName: safeName,
    catalog,
  };
}

function toCatalog(client: ToolCallingClient, { outputSchemas }: Settings): ToolCatalog {
  if (typeof outputSchemas === 'object') {
    return fixedCatalog(outputSchemas);
  }
  return outputSchemas === 'auto' ? listedCatalog(client) : fixedCatalog({});
}

/** How a client of each kind takes a call. */
function invoker(client: ToolCallingClient, catalog: ToolCatalog): WrappedClient['invoke'] {
  if (isSdkV1(client)) {
    return (params, options) => callSdkV1(client, params, options);
  }
  return isSdkV2(client)
    ? (params, options) => callClient(client, params, withToolDefinition(catalog, params, options))
    : (params, options) => callClient(client, withOwnArguments(params), options);
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
  let gathered: GatheredCall;
  try {
    gathered =
      'problem' in call ? notMade(call) : await gatherEvidence(client, catalog, call, wrapped.invoke);
  } catch (thrown) {
    // The client's own code runs in there.
    gathered = { evidence: { source: 'rejected', thrown, origin: 'unknown' } };
  }
  const elapsedMs = (): number => Math.round((performance.now() - startedMs) * 1_000) / 1_000;
  const redactor = callRedactor(settings.redactor, gathered.record);
  const { callId } = call;
  const { failureBodies, errorBodies } = settings;
  const server = wrapped.serverName();
  const tool = wrapped.toolName(call.tool);
  const context = {
    server,
    tool,
    callId,
    startedAt,
    durationMs: elapsedMs(),
    redactor,
    failureBodies,
    errorBodies,
  };
  const judged = judgeCall(catalog, call, gathered, context, elapsedMs);
  const outcome = judged instanceof Promise ? await judged : judged;
  report(client, call.logger, outcome, redactor);
  return outcome;
}

function notMade({ problem, thrown }: BadCall): GatheredCall {
  return { evidence: { source: 'bad_call', message: problem, thrown } };
}

function report(
  client: ToolCallingClient,
  logger: Call['logger'],
  outcome: ToolOutcome,
  redactor: Redactor,
): void {
  if (!outcome.ok) {
    keepRedactor(outcome, redactor);
  }
  if (logger === false) {
    return;
  }
  logOutcome(logger, outcome);
  if (outcome.ok && outcome.warnings.length > 0) {
    reportUnusableSchema(client, logger, outcome);
  }
}

/** The tools whose output schema has been reported as unusable: once for a client, however often it is wrapped. */
const reportedTools = new WeakMap<object, Set<string>>();

function reportUnusableSchema(
  client: ToolCallingClient,
  logger: OutcomeLogger,
  { server, tool, warnings }: SuccessOutcome,
): void {
  const reported = reportedTools.get(client) ?? new Set();
  const unusable = warnings.find(({ code }) => code === 'output_schema_unusable');
  if (unusable !== undefined && !reported.has(tool)) {
    reportedTools.set(client, reported.add(tool));
    logUnusableSchema(logger, server, tool, unusable.reason);
  }
}
