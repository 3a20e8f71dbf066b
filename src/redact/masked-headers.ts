/** Marks header values and cookie lines without quotes, in running text, header dumps and command lines. */
import { isKeyChar, isLineBreak, isQuote } from './char-classes.ts';
import { escapedLineBreak, openingQuoteAt } from './quoted-values.ts';
import { looksRandom } from './randomness.ts';
import type { Place, Scan } from './scan.ts';
import { leadingScheme, secretPart } from './secret-parts.ts';
import { isMarkerAt } from './spans.ts';
import { headerLineEnd, wordEnd } from './value-ends.ts';

/** What a word may cost when its key alone does not decide. */
const wordWindow = 64;

/** `Authorization: Bearer x` inside running text, a header dump or a command line. */
export function maskHeader(scan: Scan, place: Place): number {
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

export function maskCookie(scan: Scan, place: Place): number {
  const { text, marker } = scan;
  const start = place.valueStart;
  const window = text.slice(start, start + lineWindow);
  if (!startsWithCookiePair(window)) {
    return place.at + 1;
  }
  const firstLine = window.slice(0, headerLineEnd(window, 0, lineWindow));
  if (secretPart('cookie', firstLine, marker, false) === undefined) {
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
