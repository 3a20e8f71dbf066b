import type { StandardSchemaV1 } from '@standard-schema/spec';
import { classify } from '../classify/classify.ts';
import type { ClassifyContext, Evidence, OutputSchemaCheck } from '../classify/evidence.ts';
import { toOutputSchemaCheck } from '../classify/output-schema-check.ts';
import { isToolResult } from '../classify/wire-schemas.ts';
import type { ToolOutcome } from '../outcome.ts';
import { checkCallerSchema } from './caller-schema.ts';
import { remainingMs } from './deadline.ts';
import type { GatheredCall } from './gather-evidence.ts';
import type { ToolCatalog } from './tool-catalog.ts';

/** What a verdict needs of the call itself. */
interface JudgedCall {
  /** As the server knows it; the name on the outcome may be another. */
  readonly tool: string;
  readonly output?: StandardSchemaV1 | undefined;
}

/** The verdict on a call: at once, or later when it hangs on the caller's own schema or on a list that is not there yet. */
export function judgeCall(
  catalog: ToolCatalog,
  call: JudgedCall,
  gathered: GatheredCall,
  context: ClassifyContext,
  elapsedMs: () => number,
): ToolOutcome | Promise<ToolOutcome> {
  return call.output === undefined && catalog.problem() === undefined
    ? classifyWithCatalog(catalog, call, gathered.evidence, context)
    : judgeLater(catalog, call, gathered, context, elapsedMs);
}

/** Only a would-be success waits. */
async function judgeLater(
  catalog: ToolCatalog,
  call: JudgedCall,
  { evidence, record }: GatheredCall,
  context: ClassifyContext,
  elapsedMs: () => number,
): Promise<ToolOutcome> {
  const { output } = call;
  const whole =
    output === undefined ? evidence : await withCallerSchema(evidence, output, remainingMs(record));
  if (catalog.problem() !== undefined && mayHangOnList(classify(whole, context))) {
    await catalog.settled(remainingMs(record));
  }
  // The caller has waited for these, too.
  return classifyWithCatalog(catalog, call, whole, { ...context, durationMs: elapsedMs() });
}

function classifyWithCatalog(
  catalog: ToolCatalog,
  { tool }: JudgedCall,
  evidence: Evidence,
  context: ClassifyContext,
): ToolOutcome {
  const listed = catalog.find(tool);
  const outputSchema =
    listed?.outputSchema === undefined ? unchecked(catalog) : toOutputSchemaCheck(listed.outputSchema);
  const replaySafe = listed?.replaySafe;
  if (outputSchema === undefined && replaySafe === undefined) {
    return classify(evidence, context);
  }
  return classify(evidence, {
    ...context,
    ...(replaySafe === undefined ? {} : { replaySafe }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
  });
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

function unchecked(catalog: ToolCatalog): OutputSchemaCheck | undefined {
  const reason = catalog.problem();
  return reason === undefined
    ? undefined
    : () => ({ issues: [], warnings: [{ code: 'output_schema_unchecked', reason }] });
}
