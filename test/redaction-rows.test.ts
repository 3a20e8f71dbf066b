/** Hand-written rows by kind: each must come out exactly as written, and stay so when it is redacted again. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { defaultRedactor } from '../src/redact/redactor.ts';
import {
  commandRows,
  elementRows,
  headerRows,
  inputOf,
  keyedRows,
  maskedOf,
  proseRows,
  quotedInputRows,
  type RedactionRow,
  tokenRows,
  urlRows,
  vendorRows,
} from './support/redaction-cases.ts';

const groups: readonly { readonly name: string; readonly rows: readonly RedactionRow[] }[] = [
  { name: 'headers and cookies', rows: headerRows },
  { name: 'keys and values', rows: keyedRows },
  { name: 'elements', rows: elementRows },
  { name: 'addresses', rows: urlRows },
  { name: 'command lines and environments', rows: commandRows },
  { name: 'prose', rows: proseRows },
  { name: 'inputs that errors quote', rows: quotedInputRows },
  { name: 'tokens and private keys', rows: tokenRows },
  { name: 'tokens by vendor', rows: vendorRows },
];

for (const { name, rows } of groups) {
  describe(name, () => {
    for (const row of rows) {
      test(row.name, () => {
        const masked = defaultRedactor.text(inputOf(row));
        assert.equal(masked, maskedOf(row));
        assert.equal(defaultRedactor.text(masked), masked, 'a second pass changes it');
      });
    }
  });
}

/** What logs and servers do to a text before it reaches the redactor. */
const wrappings: readonly { readonly name: string; readonly wrap: (text: string) => string }[] = [
  { name: 'as a JSON string', wrap: (text) => JSON.stringify({ message: text, n: 1 }) },
  { name: 'as JSON in JSON', wrap: (text) => JSON.stringify({ body: JSON.stringify({ message: text }) }) },
  { name: 'inspected', wrap: (text) => inspect({ message: text, n: 1 }) },
  { name: 'as a stack', wrap: (text) => `Error: ${text}\n    at call (file:///app/a.js:1:2)` },
  { name: 'percent-encoded', wrap: (text) => `https://a.example/?m=${encodeURIComponent(text)}&n=1` },
  { name: 'percent-encoded twice', wrap: (text) => `/?m=${encodeURIComponent(encodeURIComponent(text))}` },
  { name: 'as a form', wrap: (text) => `${new URLSearchParams({ m: text, n: '1' })}` },
  { name: 'indented', wrap: (text) => text.replaceAll(/^/gm, '    ') },
];

/** Rows whose secret needs nothing but its own text: the wrapping must not hide it. */
const wrappedRows = [...headerRows, ...keyedRows, ...elementRows, ...urlRows, ...tokenRows].filter((row) => {
  const secrets = secretsOf(row);
  return secrets.every((secret) => /^[\w-]{12,}$/.test(secret));
});

function secretsOf(row: RedactionRow): readonly string[] {
  return [...row.text.matchAll(/⟦#?([^⟧]*)⟧/g)].map(([, secret = '']) => secret);
}

for (const { name, wrap } of wrappings) {
  test(`rows ${name} keep no secret, and harmless rows stay`, () => {
    const wrong = wrappedRows.filter((row) => {
      const text = wrap(inputOf(row));
      const masked = defaultRedactor.text(text);
      const secrets = secretsOf(row);
      return secrets.length === 0 ? masked !== text : secrets.some((secret) => masked.includes(secret));
    });
    assert.deepEqual(
      wrong.map((row) => ({ row: row.name, masked: defaultRedactor.text(wrap(inputOf(row))) })),
      [],
    );
  });
}
