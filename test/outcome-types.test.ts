/**
 * The types of the outcome: what `tsc` proves to consumers. Each block also runs a little, because a list and a
 * union can only be compared when both are there.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expectTypeOf } from 'expect-type';
import * as v from 'valibot';
import {
  type CallFailureOutcome,
  type CallFailureReason,
  type CancelledOutcome,
  callFailureReasons,
  classifyResult,
  classifyRpcError,
  classifyThrown,
  type Delivery,
  type FailedOutcome,
  type FailureBodyOutcome,
  type FailureCategory,
  failureCategories,
  type OutcomeKind,
  outcomeKinds,
  type SchemaMismatchOutcome,
  type SuccessOutcome,
  type ToolCaller,
  type ToolCallingClient,
  type ToolErrorOutcome,
  type ToolOutcome,
  withOutcomes,
} from '../src/index.ts';
import { context } from './support/right-outcome.ts';

describe('the lists and the unions agree', () => {
  test('kinds', () => {
    expectTypeOf<(typeof outcomeKinds)[number]>().toEqualTypeOf<OutcomeKind>();
    expectTypeOf<ToolOutcome['kind']>().toEqualTypeOf<OutcomeKind>();
    assert.deepEqual(outcomeKinds, [
      'success',
      'tool_error',
      'failure_body',
      'schema_mismatch',
      'call_failure',
      'cancelled',
    ]);
  });

  test('categories', () => {
    expectTypeOf<(typeof failureCategories)[number]>().toEqualTypeOf<FailureCategory>();
    expectTypeOf<CallFailureOutcome['category']>().toEqualTypeOf<FailureCategory>();
    expectTypeOf<ToolOutcome['category']>().toEqualTypeOf<
      FailureCategory | 'success' | 'tool_error' | 'schema_mismatch' | 'cancelled'
    >();
    assert.deepEqual(failureCategories, ['access_denied', 'not_found', 'transient_failure', 'invalid_input']);
  });

  test('reasons', () => {
    expectTypeOf<(typeof callFailureReasons)[number]>().toEqualTypeOf<CallFailureReason>();
    expectTypeOf<CallFailureOutcome['reason']>().toEqualTypeOf<CallFailureReason>();
    assert.deepEqual(callFailureReasons, [
      'http_error',
      'auth_required',
      'protocol_error',
      'timeout',
      'connection_closed',
      'network_error',
      'not_connected',
      'invalid_answer',
      'input_required',
      'task_created',
      'task_required',
      'invalid_arguments',
      'unknown_error',
    ]);
  });

  test('deliveries', () => {
    expectTypeOf<Delivery>().toEqualTypeOf<'not_sent' | 'answered' | 'unknown'>();
    expectTypeOf<ToolOutcome['delivery']>().toEqualTypeOf<Delivery>();
  });
});

/** What every outcome has. */
type Common =
  | 'kind'
  | 'ok'
  | 'category'
  | 'server'
  | 'tool'
  | 'callId'
  | 'message'
  | 'delivery'
  | 'startedAt'
  | 'durationMs'
  | 'replaySafe';
type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];

