/** Secrets in command lines and argument lists: `--api-key x`, `'--token', 'x'`, `-u user:password`. */
import { isAlphanumeric, isDigit, isQuote, isSpace } from './char-classes.ts';
import { type CommandFlagRow, commandFlags, userFlags } from './command-patterns.ts';
import { classifyKey } from './key-names.ts';
import type { SecretClass } from './key-patterns.ts';
import { maskQuoted } from './masked-values.ts';
import { isOpenAt } from './open-quotes.ts';
import { openingQuoteAt, readQuoted } from './quoted-values.ts';
import { longestGap, type Scan, weakLimit } from './scan.ts';
import { leadingScheme, secretPart } from './secret-parts.ts';
import { wordEnd } from './value-ends.ts';

const dash = 0x2d;
const longestFlag = 48;
const flagClasses: ReadonlySet<SecretClass> = new Set([
  'secret',
  'plural',
  'header',
  'cookie',
  'password',
  'random',
]);

/** Returns where the scan goes on. */
export function flagAt(scan: Scan, at: number): number {
  const { text } = scan;
  if (!startsArgument(text, at)) {
    return at + 1;
  }
  const nameEnd = flagEnd(text, at);
  const glued = commandFlags.find(
    (row) => text.startsWith(row.flag, at) && isCommandBefore(text, at, row.glued),
  );
  if (glued !== undefined && nameEnd - at > 2) {
    return maskByRow(scan, glued, at + 2, nameEnd);
  }
  const valueStart = argumentStart(text, nameEnd, isQuote(text.charCodeAt(at - 1)));
  if (valueStart === nameEnd || text.charCodeAt(valueStart) === dash) {
    return nameEnd;
  }
  const flag = text.slice(at, nameEnd);
  const row = commandFlags.find((candidate) => candidate.flag === flag);
  if (row !== undefined) {
    const isMeant = row.separate === undefined || isCommandBefore(text, at, row.separate);
    return isMeant ? maskByRow(scan, row, valueStart, nameEnd) : nameEnd;
  }
  if (userFlags.includes(flag)) {
    return maskUser(scan, valueStart, nameEnd);
  }
  const keyClass = nameEnd - at > 3 ? classifyKey(text, nameEnd, scan.extraKeys) : undefined;
  return keyClass !== undefined && flagClasses.has(keyClass)
    ? maskArgument(scan, keyClass, valueStart, nameEnd)
    : nameEnd;
}

function maskByRow(scan: Scan, row: CommandFlagRow, start: number, otherwise: number): number {
  return row.value === 'user'
    ? maskUser(scan, start, otherwise)
    : maskArgument(scan, row.value, start, otherwise);
}

function startsArgument(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  return at === 0 || isSpace(code) || isQuote(code);
}

function flagEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < at + longestFlag && isFlagChar(text, end)) {
    end++;
  }
  return end;
}

/** The next argument: behind white space, and in lists of quoted arguments behind the quotes and the comma. */
function argumentStart(text: string, nameEnd: number, isQuoted: boolean): number {
  let i = nameEnd;
  const quote = openingQuoteAt(text, i);
  if (quote !== undefined) {
    if (!isQuoted) {
      return nameEnd;
    }
    i = quote.contentStart;
    i += text.charCodeAt(i) === 0x2c ? 1 : 0;
  }
  const gapStart = i;
  while (i < gapStart + longestGap && isSpace(text.charCodeAt(i))) {
    i++;
  }
  const isSeparated = i > gapStart || (quote !== undefined && isQuote(text.charCodeAt(i)));
  return isSeparated && i < text.length ? i : nameEnd;
}

function maskArgument(scan: Scan, keyClass: SecretClass, start: number, otherwise: number): number {
  const { text, marker } = scan;
  const quote = openingQuoteAt(text, start);
  if (quote !== undefined) {
    const isNextFlag = text.charCodeAt(quote.contentStart) === dash;
    const closes =
      isSpace(text.charCodeAt(otherwise)) &&
      !isAlphanumeric(text.charCodeAt(quote.contentStart)) &&
      isOpenAt(text, otherwise, quote);
    return isNextFlag || closes ? otherwise : Math.max(otherwise, maskQuoted(scan, keyClass, quote));
  }
  const from = leadingScheme(text, start)?.credentialsStart ?? start;
  const end = wordEnd(text, from, false, text.length);
  const part = secretPart(keyClass, text.slice(from, end), marker, false);
  if (end === from || part === undefined) {
    return otherwise;
  }
  scan.spans.push({ start: from + part.start, end: from + part.end });
  return end;
}

/** `user:password`, but not `1000:1000` of containers and no address. */
function maskUser(scan: Scan, start: number, otherwise: number): number {
  const { text, marker } = scan;
  const quote = openingQuoteAt(text, start);
  const from = quote?.contentStart ?? start;
  const end =
    quote === undefined ? wordEnd(text, from, false, weakLimit) : readQuoted(text, quote, weakLimit).end;
  const value = text.slice(from, end);
  const colon = value.indexOf(':');
  const isUser = colon > 0 && !value.startsWith('//', colon + 1) && !isDigit(value.charCodeAt(0));
  if (!isUser || secretPart('secret', value.slice(colon + 1), marker, false) === undefined) {
    return otherwise;
  }
  scan.spans.push({ start: from + colon + 1, end });
  return end;
}

const commandWindow = 160;

/** Whether one of the programs stands before the flag on the same line. */
function isCommandBefore(text: string, at: number, programs: readonly string[]): boolean {
  if (programs.length === 0) {
    return false;
  }
  const before = text.slice(Math.max(0, at - commandWindow), at);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return programs.some((program) => {
    const start = line.lastIndexOf(program);
    const isWord = !isFlagChar(line, start - 1) && !isFlagChar(line, start + program.length);
    return start !== -1 && isWord;
  });
}

function isFlagChar(text: string, i: number): boolean {
  return isAlphanumeric(text.charCodeAt(i)) || (i >= 0 && '-_'.includes(text.charAt(i)) && i < text.length);
}
