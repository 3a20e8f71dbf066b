import fc from 'fast-check';
import {
  type CallFailureOutcome,
  type CancelledOutcome,
  callFailureReasons,
  type FailureBodyOutcome,
  failureCategories,
  type SchemaMismatchOutcome,
  type SuccessOutcome,
  type ToolErrorOutcome,
  type ToolOutcome,
} from '../../src/outcome.ts';

/** Outcomes as the classifier makes them, written by hand: one a situation that renderings tell apart. */

const common = {
  server: 'shop',
  tool: 'refund',
  callId: 'call-1',
  startedAt: '2026-03-01T10:00:00.000Z',
  durationMs: 12,
} as const;

export function success(
  result: SuccessOutcome['result'],
  members: Partial<SuccessOutcome> = {},
): SuccessOutcome {
  return {
    kind: 'success',
    ok: true,
    category: 'success',
    ...common,
    message: 'success',
    delivery: 'answered',
    result,
    value: result.structuredContent,
    warnings: [],
    ...members,
  };
}

export function toolError(
  result: Omit<ToolErrorOutcome['result'], 'isError'>,
  members: Partial<ToolErrorOutcome> = {},
): ToolErrorOutcome {
  return {
    kind: 'tool_error',
    ok: false,
    category: 'tool_error',
    ...common,
    message: 'Internal Server Error',
    delivery: 'answered',
    result: { ...result, isError: true },
    ...members,
  };
}

export function failureBody(
  result: FailureBodyOutcome['result'],
  failure: FailureBodyOutcome['failure'],
  members: Partial<FailureBodyOutcome> = {},
): FailureBodyOutcome {
  return {
    kind: 'failure_body',
    ok: false,
    category: 'tool_error',
    ...common,
    message: failure.message ?? '(no detail provided)',
    delivery: 'answered',
    result,
    failure,
    ...members,
  };
}

export function schemaMismatch(
  result: unknown,
  members: Partial<SchemaMismatchOutcome> = {},
): SchemaMismatchOutcome {
  return {
    kind: 'schema_mismatch',
    ok: false,
    category: 'schema_mismatch',
    ...common,
    message: 'the result does not match its output schema: /total must be a number',
    delivery: 'answered',
    schema: 'output_schema',
    issues: [{ path: '/total', message: 'must be a number' }],
    result,
    ...members,
  };
}

export function callFailure(
  reason: CallFailureOutcome['reason'],
  message: string,
  members: Partial<CallFailureOutcome> = {},
): CallFailureOutcome {
  return hideCause({
    kind: 'call_failure',
    ok: false,
    category: 'transient_failure',
    ...common,
    message,
    delivery: 'unknown',
    reason,
    cause: new Error('the thrown value'),
    ...members,
  });
}

export function cancelled(cause: unknown): CancelledOutcome {
  return hideCause({
    kind: 'cancelled',
    ok: false,
    category: 'cancelled',
    ...common,
    message: 'the caller cancelled the call',
    delivery: 'unknown',
    cause,
  });
}

const png = { type: 'image', data: 'aVZCT1I=', mimeType: 'image/png' };
const refundTooLarge = {
  error: 'refund_too_large',
  message: 'Refund 500 exceeds the paid amount 120.',
  maxRefund: 120,
};

