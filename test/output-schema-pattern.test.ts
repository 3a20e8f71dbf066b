import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toPattern } from '../src/classify/output-schema-pattern.ts';

interface PatternRow {
  readonly pattern: string;
  readonly why: string;
  readonly fits: readonly string[];
  readonly misses: readonly string[];
}

const rows: readonly PatternRow[] = [
  { pattern: '', why: 'the empty pattern is everywhere', fits: ['', 'a'], misses: [] },
  { pattern: 'b', why: 'not anchored', fits: ['b', 'abc'], misses: ['', 'ac'] },
  { pattern: '^b$', why: 'anchored', fits: ['b'], misses: ['ab', 'ba', 'b\n'] },
  { pattern: '^a|b$', why: 'edges bind tighter than |', fits: ['ax', 'xb'], misses: ['xa', 'bx'] },
  { pattern: '^(?:a|ab)c$', why: 'goes back into a choice', fits: ['ac', 'abc'], misses: ['abbc'] },
  {
    pattern: '^.$',
    why: 'one code point, no line end',
    fits: ['a', '😀'],
    misses: ['', 'ab', '\n'],
  },
  { pattern: '^[^]$', why: 'any code point', fits: ['\n', '😀'], misses: ['', 'ab'] },
  { pattern: '^[]$', why: 'no code point', fits: [], misses: ['', 'a'] },
  { pattern: '^[a-c\\d_-]+$', why: 'ranges, sets, a dash at the end', fits: ['a1_-'], misses: ['d', ''] },
  { pattern: '^[^a-c\\d]$', why: 'negated', fits: ['d', '-'], misses: ['a', '1'] },
  { pattern: '^\\w\\W\\s\\S\\d\\D$', why: 'sets', fits: ['a- x1y'], misses: ['--  1y', 'é- x1y'] },
  { pattern: '^\\p{Lu}\\P{Lu}$', why: 'character properties', fits: ['Éa', 'A1'], misses: ['aA', 'AA'] },
  {
    pattern: '^\\x41\\u0042\\u{1f600}\\cJ\\t$',
    why: 'escapes',
    fits: ['AB😀\n\t'],
    misses: ['AB'],
  },
  { pattern: '^\\^\\$\\.\\*\\/$', why: 'escaped syntax', fits: ['^$.*/'], misses: ['^$a*/'] },
  { pattern: '^a{2}$', why: 'exactly', fits: ['aa'], misses: ['a', 'aaa'] },
  { pattern: '^a{2,}$', why: 'at least', fits: ['aa', 'aaaa'], misses: ['a'] },
  { pattern: '^(?:ab){1,2}$', why: 'from to', fits: ['ab', 'abab'], misses: ['', 'ababab'] },
  { pattern: '^(?:){99999999}$', why: 'rounds that match nothing', fits: [], misses: [] },
  { pattern: '^(?:a*)*$', why: 'an empty round ends a loop', fits: ['', 'aaa'], misses: ['b'] },
  { pattern: '^a+?b*?c??$', why: 'lazy', fits: ['a', 'aabbc'], misses: ['b', 'acc'] },
  {
    pattern: '^(a+)\\1$',
    why: 'a reference goes back into its group',
    fits: ['aa', 'aaaa'],
    misses: ['a', 'aaa'],
  },
  { pattern: '^(?<n>a|b)\\k<n>$', why: 'by name', fits: ['aa', 'bb'], misses: ['ab'] },
  { pattern: '^\\1(a)$', why: 'to a group that has nothing yet', fits: ['a'], misses: ['aa'] },
  {
    pattern: '^(?:(a)|b)*\\1$',
    why: 'each round forgets its groups',
    fits: ['ab', 'aab', 'aa'],
    misses: ['c'],
  },
  {
    pattern: '^(?=.*\\d)(?=.*[a-z]).{4,}$',
    why: 'looks ahead',
    fits: ['ab12'],
    misses: ['abcd', '1234', 'a1'],
  },
  {
    pattern: '^(?!.*admin)\\w+$',
    why: 'looks ahead for what must not be',
    fits: ['user'],
    misses: ['xadminx'],
  },
  { pattern: '(?<=\\$)\\d+(?<!0)$', why: 'looks behind', fits: ['$12'], misses: ['12', '$10'] },
  {
    pattern: '(?<=(\\d+)(\\d+))x$',
    why: 'backward, the last group is greedy',
    fits: ['1053x'],
    misses: ['1x'],
  },
  { pattern: '(?=(a))\\1b', why: 'captures of a look stay', fits: ['ab'], misses: ['b'] },
  { pattern: '\\bcat\\b', why: 'word edges', fits: ['a cat.'], misses: ['concat', 'cats'] },
  { pattern: 'a\\Bb', why: 'no word edge', fits: ['ab'], misses: ['a b'] },
  {
    pattern: '^\\d{4}\\-\\d{2}$',
    why: 'escapes that the flag u refuses',
    fits: ['2026-01'],
    misses: ['202601'],
  },
  { pattern: '^{a}]\\_$', why: 'bare braces that the flag u refuses', fits: ['{a}]_'], misses: ['a'] },
  {
    pattern: '^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$',
    why: 'a UUID',
    fits: ['123e4567-e89b-12d3-a456-426614174000'],
    misses: ['123e4567-e89b-12d3-a456-42661417400'],
  },
  {
    pattern:
      "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    why: "zod's email",
    fits: ['first.last@mail.example.org'],
    misses: ['.a@example.org', 'a..b@example.org', 'a@b'],
  },
  {
    pattern:
      '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$',
    why: "zod's date",
    fits: ['2026-02-28', '2024-02-29'],
    misses: ['2026-02-29', '2026-13-01'],
  },
];

describe('patterns', () => {
  for (const { pattern, why, fits, misses } of rows) {
    it(`${pattern}: ${why}`, () => {
      const { test } = toPattern(pattern);
      for (const text of fits) {
        assert.equal(test(text), true, JSON.stringify(text));
      }
      for (const text of misses) {
        assert.equal(test(text), false, JSON.stringify(text));
      }
    });
  }

  for (const pattern of [
    '(',
    'a)',
    '[a',
    '*',
    'a**',
    '(?<a',
    '(?i:a)(',
    'a{2,1}',
    '(?<=a',
    '\\k<n>(?<m>a)',
  ]) {
    it(`refuses ${pattern}, which is no pattern`, () => {
      assert.throws(() => toPattern(pattern), SyntaxError);
    });
  }

  for (const { pattern, why } of [
    { pattern: '(?=a)\\bb', why: 'lookaround beside a word edge: V8 may compile it for minutes' },
    { pattern: `(?=${'a'.repeat(200)})`, why: 'too long for the native engine' },
  ]) {
    it(`refuses ${pattern.slice(0, 20)}: ${why}`, () => {
      assert.throws(() => toPattern(pattern), /too complex/);
    });
  }

  it('has limits', () => {
    assert.ok(toPattern('a'.repeat(2_048)));
    assert.throws(() => toPattern('a'.repeat(2_049)), /longer than 2,048/);
    assert.ok(toPattern('\\p{L}'.repeat(100)));
    assert.throws(() => toPattern('\\p{L}'.repeat(101)), /more than 100 character properties/);
  });

  it('goes over a long text without a deep stack', () => {
    assert.equal(toPattern('^(?:a|b)*$').test('ab'.repeat(50_000)), true);
    assert.equal(toPattern('^[a-z]+$').test(`${'a'.repeat(500_000)}1`), false);
  });
});
