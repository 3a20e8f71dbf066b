/**
 * Secrets that only a word before them announces: `IDENTIFIED BY 'x'` and `PASSWORD 'x'` of SQL, `login bob
 * password x` of .netrc, `set -x API_TOKEN x` of shells.
 */
import { isBlank, isSpace } from './char-classes.ts';
import { classifyKey } from './key-names.ts';
import { openingQuoteAt, readQuoted } from './quoted-values.ts';
import type { Scan } from './scan.ts';
import { secretPart } from './secret-parts.ts';
import { wordEnd } from './value-ends.ts';

/** Each ends right before the quote; both spellings that statements have. */
const statements = ['IDENTIFIED BY ', 'identified by ', 'PASSWORD ', 'password '] as const;
const netrcWord = ' password ';
const longestSecret = 512;
const longestLogin = 128;

export function findSpokenPasswords(scan: Scan): void {
  for (const statement of statements) {
    findQuoted(scan, statement);
  }
  findNetrc(scan);
  findSetCommands(scan);
}

function findQuoted(scan: Scan, statement: string): void {
  const { text } = scan;
  const withQuote = `${statement}'`;
  for (let at = text.indexOf(withQuote); at !== -1; at = text.indexOf(withQuote, at + withQuote.length)) {
    const quote = openingQuoteAt(text, at + statement.length);
    if (quote !== undefined) {
      const { start, end, closed } = readQuoted(text, quote, longestSecret);
      addSecret(scan, start, closed ? end : start);
    }
  }
}

/** `machine h login bob password x`, as curl reads it. */
function findNetrc(scan: Scan): void {
  const { text } = scan;
  for (let at = text.indexOf(netrcWord); at !== -1; at = text.indexOf(netrcWord, at + netrcWord.length)) {
    if (isLoginBefore(text, at)) {
      const start = at + netrcWord.length;
      addSecret(scan, start, wordEnd(text, start, false, longestSecret));
    }
  }
}

/** `login` and one word stand before the place. */
function isLoginBefore(text: string, at: number): boolean {
  let start = at;
  while (start > at - longestLogin && !isSpace(text.charCodeAt(start - 1))) {
    start--;
  }
  return text.startsWith('login ', start - 6) && start < at;
}

const setWords = ['set ', 'setenv '] as const;
const exportFlags = ['-x ', '-gx ', '-Ux '] as const;

/** `set -x API_TOKEN x` of fish, `setenv` of csh, `aws configure set aws_secret_access_key x`. */
function findSetCommands(scan: Scan): void {
  const { text } = scan;
  for (const word of setWords) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
      const flag = exportFlags.find((candidate) => text.startsWith(candidate, at + word.length)) ?? '';
      const nameStart = at + word.length + flag.length;
      const nameEnd = wordStop(text, nameStart);
      // Only composed names: "set token to" is prose.
      const isName =
        text.slice(nameStart, nameEnd).includes('_') &&
        classifyKey(text, nameEnd, scan.extraKeys) === 'secret';
      if (isName && isBlank(text.charCodeAt(nameEnd))) {
        addSecret(scan, nameEnd + 1, wordEnd(text, nameEnd + 1, false, longestSecret));
      }
    }
  }
}

function wordStop(text: string, start: number): number {
  let end = start;
  while (end < start + longestLogin && end < text.length && !isSpace(text.charCodeAt(end))) {
    end++;
  }
  return end;
}

function addSecret(scan: Scan, start: number, end: number): void {
  const value = scan.text.slice(start, end);
  if (end > start && secretPart('secret', value, scan.marker, false) !== undefined) {
    scan.spans.push({ start, end });
  }
}