export const samples = {
  text: success({
    content: [
      { type: 'text', text: 'three' },
      { type: 'text', text: 'links' },
    ],
  }),
  structured: success({ content: [], structuredContent: { total: 3 } }),
  textAndStructured: success({
    content: [{ type: 'text', text: '{"total":3}' }],
    structuredContent: { total: 3 },
    isError: false,
  }),
  silent: success({ content: [] }),
  media: success({
    content: [
      { type: 'text', text: 'the invoice' },
      png,
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'https://shop.test/1.csv', name: '1.csv', mimeType: 'text/csv' },
      { type: 'resource', resource: { uri: 'shop://1.txt', mimeType: 'text/plain', text: 'paid' } },
      {
        type: 'resource',
        resource: { uri: 'shop://invoices/1.pdf', mimeType: 'application/pdf', blob: 'JVBERg==' },
      },
      { type: 'hologram', data: 'AAAA' },
    ],
  }),
  flagForged: success({ content: [{ type: 'text', text: 'Tool execution failed:\nnot really' }] }),
  isError: toolError({ content: [{ type: 'text', text: 'Internal Server Error' }] }),
  isErrorStructured: toolError({
    content: [],
    structuredContent: { success: false, error: 'step 2 failed', stats: { steps: 2 } },
  }),
  isErrorEmpty: toolError({ content: [] }, { message: '(no detail provided)' }),
  isErrorBlank: toolError({ content: [{ type: 'text', text: ' \n' }] }, { message: '(no detail provided)' }),
  isErrorImage: toolError({ content: [{ type: 'text', text: 'no such button' }, png] }),
  isErrorMalformed: toolError(
    {
      content: [
        null,
        'text',
        { type: 'text', text: 7 },
        { type: 'image', data: '%%%', mimeType: 'image/png' },
      ],
      structuredContent: null,
      _meta: { progressToken: {}, code: 'INVALID_INPUT' },
    },
    { message: '(no detail provided)' },
  ),
  returnedFailure: failureBody(
    {
      content: [
        {
          type: 'text',
          text: '{"_tag":"OrchestratorMcpFailure","code":"thread_not_found","message":"The thread was not found."}',
        },
      ],
      structuredContent: {
        _tag: 'OrchestratorMcpFailure',
        code: 'thread_not_found',
        message: 'The thread was not found.',
      },
      isError: false,
    },
    {
      recognizer: 'orchestratorMcpFailure',
      tag: 'OrchestratorMcpFailure',
      code: 'thread_not_found',
      message: 'The thread was not found.',
    },
    { category: 'not_found' },
  ),
  wrongOutput: schemaMismatch({
    content: [{ type: 'text', text: 'refunded 120' }],
    structuredContent: { total: '120' },
  }),
  wrongResult: schemaMismatch(
    { isError: 'true', content: 'boom' },
    {
      message: 'the result is not a well-formed MCP tool result: /content must be an array',
      schema: 'call_tool_result',
      issues: [{ path: '/content', message: 'must be an array' }],
    },
  ),
  http403: callFailure('http_error', 'HTTP 403: {"error":"forbidden","scope":"refunds"}', {
    category: 'access_denied',
    httpStatus: 403,
    body: '{"error":"forbidden","scope":"refunds"}',
    delivery: 'answered',
  }),
  http422: callFailure('http_error', `HTTP 422: ${JSON.stringify(refundTooLarge)}`, {
    httpStatus: 422,
    body: JSON.stringify(refundTooLarge),
    delivery: 'answered',
  }),
  httpCut: callFailure('http_error', 'HTTP 500: {"error":"a long st…', {
    httpStatus: 500,
    body: '{"error":"a long st…',
  }),
  httpStatusOnly: callFailure('http_error', 'HTTP 404', {
    category: 'not_found',
    httpStatus: 404,
    delivery: 'answered',
    sessionExpired: true,
  }),
  rpcError: callFailure('protocol_error', 'JSON-RPC error -32602: unknown tool', {
    rpcCode: -32602,
    rpcData: { tool: 'refund' },
    delivery: 'answered',
  }),
  timeout: callFailure('timeout', 'no answer within 60000 ms'),
  badCall: callFailure('invalid_arguments', 'arguments that JSON cannot carry', {
    category: 'invalid_input',
    delivery: 'not_sent',
  }),
  taskCreated: callFailure('task_created', 'the server created a task instead of a result: t-1', {
    delivery: 'answered',
    taskId: 't-1',
  }),
  cancelled: cancelled(new DOMException('This operation was aborted', 'AbortError')),
} as const satisfies Readonly<Record<string, ToolOutcome>>;

export type SampleName = keyof typeof samples;

/** Any outcome whose result JSON can carry. */
export function outcomeArbitrary(): fc.Arbitrary<ToolOutcome> {
  return fc.oneof(
    commonArbitrary(resultArbitrary).map(([members, result]) => success(result, members)),
    commonArbitrary(jsonObject).map(([members, result]) => toolError(result, members)),
    commonArbitrary(resultArbitrary).map(([members, result]) =>
      failureBody(result, { recognizer: 'declaredFailure', message: 'no' }, members),
    ),
    commonArbitrary(jsonValue).map(([members, result]) => schemaMismatch(result, members)),
    commonArbitrary(callFailureArbitrary).map(([members, own]) =>
      callFailure('unknown_error', 'it failed', { ...members, ...own }),
    ),
    fc.constant(cancelled(undefined)),
  );
}

