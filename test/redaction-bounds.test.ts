/** Cutting, flattening and compacting texts: where a cut may fall, and what it must not leave behind. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cutText, oneLine } from '../src/redact/bounded-text.ts';
import { compactJsonWindow } from '../src/redact/compact-json.ts';
import { createRedactor, defaultRedactor } from '../src/redact/redactor.ts';

interface Row {
  readonly name: string;
  readonly input: string;
  readonly output: string;
}

describe('cutText at 4 units', () => {
  const rows: readonly Row[] = [
    { name: 'shorter', input: 'abc', output: 'abc' },
    { name: 'exactly', input: 'abcd', output: 'abcd' },
    { name: 'one more', input: 'abcde', output: 'abcd…' },
    { name: 'a pair before the limit', input: 'ab😀c', output: 'ab😀…' },
    { name: 'a pair across the limit', input: 'abc😀', output: 'abc…' },
    { name: 'a lone half at the limit', input: 'abc\ud83dxy', output: 'abc\ud83d…' },
    { name: 'empty', input: '', output: '' },
  ];
  for (const row of rows) {
    test(row.name, () => {
      assert.equal(cutText(row.input, 4), row.output);
    });
  }

  test('nothing fits into 0 units', () => {
    assert.equal(cutText('a', 0), '…');
  });
});

describe('oneLine', () => {
  const rows: readonly Row[] = [
    { name: 'plain', input: 'a b', output: 'a b' },
    { name: 'line breaks', input: 'a\r\nb\nc', output: 'a  b c' },
    { name: 'terminal colours', input: '\u001b[31mred\u001b[0m', output: ' [31mred [0m' },
    { name: 'C1, DEL and Unicode line breaks', input: 'a\u0085b\u007fc\u2028d\u2029e', output: 'a b c d e' },
    { name: 'other scripts', input: 'é 😀 пароль', output: 'é 😀 пароль' },
  ];
  for (const row of rows) {
    test(row.name, () => {
      assert.equal(oneLine(row.input), row.output);
    });
  }
});

describe('compactJsonWindow', () => {
  const rows: readonly Row[] = [
    { name: 'an object', input: ' { "a" : 1 ,\n\t"b" : [ 1, 2 ] }\r\n', output: '{"a":1,"b":[1,2]}' },
    { name: 'white space in strings', input: '[ "a  b" , "c\\" d" ]', output: '["a  b","c\\" d"]' },
    { name: 'a backslash before a closing quote', input: '[ "a\\\\" , 1 ]', output: '["a\\\\",1]' },
    { name: 'cut in a string', input: '{ "a": "b  c', output: '{"a":"b  c' },
    { name: 'cut behind a backslash', input: '{ "a": "b\\', output: '{"a":"b\\' },
    { name: 'cut in white space', input: '{ "a": 1,   ', output: '{"a":1,' },
    { name: 'compact already', input: '{"a":1}', output: '{"a":1}' },
    { name: 'prose', input: 'not  {  json  }', output: 'not  {  json  }' },
    { name: 'HTML', input: '<html>\n  <p>a  b</p>', output: '<html>\n  <p>a  b</p>' },
    { name: 'a JSON string', input: '"a  b"', output: '"a  b"' },
    { name: 'empty', input: '', output: '' },
  ];
  for (const row of rows) {
    test(row.name, () => {
      assert.equal(compactJsonWindow(row.input, 1_000), row.output);
    });
  }

  const longRows = [
    { name: 'a long document', value: Array.from({ length: 1_000 }, (_, index) => ({ index })), indent: 2 },
    { name: 'one that is mostly white space', value: Array.from({ length: 1_000 }, () => [[1]]), indent: 10 },
    { name: 'one long string', value: ['a b '.repeat(100_000)], indent: 2 },
  ];
  for (const { name, value, indent } of longRows) {
    test(`${name}: compact up to the limit, and longer, so that a cut of it is seen`, () => {
      const compact = compactJsonWindow(JSON.stringify(value, null, indent), 500);
      assert.equal(compact.slice(0, 500), JSON.stringify(value).slice(0, 500));
      assert.ok(compact.length > 500);
    });
  }

  test('a flood of white space is not followed to its end', () => {
    const compact = compactJsonWindow(`{"a":${' '.repeat(2_000_000)}"secret"}`, 500);
    assert.ok(compact.length > 500 && compact.length < 300_000, String(compact.length));
    assert.equal(compact.includes('secret'), false);
  });
});

describe('bounded', () => {
  const secret = ['x7Qm2Lr9Vb4Nt6', 'Kd8Wp3Zs1Yc5Hf0Jg2Ra'].join('');
  const github = ['gh', 'p_', secret].join('');

  test('exactly the limit is not cut, one more is', () => {
    assert.equal(defaultRedactor.bounded('a'.repeat(2048), 2048), 'a'.repeat(2048));
    assert.equal(defaultRedactor.bounded('a'.repeat(2049), 2048), `${'a'.repeat(2048)}…`);
  });

  test('the limit holds for what is left after redaction', () => {
    assert.equal(defaultRedactor.bounded(`token=${secret}`, 16), 'token=[REDACTED]');
  });

  test('a cut never splits the marker', () => {
    assert.equal(defaultRedactor.bounded(`token=${secret} is wrong`, 12), 'token=…');
    assert.equal(createRedactor({ marker: '***' }).bounded(`token=${secret} is wrong`, 8), 'token=…');
    assert.equal(createRedactor({ marker: '***' }).bounded(`token=${secret} is wrong`, 9), 'token=***…');
  });

  test('a secret that straddles the limit leaves no part', () => {
    for (let before = 0; before <= 64; before++) {
      const text = `${'a '.repeat(16)}${'b'.repeat(before)} ${github} ${'c '.repeat(4000)}`;
      const output = defaultRedactor.bounded(text, 64);
      assert.ok(output.length <= 65, `${output.length} units`);
      assert.ok(!output.includes(github.slice(0, 6)), output);
    }
  });

  test('a secret that the window cuts leaves no part, even when redaction draws it under the limit', () => {
    const long = `token=${secret.repeat(170)}`;
    for (let before = 0; before <= 48; before++) {
      const text = `${'b'.repeat(before)} ${long} ${'x'.repeat(20)} ${github}`;
      const output = defaultRedactor.bounded(text, 2048);
      assert.ok(!output.includes(secret.slice(0, 8)), output.slice(-80));
    }
  });

  test('one endless word still shows its start', () => {
    assert.equal(defaultRedactor.bounded('QUJD'.repeat(100_000), 8), 'QUJDQUJD…');
  });

  test('what was cut says so, also when redaction left less than the limit', () => {
    const text = `token=${secret.repeat(1000)}`;
    assert.equal(defaultRedactor.bounded(text, 2048), '…');
    assert.equal(defaultRedactor.bounded(`a ${text}`, 2048), 'a …');
  });

  for (const limit of [0, -1, Number.NaN, 1.5, Number.POSITIVE_INFINITY]) {
    test(`a limit of ${limit} is no error`, () => {
      const output = defaultRedactor.bounded('abc', limit);
      assert.equal(output, limit === Number.POSITIVE_INFINITY ? 'abc' : limit === 1.5 ? 'a…' : '…');
    });
  }
});
