/** The options of createRedactor: what they do, and what it says about wrong ones. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OptionsError } from '../src/redact/options-error.ts';
import { createRedactor, type RedactorOptions, withKnownValues } from '../src/redact/redactor.ts';

const secret = ['Zq7Kx9mB', '2vT4rL8n', 'W3pD6sH1'].join('');
const base64OfSecret = ['WnE3S3g5bUIy', 'dlQ0ckw4blcz', 'cEQ2c0gx'].join('');

interface TextRow {
  readonly name: string;
  readonly options: RedactorOptions;
  readonly text: string;
  readonly masked: string;
}

const textRows: readonly TextRow[] = [
  {
    name: 'keys: a header',
    options: { keys: ['X-Tenant'] },
    text: 'x-tenant: acme\nhost: a',
    masked: 'x-tenant: [REDACTED]\nhost: a',
  },
  {
    name: 'keys: JSON, other spelling',
    options: { keys: ['x-tenant'] },
    text: '{"xTenant":"acme","n":1}',
    masked: '{"xTenant":"[REDACTED]","n":1}',
  },
  {
    name: 'keys: a query name',
    options: { keys: ['tenant'] },
    text: '/x?tenant=acme&n=1',
    masked: '/x?tenant=[REDACTED]&n=1',
  },
  {
    name: 'keys: a flag',
    options: { keys: ['tenant'] },
    text: 'acme --tenant blue --n 1',
    masked: 'acme --tenant [REDACTED] --n 1',
  },
  {
    name: 'keys: only the whole name',
    options: { keys: ['tenant'] },
    text: '{"tenantId":"acme","my_tenant":"acme"}',
    masked: '{"tenantId":"acme","my_tenant":"acme"}',
  },
  {
    name: 'keys: a name that the rules keep',
    options: { keys: ['next_page_token'] },
    text: 'next_page_token=abc',
    masked: 'next_page_token=[REDACTED]',
  },
  {
    name: 'values: anywhere',
    options: { values: ['acme-tenant'] },
    text: 'at /t/acme-tenant/mcp',
    masked: 'at /t/[REDACTED]/mcp',
  },
  {
    name: 'values: below 8 units they are ignored',
    options: { values: ['true', '1234567'] },
    text: 'true 1234567',
    masked: 'true 1234567',
  },
  {
    name: 'values: the longest first',
    options: { values: ['acme-ten', 'acme-tenant'] },
    text: 'a acme-tenant b',
    masked: 'a [REDACTED] b',
  },
  {
    name: 'values: URL-encoded',
    options: { values: ['a b/c+d=e&f'] },
    text: '/x/a%20b%2Fc%2Bd%3De%26f/y',
    masked: '/x/[REDACTED]/y',
  },
  {
    name: 'values: form-encoded',
    options: { values: ['a b/c+d=e&f'] },
    text: 'v=a+b%2Fc%2Bd%3De%26f&n=1',
    masked: 'v=[REDACTED]&n=1',
  },
  {
    name: 'values: JSON-escaped',
    options: { values: ['a"b\\c"d-e'] },
    text: '{"v":"a\\"b\\\\c\\"d-e"}',
    masked: '{"v":"[REDACTED]"}',
  },
  {
    name: 'values: base64',
    options: { values: [secret] },
    text: `v ${base64OfSecret} w`,
    masked: 'v [REDACTED] w',
  },
  {
    name: 'values: inside a longer text in base64',
    options: { values: ['hunter2-hunter2'] },
    text: 'sent Ym9iOmh1bnRlcjItaHVudGVyMjp4, then Ym9iOnN1bW1lcg==',
    masked: 'sent [REDACTED], then Ym9iOnN1bW1lcg==',
  },
  {
    name: 'values: inside a longer text that was cut',
    options: { values: ['hunter2-hunter2'] },
    text: 'sent Ym9iOmh1bnRlcjItaHVudGVy… and /a/Ym9iOmh1bnRlcg==',
    masked: 'sent [REDACTED]… and /a/Ym9iOmh1bnRlcg==',
  },
  {
    name: 'values: a longer word is no base64',
    options: { values: ['hunter2-hunter2'] },
    text: 'at abc/hunter2-hunter2/def',
    masked: 'at abc/[REDACTED]/def',
  },
  {
    name: 'values: with a scheme, also without it',
    options: { values: [`Bearer ${secret}`] },
    text: `you sent ${secret}!`,
    masked: 'you sent [REDACTED]!',
  },
  {
    name: 'values: Basic, also the password in it',
    options: { values: ['Basic Ym9iOmh1bnRlcjItaHVudGVyMg=='] },
    text: 'user hunter2-hunter2 refused',
    masked: 'user [REDACTED] refused',
  },
  {
    name: 'values: a cut echo',
    options: { values: [secret] },
    text: `you sent ${secret.slice(0, 14)}… and more`,
    masked: 'you sent [REDACTED]… and more',
  },
  {
    name: 'values: the same start is no echo',
    options: { values: ['https://api.example.com/secret/path'] },
    text: 'see https://api.example.com/docs',
    masked: 'see https://api.example.com/docs',
  },
  {
    name: 'values: a value that is part of the marker',
    options: { values: ['REDACTED'] },
    text: 'token=abc1',
    masked: 'token=[REDACTED]',
  },
  {
    name: 'patterns',
    options: { patterns: [/acme-\d+/] },
    text: 'acme-1 and acme-22, acme-x',
    masked: '[REDACTED] and [REDACTED], acme-x',
  },
  {
    name: 'patterns: flags',
    options: { patterns: [/ACME/iy] },
    text: 'x acme Acme',
    masked: 'x [REDACTED] [REDACTED]',
  },
  {
    name: 'patterns: without length',
    options: { patterns: [/x*/] },
    text: 'abc xx',
    masked: 'abc [REDACTED]',
  },
  {
    name: 'patterns: over the marker',
    options: { patterns: [/\w+/] },
    text: 'a b',
    masked: '[REDACTED] [REDACTED]',
  },
  {
    name: 'marker',
    options: { marker: '***' },
    text: 'token=abc1 {"pin":1234}',
    masked: 'token=*** {"pin":"***"}',
  },
  {
    name: 'marker: one unit, and values that start with it',
    options: { marker: 'x' },
    text: 'token=xyz-abc1 password=x',
    masked: 'token=x password=x',
  },
  {
    name: 'marker: letters',
    options: { marker: 'REMOVED' },
    text: 'Authorization: Bearer abc1\nhost: a',
    masked: 'Authorization: Bearer REMOVED\nhost: a',
  },
];

