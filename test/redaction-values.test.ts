/** Structured values: by key name, entered and never blanked, safe for whatever a thrown value may hold. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { defaultRedactor } from '../src/redact/redactor.ts';

const secret = ['Zq7Kx9mB', '2vT4rL8n', 'W3pD6sH1'].join('');
const marker = '[REDACTED]';

const rows: readonly { readonly name: string; readonly value: unknown; readonly copy: unknown }[] = [
  { name: 'a text', value: 'token=abc1 n=1', copy: `token=${marker} n=1` },
  {
    name: 'strings and numbers by key',
    value: { password: 'hunter2', pin: 9214, otp: 9214, n: 1 },
    copy: { password: marker, pin: marker, otp: marker, n: 1 },
  },
  {
    name: 'booleans, null and empty texts stay',
    value: { password: true, token: null, secret: '' },
    copy: { password: true, token: null, secret: '' },
  },
  {
    name: 'counts stay',
    value: { tokens: 12, max_tokens: 4096, secrets: 3, progressToken: 7 },
    copy: { tokens: 12, max_tokens: 4096, secrets: 3, progressToken: 7 },
  },
  {
    name: 'objects are entered',
    value: { password: { type: 'string', minLength: 8 }, credentials: { user: 'bob', password: 'x1' } },
    copy: { password: { type: 'string', minLength: 8 }, credentials: { user: 'bob', password: marker } },
  },
  {
    name: 'lists item by item',
    value: { api_keys: ['abc-def', 'ghi-jkl'], keys: ['a', 'b'] },
    copy: { api_keys: [marker, marker], keys: ['a', 'b'] },
  },
  {
    name: 'schemes stay',
    value: { Authorization: `Bearer ${secret}` },
    copy: { Authorization: `Bearer ${marker}` },
  },
  {
    name: 'cookies',
    value: { cookie: 'sid=abc', 'set-cookie': ['a=1; Path=/'] },
    copy: { cookie: marker, 'set-cookie': [marker] },
  },
  {
    name: 'texts within',
    value: { stderr: 'started with API_TOKEN=abc1', path: '/bin' },
    copy: { stderr: `started with API_TOKEN=${marker}`, path: '/bin' },
  },
  { name: 'keys that hold a secret', value: { [`token=${secret}`]: 1 }, copy: { [`token=${marker}`]: 1 } },
  {
    name: 'keys that hold different secrets',
    value: { 'token=abc-def-12': 1, 'token=abc-def-34': 2, 'token=[REDACTED] (2)': 3, n: 4 },
    copy: { [`token=${marker}`]: 1, [`token=${marker} (2)`]: 2, [`token=${marker} (2) (2)`]: 3, n: 4 },
  },
  {
    name: 'many keys that differ in their secrets only',
    value: Object.fromEntries(Array.from({ length: 3 }, (_, i) => [`password=hunter${i}`, i])),
    copy: { [`password=${marker}`]: 0, [`password=${marker} (2)`]: 1, [`password=${marker} (3)`]: 2 },
  },
  {
    name: 'short passwords, and results of tests',
    value: { user: 'bot', pass: 'summerday', results: { pass: 12, fail: 0 }, pw: true, passed: 'summerday' },
    copy: { user: 'bot', pass: marker, results: { pass: 12, fail: 0 }, pw: true, passed: 'summerday' },
  },
  {
    name: 'an endless key',
    value: { ['k'.repeat(600)]: 'abc1', ['k'.repeat(500)]: 'abc1' },
    copy: { ['k'.repeat(600)]: marker, ['k'.repeat(500)]: 'abc1' },
  },
  {
    name: 'argument lists',
    value: ['-y', '@acme/mcp', '--api-key', 'hunter2', '--stdio'],
    copy: ['-y', '@acme/mcp', '--api-key', marker, '--stdio'],
  },
  {
    name: 'header lists',
    value: ['Accept', '*/*', 'Authorization', `Bearer ${secret}`],
    copy: ['Accept', '*/*', 'Authorization', `Bearer ${marker}`],
  },
  {
    name: 'header pairs',
    value: [
      ['authorization', `Bearer ${secret}`],
      ['host', 'a'],
    ],
    copy: [
      ['authorization', `Bearer ${marker}`],
      ['host', 'a'],
    ],
  },
  {
    name: 'lists of names',
    value: { required: ['password', 'token'] },
    copy: { required: ['password', 'token'] },
  },
  {
    name: 'names and values',
    value: [
      { name: 'DB_PASSWORD', value: 'hunter2' },
      { name: 'DB_HOST', value: 'db' },
    ],
    copy: [
      { name: 'DB_PASSWORD', value: marker },
      { name: 'DB_HOST', value: 'db' },
    ],
  },
  {
    name: 'Map',
    value: new Map<string, unknown>([
      ['password', 'hunter2'],
      ['n', 1],
    ]),
    copy: { password: marker, n: 1 },
  },
  {
    name: 'Map with other keys',
    value: new Map([[{ a: 1 }, 'token=abc1']]),
    copy: [[{ a: 1 }, `token=${marker}`]],
  },
  { name: 'Set', value: new Set(['a', 'token=abc1']), copy: ['a', `token=${marker}`] },
  {
    name: 'Headers',
    value: new Headers({ authorization: `Bearer ${secret}`, host: 'a' }),
    copy: { authorization: `Bearer ${marker}`, host: 'a' },
  },
  { name: 'URLSearchParams', value: new URLSearchParams('a=1&token=abc1'), copy: `a=1&token=${marker}` },
  {
    name: 'URL',
    value: new URL('https://bob:pw1@a.example/?token=abc1'),
    copy: `https://${marker}@a.example/?token=${marker}`,
  },
  {
    name: 'bytes',
    value: [Buffer.from('token=abc1'), new Float64Array(2), new ArrayBuffer(2)],
    copy: ['[binary]', '[binary]', '[binary]'],
  },
  {
    name: 'Date',
    value: [new Date(0), new Date(Number.NaN)],
    copy: ['1970-01-01T00:00:00.000Z', 'Invalid Date'],
  },
  {
    name: 'what JSON has no word for',
    value: [undefined, Number.NaN, 10n, () => 1, Symbol('token=abc1'), /token=abc1/],
    copy: [null, null, '10', '[function]', `Symbol(token=${marker})`, `/token=${marker}`],
  },
  { name: 'boxed', value: { password: Object('hunter2'), n: Object(1) }, copy: { password: marker, n: 1 } },
  {
    name: 'toJSON',
    value: { a: { toJSON: () => ({ password: 'hunter2', n: 1 }) } },
    copy: { a: { password: marker, n: 1 } },
  },
  { name: 'members that are undefined', value: { a: undefined, b: 1 }, copy: { b: 1 } },
  {
    name: 'a member named __proto__',
    value: JSON.parse('{"__proto__":{"password":"hunter2"}}'),
    copy: JSON.parse('{"__proto__":{"password":"[REDACTED]"}}'),
  },
  {
    name: 'an instance of a class',
    value: new (class Session {
      password = 'hunter2';
      n = 1;
    })(),
    copy: { password: marker, n: 1 },
  },
  {
    name: 'no prototype',
    value: Object.assign(Object.create(null), { password: 'hunter2' }),
    copy: { password: marker },
  },
];