test('each kind has its own fields, and none that only another kind uses', () => {
  expectTypeOf<keyof SuccessOutcome>().toEqualTypeOf<Common | 'result' | 'value' | 'warnings'>();
  expectTypeOf<keyof ToolErrorOutcome>().toEqualTypeOf<Common | 'result' | 'failure'>();
  expectTypeOf<keyof FailureBodyOutcome>().toEqualTypeOf<Common | 'result' | 'failure'>();
  expectTypeOf<keyof SchemaMismatchOutcome>().toEqualTypeOf<Common | 'schema' | 'issues' | 'result'>();
  expectTypeOf<keyof CancelledOutcome>().toEqualTypeOf<Common | 'cause'>();
  expectTypeOf<keyof CallFailureOutcome>().toEqualTypeOf<
    | Common
    | 'reason'
    | 'httpStatus'
    | 'rpcCode'
    | 'rpcData'
    | 'retryAfterMs'
    | 'challenge'
    | 'sessionExpired'
    | 'taskId'
    | 'body'
    | 'cause'
  >();

  // Optional is only what may be unknown for that very kind.
  expectTypeOf<OptionalKeys<SuccessOutcome>>().toEqualTypeOf<'replaySafe'>();
  expectTypeOf<OptionalKeys<ToolErrorOutcome>>().toEqualTypeOf<'replaySafe' | 'failure'>();
  expectTypeOf<OptionalKeys<FailureBodyOutcome>>().toEqualTypeOf<'replaySafe'>();
  expectTypeOf<OptionalKeys<SchemaMismatchOutcome>>().toEqualTypeOf<'replaySafe'>();
  expectTypeOf<OptionalKeys<CancelledOutcome>>().toEqualTypeOf<'replaySafe'>();
  expectTypeOf<OptionalKeys<CallFailureOutcome>>().toEqualTypeOf<
    | 'replaySafe'
    | 'httpStatus'
    | 'rpcCode'
    | 'rpcData'
    | 'retryAfterMs'
    | 'challenge'
    | 'sessionExpired'
    | 'taskId'
    | 'body'
  >();

  const outcome = classifyThrown(new Error('no'), context);
  assert.deepEqual(Object.keys(outcome).sort(), [
    'callId',
    'category',
    'delivery',
    'durationMs',
    'kind',
    'message',
    'ok',
    'reason',
    'server',
    'startedAt',
    'tool',
  ]);
});

test('the category is narrowed by the kind, and `ok` tells success from the rest', () => {
  expectTypeOf<SuccessOutcome['category']>().toEqualTypeOf<'success'>();
  expectTypeOf<ToolErrorOutcome['category']>().toEqualTypeOf<'tool_error' | FailureCategory>();
  expectTypeOf<FailureBodyOutcome['category']>().toEqualTypeOf<'tool_error' | FailureCategory>();
  expectTypeOf<SchemaMismatchOutcome['category']>().toEqualTypeOf<'schema_mismatch'>();
  expectTypeOf<CancelledOutcome['category']>().toEqualTypeOf<'cancelled'>();

  const outcome = classifyResult({ content: [] }, context);
  if (outcome.ok) {
    expectTypeOf(outcome).toEqualTypeOf<SuccessOutcome>();
  } else {
    expectTypeOf(outcome).toEqualTypeOf<FailedOutcome>();
    expectTypeOf(outcome).not.toHaveProperty('value');
  }
  assert.equal(outcome.ok, true);
});

/** As a consumer writes it: the compiler refuses it when a kind or a category is missing. */
function nextStep(outcome: ToolOutcome): string {
  switch (outcome.kind) {
    case 'success':
      return 'use it';
    case 'tool_error':
    case 'failure_body':
      return afterReport(outcome);
    case 'schema_mismatch':
      return `tell the server: ${outcome.schema}`;
    case 'call_failure':
      return afterFailure(outcome);
    case 'cancelled':
      return 'stop';
  }
}

function afterReport(outcome: ToolErrorOutcome | FailureBodyOutcome): string {
  switch (outcome.category) {
    case 'tool_error':
      return 'tell the model';
    case 'access_denied':
      return 'ask for access';
    case 'not_found':
      return 'look elsewhere';
    case 'transient_failure':
      return 'try later';
    case 'invalid_input':
      return 'change the arguments';
  }
}

function afterFailure(outcome: CallFailureOutcome): string {
  switch (outcome.category) {
    case 'access_denied':
      return 'log in';
    case 'not_found':
      return outcome.sessionExpired === true ? 'connect again' : 'list the tools';
    case 'transient_failure':
      return `try later: ${outcome.reason}`;
    case 'invalid_input':
      return 'change the call';
  }
}

