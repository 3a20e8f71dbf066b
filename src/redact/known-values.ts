/** Finds secret values that the caller knows, in every form in which a server may echo them. */
import { isCutAt } from './bounded-text.ts';
import { isAsciiAlphanumeric } from './char-classes.ts';
import { looksRandom } from './randomness.ts';
import { leadingScheme } from './secret-parts.ts';
import type { Span } from './spans.ts';

/** Shorter values are ordinary words and numbers somewhere in any text. */
const shortestKnownValue = 8;
/** How much of a value is searched for; the rest is compared. */
const searchLength = 8;
/** Less than this is no echo, unless the text was cut right there. */
const shortestEcho = 12;

/** One way in which a text may hold a known value. */
export interface KnownForm {
  readonly text: string;
  /** What base64 makes of a text that holds the value: the rest of that text tells of it too. */
  readonly isBase64: boolean;
}

/** Every form of every value, longest first, ready for `findKnownValues`. */
export function knownForms(values: readonly string[]): readonly KnownForm[] {
  const parts = new Set(values.flatMap(partsOf));
  const plain = new Set([...parts].flatMap((part) => [part, ...urlForms(part), ...jsonForms(part)]));
  const base64 = new Set([...parts].flatMap(base64Forms).filter((form) => !plain.has(form)));
  return [...plain, ...base64]
    .filter((text) => text.length >= shortestKnownValue)
    .map((text) => ({ text, isBase64: base64.has(text) }))
    .toSorted((a, b) => b.text.length - a.text.length);
}

export function findKnownValues(text: string, forms: readonly KnownForm[], spans: Span[]): void {
  for (const form of forms) {
    const head = form.text.slice(0, searchLength);
    const first = text.indexOf(head);
    if (first !== -1) {
      findWhole(text, form, first, spans);
      findCutEchoes(text, form, head, first, spans);
    }
  }
}

function findWhole(text: string, form: KnownForm, first: number, spans: Span[]): void {
  for (let at = text.indexOf(form.text, first); at !== -1; ) {
    const span = spanOf(text, form, at, at + form.text.length);
    spans.push(span);
    at = text.indexOf(form.text, span.end);
  }
}

function findCutEchoes(text: string, form: KnownForm, head: string, first: number, spans: Span[]): void {
  for (let at = first; at !== -1; ) {
    const end = at + matchLength(text, at, form.text);
    const span = looksLikeCutEcho(text, at, end) ? spanOf(text, form, at, end) : undefined;
    if (span !== undefined) {
      spans.push(span);
    }
    at = text.indexOf(head, span?.end ?? end);
  }
}

/** In base64 the whole run. */
function spanOf(text: string, { isBase64 }: KnownForm, start: number, end: number): Span {
  return isBase64 ? { start: base64Start(text, start), end: base64End(text, end) } : { start, end };
}

function base64Start(text: string, from: number): number {
  let start = from;
  while (isBase64Unit(text.charCodeAt(start - 1))) {
    start--;
  }
  return start;
}

function base64End(text: string, from: number): number {
  let end = from;
  while (isBase64Unit(text.charCodeAt(end))) {
    end++;
  }
  while (text.charCodeAt(end) === 0x3d) {
    end++;
  }
  return end;
}

/** Of both alphabets (RFC 4648), without the padding. */
function isBase64Unit(code: number): boolean {
  return isAsciiAlphanumeric(code) || code === 0x2b || code === 0x2f || code === 0x2d || code === 0x5f;
}

function matchLength(text: string, at: number, form: string): number {
  let length = searchLength;
  while (length < form.length && text.charCodeAt(at + length) === form.charCodeAt(length)) {
    length++;
  }
  return length;
}

/** The same start may be a coincidence (`https://api.`), unless it looks drawn or the text stops right there. */
function looksLikeCutEcho(text: string, start: number, end: number): boolean {
  return isCutAt(text, end) || (end - start >= shortestEcho && looksRandom(text, start, end));
}

/** The value, its credentials without their scheme, and what Basic credentials hold. */
function partsOf(value: string): readonly string[] {
  const trimmed = value.trim();
  const scheme = leadingScheme(trimmed);
  const credentials = trimmed.slice(scheme?.credentialsStart ?? 0);
  const parts = [trimmed, credentials, ...(scheme?.row.scheme === 'basic' ? basicParts(credentials) : [])];
  return parts.filter((part) => part.length >= shortestKnownValue);
}

/** RFC 7617: the base64 of `user:password`. */
function basicParts(credentials: string): readonly string[] {
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon === -1 ? [] : [decoded, decoded.slice(colon + 1)];
}

function urlForms(value: string): readonly string[] {
  const encoded = encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));
  return [
    encoded,
    encoded.replaceAll('%20', '+'),
    encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ];
}

function jsonForms(value: string): readonly string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  // The last as Node.js shows JSON between apostrophes: only the backslashes doubled.
  return [once, twice, JSON.stringify(twice).slice(1, -1), once.replaceAll('\\', '\\\\')];
}

/**
 * Base64 writes three bytes as four units, so a value looks different behind one and two bytes of other text. Units
 * that depend on what is around the value are left out.
 */
function base64Forms(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const start = Math.ceil((before * 4) / 3);
    const end = Math.floor((shifted.length * 4) / 3);
    return [shifted.toString('base64'), shifted.toString('base64url')].map((text) => text.slice(start, end));
  });
}
