/** Where a value without quotes ends. A password may hold any delimiter, so each is looked at in its place. */
import {
  isAlphanumeric,
  isBlank,
  isKeyChar,
  isLineBreak,
  isQuote,
  isSpace,
  isWidePunctuation,
} from './char-classes.ts';
import { escapedLineBreak, openingQuoteAt, readQuoted } from './quoted-values.ts';

const longestLookAhead = 32;
/** `<your secret>` */
const longestPlaceholder = 48;

/** The end of one unquoted word: `password=word`, `token: word`. At most `limit` units are read. */
export function wordEnd(text: string, start: number, inQuery: boolean, limit: number): number {
  const stop = Math.min(text.length, start + limit);
  const placeholder =
    text.charCodeAt(start) === 0x3c ? text.slice(start, start + longestPlaceholder).indexOf('>') : -1;
  if (placeholder !== -1) {
    return start + placeholder + 1;
  }
  let open = 0;
  let end = start;
  for (; end < stop; end++) {
    const code = text.charCodeAt(end);
    if (isAlphanumeric(code)) {
      continue;
    }
    if (code === 0x28 || code === 0x5b || code === 0x7b) {
      open++;
    } else if (code === 0x29 || code === 0x5d || code === 0x7d) {
      if (open > 0) {
        open--;
      } else if (endsAtCloser(text, end)) {
        break;
      }
    } else if (endsWord(text, end, code, start, inQuery)) {
      break;
    }
  }
  return withoutPunctuation(text, start, end);
}

function endsWord(text: string, i: number, code: number, start: number, inQuery: boolean): boolean {
  if (
    isSpace(code) ||
    code < 0x20 ||
    code === 0x22 ||
    code === 0x60 ||
    code === 0x2026 ||
    isWidePunctuation(code)
  ) {
    return true;
  }
  switch (code) {
    case 0x27: // ' inside a word belongs to it
      return !(i > start && isAlphanumeric(text.charCodeAt(i - 1)) && isAlphanumeric(text.charCodeAt(i + 1)));
    case 0x3c: // <
    case 0x3e: // >
      return i > start;
    case 0x5c: // \
      return (
        escapedLineBreak(text, i) > 0 ||
        text.charCodeAt(i + 1) === 0x74 ||
        text.startsWith('u00', i + 1) ||
        openingQuoteAt(text, i) !== undefined
      );
    case 0x23: // #
      return inQuery;
    case 0x26: // &
      return (
        inQuery ||
        startsNextPair(text, i + 1) ||
        text.startsWith('amp;', i + 1) ||
        text.startsWith('quot;', i + 1)
      );
    case 0x3b: // ;
    case 0x2c: // ,
      return startsNextPair(text, i + 1) || endsHere(text, i + 1);
  }
  return false;
}

/** `name=` or `name:` within the next 32 units, perhaps behind spaces. */
function startsNextPair(text: string, from: number): boolean {
  let i = from;
  const stop = from + longestLookAhead;
  while (i < stop && (isBlank(text.charCodeAt(i)) || isQuote(text.charCodeAt(i)))) {
    i++;
  }
  const nameStart = i;
  while (i < stop && isKeyChar(text.charCodeAt(i))) {
    i++;
  }
  const code = text.charCodeAt(i);
  return i > nameStart && (code === 0x3d || code === 0x3a);
}

function endsHere(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return i >= text.length || isSpace(code) || isQuote(code) || code === 0x5c;
}

/** A closing bracket that nothing opened, unless the word goes on behind it. */
function endsAtCloser(text: string, i: number): boolean {
  return !isAlphanumeric(text.charCodeAt(i + 1));
}

/** Points and commas at the end belong to the sentence. */
function withoutPunctuation(text: string, start: number, end: number): number {
  let stop = end;
  while (stop > start && '.,;:'.includes(text.charAt(stop - 1))) {
    stop--;
  }
  return stop;
}

/**
 * The end of a header's value in a dump: the end of its line, also an escaped one, or the quote that encloses
 * the header; quoted parameters (`id="x"`) are stepped over.
 */
export function headerLineEnd(text: string, start: number, limit: number): number {
  const stop = Math.min(text.length, start + limit);
  let i = start;
  while (i < stop) {
    const code = text.charCodeAt(i);
    if (isLineBreak(code) || (code === 0x5c && escapedLineBreak(text, i) > 0)) {
      return i;
    }
    const quote = code === 0x5c || isQuote(code) ? openingQuoteAt(text, i) : undefined;
    if (quote === undefined) {
      i++;
      continue;
    }
    if (i === start || text.charCodeAt(i - 1) !== 0x3d) {
      return i;
    }
    const quoted = readQuoted(text, quote, longestParameter);
    if (!quoted.closed) {
      return quoted.end;
    }
    i = quoted.end + quote.depth + 1;
  }
  return i;
}

const longestParameter = 4096;
