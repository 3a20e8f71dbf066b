/**
 * Finds what errors of the runtime quote of an input that they refuse: `JSON.parse` some units of its text, `fetch` a
 * whole header value. Either may be a secret, or a part of one, with nothing beside it that tells so.
 */
import { isBenignValue } from './benign.ts';
import { ellipsis } from './bounded-text.ts';
import { isSpace } from './char-classes.ts';
import { leadingScheme } from './secret-parts.ts';
import { isMarkerAt, type Span } from './spans.ts';

export function findQuotedInputs(text: string, marker: string, spans: Span[]): void {
  findParsedText(text, marker, spans);
  for (const refusal of headerRefusals) {
    findHeaderValues(text, refusal, marker, spans);
  }
}

/**
 * V8, `JsonParser::LookUpErrorMessageForJsonToken`: `Unexpected token 'a', …"abc"… is not valid JSON`, with at most ten
 * units to either side of the token, or all of a short text.
 */
const unexpectedToken = 'Unexpected token ';
const notJson = ' is not valid JSON';
/** The token between its quotes, as escapes in escapes. */
const longestToken = 32;
/** What is quoted, as escapes in escapes. */
const longestQuote = 320;

/** Starts of answers that are no JSON, known well enough to be searched for, of no use to anybody else. */
const tellingStarts: readonly { readonly starts: readonly string[]; readonly about: string }[] = [
  { starts: ['<', '&lt;', '\\u003c', '\\u003C'], about: 'A page of HTML or a document of XML.' },
  { starts: ['[object Obj', 'event: mes'], about: 'A value that was no text; an event stream.' },
  {
    starts: [
      'Internal S',
      'Bad Gatewa',
      'Bad Reques',
      'Service Un',
      'Gateway Ti',
      'Too Many R',
      'Method Not',
      'Not Found',
      'upstream c',
      'upstream r',
      'no healthy',
      'error code',
    ],
    about: 'Reason phrases of HTTP (RFC 9110) and the words of proxies, cut by V8.',
  },
];

function findParsedText(text: string, marker: string, spans: Span[]): void {
  for (let at = text.indexOf(unexpectedToken); at !== -1; ) {
    const from = at + unexpectedToken.length;
    at = text.indexOf(unexpectedToken, from);
    // The token may be a comma itself.
    const comma = text.slice(from, from + longestToken).indexOf(', ', 2);
    const isTail = text.startsWith('...', from + comma + 2);
    const quoteStart = from + comma + (isTail ? 5 : 2);
    const quote = comma === -1 ? '' : quoteAt(text, quoteStart);
    if (quote === '') {
      continue;
    }
    const start = quoteStart + quote.length;
    const end = parsedTextEnd(text, start, quote);
    const quoted = text.slice(start, end);
    if (end > start && !isBenignValue(quoted, marker) && (isTail || !startsTelling(quoted))) {
      spans.push({ start, end });
    }
  }
}

/** The closing quote; in a text that was cut before it, the place of the cut; else `start`. */
function parsedTextEnd(text: string, start: number, quote: string): number {
  const window = text.slice(start, start + longestQuote);
  const ends = [`${quote}${notJson}`, `${quote}...${notJson}`, ellipsis]
    .map((end) => window.indexOf(end))
    .filter((end) => end !== -1);
  if (ends.length > 0) {
    return start + Math.min(...ends);
  }
  return window.length < longestQuote ? text.length : start;
}

function startsTelling(quoted: string): boolean {
  return tellingStarts.some(({ starts }) => starts.some((start) => quoted.startsWith(start)));
}

/** What undici's `Headers` say before the value (`webidl.errors.invalidArgument`); `new Headers(…)` appends. */
const headerRefusals = ['Headers.append: ', 'Headers.set: ', 'Headers constructor: '] as const;
const invalidHeader = ' is an invalid header ';

/** `Headers.append: "…" is an invalid header value.`, over several lines too. The name of a header stays. */
function findHeaderValues(text: string, refusal: string, marker: string, spans: Span[]): void {
  let close = -1;
  for (let at = text.indexOf(refusal); at !== -1; ) {
    const quoteStart = at + refusal.length;
    const quote = quoteAt(text, quoteStart);
    const start = quoteStart + quote.length;
    at = text.indexOf(refusal, start);
    // The search for the end goes on where the last one stopped, or many starts would each search the rest.
    if (close < start) {
      const found = text.indexOf(invalidHeader, start);
      close = found === -1 ? text.length : found;
    }
    const quoteEnd = close - quote.length;
    const isWhole = text.startsWith(`${quote}${invalidHeader}value`, quoteEnd) && (at === -1 || close < at);
    const isCut = close === text.length && at === -1 && !text.includes(quote, start);
    if (quote !== '' && (isWhole || isCut)) {
      addCredentials(text, start, isWhole ? quoteEnd : text.length, marker, spans);
    }
  }
}

/** The scheme stays, and the line break at the end for which most values are refused. */
function addCredentials(text: string, from: number, to: number, marker: string, spans: Span[]): void {
  const start = leadingScheme(text, from)?.credentialsStart ?? from;
  let end = to;
  while (end > start && isSpace(text.charCodeAt(end - 1))) {
    end--;
  }
  if (end > start && !isMarkerAt(text, start, marker)) {
    spans.push({ start, end });
  }
}

const quotes = ['"', '&quot;', '&#34;', '&#x22;'] as const;
const deepest = 31;

/** The double quote that starts at a place, as it is written: plain, with backslashes, as an HTML entity; else `''`. */
function quoteAt(text: string, at: number): string {
  let i = at;
  while (i < at + deepest && text.charCodeAt(i) === 0x5c) {
    i++;
  }
  const quote = quotes.find((candidate) => text.startsWith(candidate, i));
  return quote === undefined ? '' : text.slice(at, i) + quote;
}