describe('options', () => {
  for (const row of textRows) {
    test(row.name, () => {
      const redactor = createRedactor(row.options);
      assert.equal(redactor.text(row.text), row.masked);
      assert.equal(redactor.text(row.masked), row.masked, 'a second pass changes it');
    });
  }

  test('none at all', () => {
    assert.equal(createRedactor().text('token=abc1'), 'token=[REDACTED]');
    assert.equal(createRedactor({}).text('token=abc1'), 'token=[REDACTED]');
  });

  test('a pattern of the caller keeps its lastIndex', () => {
    const pattern = /acme/g;
    pattern.lastIndex = 2;
    createRedactor({ patterns: [pattern] }).text('acme acme');
    assert.equal(pattern.lastIndex, 2);
  });

  test('keys and values reach structured values too', () => {
    const redactor = createRedactor({ keys: ['tenant'], values: ['acme-tenant'] });
    assert.deepEqual(redactor.value({ tenant: 'blue', note: 'at acme-tenant', tenants: 2 }), {
      tenant: '[REDACTED]',
      note: 'at [REDACTED]',
      tenants: 2,
    });
  });
});

const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

const wrongOptions: readonly {
  readonly name: string;
  readonly options: unknown;
  readonly message: RegExp;
}[] = [
  { name: 'not an object', options: 5, message: /^Option "options": expected an object, got number\.$/ },
  { name: 'null', options: null, message: /^Option "options": expected an object, got null\.$/ },
  { name: 'an array', options: [], message: /^Option "options": expected an object, got array\.$/ },
  {
    name: 'a revoked proxy',
    options: revoked,
    message: /^Option "options": expected an object that can be read, got one that throws\.$/,
  },
  {
    name: 'a revoked proxy as a list',
    options: { values: revoked },
    message: /^Option "options": expected an object that can be read, got one that throws\.$/,
  },
  {
    name: 'an unknown name',
    options: { vales: [] },
    message:
      /^Option "vales": expected one of "keys", "values", "patterns" and "marker", got an unknown name\.$/,
  },
  {
    name: 'values',
    options: { values: 3 },
    message: /^Option "values": expected an array of strings, got number\.$/,
  },
  {
    name: 'one of the values',
    options: { values: ['a', 3] },
    message: /^Option "values": expected an array of strings, got number at index 1\.$/,
  },
  {
    name: 'keys',
    options: { keys: 'token' },
    message: /^Option "keys": expected an array of names, each with a letter or digit, got string\.$/,
  },
  {
    name: 'a key without a name',
    options: { keys: ['--'] },
    message: /^Option "keys": .* got string at index 0\.$/,
  },
  {
    name: 'patterns',
    options: { patterns: ['x'] },
    message: /^Option "patterns": expected an array of regular expressions, got string at index 0\.$/,
  },
  {
    name: 'an empty marker',
    options: { marker: '' },
    message: /^Option "marker": expected a text of 1 to 64 units .* got string\.$/,
  },
  { name: 'a marker with a space', options: { marker: 'a b' }, message: /^Option "marker": / },
  { name: 'a marker with a quote', options: { marker: '"x"' }, message: /^Option "marker": / },
  { name: 'a marker over 64 units', options: { marker: 'x'.repeat(65) }, message: /^Option "marker": / },
  {
    name: 'a marker that looks like a secret',
    options: { marker: secret },
    message: /^Option "marker": .* got one that is masked again\.$/,
  },
];

