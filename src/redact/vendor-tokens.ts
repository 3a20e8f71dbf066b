/** Finds tokens by their vendor's prefix. One table look-up per unit; only a hit compares prefixes. */
import { isCutAt } from './bounded-text.ts';
import { isAsciiAlphanumeric, isAsciiLetter, isDigit, isHexDigit, isUpper } from './char-classes.ts';
import { looksRandom } from './randomness.ts';
import type { Span } from './spans.ts';
import { type TokenShape, tokenShapes } from './token-shapes.ts';
import { type TokenBody, type VendorTokenRow, vendorTokens } from './vendor-patterns.ts';

interface Candidates {
  readonly rows: VendorTokenRow[];
  readonly shapes: TokenShape[];
  /** Which third units lead on, since ordinary words share the first two. */
  readonly thirds: Set<number>;
  anyThird: boolean;
}

interface LookUp {
  /** By the first two units: 0, or one more than the place in `candidates`. */
  readonly index: Uint8Array;
  readonly candidates: readonly Candidates[];
}

let lookUp: LookUp | undefined;

/** Made when the first text comes, so that an import costs nothing. */
function vendorLookUp(): LookUp {
  lookUp ??= buildLookUp();
  return lookUp;
}

function buildLookUp(): LookUp {
  const byPair = new Map<string, Candidates>();
  const candidatesOf = (start: string): Candidates => {
    const pair = start.slice(0, 2);
    const found = byPair.get(pair) ?? { rows: [], shapes: [], thirds: new Set(), anyThird: false };
    byPair.set(pair, found);
    found.thirds.add(start.charCodeAt(2));
    found.anyThird ||= start.length === 2;
    return found;
  };
  // The longest prefix first: `sk-proj-` before `sk-`.
  for (const row of vendorTokens.toSorted((a, b) => b.prefix.length - a.prefix.length)) {
    candidatesOf(row.prefix).rows.push(row);
  }
  for (const shape of tokenShapes) {
    for (const start of shape.starts) {
      candidatesOf(start).shapes.push(shape);
    }
  }
  const index = new Uint8Array(128 * 128);
  let place = 0;
  for (const pair of byPair.keys()) {
    place++;
    index[pair.charCodeAt(0) * 128 + pair.charCodeAt(1)] = place;
  }
  return { index, candidates: [...byPair.values()] };
}

/** What a rejected candidate may cost: a token shows a digit early. */
const decisionWindow = 48;
const cutMinimum = 6;
const weakRun = 16;

const digits = '0123456789';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letters = capitals + capitals.toLowerCase();

const bodyUnits: Readonly<Record<TokenBody, Uint8Array>> = {
  alnum: unitTable(digits + letters),
  word: unitTable(`${digits}${letters}_`),
  dash: unitTable(`${digits}${letters}_-`),
  dot: unitTable(`${digits}${letters}_-.`),
  path: unitTable(`${digits}${letters}_-.+/=%`),
  hex: unitTable(`${digits}abcdefABCDEF`),
  upper: unitTable(digits + capitals),
};

function unitTable(units: string): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (units.includes(String.fromCharCode(code)) ? 1 : 0));
}

export function findVendorTokens(text: string, spans: Span[]): void {
  const { index, candidates } = vendorLookUp();
  let previous = text.charCodeAt(0);
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const group = previous < 128 && code < 128 ? (index[previous * 128 + code] ?? 0) : 0;
    previous = code;
    if (group === 0) {
      continue;
    }
    const span = match(text, i - 1, candidates[group - 1]);
    if (span !== undefined) {
      const end = wordEndBehind(text, span.end);
      spans.push({ start: span.start, end });
      i = Math.max(i, end);
      previous = text.charCodeAt(i);
    }
  }
}

/** Letters glued to a token go with it: they would read as the start of a new word behind the marker. */
function wordEndBehind(text: string, from: number): number {
  let end = from;
  while (bodyUnits.alnum[text.charCodeAt(end)] === 1) {
    end++;
  }
  return end;
}

