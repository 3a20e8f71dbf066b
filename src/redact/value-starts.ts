/** Where the value behind a delimiter starts: behind white space, emphasis, and what is written around strings. */
import {
  isAlphanumeric,
  isAsciiLetter,
  isBlank,
  isLetter,
  isLineBreak,
  isQuote,
  isSpace,
  isUpper,
} from './char-classes.ts';
import { isOpenAt, isPrefix, startsContent } from './open-quotes.ts';
import { openingQuoteAt } from './quoted-values.ts';
import { longestGap } from './scan.ts';
import { stringWrappers } from './string-wrappers.ts';

const greater = 0x3e;
const bracket = 0x5b;

/** `at` is the delimiter, `from` what is behind it. `mayBreak`: the value may stand on the next line. */
export function valueStartAt(text: string, at: number, from: number, mayBreak: boolean): number {
  let start = behindEmphasis(text, at, from);
  const stop = start + longestGap;
  while (start < stop && isBlank(text.charCodeAt(start))) {
    start++;
  }
  if (mayBreak && isLineBreak(text.charCodeAt(start))) {
    return valueOnNextLine(text, at, start, stop);
  }
  return stringStart(text, at, behindTag(text, start));
}

const longestEmphasis = 64;

/** `**Token:** x` and `__Token:__ x` of Markdown: what opened before the name ends behind the colon. */
function behindEmphasis(text: string, at: number, from: number): number {
  const code = text.charCodeAt(from);
  if (code !== 0x2a && code !== 0x5f) {
    return from;
  }
  let end = from + 1;
  while (end < from + 3 && text.charCodeAt(end) === code) {
    end++;
  }
  return isBlank(text.charCodeAt(end)) && opensEmphasis(text, at, text.slice(from, end)) ? end : from;
}

/** Stars also stand for a secret, so the same run must be right before a word on the line. */
function opensEmphasis(text: string, at: number, run: string): boolean {
  const before = text.slice(Math.max(0, at - longestEmphasis), at);
  const found = before.lastIndexOf(run);
  const opens =
    found !== -1 && !before.includes('\n', found) && isLetter(before.charCodeAt(found + run.length));
  return opens && !isAlphanumeric(text.charCodeAt(at - before.length + found - 1));
}

/** `!!str x` of YAML. */
function behindTag(text: string, start: number): number {
  if (!text.startsWith('!!', start)) {
    return start;
  }
  let end = start + 2;
  while (end < start + 12 && isAsciiLetter(text.charCodeAt(end))) {
    end++;
  }
  return end > start + 2 && isBlank(text.charCodeAt(end)) ? end + 1 : start;
}

/** Pretty-printed JSON may break the line before a value, and then the value has quotes or brackets. */
function valueOnNextLine(text: string, at: number, from: number, stop: number): number {
  let start = from;
  while (start < stop && isSpace(text.charCodeAt(start))) {
    start++;
  }
  const string = stringStart(text, at, start);
  return isQuote(text.charCodeAt(string)) || text.charCodeAt(start) === bracket ? string : from;
}

function stringStart(text: string, at: number, start: number): number {
  const inner = behindWrappers(text, start);
  const quoted = behindPrefix(text, at, inner);
  // Three quotes open the strings of Python and TOML that may hold line breaks.
  const triple = text.charAt(quoted).repeat(3);
  return isQuote(text.charCodeAt(quoted)) &&
    text.startsWith(triple, quoted) &&
    startsContent(text, quoted + 3)
    ? quoted + 2
    : quoted;
}

const longestPrefix = 3;

/** `f"…"`, `rb"…"`, `u8"…"`, `br#"…"`, `$@"…"`, `$'…'`. A word before a closing quote looks the same. */
function behindPrefix(text: string, at: number, start: number): number {
  let end = start;
  while (end < start + longestPrefix && isPrefixUnit(text, end)) {
    end++;
  }
  const quote = end === start ? undefined : openingQuoteAt(text, end);
  if (quote === undefined || !startsContent(text, quote.contentStart)) {
    return start;
  }
  return isPrefix(text.slice(start, end), quote.code) && !isOpenAt(text, at, quote) ? end : start;
}

function isPrefixUnit(text: string, i: number): boolean {
  return isAsciiLetter(text.charCodeAt(i)) || (i < text.length && '@$#8'.includes(text.charAt(i)));
}

const deepestWrapper = 4;
const wrapperWindow = 64;

/** `Some(Secret("…"))`, `(string) (len=11) "…"`; only when a string follows. */
function behindWrappers(text: string, start: number): number {
  let end = arrowedString(text, start);
  for (let depth = 0; depth < deepestWrapper; depth++) {
    if (!isWrapperStart(text.charCodeAt(end))) {
      break;
    }
    const next = text.slice(end, end + wrapperWindow);
    const found = stringWrappers.map(({ pattern }) => pattern.exec(next)?.[0].length ?? 0);
    const length = Math.max(...found);
    if (length === 0) {
      break;
    }
    end += length;
  }
  return end > start && openingQuoteAt(text, end) !== undefined ? end : start;
}

/** Capitals, brackets, and the s of string(7). */
function isWrapperStart(code: number): boolean {
  return isUpper(code) || code === bracket || code === 0x28 || code === 0x73;
}

/** `'password' => string 'x' (length=1)` of Xdebug. */
function arrowedString(text: string, start: number): number {
  const word = 'string ';
  return text.charCodeAt(start - 2) === greater && text.startsWith(word, start) ? start + word.length : start;
}
