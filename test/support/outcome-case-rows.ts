/** The public bug reports of `fixtures/outcomes.json`: what a server or a client did, and what is right. */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { ToolOutcome } from '../../src/index.ts';

export type Members = Readonly<Record<string, unknown>>;

export const members: v.GenericSchema<unknown, Members> = v.record(v.string(), v.unknown());

const caseSchema = v.object({
  id: v.string(),
  thread: v.string(),
  title: v.string(),
  via: v.picklist(['result', 'throw', 'jsonrpc_error', 'http', 'transport', 'log']),
  input: members,
  right: v.looseObject({
    kind: v.string(),
    category: v.optional(v.string()),
    reason: v.optional(v.string()),
    schema: v.optional(v.string()),
    warning: v.optional(v.string()),
    optIn: v.optional(v.picklist(['looseFailure', 'custom recognizer'])),
    mustContain: v.optional(v.array(v.string()), []),
    mustNotContain: v.optional(v.array(v.string()), []),
  }),
});

export type OutcomeCase = v.InferOutput<typeof caseSchema>;

export const outcomeCases: readonly OutcomeCase[] = v.parse(
  v.array(caseSchema),
  JSON.parse(readFileSync(new URL('../fixtures/outcomes.json', import.meta.url), 'utf8')),
);

/** How one play ended. `label` tells the variants of a row apart, as they stand in it. */
export interface Played {
  readonly label: string;
  readonly outcome: ToolOutcome;
  readonly logged: readonly object[];
}