test('a nested switch over kind and category is exhaustive without a default', () => {
  const declared = { content: [], structuredContent: { success: false, error: 'no' } };
  const signal = AbortSignal.abort();
  const steps = [
    nextStep(classifyResult({ content: [] }, context)),
    nextStep(classifyResult({ content: [], isError: true }, context)),
    nextStep(classifyResult(declared, context)),
    nextStep(classifyResult({}, context)),
    nextStep(classifyRpcError({ code: -32_603, message: 'no' }, context)),
    nextStep(classifyThrown({ status: 401 }, context)),
    nextStep(classifyThrown(new Error('no'), { ...context, signal })),
  ];
  assert.deepEqual(steps, [
    'use it',
    'tell the model',
    'tell the model',
    'tell the server: call_tool_result',
    'try later: protocol_error',
    'log in',
    'stop',
  ]);
});

test('`value` has the type that the caller knows, and only on a success', () => {
  interface Links {
    readonly links: readonly string[];
  }
  expectTypeOf<SuccessOutcome<Links>['value']>().toEqualTypeOf<Links>();
  expectTypeOf<Extract<ToolOutcome<Links>, { kind: 'success' }>['value']>().toEqualTypeOf<Links>();
  expectTypeOf<Exclude<ToolOutcome<Links>, { kind: 'success' }>>().toEqualTypeOf<FailedOutcome>();
  expectTypeOf<ToolOutcome>().toEqualTypeOf<ToolOutcome<unknown>>();
  expectTypeOf<ToolOutcome<Links>>().toExtend<ToolOutcome>();
  expectTypeOf<ToolOutcome>().not.toExtend<ToolOutcome<Links>>();
  assert.equal(classifyResult({ content: [], structuredContent: 5 }, context).ok, true);
});

describe('withOutcomes takes', () => {
  test('the Client of SDK v1', () => {
    const client = new Client({ name: 'types', version: '1.0.0' });
    const caller = withOutcomes(client, { logger: false });
    expectTypeOf(caller).toEqualTypeOf<ToolCaller<Client>>();
    expectTypeOf(caller.client).toEqualTypeOf<Client>();
    assert.equal(caller.client, client);
  });

  test('a subclass of it', () => {
    class Gateway extends Client {
      readonly region = 'eu';
    }
    const caller = withOutcomes(new Gateway({ name: 'types', version: '1.0.0' }), { logger: false });
    expectTypeOf(caller.client).toEqualTypeOf<Gateway>();
    assert.equal(caller.client.region, 'eu');
  });

  test('any object with callTool', async () => {
    const double = { callTool: async (params: { readonly name: string }) => ({ content: [], params }) };
    const outcome = await withOutcomes(double, { logger: false }).callTool({ name: 'search-links' });
    expectTypeOf(outcome).toEqualTypeOf<ToolOutcome>();
    assert.equal(outcome.kind, 'success');
  });

  test('nothing else', () => {
    expectTypeOf<Client>().toExtend<ToolCallingClient>();
    expectTypeOf<object>().not.toExtend<ToolCallingClient>();
    expectTypeOf<{ callTool: string }>().not.toExtend<ToolCallingClient>();
    expectTypeOf<{ callTool(params: object): string }>().not.toExtend<ToolCallingClient>();
  });

  test('a schema, which gives the value its type', async () => {
    const output = v.object({ links: v.array(v.string()) });
    const client = { callTool: async () => ({ content: [], structuredContent: { links: ['a'] } }) };
    const outcome = await withOutcomes(client, { logger: false }).callTool({ name: 'links' }, { output });
    expectTypeOf(outcome).toEqualTypeOf<ToolOutcome<{ links: string[] }>>();
    assert.deepEqual(outcome.ok ? outcome.value.links : [], ['a']);
  });
});

test('the classifiers take anything and give an outcome', () => {
  for (const classify of [classifyResult, classifyRpcError, classifyThrown]) {
    expectTypeOf(classify).parameter(0).toBeUnknown();
    expectTypeOf(classify).returns.toEqualTypeOf<ToolOutcome>();
    assert.equal(typeof classify, 'function');
  }
});