/** Reflection, since the compiler would refuse these. */
function create(options: unknown): unknown {
  return Reflect.apply(createRedactor, undefined, [options]);
}

describe('wrong options', () => {
  for (const row of wrongOptions) {
    test(row.name, () => {
      assert.throws(() => create(row.options), { name: 'OptionsError', message: row.message });
    });
  }

  test('the error never shows the value', () => {
    assert.throws(
      () => create({ values: [secret, 1], marker: secret }),
      (error) => error instanceof Error && !error.message.includes(secret),
    );
  });

  test('the error names the option and is known by its brand, also from a second copy of the package', () => {
    const error = new OptionsError('values', 'an array', 'number');
    const foreign = Object.defineProperty(new Error('x'), Symbol.for('mcp-outcome.OptionsError'), {
      value: true,
    });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    assert.equal(error.option, 'values');
    assert.ok(error instanceof TypeError);
    assert.deepEqual([error, foreign].map(OptionsError.isInstance), [true, true]);
    assert.deepEqual([new TypeError('x'), undefined, null, 'x', {}, proxy].map(OptionsError.isInstance), [
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('withKnownValues', () => {
  const known = withKnownValues(createRedactor({ marker: '***' }), ['acme-tenant']);

  test('masks the values first, with the marker of the redactor that it wraps', () => {
    assert.equal(known.text('acme-tenant token=abc1 blue'), '*** token=*** blue');
    assert.deepEqual(known.value({ a: ['acme-tenant'], token: 'abc1', n: 1 }), {
      a: ['***'],
      token: '***',
      n: 1,
    });
  });

  test('stays bounded, also over a redactor that is not ours', () => {
    const upperCase = {
      text: (text: string) => text.toUpperCase(),
      value: (value: unknown) => value,
      bounded: (text: string, limit: number) => text.slice(0, limit).toUpperCase(),
    };
    const wrapped = withKnownValues(upperCase, ['acme-tenant']);
    assert.equal(wrapped.text('to acme-tenant'), 'TO [REDACTED]');
    assert.equal(wrapped.bounded('acme-tenant ok', 100), '[REDACTED] OK');
    assert.equal(wrapped.bounded(`acme-tenant ${'word '.repeat(100_000)}`, 20).length, 21);
  });

  test('a value that the limit would cut leaves no part', () => {
    assert.equal(known.bounded(`12345 acme-tenant ${'x '.repeat(9000)}`, 12), '12345 *** x …');
  });

  test('without usable values it is the same redactor', () => {
    const redactor = createRedactor();
    assert.equal(withKnownValues(redactor, ['short', '']), redactor);
  });
});
