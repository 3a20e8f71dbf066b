/** Finds secret values that the caller knows, in every form in which a server may echo them. */
import { isCutAt } from './bounded-text.ts';
import { looksRandom } from './randomness.ts';
import { leadingScheme } from './secret-parts.ts';
import type { Span } from './spans.ts';

/** Shorter values are ordinary words and numbers somewhere in any text. */
const shortestKnownValue = 8;
/** How much of a value is searched for; the rest is compared. */
const searchLength = 8;
/** Less than this is no echo, unless the text was cut right there. */
const shortestEcho = 12;

/** Every form of every value, longest first, ready for `findKnownValues`. */
export function knownForms(values: readonly string[]): readonly string[] {
  const forms = new Set(values.flatMap(formsOf).filter((form) => form.length >= shortestKnownValue));
  return [...forms].toSorted((a, b) => b.length - a.length);
}

export function findKnownValues(text: string, forms: readonly string[], spans: Span[]): void {
  for (const form of forms) {
    const head = form.slice(0, searchLength);
    const first = text.indexOf(head);
    if (first !== -1) {
      findWhole(text, form, first, spans);
      findCutEchoes(text, form, head, first, spans);
    }
  }
}

function findWhole(text: string, form: string, first: number, spans: Span[]): void {
  for (let at = text.indexOf(form, first); at !== -1; at = text.indexOf(form, at + form.length)) {
    spans.push({ start: at, end: at + form.length });
  }
}

function findCutEchoes(text: string, form: string, head: string, first: number, spans: Span[]): void {
  for (let at = first; at !== -1; ) {
    const end = at + matchLength(text, at, form);
    if (looksLikeCutEcho(text, at, end)) {
      spans.push({ start: at, end });
    }
    at = text.indexOf(head, end);
  }
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

function formsOf(value: string): readonly string[] {
  const trimmed = value.trim();
  const scheme = leadingScheme(trimmed);
  const credentials = trimmed.slice(scheme?.credentialsStart ?? 0);
  const plain = [trimmed, credentials, ...(scheme?.row.scheme === 'basic' ? basicParts(credentials) : [])];
  return plain
    .filter((part) => part.length >= shortestKnownValue)
    .flatMap((part) => [part, ...urlForms(part), ...jsonForms(part), ...base64Forms(part)]);
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

function base64Forms(value: string): readonly string[] {
  const padded = Buffer.from(value, 'utf8').toString('base64');
  return [padded, padded.replaceAll('=', ''), Buffer.from(value, 'utf8').toString('base64url')];
}
