/** Reads the name before a delimiter and says what it tells about the value. The rules are in key-patterns.ts. */
import { isAlphanumeric, isDigit, isKeyChar, isLower, isUpper } from './char-classes.ts';
import {
  gluedKeyEndings,
  type KeyClass,
  type KeyPairRow,
  keyPairs,
  keyWords,
  neutralKeyWords,
  type SecretClass,
} from './key-patterns.ts';

const classByWord: ReadonlyMap<string, KeyClass> = new Map(
  keyWords.flatMap((row) => row.words.map((word): [string, KeyClass] => [word, row.class])),
);

interface PairRule {
  readonly secretAfter: ReadonlySet<string>;
  readonly neverAfter: ReadonlySet<string>;
  readonly row: KeyPairRow;
}

const pairByWord: ReadonlyMap<string, PairRule> = new Map(
  keyPairs.map((row): [string, PairRule] => [
    row.last,
    { secretAfter: new Set(row.secretAfter), neverAfter: new Set(row.neverAfter), row },
  ]),
);

/** Most words end unlike any of the glued endings; two units tell. */
const gluedTails: ReadonlySet<string> = new Set(gluedKeyEndings.map((ending) => ending.slice(-2)));

const neutralWords: ReadonlySet<string> = new Set(neutralKeyWords);

/** Names that a caller gave, in the form that `joinedKey` makes. */
export type ExtraKeys = ReadonlySet<string>;

const noWord = -1;
const longestWord = 40;
const longestName = 96;
const neutralLimit = 3;

/** The class of the name that ends at `end`, when its value is a secret. */
export function classifyKey(text: string, end: number, extraKeys: ExtraKeys): SecretClass | undefined {
  const keyClass = classifyAnyKey(text, end, extraKeys);
  return keyClass === 'name' ? undefined : keyClass;
}

/** The same, for names of names too. */
export function classifyAnyKey(text: string, end: number, extraKeys: ExtraKeys): KeyClass | undefined {
  if (extraKeys.size > 0 && extraKeys.has(joinedKey(text.slice(nameStart(text, end), end)))) {
    return 'secret';
  }
  let wordEnd = end;
  let fallback: KeyClass | undefined;
  for (let neutral = 0; neutral <= neutralLimit; neutral++) {
    const start = wordStart(text, wordEnd);
    if (start === wordEnd) {
      return fallback;
    }
    const word = wordAt(text, start, wordEnd);
    const verdict = classifyWord(text, word, start, end);
    if (verdict !== 'neutral') {
      return verdict ?? fallback;
    }
    fallback ??= classByWord.get(word);
    const previousEnd = previousWordEnd(text, start);
    if (previousEnd === noWord) {
      return fallback;
    }
    wordEnd = previousEnd;
  }
  return fallback;
}

/** A name without its separators, in lower case: the form in which callers' names are compared. */
export function joinedKey(name: string): string {
  let joined = '';
  for (const char of name.toLowerCase()) {
    joined += '_-.$ '.includes(char) ? '' : char;
  }
  return joined;
}

/** Where the name that ends at `end` starts, at most 96 units back. Spaces are no part of it. */
export function nameStart(text: string, end: number): number {
  const floor = Math.max(0, end - longestName);
  let start = end;
  while (start > floor && isKeyChar(text.charCodeAt(start - 1))) {
    start--;
  }
  return afterEscapeLetter(text, start, end);
}

function classifyWord(
  text: string,
  word: string,
  start: number,
  nameEnd: number,
): KeyClass | 'neutral' | undefined {
  const pair = pairByWord.get(word);
  if (pair !== undefined) {
    const previous = previousWord(text, start);
    if (pair.secretAfter.has(previous) || hasGluedEnding(previous + word)) {
      return 'secret';
    }
    if (pair.neverAfter.has(previous)) {
      return undefined;
    }
    if (pair.row.inEnvironment !== undefined && isEnvironmentName(text, nameEnd)) {
      return pair.row.inEnvironment;
    }
    if (pair.row.alone !== undefined) {
      return pair.row.alone;
    }
  }
  if (word === '' || neutralWords.has(word)) {
    return 'neutral';
  }
  return classByWord.get(word) ?? (hasGluedEnding(word) ? 'secret' : undefined);
}

function hasGluedEnding(word: string): boolean {
  return gluedTails.has(word.slice(-2)) && gluedKeyEndings.some((ending) => word.endsWith(ending));
}

/** `DIFY_KEY`: capitals and digits, at least two words joined by `_`. */
function isEnvironmentName(text: string, end: number): boolean {
  const start = nameStart(text, end);
  let joints = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5f) {
      joints++;
    } else if (!isUpper(code) && !isDigit(code)) {
      return false;
    }
  }
  return joints > 0;
}

/** The word in lower case without a number at its end: `password2`, `token-1`. */
function wordAt(text: string, start: number, end: number): string {
  let stop = end;
  while (stop > start && isDigit(text.charCodeAt(stop - 1))) {
    stop--;
  }
  return text.slice(start, stop).toLowerCase();
}

function previousWord(text: string, start: number): string {
  const end = previousWordEnd(text, start);
  return end === noWord ? '' : wordAt(text, wordStart(text, end), end);
}

/** Words are split by one separator or by a hump: `apiKey`, `APIKey`. */
function previousWordEnd(text: string, start: number): number {
  if (start === 0) {
    return noWord;
  }
  if (isAlphanumeric(text.charCodeAt(start - 1))) {
    return start;
  }
  return start > 1 && isSeparator(text.charCodeAt(start - 1)) && isAlphanumeric(text.charCodeAt(start - 2))
    ? start - 1
    : noWord;
}

function isSeparator(code: number): boolean {
  return isKeyChar(code) || code === 0x20 || code === 0x3a || code === 0x2f;
}

function wordStart(text: string, end: number): number {
  const floor = Math.max(0, end - longestWord);
  let start = end;
  while (
    start > floor &&
    isAlphanumeric(text.charCodeAt(start - 1)) &&
    !(start < end && isHump(text, start, end))
  ) {
    start--;
  }
  return afterEscapeLetter(text, start, end);
}

/** Whether a new word starts at `i`: a capital after a small letter or digit, or the last capital of `APIKey`. */
function isHump(text: string, i: number, end: number): boolean {
  if (!isUpper(text.charCodeAt(i))) {
    return false;
  }
  return !isUpper(text.charCodeAt(i - 1)) || (i + 1 < end && isLower(text.charCodeAt(i + 1)));
}

/** In `\ntoken` the n belongs to an escaped line break, in `\u0022token` five units to a quote. */
function afterEscapeLetter(text: string, start: number, end: number): number {
  if (start === 0 || start === end || text.charCodeAt(start - 1) !== 0x5c) {
    return start;
  }
  if (text.startsWith('u00', start)) {
    return Math.min(start + 5, end);
  }
  return 'nrt'.includes(text.charAt(start)) ? start + 1 : start;
}