function match(text: string, at: number, group: Candidates | undefined): Span | undefined {
  if (group === undefined || !(group.anyThird || group.thirds.has(text.charCodeAt(at + 2)))) {
    return undefined;
  }
  for (const row of group.rows) {
    if (text.startsWith(row.prefix, at)) {
      const span = matchPrefix(text, at, row);
      if (span !== undefined) {
        return span;
      }
    }
  }
  for (const shape of group.shapes) {
    const span = shape.find(text, at);
    if (span !== undefined) {
      return span;
    }
  }
  return undefined;
}

function matchPrefix(text: string, start: number, row: VendorTokenRow): Span | undefined {
  const bodyStart = start + row.prefix.length;
  if (row.keepPrefix !== true && !hasBoundaryBefore(text, start, row.weak === true)) {
    return undefined;
  }
  const window = bodyEnd(text, bodyStart, bodyStart + decisionWindow, row.body);
  if (!isTokenBody(text, bodyStart, window, row)) {
    return undefined;
  }
  const end = withoutClosingDots(text, bodyStart, bodyEnd(text, window, text.length, row.body));
  return { start: row.keepPrefix === true ? bodyStart : start, end };
}

function isTokenBody(text: string, start: number, end: number, row: VendorTokenRow): boolean {
  const length = end - start;
  const isCut = length >= cutMinimum && isCutAt(text, end);
  if (row.weak === true) {
    return length >= row.min
      ? hasMixedRun(text, start, end, Math.min(row.min, weakRun))
      : isCut && looksRandom(text, start, end);
  }
  const isCapitals = row.body === 'upper' && length >= weakRun;
  return isCapitals || ((length >= row.min || isCut) && hasMixedRun(text, start, end, 1));
}

/** Whether a run has a digit, or capitals among small letters: words have neither. */
function hasMixedRun(text: string, start: number, end: number, minimum: number): boolean {
  let run = 0;
  let digits = 0;
  let switches = 0;
  for (let i = start; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 0;
    if (isAsciiAlphanumeric(code)) {
      run++;
      digits += isDigit(code) ? 1 : 0;
      switches += i > start && isUpper(code) !== isUpper(text.charCodeAt(i - 1)) ? 1 : 0;
      continue;
    }
    if (run >= minimum && (digits > 0 || switches > 1)) {
      return true;
    }
    run = 0;
    digits = 0;
    switches = 0;
  }
  return false;
}

function bodyEnd(text: string, start: number, limit: number, body: TokenBody): number {
  const stop = Math.min(limit, text.length);
  const units = bodyUnits[body];
  let end = start;
  while (end < stop && units[text.charCodeAt(end)] === 1) {
    end++;
  }
  return end;
}

/** A full stop behind a token ends the sentence. */
function withoutClosingDots(text: string, start: number, end: number): number {
  let stop = end;
  while (stop > start && text.charCodeAt(stop - 1) === 0x2e) {
    stop--;
  }
  return stop;
}

/** Only a letter blocks a prefix, and not one that belongs to an escape: `\n`, `%3D`, `\u003d`, ANSI colours. */
function hasBoundaryBefore(text: string, start: number, strict: boolean): boolean {
  if (start === 0) {
    return true;
  }
  const code = text.charCodeAt(start - 1);
  const blocked = strict
    ? isAsciiAlphanumeric(code) || code === 0x2d || code === 0x5f || code === 0x2e || code === 0x2f
    : isAsciiLetter(code);
  return !blocked || endsEscape(text, start);
}

function endsEscape(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1);
  if (text.charCodeAt(end - 2) === 0x5c && 'nrtbf'.includes(String.fromCharCode(last))) {
    return true;
  }
  if (isHexDigit(last) && isHexDigit(text.charCodeAt(end - 2))) {
    return text.charCodeAt(end - 3) === 0x25 || text.startsWith('\\u', end - 6);
  }
  return last === 0x6d && isAnsiColour(text, end - 1);
}

/** `ESC [ 1 ; 32 m` with the m at `end`; a dump writes the first unit as `\x1B` or `\u001b`. */
function isAnsiColour(text: string, end: number): boolean {
  let i = end - 1;
  while (i > end - 8 && (isDigit(text.charCodeAt(i)) || text.charCodeAt(i) === 0x3b)) {
    i--;
  }
  return text.charCodeAt(i) === 0x5b && '\u001bbB'.includes(text.charAt(i - 1));
}
