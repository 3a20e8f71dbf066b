/** toErrorRecord: a thrown value as a log may hold it, for every value that can be thrown. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorRecord, toErrorRecord } from '../src/redact/error-record.ts';
import { defaultRedactor } from '../src/redact/redactor.ts';

function record(thrown: unknown, stack = false): ErrorRecord {
  return toErrorRecord(thrown, defaultRedactor, { stack });
}

class NamedByClass extends Error {}
class NamedByField extends Error {
  override name = 'UnauthorizedError';
}
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

const rows: readonly { readonly name: string; readonly thrown: unknown; readonly record: ErrorRecord }[] = [
  {
    name: 'an error',
    thrown: new TypeError('no token=abc1'),
    record: { type: 'TypeError', message: 'no token=[REDACTED]' },
  },
  {
    name: 'a class that leaves the name at Error',
    thrown: new NamedByClass('x'),
    record: { type: 'NamedByClass', message: 'x' },
  },
  {
    name: 'a class with its own name',
    thrown: new NamedByField('x'),
    record: { type: 'UnauthorizedError', message: 'x' },
  },
  {
    name: 'a text that is no JSON, in the error and in its cause',
    thrown: new SyntaxError(`Unexpected token '@', ..."yDdpW8oS",@]" is not valid JSON`, {
      cause: new SyntaxError(`Unexpected token 'u', "usDyhEdjzQ"... is not valid JSON`),
    }),
    record: {
      type: 'SyntaxError',
      message: `Unexpected token '@', ..."[REDACTED]" is not valid JSON`,
      cause: { type: 'SyntaxError', message: `Unexpected token 'u', "[REDACTED]"... is not valid JSON` },
    },
  },
  {
    name: 'a page in place of JSON',
    thrown: new SyntaxError(`Unexpected token '<', "<!DOCTYPE "... is not valid JSON`),
    record: {
      type: 'SyntaxError',
      message: `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
    },
  },
  {
    name: 'a code',
    thrown: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
    record: { type: 'Error', message: 'x', code: 'ECONNREFUSED' },
  },
  {
    name: 'a code of 0',
    thrown: Object.assign(new Error('x'), { code: 0 }),
    record: { type: 'Error', message: 'x', code: 0 },
  },
  {
    name: 'a code of another type',
    thrown: Object.assign(new Error('x'), { code: {} }),
    record: { type: 'Error', message: 'x' },
  },
  {
    name: 'members of a client',
    thrown: Object.assign(new Error('x'), { config: { headers: { authorization: 'y' } }, url: 'z' }),
    record: { type: 'Error', message: 'x' },
  },
  {
    name: 'a cause',
    thrown: new Error('outer', { cause: new RangeError('https://u:pw1@h') }),
    record: {
      type: 'Error',
      message: 'outer',
      cause: { type: 'RangeError', message: 'https://[REDACTED]@h' },
    },
  },
  {
    name: 'a cause that is a text',
    thrown: new Error('outer', { cause: 'inner' }),
    record: { type: 'Error', message: 'outer', cause: { type: 'string', message: 'inner' } },
  },
  {
    name: 'two addresses refused',
    thrown: Object.assign(new AggregateError([new Error('a'), new Error('b')], ''), { code: 'ECONNREFUSED' }),
    record: { type: 'AggregateError', message: 'ECONNREFUSED', code: 'ECONNREFUSED' },
  },
  {
    name: 'several errors without a code',
    thrown: new AggregateError([new Error('first'), new Error('b')], ''),
    record: { type: 'AggregateError', message: 'first' },
  },
  { name: 'no message', thrown: new Error(''), record: { type: 'Error', message: '' } },
  { name: 'frozen', thrown: Object.freeze(new Error('x')), record: { type: 'Error', message: 'x' } },
  { name: 'a text', thrown: 'boom token=abc1', record: { type: 'string', message: 'boom token=[REDACTED]' } },
  { name: 'undefined', thrown: undefined, record: { type: 'undefined', message: 'undefined' } },
  { name: 'null', thrown: null, record: { type: 'null', message: 'null' } },
  { name: 'a number', thrown: 5, record: { type: 'number', message: '5' } },
  { name: 'a symbol', thrown: Symbol('s'), record: { type: 'symbol', message: 'Symbol(s)' } },
  {
    name: 'a plain object',
    thrown: { message: 'x', code: 7, password: 'y' },
    record: { type: 'Object', message: 'x', code: 7 },
  },
  {
    name: 'an object without a prototype',
    thrown: Object.create(null),
    record: { type: 'unknown', message: '' },
  },
  { name: 'a revoked proxy', thrown: revoked, record: { type: 'unknown', message: '' } },
  {
    name: 'getters that throw',
    thrown: {
      get message(): never {
        throw new Error('no');
      },
      get cause(): never {
        throw new Error('no');
      },
    },
    record: { type: 'Object', message: '' },
  },
];

for (const row of rows) {
  test(row.name, () => {
    assert.deepEqual(record(row.thrown), row.record);
  });
}

describe('bounds', () => {
  test('the message', () => {
    assert.equal(record(new Error('a '.repeat(400))).message, `${'a '.repeat(256)}…`);
    assert.equal(record(new Error('a'.repeat(512))).message, 'a'.repeat(512));
  });

  test('the stack, only when it is asked for', () => {
    const error = new Error('x');
    error.stack = `Error: token=abc1\n${'    at a.js:1:2\n'.repeat(100)}`;
    const stack = record(error, true).stack ?? '';
    assert.equal(stack.length, 1025);
    assert.ok(stack.startsWith('Error: token=[REDACTED]\n    at a.js:1:2\n'), stack.slice(0, 60));
    assert.equal(record(error).stack, undefined);
  });

  test('type and code', () => {
    const error = Object.assign(new Error('x'), { name: 'N'.repeat(300), code: 'C'.repeat(300) });
    assert.equal(record(error).type, `${'N'.repeat(128)}…`);
    assert.equal(record(error).code, `${'C'.repeat(128)}…`);
  });

  test('four causes, and none twice', () => {
    const chain = (depth: number): Error =>
      new Error(`${depth}`, { cause: depth === 9 ? undefined : chain(depth + 1) });
    const messages: string[] = [];
    for (let next: ErrorRecord | undefined = record(chain(0)); next !== undefined; next = next.cause) {
      messages.push(next.message);
    }
    assert.deepEqual(messages, ['0', '1', '2', '3', '4']);

    const first = new Error('first');
    first.cause = new Error('second', { cause: first });
    assert.deepEqual(record(first), {
      type: 'Error',
      message: 'first',
      cause: { type: 'Error', message: 'second' },
    });
  });

  test('a redactor of the caller that throws shows nothing', () => {
    const broken = {
      ...defaultRedactor,
      bounded: (): never => {
        throw new Error('no');
      },
    };
    assert.deepEqual(toErrorRecord(new Error('x'), broken, { stack: false }), { type: '', message: '' });
  });
});
