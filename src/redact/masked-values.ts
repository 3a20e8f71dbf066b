/** Marks the value that starts at a known place, once its key is known to name a secret. */
import { isBenignValue } from './benign.ts';
import { isAlphanumeric, isBlank, isKeyChar, isLetter, isLineBreak, isQuote } from './char-classes.ts';
import { classifyKey, type ExtraKeys, nameStart } from './key-names.ts';
import type { SecretClass } from './key-patterns.ts';
import { maskCookie, maskHeader } from './masked-headers.ts';
import { isOpenAt, startsContent } from './open-quotes.ts';
import {
  escapedLineBreak,
  lineBreakLength,
  type OpeningQuote,
  openingQuoteAt,
  readQuoted,
} from './quoted-values.ts';
import { looksLikePassword, looksRandom, mixesLettersAndDigits } from './randomness.ts';
import { type Place, type Scan, weakLimit } from './scan.ts';
import { isNumber, leadingScheme, secretPart } from './secret-parts.ts';
import { isMarkerAt, type Span } from './spans.ts';
import { wordEnd } from './value-ends.ts';
import { blockHeaderEnd, maskBlock, maskFlowItem, maskSequence } from './yaml-values.ts';

/** What a word may cost when its key alone does not decide. */
const wordWindow = 64;

/** Each returns where the scan goes on: behind a marked value, or inside one that stays. */
export function maskValueAt(scan: Scan, keyClass: SecretClass, place: Place): number {
  const { text, marker } = scan;
  const start = place.valueStart;
  const code = text.charCodeAt(start);
  if (start >= text.length) {
    return place.at + 1;
  }
  if (lineBreakLength(text, start) > 0) {
    return maskSequence(scan, keyClass, place);
  }
  if (isMarkerAt(text, start, marker)) {
    return start + marker.length;
  }
  const quote = openingQuoteAt(text, start);
  if (quote !== undefined) {
    return closesText(text, place, quote) ? place.at + 1 : maskQuoted(scan, keyClass, quote);
  }
  switch (code) {
    case 0x5b: // [
      return maskArray(scan, keyClass, start);
    case 0x7b: // {
    case 0x28: // (
      return place.at + 1;
    case 0x7c: // |
    case 0x3e: // >
      if (blockHeaderEnd(text, start) !== undefined) {
        return maskBlock(scan, keyClass, place);
      }
  }
  switch (keyClass) {
    case 'header':
      return maskHeader(scan, place);
    case 'cookie':
      return maskCookie(scan, place);
    case 'secret':
    case 'plural':
    case 'password':
    case 'random':
    case 'digits':
    case 'query':
      return maskWord(scan, keyClass, place);
  }
}

/** In `log('token:', x)` and `{"prompt":"Password: ","n":1}` the quote closes the text that the key stands in. */
function closesText(text: string, place: Place, quote: OpeningQuote): boolean {
  if (isQuote(text.charCodeAt(place.at - 1)) || openingQuoteAt(text, place.keyEnd) !== undefined) {
    return false;
  }
  const next = text.charAt(quote.contentStart);
  const isGlued = place.valueStart === place.at + 1 && (next === '' || ',;)]}\n'.includes(next));
  return isGlued || (!isAlphanumeric(text.charCodeAt(quote.contentStart)) && isOpenAt(text, place.at, quote));
}

/** The content of a quoted value. A key that alone decides may have a value of any length. */
export function maskQuoted(scan: Scan, keyClass: SecretClass, quote: OpeningQuote): number {
  const decides =
    keyClass === 'secret' || keyClass === 'plural' || keyClass === 'header' || keyClass === 'cookie';
  const limit = decides ? scan.text.length : weakLimit;
  const value = readQuoted(scan.text, quote, limit);
  if (!decides && value.end - value.start >= weakLimit) {
    return quote.contentStart;
  }
  const part = secretPart(keyClass, scan.text.slice(value.start, value.end), scan.marker, false);
  if (part === undefined) {
    return quote.contentStart;
  }
  scan.spans.push({ start: value.start + part.start, end: value.start + part.end });
  return value.end + (value.closed ? quote.depth + 1 : 0);
}

/** The items of a list, each by the key of the list. */
function maskArray(scan: Scan, keyClass: SecretClass, start: number): number {
  const before = scan.spans.length;
  let at = start + 1;
  for (;;) {
    while (isListGap(scan.text.charCodeAt(at)) || escapedLineBreak(scan.text, at) > 0) {
      at += Math.max(1, escapedLineBreak(scan.text, at));
    }
    const quote = openingQuoteAt(scan.text, at);
    if (quote === undefined) {
      const end = maskFlowItem(scan, keyClass, at);
      if (end === at) {
        break;
      }
      at = end;
      continue;
    }
    const next = maskQuoted(scan, keyClass, quote);
    at = next > quote.contentStart ? next : readQuoted(scan.text, quote, weakLimit).end + quote.depth + 1;
  }
  return scan.spans.length > before ? at : start + 1;
}

function isListGap(code: number): boolean {
  return isBlank(code) || isLineBreak(code) || code === 0x2c;
}

