/** Every regular expression of the redactor is checked against catastrophic backtracking, and every row of its data for sense. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { keyPairs, keyWords } from '../src/redact/key-patterns.ts';
import { schemes } from '../src/redact/scheme-patterns.ts';
import { tokenShapes } from '../src/redact/token-shapes.ts';
import { vendorTokens } from '../src/redact/vendor-patterns.ts';

process.env.RECHECK_SYNC_BACKEND = 'pure';
const { checkSync } = await import('recheck');

const folder = join(import.meta.dirname, '..', 'src', 'redact');

interface Literal {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** A slash behind `(`, `=`, `:` or `,` starts a regular expression; comments have their own slash there. */
function literalsOf(file: string): readonly Literal[] {
  const code = readFileSync(join(folder, file), 'utf8');
  const literals = code.matchAll(/[(=:,]\s*\/(?![/*])((?:\[(?:\\.|[^\]\\\n])*\]|\\.|[^/\\\n[])+)\/([a-z]*)/g);
  return [...literals].map(([, source = '', flags = '']) => ({ file, source, flags }));
}

const literals = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .flatMap(literalsOf)
  // Prose in comments: a regular expression here starts at the start of a value, or replaces units.
  .filter(({ source }) => source.startsWith('^') || source.startsWith('[') || source.startsWith('%'));

test('the search finds the regular expressions', () => {
  assert.ok(literals.length >= 18, `${literals.length} found`);
});

for (const { file, source, flags } of literals) {
  test(`/${source}/ of ${file} is linear`, () => {
    const result = checkSync(source, flags);
    assert.equal(result.status, 'safe');
  });
}

describe('the data', () => {
  test('no vendor prefix stands twice, and each starts with two ASCII units', () => {
    const prefixes = vendorTokens.map((row) => row.prefix);
    assert.equal(new Set(prefixes).size, prefixes.length);
    assert.deepEqual(
      prefixes.filter((prefix) => !/^[\x21-\x7e]{2}/.test(prefix)),
      [],
    );
  });

  test('every row says what it is and where that is documented', () => {
    const rows = [...vendorTokens, ...tokenShapes];
    assert.deepEqual(
      rows
        .filter((row) => row.about === '' || !/^(?:https:\/\/|RFC \d)/.test(row.source))
        .map((row) => row.about),
      [],
    );
    assert.ok(schemes.every((row) => row.source !== '' && row.scheme === row.scheme.toLowerCase()));
    assert.ok([...keyWords, ...keyPairs].every((row) => row.about !== ''));
  });

  test('no key word has two meanings', () => {
    const words = keyWords.flatMap((row) => row.words);
    assert.equal(new Set(words).size, words.length);
    const pairs = keyPairs.map((row) => row.last);
    assert.equal(new Set(pairs).size, pairs.length);
    for (const row of keyPairs) {
      assert.deepEqual(
        row.secretAfter.filter((word) => row.neverAfter.includes(word)),
        [],
        row.last,
      );
    }
  });
});
