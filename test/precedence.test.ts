/**
 * Results that break several rules at once get one verdict: `isError` first, then answers that are no result, then the
 * shape, then failure bodies, then schemas. It is the same with a client that has listed the tools, whose SDK then
 * validates by itself, and with one that has not; on the first call, beside which the wrapper lists, and on the next.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import * as v from 'valibot';
import {
  defaultFailureBodies,
  defineFailureBody,
  type Recognizer,
  type ToolOutcome,
  withOutcomes,
} from '../src/index.ts';
import { connectToTools, inPages } from './support/tool-server.ts';

interface Row {
  readonly name: string;
  readonly result: object;
  /** Kind and category, and what else tells the verdict apart. */
  readonly right: readonly unknown[];
  /** What the bare client that has listed the tools makes of it. One that drops an answer waits for its timer. */
  readonly bare: 'resolves' | 'rejects' | 'drops';
  readonly output?: StandardSchemaV1;
  readonly failureBodies?: readonly Recognizer[];
  readonly why: string;
}

const tool = {
  name: 'count',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
};

const text = { type: 'text', text: 'three' };
const badBlock = { type: 'text' };
const declared = { success: false, error: 'sold out' };
const tagged = { _tag: 'OrchestratorMcpFailure', code: 'run_not_found', message: 'The run was not found.' };
const fitting = { total: 3 };
/** A failure body that the output schema allows. */
const fittingFailure = { ...fitting, ...declared };
const breaking = { total: 'three' };
const task = { taskId: 't-1', status: 'working' };

const refusing = v.object({ never: v.string() });

const toolError = ['tool_error', 'tool_error'];
const malformed = ['schema_mismatch', 'schema_mismatch', 'call_tool_result'];
const outputMismatch = ['schema_mismatch', 'schema_mismatch', 'output_schema'];
const callerMismatch = ['schema_mismatch', 'schema_mismatch', 'caller_schema'];
const declaredBody = ['failure_body', 'tool_error', 'declaredFailure'];
const taggedBody = ['failure_body', 'not_found', 'orchestratorMcpFailure'];
const inputRequired = ['call_failure', 'transient_failure', 'input_required'];
const taskCreated = ['call_failure', 'transient_failure', 'task_created'];
const success = ['success', 'success'];

const faulty: Recognizer = {
  name: 'faulty',
  recognize: () => {
    throw new Error('out of order');
  },
};
const anyTotal = defineFailureBody({
  name: 'anyTotal',
  schema: v.object({ total: v.unknown() }),
  failure: () => ({ code: 'total' }),
  category: () => 'access_denied',
});