for (const row of rows) {
  test(row.name, () => {
    assert.deepEqual(defaultRedactor.value(row.value), row.copy);
  });
}

describe('hostile values', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = {
    get a(): never {
      throw new Error('no');
    },
    b: 1,
  };
  const hostile: readonly { readonly name: string; readonly value: unknown; readonly copy: unknown }[] = [
    { name: 'a revoked proxy', value: { a: proxy, b: 1 }, copy: { a: '[unreadable]', b: 1 } },
    { name: 'a getter that throws', value: throwing, copy: { a: '[unreadable]', b: 1 } },
    {
      name: 'a name that throws beside a value',
      value: {
        get name(): never {
          throw new Error('no');
        },
        key: 'password',
        value: 'hunter2',
      },
      copy: { name: '[unreadable]', key: 'password', value: marker },
    },
    {
      name: 'keys that throw',
      value: [
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('no');
            },
          },
        ),
      ],
      copy: ['[unreadable]'],
    },
    {
      name: 'toJSON that throws',
      value: [
        {
          toJSON: () => {
            throw new Error('no');
          },
        },
      ],
      copy: ['[unreadable]'],
    },
  ];
  for (const row of hostile) {
    test(row.name, () => {
      assert.deepEqual(defaultRedactor.value(row.value), row.copy);
    });
  }

  test('a cycle is named, a value that stands twice is not', () => {
    const shared = { n: 1 };
    const value: Record<string, unknown> = { first: shared, second: shared };
    value.self = value;
    assert.deepEqual(defaultRedactor.value(value), { first: { n: 1 }, second: { n: 1 }, self: '[circular]' });
  });

  test('12 levels are entered, the next is not', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'end' : { a: nested(levels - 1) });
    assert.equal(JSON.stringify(defaultRedactor.value(nested(12))), JSON.stringify(nested(12)));
    assert.match(JSON.stringify(defaultRedactor.value(nested(13))), /\{"a":"\[truncated\]"\}/);
  });

  test('20,000 values are copied, the rest is left out', () => {
    const list = Array.from({ length: 50_000 }, (_, i) => i);
    const copy = defaultRedactor.value(list);
    assert.ok(Array.isArray(copy) && copy.length <= 20_001, 'too long');
    assert.equal(copy.at(-1), '[truncated]');
    const members = Object.fromEntries(list.map((i) => [`n${i}`, i]));
    const entries = Object.entries(Object(defaultRedactor.value(members)));
    assert.ok(entries.length <= 20_001, 'too many');
    assert.deepEqual(entries.at(-1), ['[truncated]', '[truncated]']);
  });
});

describe('errors', () => {
  test('give a fixed list of fields', () => {
    const error = Object.assign(new TypeError('failed with token=abc1', { cause: new Error('inner') }), {
      code: 'ECONNREFUSED',
      status: 502,
      config: { headers: { authorization: 'Bearer x' } },
      request: { path: '/secret/path' },
    });
    error.stack = 'TypeError: failed with token=abc1\n    at a.js:1:2';
    const inner = error.cause instanceof Error ? error.cause : undefined;
    assert.ok(inner !== undefined);
    inner.stack = 'Error: inner';
    assert.deepEqual(defaultRedactor.value({ error }), {
      error: {
        name: 'TypeError',
        message: `failed with token=${marker}`,
        code: 'ECONNREFUSED',
        status: 502,
        stack: `TypeError: failed with token=${marker}\n    at a.js:1:2`,
        cause: { name: 'Error', message: 'inner', stack: 'Error: inner' },
      },
    });
  });

  test('of another realm are errors too', () => {
    const copy = JSON.stringify(
      defaultRedactor.value(runInNewContext('Object.assign(new Error("x"), { config: "y" })')),
    );
    assert.match(copy, /"message":"x"/);
    assert.doesNotMatch(copy, /config/);
  });
});
