/** What holds for every value there is: the classifier is total, keeps its promises, and changes nothing. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { classifyResult, classifyRpcError, classifyThrown, type ToolOutcome } from '../src/index.ts';
import { fickle, guarded, result, rpcError, signal, text, thrown } from './support/arbitraries.ts';
import { context } from './support/right-outcome.ts';

const runs = { seed: 20_260_301, numRuns: 1_000 };

const failureCategories = ['access_denied', 'not_found', 'transient_failure', 'invalid_input'];
/** The categories of each kind, as the contract has them. */
const categoriesByKind: Readonly<Record<ToolOutcome['kind'], readonly string[]>> = {
  success: ['success'],
  tool_error: ['tool_error', ...failureCategories],
  failure_body: ['tool_error', ...failureCategories],
  schema_mismatch: ['schema_mismatch'],
  call_failure: failureCategories,
  cancelled: ['cancelled'],
};
const deliveries = ['not_sent', 'answered', 'unknown'];
const reasons = [
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
];

function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 32 || (code >= 127 && code <= 159) || code === 8_232 || code === 8_233;
}

function assertLine(line: string): void {
  assert.equal(Array.from(line).some(isControl), false, 'one line');
  assert.ok(line.length <= 2_049, 'bounded');
}

/** The members that are not verbatim values of the server or of the thrower. */
function ownMembers(outcome: ToolOutcome): object {
  return { ...outcome, result: undefined, value: undefined, rpcData: undefined };
}

function assertSound(outcome: ToolOutcome): void {
  const categories = categoriesByKind[outcome.kind];
  assert.ok(categories?.includes(outcome.category), `${outcome.kind} with ${outcome.category}`);
  assert.equal(outcome.ok, outcome.kind === 'success');
  assert.ok(deliveries.includes(outcome.delivery));
  assertLine(outcome.message);
  assert.doesNotThrow(() => JSON.stringify(ownMembers(outcome)));
  if (outcome.kind === 'call_failure' || outcome.kind === 'cancelled') {
    assert.equal(Object.getOwnPropertyDescriptor(outcome, 'cause')?.enumerable, false);
    assert.equal(Object.keys(outcome).includes('cause'), false);
    assert.equal('cause' in { ...outcome }, false);
    assert.equal(Object.hasOwn(JSON.parse(JSON.stringify(ownMembers(outcome))), 'cause'), false);
  }
  if (outcome.kind === 'call_failure') {
    const { reason, httpStatus, rpcCode, body } = outcome;
    assert.ok(reasons.includes(reason));
    assert.ok(httpStatus === undefined || (httpStatus >= 300 && httpStatus <= 599));
    assert.ok(rpcCode === undefined || Number.isInteger(rpcCode));
    assert.ok(body === undefined || (body !== '' && body.length <= 2_049));
  }
  if (outcome.kind === 'schema_mismatch') {
    assert.ok(outcome.issues.length >= 1 && outcome.issues.length <= 10);
  }
  if ((outcome.kind === 'tool_error' || outcome.kind === 'failure_body') && outcome.failure !== undefined) {
    const { tag = '', code = '', message = '' } = outcome.failure;
    assert.ok(tag.length <= 129 && code.length <= 129 && message.length <= 2_049);
  }
}

function assertSame(first: ToolOutcome, second: ToolOutcome): void {
  assert.deepEqual(ownMembers(first), ownMembers(second));
  for (const key of ['result', 'value', 'rpcData', 'cause']) {
    assert.ok(Object.is(Reflect.get(first, key), Reflect.get(second, key)), key);
  }
}