const rows: readonly Row[] = [
  // isError first.
  {
    name: 'isError, malformed content',
    result: { isError: true, content: 7 },
    right: toolError,
    bare: 'rejects',
    why: 'the flag alone decides',
  },
  {
    name: 'isError, a malformed block, content that breaks the schema',
    result: { isError: true, content: [badBlock], structuredContent: breaking },
    right: toolError,
    bare: 'rejects',
    why: 'the flag alone decides',
  },
  {
    name: 'isError, no content at all, a broken _meta',
    result: { isError: true, _meta: 7 },
    right: toolError,
    bare: 'drops',
    why: 'the flag alone decides',
  },
  {
    name: 'isError, content that breaks the schema',
    result: { isError: true, content: [text], structuredContent: breaking },
    right: toolError,
    bare: 'rejects',
    why: 'a failure owes the schema nothing',
  },
  {
    name: 'isError, content that fits the schema',
    result: { isError: true, content: [text], structuredContent: fitting },
    right: toolError,
    bare: 'resolves',
    why: 'what fits is a failure all the same',
  },
  {
    name: 'isError, a tagged body that breaks the schema',
    result: { isError: true, content: [text], structuredContent: tagged },
    right: ['tool_error', 'not_found', 'orchestratorMcpFailure'],
    bare: 'rejects',
    why: 'the flag decides the kind, the body the category',
  },
  {
    name: 'isError, a tagged body as text alone',
    result: { isError: true, content: [{ type: 'text', text: JSON.stringify(tagged) }] },
    right: ['tool_error', 'not_found', 'orchestratorMcpFailure'],
    bare: 'resolves',
    why: 'the flag decides the kind, the body the category',
  },
  {
    name: 'isError, a declared body, a schema of the caller that refuses',
    result: { isError: true, content: [text], structuredContent: declared },
    output: refusing,
    right: ['tool_error', 'tool_error', 'declaredFailure'],
    bare: 'rejects',
    why: 'no schema is asked about a failure',
  },
  {
    name: 'isError, a request for input',
    result: { isError: true, content: [text], resultType: 'input_required' },
    right: toolError,
    bare: 'resolves',
    why: 'the flag comes before the type',
  },
  {
    name: 'isError, a task',
    result: { isError: true, task },
    right: toolError,
    bare: 'resolves',
    why: 'the flag comes before the task',
  },
  // Then answers that are no result yet.
  {
    name: 'a request for input, malformed content, a declared body',
    result: { resultType: 'input_required', content: 7, structuredContent: declared },
    right: inputRequired,
    bare: 'rejects',
    why: 'it is not meant to be a result',
  },
  {
    name: 'a request for input, content that breaks the schema',
    result: { resultType: 'input_required', content: [], structuredContent: breaking },
    right: inputRequired,
    bare: 'rejects',
    why: 'it is not meant to be a result',
  },
  {
    name: 'a task, a broken _meta',
    result: { task, _meta: 7 },
    right: taskCreated,
    bare: 'drops',
    why: 'it is not meant to be a result',
  },
  {
    name: 'a task, no structured content although the schema asks for it',
    result: { task },
    right: taskCreated,
    bare: 'rejects',
    why: 'it is not meant to be a result',
  },
  {
    name: 'a task beside a failure body',
    result: { task, content: [text], structuredContent: declared },
    right: declaredBody,
    bare: 'rejects',
    why: 'with content it is a result, and the task is a member that nobody knows',
  },
  // Then the shape.
  {
    name: 'isError as text, a declared body',
    result: { isError: 'true', content: [text], structuredContent: declared },
    right: malformed,
    bare: 'rejects',
    why: 'a flag that is no flag leaves nothing to trust',
  },
  {
    name: 'a malformed block, a tagged body',
    result: { content: [text, badBlock], structuredContent: tagged },
    right: malformed,
    bare: 'rejects',
    why: 'the shape comes before the body',
  },
  {
    name: 'malformed content, content that breaks the schema',
    result: { content: {}, structuredContent: breaking },
    right: malformed,
    bare: 'rejects',
    why: 'the shape comes before the schema',
  },
  {
    name: 'a broken _meta, a declared body',
    result: { content: [text], structuredContent: declared, _meta: [] },
    right: malformed,
    bare: 'drops',
    why: 'the shape comes before the body',
  },
  {
    name: 'an unknown resultType, a declared body',
    result: { content: [text], structuredContent: declared, resultType: 'partial' },
    right: malformed,
    bare: 'rejects',
    why: 'nobody can say what it is',
  },
  {
    name: 'a malformed block, a schema of the caller that refuses',
    result: { content: [badBlock], structuredContent: fitting },
    output: refusing,
    right: malformed,
    bare: 'rejects',
    why: "the shape comes before the caller's schema",
  },
  // Then failure bodies.
  {
    name: 'a declared body that breaks the schema',
    result: { content: [text], structuredContent: declared },
    right: declaredBody,
    bare: 'rejects',
    why: 'the body says more than a schema that it breaks',
  },
  {
    name: 'a declared body that fits the schema',
    result: { content: [text], structuredContent: fittingFailure },
    right: declaredBody,
    bare: 'resolves',
    why: 'what fits is a failure all the same',
  },
  {
    name: 'a tagged body that breaks the schema',
    result: { content: [text], structuredContent: tagged, isError: false },
    right: taggedBody,
    bare: 'rejects',
    why: 'the body says more than a schema that it breaks',
  },
  {
    name: 'a tagged body as text, without the structured content that the schema asks for',
    result: { content: [{ type: 'text', text: JSON.stringify(tagged) }] },
    right: taggedBody,
    bare: 'rejects',
    why: 'the body says why the content is missing',
  },
  {
    name: 'a tagged body under error',
    result: { content: [], structuredContent: { error: tagged } },
    right: taggedBody,
    bare: 'rejects',
    why: 'one level down counts',
  },
  {
    name: 'a declared body, both schemas refuse',
    result: { content: [text], structuredContent: declared },
    output: refusing,
    right: declaredBody,
    bare: 'rejects',
    why: 'the body comes before both',
  },
  {
    name: 'a declared body in the text beside content that breaks the schema',
    result: { content: [{ type: 'text', text: JSON.stringify(declared) }], structuredContent: breaking },
    right: outputMismatch,
    bare: 'rejects',
    why: 'structured content is the body; the text is not looked at then',
  },
  {
    name: "a body of the caller's own kind, after a recognizer that throws",
    result: { content: [], structuredContent: breaking },
    failureBodies: [faulty, anyTotal, ...defaultFailureBodies],
    right: ['failure_body', 'access_denied', 'anyTotal'],
    bare: 'rejects',
    why: 'a recognizer that throws does not match',
  },
  {
    name: 'a declared body that nobody looks for',
    result: { content: [], structuredContent: declared },
    failureBodies: [],
    right: outputMismatch,
    bare: 'rejects',
    why: 'without recognizers the schema is next',
  },
  // Then schemas.
  {
    name: 'content that breaks the schema',
    result: { content: [text], structuredContent: breaking },
    right: outputMismatch,
    bare: 'rejects',
    why: 'nothing comes before',
  },
  {
    name: 'no structured content',
    result: { content: [text] },
    right: outputMismatch,
    bare: 'rejects',
    why: 'the tool has promised some',
  },
  {
    name: 'structured content that is null',
    result: { content: [], structuredContent: null },
    right: outputMismatch,
    bare: 'rejects',
    why: 'the schema asks for an object',
  },
  {
    name: 'structured content that is an array of failure bodies',
    result: { content: [], structuredContent: [declared] },
    right: outputMismatch,
    bare: 'rejects',
    why: 'elements are rows, not bodies',
  },
  {
    name: 'content that fits, a schema of the caller that refuses',
    result: { content: [], structuredContent: fitting },
    output: refusing,
    right: callerMismatch,
    bare: 'resolves',
    why: "the caller's schema is the last",
  },
  // And nothing broken.
  {
    name: 'content that fits, odd but allowed members',
    result: {
      isError: null,
      resultType: null,
      content: [{ type: 'hologram' }, { ...text, annotations: 7 }],
      structuredContent: fitting,
      task: 7,
      extra: declared,
    },
    right: success,
    bare: 'rejects',
    why: 'strict clients refuse what does no harm',
  },
  {
    name: 'content that fits and nothing else',
    result: { structuredContent: { ...fitting, success: true, error: null } },
    right: success,
    bare: 'resolves',
    why: 'content may be absent beside structured content',
  },
];

