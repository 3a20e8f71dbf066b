/**
 * Quoted values at any depth of escaping. JSON in a JSON string writes `\"` for a quote, JSON in that `\\\"`:
 * the number of backslashes before the opening quote tells the depth, and only a quote of the same depth closes.
 */
import { isLineBreak, isQuote } from './char-classes.ts';

export interface OpeningQuote {
  readonly contentStart: number;
  readonly code: number;
  /** Backslashes before the quote: 0, 1, 3, 7. */
  readonly depth: number;
}

export interface QuotedValue {
  readonly start: number;
  /** Where the content ends: at its closing quote, else at the end of the line or of the enclosing string. */
  readonly end: number;
  readonly closed: boolean;
}

const deepest = 31;

/** The quote, with its backslashes, that starts at `at`; `undefined` when none does. */
export function openingQuoteAt(text: string, at: number): OpeningQuote | undefined {
  let i = at;
  while (i < at + deepest && text.charCodeAt(i) === 0x5c) {
    i++;
  }
  const code = text.charCodeAt(i);
  return isQuote(code) ? { contentStart: i + 1, code, depth: i - at } : undefined;
}

/** The content behind an opening quote, looked for in at most `limit` units. */
export function readQuoted(text: string, quote: OpeningQuote, limit: number): QuotedValue {
  const start = quote.contentStart;
  const stop = Math.min(text.length, start + limit);
  let backslashes = 0;
  for (let i = start; i < stop; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) {
      backslashes++;
      continue;
    }
    if (code === quote.code) {
      const role = quoteRole(backslashes, quote.depth);
      if (role === 'closes') {
        return { start, end: i - quote.depth, closed: true };
      }
      if (role === 'closes_outer') {
        return { start, end: i - backslashes, closed: false };
      }
    } else if (isLineBreak(code)) {
      return { start, end: i, closed: false };
    }
    backslashes = 0;
  }
  return { start, end: stop, closed: false };
}

/**
 * At depth d (0, 1, 3, …) a closing quote has d backslashes, plus 2(d + 1) for every escaped backslash before
 * it; with fewer than d it closes a string further out; any other number belongs to the content.
 */
function quoteRole(backslashes: number, depth: number): 'closes' | 'closes_outer' | 'content' {
  if (backslashes < depth) {
    return 'closes_outer';
  }
  return (backslashes - depth) % (2 * (depth + 1)) === 0 ? 'closes' : 'content';
}

/** Where an escaped line break (`\n`, `\r`, with any number of backslashes) starts at `i`, its length; else 0. */
export function escapedLineBreak(text: string, i: number): number {
  let end = i;
  while (end < i + deepest && text.charCodeAt(end) === 0x5c) {
    end++;
  }
  const letter = text.charCodeAt(end);
  return end > i && (letter === 0x6e || letter === 0x72) ? end + 1 - i : 0;
}

/** The length of the line break at `i`, real or escaped, CR LF as one; else 0. */
export function lineBreakLength(text: string, i: number): number {
  if (isLineBreak(text.charCodeAt(i))) {
    return text.startsWith('\r\n', i) ? 2 : 1;
  }
  const first = escapedLineBreak(text, i);
  if (first === 0 || text.charAt(i + first - 1) !== 'r') {
    return first;
  }
  return first + escapedLineBreak(text, i + first);
}
