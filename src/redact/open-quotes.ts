/** Tells a quote that opens a value from one that closes the text in which the key stands. */
import { isAlphanumeric, isAsciiLetter, isBlank, isLineBreak, isQuote } from './char-classes.ts';
import type { OpeningQuote } from './quoted-values.ts';
import { apostrophePrefixes } from './string-wrappers.ts';

const farthestLookBack = 4096;
/** Apostrophes do not end the look back, so they may not be many. */
const mostApostrophes = 8;
const apostrophe = 0x27;
const backslash = 0x5c;
const deepest = 31;

/**
 * Whether a quote of the same kind and depth is open at `at`, so that the next one closes. The nearest one on the
 * line decides, by its neighbours; it is the one where the next look back ends, so the whole stays linear.
 */
export function isOpenAt(text: string, at: number, quote: OpeningQuote): boolean {
  const floor = Math.max(0, at - farthestLookBack);
  let apostrophes = 0;
  for (let i = at - 1; i >= floor && apostrophes < mostApostrophes; i--) {
    const code = text.charCodeAt(i);
    if (isLineBreak(code)) {
      return false;
    }
    if (code !== quote.code) {
      continue;
    }
    if (code === apostrophe && isInWord(text, i) && !isPrefixBefore(text, i)) {
      apostrophes++;
      continue;
    }
    const depth = backslashesBefore(text, i);
    if (depth <= quote.depth) {
      return depth === quote.depth && looksOpening(text, i - depth, i + 1);
    }
  }
  return false;
}

/** Whether what stands behind a quote may be the start of its content. */
export function startsContent(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at < text.length && !isBlank(code) && !isLineBreak(code) && !',;:)]}'.includes(text.charAt(at));
}

function isInWord(text: string, at: number): boolean {
  return isAlphanumeric(text.charCodeAt(at - 1)) && isAlphanumeric(text.charCodeAt(at + 1));
}

function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (count < deepest && text.charCodeAt(at - 1 - count) === backslash) {
    count++;
  }
  return count;
}

/** `start` is where the quote starts, with its backslashes. */
function looksOpening(text: string, start: number, contentStart: number): boolean {
  if (contentStart < text.length && ',;:)]}'.includes(text.charAt(contentStart))) {
    return false;
  }
  const before = text.charCodeAt(start - 1);
  if (start === 0 || isLineBreak(before) || text.charCodeAt(start - 2) === backslash) {
    return true;
  }
  if (isBlank(before)) {
    return !isBlank(text.charCodeAt(contentStart));
  }
  const isNested = isQuote(before) && before !== text.charCodeAt(contentStart - 1);
  return isNested || '([{=:,+<>|&/'.includes(text.charAt(start - 1)) || isPrefixBefore(text, start);
}

/** Letters directly before an apostrophe may be a word, as in `it's`; before the other quotes any letters will do. */
export function isPrefix(letters: string, quote: number): boolean {
  return quote !== apostrophe || apostrophePrefixes.has(letters);
}

/** `f"`, `rb"`: one or two letters that are no end of a word. */
function isPrefixBefore(text: string, start: number): boolean {
  let first = start;
  while (start - first < 3 && isAsciiLetter(text.charCodeAt(first - 1))) {
    first--;
  }
  const length = start - first;
  const isShort = (length === 1 || length === 2) && !isAlphanumeric(text.charCodeAt(first - 1));
  // The `a` of `"a"` is no prefix of what follows.
  const isContent = text.charCodeAt(first - 1) === text.charCodeAt(start);
  return isShort && !isContent && isPrefix(text.slice(first, start), text.charCodeAt(start));
}