describe('any thrown value', () => {
  test('is one call failure that holds the value as its cause, and never ok', () => {
    const property = fc.property(thrown, (make) => {
      const value = make();
      const outcome = classifyThrown(value, context);
      assertSound(outcome);
      assert.ok(outcome.kind === 'call_failure');
      assert.ok(Object.is(outcome.cause, value), 'the very value');
    });
    fc.assert(property, runs);
  });

  test('is the caller’s own abort, or a timeout, when the signal is aborted', () => {
    const property = fc.property(thrown, signal, (make, makeSignal) => {
      const callSignal = makeSignal();
      const outcome = classifyThrown(make(), { ...context, signal: callSignal });
      assertSound(outcome);
      assert.ok(outcome.kind === 'cancelled' || outcome.kind === 'call_failure');
      if (outcome.kind === 'cancelled') {
        assert.ok(callSignal.aborted);
        assert.ok(Object.is(outcome.cause, callSignal.reason), 'the very reason');
      } else if (callSignal.aborted) {
        assert.equal(outcome.reason, 'timeout');
      }
    });
    fc.assert(property, runs);
  });

  test('with a signal that is none', () => {
    const property = fc.property(thrown, (make) => {
      const odd = Object.defineProperty({ ...context }, 'signal', { value: make(), enumerable: true });
      assertSound(classifyThrown(new Error('no'), odd));
    });
    fc.assert(property, runs);
  });
});

describe('any result', () => {
  test('is one outcome that holds it verbatim', () => {
    const property = fc.property(result, (make) => {
      const value = make();
      const outcome = classifyResult(value, context);
      assertSound(outcome);
      assert.notEqual(outcome.kind, 'cancelled');
      if (outcome.kind !== 'call_failure' && outcome.kind !== 'cancelled') {
        assert.ok(Object.is(outcome.result, value), 'the very value');
      }
    });
    fc.assert(property, runs);
  });

  test('that is JSON is a success only with content or structured content, and without the flag', () => {
    const property = fc.property(
      fc.jsonValue(),
      fc.jsonValue(),
      fc.jsonValue(),
      (content, isError, other) => {
        const outcome = classifyResult({ other, content, isError }, context);
        const allowed = Array.isArray(content) && (isError === false || isError === null);
        assert.ok(allowed || !outcome.ok);
        assert.equal(outcome.kind === 'tool_error', isError === true);
      },
    );
    fc.assert(property, runs);
  });
});

test('any JSON-RPC error is one call failure, and transient', () => {
  const property = fc.property(rpcError, (make) => {
    const outcome = classifyRpcError(make(), context);
    assertSound(outcome);
    assert.ok(outcome.kind === 'call_failure');
    assert.equal(outcome.category, 'transient_failure');
    assert.ok(outcome.reason === 'protocol_error' || outcome.reason === 'invalid_answer');
    assert.equal(outcome.httpStatus, undefined);
  });
  fc.assert(property, runs);
});

test('words decide nothing: the same value with other words is the same verdict', () => {
  const property = fc.property(
    text,
    text,
    fc.constantFrom(401, 404, 500, -1, undefined),
    (one, other, status) => {
      const verdict = (words: string): object => {
        const { message: _message, ...rest } = ownOutcome(Object.assign(new Error(words), { status }));
        return rest;
      };
      assert.deepEqual(verdict(one), verdict(other));
      const kind = (words: string) =>
        classifyResult({ content: [{ type: 'text', text: words }] }, context).kind;
      assert.equal(kind(`x ${one}`), kind(`x ${other}`));
    },
  );
  fc.assert(property, { ...runs, numRuns: 500 });

  function ownOutcome(value: unknown): ToolOutcome {
    return classifyThrown(value, context);
  }
});

const inputs = [
  { name: 'a thrown value', values: thrown, classify: classifyThrown },
  { name: 'a result', values: result, classify: classifyResult },
  { name: 'a JSON-RPC error', values: rpcError, classify: classifyRpcError },
];
for (const { name, values, classify } of inputs) {
  test(`${name} is never changed`, () => {
    const property = fc.property(values, (make) => {
      const changes: string[] = [];
      classify(guarded(make(), changes), context);
      assert.deepEqual(changes, []);
    });
    fc.assert(property, runs);
  });

  test(`${name} is judged the same twice`, () => {
    const property = fc.property(values, (make) => {
      const value = make();
      assertSame(classify(value, context), classify(value, context));
    });
    fc.assert(property, runs);
  });

  test(`${name} that is not the same twice is still one outcome`, () => {
    const property = fc.property(values, (make) => {
      assertSound(classify(fickle(make()), context));
    });
    fc.assert(property, runs);
  });
}
