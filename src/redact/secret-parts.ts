/** Which part of a value is secret, given what its key says. Texts and structured values share these rules. */
import { isBenignValue } from './benign.ts';
import { isDigit, isSpace } from './char-classes.ts';
import type { SecretClass } from './key-patterns.ts';
import { hasLetter, looksRandom } from './randomness.ts';
import { type SchemeRow, schemes } from './scheme-patterns.ts';

export interface Part {
  readonly start: number;
  readonly end: number;
}

const schemeByName: ReadonlyMap<string, SchemeRow> = new Map(schemes.map((row) => [row.scheme, row]));
const longestScheme = 24;
const shortestCode = 12;

/** The scheme word that starts the value and is followed by a space, with the place of its credentials. */
export function leadingScheme(
  value: string,
  from = 0,
): { readonly row: SchemeRow; readonly credentialsStart: number } | undefined {
  const head = value.slice(from, from + longestScheme + 1);
  const space = head.indexOf(' ');
  const row = space === -1 ? undefined : schemeByName.get(head.slice(0, space).toLowerCase());
  if (row === undefined) {
    return undefined;
  }
  let start = from + space;
  while (value.charCodeAt(start) === 0x20) {
    start++;
  }
  return { row, credentialsStart: start };
}

/** `inQuery`: the value stands in a query string or form. */
export function secretPart(
  keyClass: SecretClass,
  value: string,
  marker: string,
  inQuery: boolean,
): Part | undefined {
  if (isBenignValue(value, marker)) {
    return undefined;
  }
  switch (keyClass) {
    case 'secret':
      return credentialsPart(value, marker);
    case 'plural':
      return isNumber(value) ? undefined : credentialsPart(value, marker);
    case 'header':
      return isProse(value) ? undefined : credentialsPart(value, marker);
    case 'cookie':
      return whole(value, value.includes('=') || isRandomWord(value));
    case 'password':
      return whole(value, isWord(value) && hasLetter(value));
    case 'random':
      return whole(value, isRandomWord(value));
    case 'digits':
      return whole(value, isPin(value) || isRandomWord(value));
    case 'query':
      return whole(value, inQuery && value.length >= shortestCode && isRandomWord(value));
  }
}

function whole(value: string, isSecret: boolean): Part | undefined {
  return isSecret ? { start: 0, end: value.length } : undefined;
}

function credentialsPart(value: string, marker: string): Part | undefined {
  const scheme = leadingScheme(value);
  if (scheme === undefined) {
    return whole(value, true);
  }
  const start = scheme.credentialsStart;
  return isBenignValue(value.slice(start), marker) ? undefined : { start, end: value.length };
}

const proseWindow = 256;

/** Three or more words without a scheme or anything that looks random: a sentence, no credentials. */
function isProse(value: string): boolean {
  const words = value.slice(0, proseWindow).split(' ');
  return words.length > 2 && leadingScheme(value) === undefined && !looksRandom(value, 0, value.length);
}

function isWord(value: string): boolean {
  const length = Math.min(value.length, proseWindow);
  for (let i = 0; i < length; i++) {
    if (isSpace(value.charCodeAt(i))) {
      return false;
    }
  }
  return true;
}

function isRandomWord(value: string): boolean {
  return isWord(value) && looksRandom(value, 0, value.length);
}

export function isNumber(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (!isDigit(code) && code !== 0x2e) {
      return false;
    }
  }
  return value !== '';
}

function isPin(value: string): boolean {
  return value.length >= 3 && value.length <= 8 && isNumber(value);
}