/** Outcomes with results that no wire could bring: class instances, cycles, functions, throwing members. */
export function hostileOutcomeArbitrary(): fc.Arbitrary<ToolOutcome> {
  const anything = fc.oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSparseArray: true,
      withNullPrototype: true,
    }),
    fc.constantFrom<unknown>(cycle(), throwing(), () => 1, Symbol('s')),
  );
  const member = fc.oneof(anything, fc.array(fc.oneof(blockArbitrary, anything)));
  const result = fc.record(
    { content: member, structuredContent: anything, _meta: anything, extra: anything },
    { requiredKeys: [], noNullPrototype: true },
  );
  return fc.oneof(
    result.map((own) => toolError(own)),
    fc.oneof(result, anything).map((own) => schemaMismatch(own)),
    anything.map((rpcData) => callFailure('protocol_error', 'it failed', { rpcCode: 1, rpcData })),
  );
}

/** Without negative zero: JSON texts hold it, `JSON.stringify` does not write it. */
const jsonValue: fc.Arbitrary<unknown> = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));

const jsonObject = fc.dictionary(fc.string(), jsonValue, { maxKeys: 4, noNullPrototype: true });

/** Blocks of the known types, half of them with a member that does not fit. */
const blockArbitrary = fc.record(
  {
    type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'hologram'),
    text: fc.oneof(fc.string(), fc.integer()),
    data: fc.constantFrom('aGk=', '', '%', 7),
    mimeType: fc.constantFrom('image/png', 'audio/wav', '', 7),
    uri: fc.constantFrom('shop://1', 'data:image/png;base64,aGk=', 7),
    name: fc.constantFrom('1.csv', 7),
    resource: fc.constantFrom(
      { uri: 'shop://1', text: 'paid' },
      { uri: 'shop://1', blob: 'aGk=', mimeType: null },
      { text: 7 },
      7,
    ),
    annotations: fc.constantFrom(
      { audience: ['user'] },
      { priority: 7 },
      { lastModified: '2026-02-30T00:00:00Z' },
      7,
    ),
    icons: fc.constantFrom([{ src: 'shop://i' }], [7], 7),
    _meta: fc.constantFrom({}, [], 7),
  },
  { requiredKeys: ['type'] },
);

const resultArbitrary = fc.record(
  {
    content: fc.array(
      fc
        .record({ type: fc.string() }, { noNullPrototype: true })
        .chain((block) => jsonObject.map((own) => ({ ...own, ...block }))),
    ),
    structuredContent: jsonValue,
    _meta: jsonObject,
    isError: fc.constantFrom(false, null),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const callFailureArbitrary = fc.record(
  {
    reason: fc.constantFrom(...callFailureReasons),
    category: fc.constantFrom(...failureCategories),
    httpStatus: fc.integer({ min: 300, max: 599 }),
    rpcCode: fc.integer(),
    rpcData: jsonValue,
    retryAfterMs: fc.nat(),
    challenge: fc.record(
      { error: fc.string(), scope: fc.string() },
      { requiredKeys: [], noNullPrototype: true },
    ),
    sessionExpired: fc.constant(true as const),
    taskId: fc.string(),
    body: fc.string(),
  },
  { requiredKeys: ['reason'], noNullPrototype: true },
);

function commonArbitrary<T>(own: fc.Arbitrary<T>) {
  const members = fc.record(
    {
      server: fc.string(),
      tool: fc.string(),
      callId: fc.uuid(),
      message: fc.string(),
      delivery: fc.constantFrom('not_sent', 'answered', 'unknown'),
      startedAt: fc
        .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
        .map((date) => date.toISOString()),
      durationMs: fc.nat(),
      replaySafe: fc.boolean(),
    },
    { requiredKeys: ['server', 'tool', 'callId', 'message', 'delivery', 'startedAt', 'durationMs'] },
  );
  return fc.tuple(members, own);
}

function hideCause<T extends { readonly cause: unknown }>(outcome: T): T {
  return Object.defineProperty(outcome, 'cause', { enumerable: false });
}

function cycle(): object {
  const object: Record<string, unknown> = {};
  object.self = object;
  return object;
}

function throwing(): object {
  const object = { [fc.toStringMethod]: () => 'an object that throws' };
  return Object.defineProperty(object, 'type', {
    enumerable: true,
    get: () => {
      throw new Error('do not read me');
    },
  });
}