function maskWord(scan: Scan, keyClass: SecretClass, place: Place): number {
  const { text, marker } = scan;
  const decides = keyClass === 'secret' || keyClass === 'plural';
  const scheme = decides ? leadingScheme(text, place.valueStart) : undefined;
  const start = scheme?.credentialsStart ?? place.valueStart;
  if (isMarkerAt(text, start, marker)) {
    return start + marker.length;
  }
  const isQueryName = isAfterQueryMark(text, place.keyStart);
  const windowEnd = wordEnd(text, start, isQueryName, decides ? text.length : wordWindow);
  const quote = quoteBehindWord(text, place.at, start, windowEnd);
  if (quote !== undefined) {
    return maskTagged(scan, keyClass, { start, end: windowEnd }, quote);
  }
  if ((keyClass === 'random' || keyClass === 'query') && !looksRandom(text, start, windowEnd)) {
    return place.at + 1;
  }
  const value = text.slice(start, windowEnd);
  const inQuery = isQueryName || (text.charCodeAt(place.at) === 0x3d && text.charCodeAt(windowEnd) === 0x26);
  if (windowEnd === start || secretPart(keyClass, value, marker, inQuery) === undefined) {
    return place.at + 1;
  }
  // "pass: all of them": only a value with a digit or symbol is one behind a colon.
  if (keyClass === 'password' && text.charCodeAt(place.at) !== 0x3d && !looksLikePassword(value)) {
    return place.at + 1;
  }
  const gap = start > place.at + 1 && text.charCodeAt(place.at) === 0x3a;
  if (gap && (isFollowedByProse(text, windowEnd) || isPlainUrl(value)) && !isUnlikelyWord(value)) {
    return place.at + 1;
  }
  const end = decides ? windowEnd : wordEnd(text, start, isQueryName, text.length);
  if (isPlaceholder(value, scan.extraKeys)) {
    return place.at + 1;
  }
  const numberQuote = isNumber(value) ? closingQuoteOf(text, place) : '';
  scan.spans.push(numberQuote === '' ? { start, end } : { start, end, quote: numberQuote });
  return end;
}

/** The quote that opens directly behind a word: the text inside is the value, as in raw"…"; not so in headers['x']. */
function quoteBehindWord(text: string, at: number, start: number, end: number): OpeningQuote | undefined {
  const isSubscript = text.charCodeAt(end - 1) === 0x5b;
  const quote = end === start || isSubscript ? undefined : openingQuoteAt(text, end);
  const opens = quote !== undefined && startsContent(text, quote.contentStart) && !isOpenAt(text, at, quote);
  return opens ? quote : undefined;
}

const longestTag = 8;

/** The quoted text, and the word before it unless it is a tag or a call: shells join `abc1"def"`. */
function maskTagged(scan: Scan, keyClass: SecretClass, word: Span, quote: OpeningQuote): number {
  const value = scan.text.slice(word.start, word.end);
  if (isBenignValue(value, scan.marker)) {
    return quote.contentStart;
  }
  if (value.length > longestTag || looksLikePassword(value)) {
    scan.spans.push(word);
  }
  return maskQuoted(scan, keyClass, quote);
}

/** `:token` and `@new_password` of SQL statements: a placeholder has the name of what it stands for. */
function isPlaceholder(value: string, extraKeys: ExtraKeys): boolean {
  const isNamed = value.length > 1 && value.length <= 48 && ':@'.includes(value.charAt(0));
  return (
    isNamed &&
    nameStart(value, value.length) === 1 &&
    classifyKey(value, value.length, extraKeys) !== undefined
  );
}

/** The quote, with its backslashes, behind a quoted key. */
function closingQuoteOf(text: string, place: Place): string {
  const quote = openingQuoteAt(text, place.keyEnd);
  return quote === undefined ? '' : text.slice(place.keyEnd, quote.contentStart);
}

/** `?name=`, `&name=`, `#name=`. */
function isAfterQueryMark(text: string, keyStart: number): boolean {
  const code = text.charCodeAt(keyStart - 1);
  return code === 0x3f || code === 0x26 || code === 0x23;
}

const shortestUnlikelyWord = 6;

/** No word of a sentence: it looks random, or mixes letters and digits. */
function isUnlikelyWord(value: string): boolean {
  return (
    looksRandom(value, 0, value.length) ||
    (value.length >= shortestUnlikelyWord && !isPlainUrl(value) && mixesLettersAndDigits(value))
  );
}

/** "Reset password: https://…": what is secret in an address has scanners of its own. */
export function isPlainUrl(value: string): boolean {
  return value.startsWith('https://') || value.startsWith('http://');
}

/** More words behind the value, and none of them the next key: the value was the start of a sentence. */
function isFollowedByProse(text: string, end: number): boolean {
  let i = end;
  while (isBlank(text.charCodeAt(i))) {
    i++;
  }
  const wordStart = i;
  while (i < wordStart + 32 && isKeyChar(text.charCodeAt(i))) {
    i++;
  }
  const code = text.charCodeAt(i);
  return (
    wordStart > end && i > wordStart && isLetter(text.charCodeAt(wordStart)) && code !== 0x3a && code !== 0x3d
  );
}
