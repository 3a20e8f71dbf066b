/**
 * Finds credentials in running text, which no delimiter announces: `the call with Bearer x`, `token x is not
 * valid`, `the password is x`. The value must look random; the word before it must name a secret.
 */
import { isAlphanumeric, isBlank, isLetter, isQuote, tokenWeight } from './char-classes.ts';
import { classifyKey } from './key-names.ts';
import { looksRandom } from './randomness.ts';
import type { Scan } from './scan.ts';
import { schemes } from './scheme-patterns.ts';

const shortestCandidate = 8;
const schemeWords: ReadonlySet<string> = new Set(
  schemes.filter((row) => row.credentials === 'token' && row.isWord !== true).map((row) => row.scheme),
);
/** Words that may stand between the name and the value. */
const linkWords: ReadonlySet<string> = new Set(['is', 'was', 'are', 'of', 'value', 'with', 'id', 'named']);
/** Names of the class `random` that are taken in prose too. */
const proseNames: ReadonlySet<string> = new Set(['session', 'sid', 'pat', 'ticket']);
const longestWord = 24;

export function findProseSecrets(scan: Scan): void {
  const { text } = scan;
  let start = 0;
  let weight = 0;
  for (let i = 0; i <= text.length; i++) {
    const unit = tokenWeight(text.charCodeAt(i));
    if (unit !== 0) {
      weight += unit;
      continue;
    }
    // At least two digits or capitals: each weighs one more than the other units.
    if (i - start >= shortestCandidate && weight > i - start + 1) {
      candidate(scan, start, i);
    }
    start = i + 1;
    weight = 0;
  }
}

function candidate(scan: Scan, start: number, runEnd: number): void {
  const name = nameBefore(scan.text, start);
  if (name === undefined) {
    return;
  }
  const end = withoutClosingDots(scan.text, start, runEnd);
  const word = scan.text.slice(name.start, name.end).toLowerCase();
  if (schemeWords.has(word)) {
    if (
      looksRandom(scan.text, start, end) ||
      (word === 'basic' && isBasicCredentials(scan.text.slice(start, end)))
    ) {
      scan.spans.push({ start, end });
    }
    return;
  }
  if (looksRandom(scan.text, start, end)) {
    const keyClass = classifyKey(scan.text, name.end, scan.extraKeys);
    if (keyClass === 'secret' || (keyClass === 'random' && proseNames.has(word))) {
      scan.spans.push({ start, end });
    }
  }
}

interface Word {
  readonly start: number;
  readonly end: number;
}

/** The word before the value, over emphasis, an opening quote or bracket, spaces, and one linking word. */
function nameBefore(text: string, valueStart: number): Word | undefined {
  let end = behindStars(text, valueStart);
  if (isQuote(text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === 0x28) {
    end--;
    end -= text.charCodeAt(end - 1) === 0x5c ? 1 : 0;
  }
  const last = wordBefore(text, end);
  if (last === undefined || !linkWords.has(text.slice(last.start, last.end).toLowerCase())) {
    return last;
  }
  return wordBefore(text, last.start) ?? last;
}

/** Where the text before `from` ends, without the stars of Markdown. */
function behindStars(text: string, from: number): number {
  let end = from;
  while (from - end < 3 && text.charCodeAt(end - 1) === 0x2a) {
    end--;
  }
  return end;
}

/** The word that ends before one to three blanks. */
function wordBefore(text: string, from: number): Word | undefined {
  let end = from;
  while (from - end < 3 && isBlank(text.charCodeAt(end - 1))) {
    end--;
  }
  const isApart = end < from;
  end = behindStars(text, end);
  let start = end;
  while (end - start < longestWord && isNameChar(text.charCodeAt(start - 1))) {
    start--;
  }
  return isApart && start < end ? { start, end } : undefined;
}

function isNameChar(code: number): boolean {
  return isAlphanumeric(code) || code === 0x2d || code === 0x5f;
}

function withoutClosingDots(text: string, start: number, end: number): number {
  let stop = end;
  while (stop > start && text.charCodeAt(stop - 1) === 0x2e) {
    stop--;
  }
  return stop;
}

const longestBasic = 512;

/** RFC 7617: base64 of `user:password` in printable characters. */
function isBasicCredentials(value: string): boolean {
  if (value.length > longestBasic || !isLetter(value.charCodeAt(0))) {
    return false;
  }
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  return decoded.includes(':') && [...decoded].every((char) => char >= ' ' && char <= '~');
}
