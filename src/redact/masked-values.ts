/** Marks the value that starts at a known place, once its key is known to name a secret. */
import { isBlank, isKeyChar, isLetter, isLineBreak, isQuote } from './char-classes.ts';
import type { SecretClass } from './key-patterns.ts';
import { escapedLineBreak, type OpeningQuote, openingQuoteAt, readQuoted } from './quoted-values.ts';
import { looksRandom, mixesLettersAndDigits } from './randomness.ts';
import { type Scan, weakLimit } from './scan.ts';
import { isNumber, leadingScheme, secretPart } from './secret-parts.ts';
import { isMarkerAt } from './spans.ts';
import { headerLineEnd, wordEnd } from './value-ends.ts';

/** What a word may cost when its key alone does not decide. */
const wordWindow = 64;

/** Where a key and its value meet. */
export interface Place {
  /** Behind the key, before its closing quote. */
  readonly keyEnd: number;
  /** Where the key starts. */
  readonly keyStart: number;
  /** The delimiter. */
  readonly at: number;
  readonly valueStart: number;
}

/** Each returns where the scan goes on: behind a marked value, or inside one that stays. */
export function maskValueAt(scan: Scan, keyClass: SecretClass, place: Place): number {
  const { text, marker } = scan;
  const start = place.valueStart;
  const code = text.charCodeAt(start);
  if (start >= text.length || isLineBreak(code)) {
    return place.at + 1;
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

/** In `log('token:', x)` the quote behind the colon closes the text that the key stands in. */
function closesText(text: string, place: Place, quote: OpeningQuote): boolean {
  const isKeyQuoted = isQuote(text.charCodeAt(place.at - 1));
  const next = text.charAt(quote.contentStart);
  return !isKeyQuoted && place.valueStart === place.at + 1 && (next === '' || ',;)]}\n'.includes(next));
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

/** The quoted items of a list, each by the key of the list. */
function maskArray(scan: Scan, keyClass: SecretClass, start: number): number {
  const before = scan.spans.length;
  let at = start + 1;
  for (;;) {
    while (isListGap(scan.text.charCodeAt(at)) || escapedLineBreak(scan.text, at) > 0) {
      at += Math.max(1, escapedLineBreak(scan.text, at));
    }
    const quote = openingQuoteAt(scan.text, at);
    if (quote === undefined) {
      break;
    }
    const next = maskQuoted(scan, keyClass, quote);
    at = next > quote.contentStart ? next : readQuoted(scan.text, quote, weakLimit).end + quote.depth + 1;
  }
  return scan.spans.length > before ? at : start + 1;
}

function isListGap(code: number): boolean {
  return isBlank(code) || isLineBreak(code) || code === 0x2c;
}

/** `Authorization: Bearer x` inside running text, a header dump or a command line. */
function maskHeader(scan: Scan, place: Place): number {
  const { text, marker } = scan;
  const scheme = leadingScheme(text, place.valueStart);
  const start = scheme?.credentialsStart ?? place.valueStart;
  if (isMarkerAt(text, start, marker)) {
    return start + marker.length;
  }
  const windowEnd = wordEnd(text, start, false, wordWindow);
  const isDecided = scheme !== undefined || startsLine(text, place.keyStart) || endsLine(text, windowEnd);
  if (
    windowEnd === start ||
    secretPart('secret', text.slice(start, windowEnd), marker, false) === undefined ||
    !(isDecided || looksRandom(text, start, windowEnd)) ||
    (scheme === undefined && isProseLine(text, start, marker))
  ) {
    return place.at + 1;
  }
  const isWord = scheme === undefined ? !isDecided : scheme.row.credentials === 'token';
  const tokenEnd = wordEnd(text, start, false, text.length);
  // `Token token="x"`: parameters after all.
  const isParameter = text.charCodeAt(tokenEnd - 1) === 0x3d && openingQuoteAt(text, tokenEnd) !== undefined;
  const end = isWord && !isParameter ? tokenEnd : headerLineEnd(text, start, text.length);
  scan.spans.push({ start, end });
  return end;
}

const lineWindow = 256;

/** "Authorization: nobody may do this" */
function isProseLine(text: string, start: number, marker: string): boolean {
  const line = text.slice(start, headerLineEnd(text, start, lineWindow));
  return secretPart('header', line, marker, false) === undefined;
}

function maskCookie(scan: Scan, place: Place): number {
  const { text, marker } = scan;
  const start = place.valueStart;
  const window = text.slice(start, start + lineWindow);
  const firstLine = window.slice(0, headerLineEnd(window, 0, lineWindow));
  if (!startsWithCookiePair(window) || secretPart('cookie', firstLine, marker, false) === undefined) {
    return place.at + 1;
  }
  const end = headerLineEnd(text, start, text.length);
  scan.spans.push({ start, end });
  return end;
}

/** `name=…` at once, or one opaque word; not the prose of a cookie banner. */
function startsWithCookiePair(value: string): boolean {
  let nameEnd = 0;
  while (isKeyChar(value.charCodeAt(nameEnd))) {
    nameEnd++;
  }
  const isPair = nameEnd > 0 && value.charCodeAt(nameEnd) === 0x3d;
  const space = value.indexOf(' ');
  return isPair || looksRandom(value, 0, space === -1 ? value.length : space);
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
  if ((keyClass === 'random' || keyClass === 'query') && !looksRandom(text, start, windowEnd)) {
    return place.at + 1;
  }
  const value = text.slice(start, windowEnd);
  const inQuery = isQueryName || (text.charCodeAt(place.at) === 0x3d && text.charCodeAt(windowEnd) === 0x26);
  if (windowEnd === start || secretPart(keyClass, value, marker, inQuery) === undefined) {
    return place.at + 1;
  }
  const gap = start > place.at + 1 && text.charCodeAt(place.at) === 0x3a;
  if (gap && (isFollowedByProse(text, windowEnd) || isPlainUrl(value)) && !isUnlikelyWord(value)) {
    return place.at + 1;
  }
  const end = decides ? windowEnd : wordEnd(text, start, isQueryName, text.length);
  const quote = isNumber(value) ? closingQuoteOf(text, place) : '';
  scan.spans.push(quote === '' ? { start, end } : { start, end, quote });
  return end;
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

/** Whether a header's name starts its line, or the quoted text that it is in. */
function startsLine(text: string, keyStart: number): boolean {
  const code = text.charCodeAt(keyStart - 1);
  return keyStart === 0 || isLineBreak(code) || isQuote(code) || endsEscapedBreak(text, keyStart);
}

function endsEscapedBreak(text: string, end: number): boolean {
  const code = text.charCodeAt(end - 1);
  return text.charCodeAt(end - 2) === 0x5c && (code === 0x6e || code === 0x72);
}

function endsLine(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return i >= text.length || isLineBreak(code) || isQuote(code) || escapedLineBreak(text, i) > 0;
}
