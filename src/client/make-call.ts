import type { StandardSchemaV1 } from '@standard-schema/spec';
import { classify } from '../classify/classify.ts';
import type { ClassifyContext, Evidence, OutputSchemaCheck } from '../classify/evidence.ts';
import { toOutputSchemaCheck } from '../classify/output-schema-check.ts';
import { isToolResult } from '../classify/wire-schemas.ts';
import type { ToolOutcome } from '../outcome.ts';
import { OptionsError, typeName } from '../redact/options-error.ts';
import type { Redactor } from '../redact/redactor.ts';
import { readProperty } from '../redact/safe-read.ts';
import { logOutcomeWith, logUnusableSchema } from '../report/log.ts';
import { isAborted } from './abort-signals.ts';
import { checkCallerSchema } from './caller-schema.ts';
import { type GatheredCall, gatherEvidence } from './gather-evidence.ts';
import { callRedactor } from './known-secrets.ts';
import { readOptions, type Settings } from './options.ts';
import { type BadCall, type Call, readCall } from './read-call.ts';
import {
  callToolOf,
  readServerName,
  readTransport,
  type ToolCallingClient,
  takesResultSchema,
} from './sdk-client.ts';
import { tapTransport, watchConnect } from './tap.ts';
import { fixedCatalog, listedCatalog, type ToolCatalog } from './tool-catalog.ts';

/** A client with everything that its calls share. */
export interface WrappedClient {
  readonly client: ToolCallingClient;
  readonly settings: Settings;
  readonly withResultSchema: boolean;
  readonly catalog: ToolCatalog;
  /** The tools whose output schema has been reported as unusable. */
  readonly reported: Set<string>;
}

export function wrapClient(client: ToolCallingClient, options: unknown): WrappedClient {
  if (typeof readProperty(client, 'callTool') !== 'function') {
    throw new OptionsError('client', 'an object with a callTool function', typeName(client));
  }
  const settings = readOptions(options);
  return {
    client,
    settings,
    withResultSchema: takesResultSchema(client),
    catalog: toCatalog(client, settings),
    reported: new Set(),
  };
}

function toCatalog(client: ToolCallingClient, { outputSchemas }: Settings): ToolCatalog {
  if (typeof outputSchemas === 'object') {
    return fixedCatalog(outputSchemas);
  }
  return outputSchemas === 'auto' ? listedCatalog(client) : fixedCatalog({});
}

export function serverNameOf({ client, settings }: WrappedClient): string {
  return settings.server ?? readServerName(client, settings.redactor) ?? 'mcp';
}

/** One call from end to end: read, made, judged, logged. Never rejects. */
export async function makeCall(
  wrapped: WrappedClient,
  params: unknown,
  options: unknown,
): Promise<ToolOutcome> {
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  const call = readCall(params, options, wrapped.settings);
  const gathered = 'problem' in call ? notMade(call) : await gather(wrapped, call);
  const durationMs = Math.round((performance.now() - startedMs) * 1_000) / 1_000;
  const { failureBodies, errorBodies } = wrapped.settings;
  const redactor = callRedactor(wrapped.settings.redactor, gathered.record);
  const { tool, callId } = call;
  const outcome = await judge(wrapped, call, gathered, {
    server: serverNameOf(wrapped),
    tool,
    callId,
    startedAt,
    durationMs,
    redactor,
    failureBodies,
    errorBodies,
  });
  report(wrapped, call.logger, outcome, redactor);
  return outcome;
}

function notMade({ problem, thrown }: BadCall): GatheredCall {
  return { evidence: { source: 'bad_call', message: problem, thrown } };
}

async function gather(wrapped: WrappedClient, call: Call): Promise<GatheredCall> {
  const { client, catalog, withResultSchema } = wrapped;
  const { signal } = call;
  if (signal !== undefined && isAborted(signal)) {
    const abortReason = readProperty(signal, 'reason');
    return { evidence: { source: 'aborted', abortReason, delivery: 'not_sent' } };
  }
  watchConnect(client);
  const tap = tapTransport(readTransport(client));
  const listing = catalog.prepare(tap);
  const gathered = await gatherEvidence(client, call, tap, listing?.start, (params, options) =>
    callToolOf(client, withResultSchema, params, options),
  );
  if (gathered.record?.lastId === undefined) {
    listing?.drop();
  } else {
    listing?.start();
  }
  return gathered;
}

/** Only a would-be success waits: for the caller's own schema, and for a listing that is on its way. */
async function judge(
  { catalog }: WrappedClient,
  call: Call | BadCall,
  { evidence, record }: GatheredCall,
  context: ClassifyContext,
): Promise<ToolOutcome> {
  const remaining = (): number => record?.deadline.remaining() ?? 0;
  const schema = 'output' in call ? call.output : undefined;
  const whole = schema === undefined ? evidence : await withCallerSchema(evidence, schema, remaining());
  if (catalog.problem() !== undefined && mayHangOnList(classify(whole, context))) {
    await catalog.settled(remaining());
  }
  return classify(whole, { ...context, ...listedFacts(catalog, call.tool) });
}

/** The advertised schema speaks before the caller's own. */
function mayHangOnList(outcome: ToolOutcome): boolean {
  return outcome.ok || (outcome.kind === 'schema_mismatch' && outcome.schema === 'caller_schema');
}

async function withCallerSchema(
  evidence: Evidence,
  schema: StandardSchemaV1,
  limitMs: number,
): Promise<Evidence> {
  if (evidence.source !== 'result' || !isToolResult(evidence.result) || evidence.result.isError === true) {
    return evidence;
  }
  const { structuredContent } = evidence.result;
  return { ...evidence, callerSchema: await checkCallerSchema(schema, structuredContent, limitMs) };
}

/** What the catalog knows of a tool, as the classifier takes it. */
function listedFacts(
  catalog: ToolCatalog,
  tool: string,
): Pick<ClassifyContext, 'replaySafe' | 'outputSchema'> {
  const listed = catalog.find(tool);
  const check =
    listed?.outputSchema === undefined ? unchecked(catalog) : toOutputSchemaCheck(listed.outputSchema);
  return {
    ...(listed?.replaySafe === undefined ? {} : { replaySafe: listed.replaySafe }),
    ...(check === undefined ? {} : { outputSchema: check }),
  };
}

function unchecked(catalog: ToolCatalog): OutputSchemaCheck | undefined {
  const reason = catalog.problem();
  return reason === undefined
    ? undefined
    : () => ({ issues: [], warnings: [{ code: 'output_schema_unchecked', reason }] });
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
