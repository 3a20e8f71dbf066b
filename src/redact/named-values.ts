/**
 * A name in one member and its value in the next: `name="password" value="x"` of XML and HTML,
 * `{"name":"Authorization","value":"Bearer x"}` of HAR files, `- name: DB_PASSWORD` of Kubernetes, and the
 * parts of multipart/form-data.
 */
import { isBlank, isKeyChar, isQuote } from './char-classes.ts';
import { classifyKey, nameStart } from './key-names.ts';
import type { SecretClass } from './key-patterns.ts';
import { maskValueAt } from './masked-values.ts';
import { lineBreakLength, openingQuoteAt } from './quoted-values.ts';
import type { Place, Scan } from './scan.ts';
import { isMarkerAt } from './spans.ts';
import { headerLineEnd } from './value-ends.ts';

const longestName = 64;
/** Other members may stand between the name and its value. */
const longestDistance = 64;
const valueWords = ['value', 'content', 'val'] as const;
const namedClasses: ReadonlySet<SecretClass> = new Set([
  'secret',
  'plural',
  'header',
  'cookie',
  'password',
  'random',
]);

/** `place` is where the word `name` meets the name. Returns where the scan goes on. */
export function namedValueAt(scan: Scan, place: Place): number {
  const { text } = scan;
  const quote = openingQuoteAt(text, place.valueStart);
  const start = quote?.contentStart ?? place.valueStart;
  let end = start;
  while (end < start + longestName && isKeyChar(text.charCodeAt(end))) {
    end++;
  }
  const keyClass = end === start ? undefined : classifyKey(text, end, scan.extraKeys);
  if (keyClass === undefined || !namedClasses.has(keyClass)) {
    return place.at + 1;
  }
  const behind = quote === undefined ? end : end + quote.depth + 1;
  const partStart = text.charCodeAt(place.at) === 0x3d ? emptyLineEnd(text, behind) : behind;
  if (partStart > behind) {
    return maskPart(scan, partStart);
  }
  const at = valueDelimiter(text, behind);
  if (at === undefined) {
    return place.at + 1;
  }
  let valueStart = at + 1;
  while (valueStart < at + longestDistance && isBlank(text.charCodeAt(valueStart))) {
    valueStart++;
  }
  return Math.max(
    place.at + 1,
    maskValueAt(scan, keyClass, { keyStart: start, keyEnd: end, at, valueStart }),
  );
}

/** The `=` or `:` behind the word `value`, near the name. */
function valueDelimiter(text: string, from: number): number | undefined {
  const near = text.slice(from, from + longestDistance);
  for (const word of valueWords) {
    const found = near.indexOf(word);
    if (found > 0) {
      let i = from + found + word.length;
      while (isQuote(text.charCodeAt(i)) || text.charCodeAt(i) === 0x5c || isBlank(text.charCodeAt(i))) {
        i++;
      }
      const code = text.charCodeAt(i);
      const isWord = nameStart(text, from + found + word.length) === from + found;
      if (isWord && (code === 0x3d || code === 0x3a)) {
        return i;
      }
    }
  }
  return undefined;
}

/** The position behind two line breaks, real or escaped; `from` when they do not follow. */
function emptyLineEnd(text: string, from: number): number {
  let i = from;
  let breaks = 0;
  while (breaks < 2) {
    const length = lineBreakLength(text, i);
    if (length === 0) {
      return from;
    }
    i += length;
    breaks++;
  }
  return i;
}

function maskPart(scan: Scan, start: number): number {
  const end = headerLineEnd(scan.text, start, scan.text.length);
  if (end > start && !isMarkerAt(scan.text, start, scan.marker)) {
    scan.spans.push({ start, end });
  }
  return end;
}
