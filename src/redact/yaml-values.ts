/** Values of YAML that are neither one word nor quoted: block scalars, and lists without quotes. */
import { isBenignValue } from './benign.ts';
import { isBlank, isDigit, isLineBreak, isQuote, isSpace } from './char-classes.ts';
import type { SecretClass } from './key-patterns.ts';
import { startsContent } from './open-quotes.ts';
import { escapedLineBreak, lineBreakLength, openingQuoteAt } from './quoted-values.ts';
import { looksRandom, mixesLettersAndDigits } from './randomness.ts';
import type { Place, Scan } from './scan.ts';
import { secretPart } from './secret-parts.ts';

const dash = 0x2d;
const longestIndent = 96;
const mostLines = 256;
const decidingClasses: ReadonlySet<SecretClass> = new Set(['secret', 'plural', 'header', 'password']);

/** `|`, `>-`, `|2+` at the end of a line; `undefined` when something else stands there. */
export function blockHeaderEnd(text: string, start: number): number | undefined {
  let end = start + 1;
  while (end < start + 3 && (isDigit(text.charCodeAt(end)) || '+-'.includes(text.charAt(end)))) {
    end++;
  }
  while (end < start + longestIndent && isBlank(text.charCodeAt(end))) {
    end++;
  }
  return lineBreakLength(text, end) > 0 ? end : undefined;
}

/**
 * `token: |`, then lines that are indented further than the name. Returns where the scan goes on; `place.at + 1`
 * when no such block starts there.
 */
export function maskBlock(scan: Scan, keyClass: SecretClass, place: Place): number {
  const { text } = scan;
  const indent = nameColumn(text, place);
  const end = blockHeaderEnd(text, place.valueStart);
  if (indent === undefined || end === undefined || !decidingClasses.has(keyClass)) {
    return place.at + 1;
  }
  return forLines(scan, end, place.at + 1, (line) => {
    return (
      line.column > indent &&
      (maskLine(scan, line) || isBenignValue(text.slice(line.start, line.end), scan.marker))
    );
  });
}

/** A line of several words is prose, such as a description. */
function maskLine(scan: Scan, { start, end }: Line): boolean {
  const part = secretPart('header', scan.text.slice(start, end), scan.marker, false);
  if (part === undefined) {
    return false;
  }
  scan.spans.push({ start: start + part.start, end: start + part.end });
  return true;
}

/** `password:`, then lines with `- x`, indented at least as far as the name. */
export function maskSequence(scan: Scan, keyClass: SecretClass, place: Place): number {
  const { text } = scan;
  const indent = nameColumn(text, place);
  if (indent === undefined || !decidingClasses.has(keyClass)) {
    return place.at + 1;
  }
  return forLines(scan, place.valueStart, place.at + 1, ({ start, end, column }) => {
    const isItem = text.charCodeAt(start) === dash && isBlank(text.charCodeAt(start + 1));
    return isItem && column >= indent && maskItem(scan, start + 2, end);
  });
}

/**
 * One item of a list; quotes around it stay. Names and words are no secrets, whatever the list is called. Returns
 * whether nothing else is to be looked for in it.
 */
function maskItem(scan: Scan, from: number, to: number): boolean {
  const { text } = scan;
  let start = from;
  let end = to;
  while (start < end && isSpaceOrQuote(text.charCodeAt(start))) {
    start++;
  }
  while (end > start && isSpaceOrQuote(text.charCodeAt(end - 1))) {
    end--;
  }
  const value = text.slice(start, end);
  if (isListedSecret(value, scan.marker)) {
    scan.spans.push({ start, end });
    return true;
  }
  return isBenignValue(value, scan.marker) || /^[\w.-]{1,64}$/.test(value);
}

function isSpaceOrQuote(code: number): boolean {
  return isSpace(code) || isQuote(code);
}

const shortestItem = 6;

function isListedSecret(value: string, marker: string): boolean {
  const looksSecret =
    looksRandom(value, 0, value.length) || (value.length >= shortestItem && mixesLettersAndDigits(value));
  return (
    looksSecret && !/[\s:"'`\\]|=[^=]/.test(value) && secretPart('secret', value, marker, false) !== undefined
  );
}

const longestItem = 1024;
const endsItem = ',]\n\r"\'`[{( \t\\';

/** The end of the plain item of `[a, b]` that starts at `start`; masked when it looks like a secret. */
export function maskFlowItem(scan: Scan, keyClass: SecretClass, start: number): number {
  const { text } = scan;
  let end = start;
  while (end < start + longestItem && end < text.length && !endsItem.includes(text.charAt(end))) {
    end++;
  }
  const closes = text.charAt(end);
  const isItem = closes === ',' || (closes === ']' && text.charAt(end + 1) !== '(') || end === text.length;
  if (end === start || !isItem || !decidingClasses.has(keyClass)) {
    return start;
  }
  return maskItem(scan, start, end) ? end : start;
}

/** The column of the name, which may stand behind `- `; `undefined` when more stands before it on the line. */
function nameColumn(text: string, { keyStart, keyEnd }: Place): number | undefined {
  const isQuoted =
    isQuote(text.charCodeAt(keyEnd)) && text.charCodeAt(keyEnd) === text.charCodeAt(keyStart - 1);
  const start = isQuoted ? keyStart - 1 : keyStart;
  const floor = Math.max(0, start - longestIndent);
  let lineStart = text.startsWith('- ', start - 2) ? start - 2 : start;
  while (lineStart > floor && text.charCodeAt(lineStart - 1) === 0x20) {
    lineStart--;
  }
  return startsLine(text, lineStart) ? start - lineStart : undefined;
}

/** Real and escaped line breaks, the start of the text or of the string that holds it. */
function startsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  return (
    at === 0 ||
    isSpaceOrQuote(code) ||
    ('nr'.includes(text.charAt(at - 1)) && escapedLineBreak(text, at - 2) > 0)
  );
}

interface Line {
  /** Behind the indentation, which is `column` wide. */
  readonly start: number;
  readonly end: number;
  readonly column: number;
}

/**
 * Calls for each line with content behind the line break at `from`, until it says no. Returns the end of the last
 * accepted line, or `otherwise`.
 */
function forLines(scan: Scan, from: number, otherwise: number, accepts: (line: Line) => boolean): number {
  const { text } = scan;
  let accepted = otherwise;
  let at = from;
  for (let count = 0; count < mostLines; count++) {
    const length = lineBreakLength(text, at);
    if (length === 0) {
      break;
    }
    let start = at + length;
    while (start < at + length + longestIndent && text.charCodeAt(start) === 0x20) {
      start++;
    }
    const line = { start, end: lineEnd(text, start), column: start - at - length };
    at = line.end;
    if (line.end > start) {
      if (!accepts(line)) {
        break;
      }
      accepted = line.end;
    }
  }
  return accepted;
}

/** The line break, real or escaped, or the quote of the string that holds the line. */
function lineEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && lineBreakLength(text, end) === 0 && !(end > start && closesString(text, end))) {
    end++;
  }
  return end;
}

/** A quote within a line may belong to it; behind one that closes a string, the text ends or a member does. */
function closesString(text: string, at: number): boolean {
  const quote = openingQuoteAt(text, at);
  return (
    quote !== undefined &&
    !startsContent(text, quote.contentStart) &&
    !isLineBreak(text.charCodeAt(quote.contentStart))
  );
}