function facts(outcome: ToolOutcome): readonly unknown[] {
  const { kind, category } = outcome;
  switch (outcome.kind) {
    case 'tool_error':
    case 'failure_body':
      return [kind, category, ...(outcome.failure ? [outcome.failure.recognizer] : [])];
    case 'schema_mismatch':
      return [kind, category, outcome.schema];
    case 'call_failure':
      return [kind, category, outcome.reason];
    case 'success':
    case 'cancelled':
      return [kind, category];
  }
}

describe('one verdict for', () => {
  for (const { name, result, right, bare, output, failureBodies, why } of rows) {
    test(`${name}: ${right.join(' ')}, for ${why}`, async (t) => {
      const bounds = bare === 'drops' ? { timeout: 20 } : {};
      for (const listed of [false, true]) {
        const onCall = ({ answer }: { answer(result: object): void }): void => answer(result);
        const { client } = await connectToTools({ onList: inPages([tool]), onCall });
        t.after(() => client.close());
        if (listed) {
          await client.listTools();
          const verdict = await client.callTool({ name: 'count' }, undefined, bounds).then(
            () => 'resolves',
            ({ code }) => (code === -32001 ? 'drops' : 'rejects'),
          );
          assert.equal(verdict, bare, 'the bare client');
        }
        const caller = withOutcomes(client, { logger: false, ...(failureBodies && { failureBodies }) });
        for (const round of ['first call', 'next call']) {
          const outcome = await caller.callTool({ name: 'count' }, { ...bounds, ...(output && { output }) });
          const where = `${listed ? 'listed' : 'not listed'}, ${round}: ${outcome.message}`;
          assert.deepEqual(facts(outcome), right, where);
          assert.equal(outcome.delivery, 'answered', where);
          assert.deepEqual('result' in outcome ? outcome.result : result, result, where);
          assert.equal('result' in outcome, outcome.kind !== 'call_failure', where);
        }
      }
    });
  }
});
