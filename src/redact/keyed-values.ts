/**
 * Finds values beside a key that names a secret: `key=value`, `key: value`, `"key":"value"` at any depth of
 * escaping, `key => value`, `"key","value"`, `<key>value</key>`, `--key value`, `name="key" value="value"`, and
 * what a page lays out in elements.
 */
import { isBlank, isKeyChar, isLineBreak, isQuote } from './char-classes.ts';
import { flagAt } from './command-flags.ts';
import { classifyAnyKey, classifyKey, nameStart } from './key-names.ts';
import type { SecretClass } from './key-patterns.ts';
import { labelledElementAt } from './labelled-elements.ts';
import { maskQuoted, maskValueAt } from './masked-values.ts';
import { namedValueAt } from './named-values.ts';
import { openingQuoteAt, readQuoted } from './quoted-values.ts';
import { looksRandom } from './randomness.ts';
import type { Place, Scan } from './scan.ts';
import { leadingScheme, secretPart } from './secret-parts.ts';
import { valueStartAt } from './value-starts.ts';

const equals = 0x3d;
const colon = 0x3a;
/** The colon of CJK text. */
const wideColon = 0xff1a;
const comma = 0x2c;
const greater = 0x3e;
const dash = 0x2d;

export function findKeyedValues(scan: Scan): void {
  const { text } = scan;
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i);
    const isDelimiter = (code >= comma && code <= greater) || code === wideColon;
    i = isDelimiter ? delimiterAt(scan, i, code) : i + 1;
  }
}

/** Where the scan goes on: always behind `at`. */
function delimiterAt(scan: Scan, at: number, code: number): number {
  switch (code) {
    case equals:
    case colon:
    case wideColon:
      return pairAt(scan, at);
    case comma:
      return quotedPairAt(scan, at);
    case greater:
      return elementAt(scan, at);
    case dash:
      return flagAt(scan, at);
  }
  return at + 1;
}

function pairAt(scan: Scan, at: number): number {
  const { text } = scan;
  const code = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  // `:=` is read at its `=`; `==`, `!=`, `<=` compare.
  if (next === equals || (code === equals && '=!<>'.includes(text.charAt(at - 1)))) {
    return at + (code === next ? 2 : 1);
  }
  const isArrow = code === equals && next === greater;
  const keyEnd = keyEndBefore(text, code === equals && text.charCodeAt(at - 1) === colon ? at - 1 : at);
  const keyClass = classifyAnyKey(text, keyEnd, scan.extraKeys);
  if (keyClass === undefined) {
    return at + 1;
  }
  const mayBreak = isArrow || isQuote(text.charCodeAt(at - 1));
  const place: Place = {
    keyEnd,
    keyStart: nameStart(text, keyEnd),
    at,
    valueStart: valueStartAt(text, at, at + (isArrow ? 2 : 1), mayBreak),
  };
  if (isWorkingDirectory(text, place)) {
    return at + 1;
  }
  // "key" is both: the name of a random value, and what names the next member.
  const mayName =
    keyClass === 'name' || (keyClass === 'random' && text.slice(keyEnd - 3, keyEnd).toLowerCase() === 'key');
  const named = mayName ? namedValueAt(scan, place) : 0;
  return named > at + 1 || keyClass === 'name' ? Math.max(named, at + 1) : maskValueAt(scan, keyClass, place);
}

/** Steps back over blanks, the `?` of optional members, emphasis, and a closing bracket or quote. */
function keyEndBefore(text: string, at: number): number {
  let end = at;
  while (end > at - 4 && isBlank(text.charCodeAt(end - 1))) {
    end--;
  }
  if (text.charCodeAt(end - 1) === 0x3f) {
    end--;
  }
  while (end > at - 8 && isEmphasis(text.charCodeAt(end - 1))) {
    end--;
  }
  if (text.charCodeAt(end - 1) === 0x5d) {
    end--;
  }
  if (isQuote(text.charCodeAt(end - 1))) {
    end--;
    while (text.charCodeAt(end - 1) === 0x5c && at - end < 34) {
      end--;
    }
  }
  return end;
}

/** `**Token**: x` and `__Token__: x` of Markdown. */
function isEmphasis(code: number): boolean {
  return code === 0x2a || code === 0x5f;
}

/** `PWD=/home/user`: the shell's working directory, not a password. */
function isWorkingDirectory(text: string, place: Place): boolean {
  return text.slice(place.keyStart, place.keyEnd) === 'PWD' && '/~'.includes(text.charAt(place.valueStart));
}

const listedClasses: ReadonlySet<SecretClass> = new Set(['secret', 'plural', 'header', 'cookie']);
const listedWindow = 256;

/** `"Authorization","Bearer x"`: header lists of undici and Node.js; the value must look like a credential. */
function quotedPairAt(scan: Scan, at: number): number {
  const { text } = scan;
  const quote = isQuote(text.charCodeAt(at - 1))
    ? openingQuoteAt(text, valueStartAt(text, at, at + 1, true))
    : undefined;
  if (quote === undefined) {
    return at + 1;
  }
  const keyClass = classifyKey(text, keyEndBefore(text, at), scan.extraKeys);
  if (keyClass === undefined || !listedClasses.has(keyClass)) {
    return at + 1;
  }
  const value = readQuoted(text, quote, listedWindow);
  const isCredential =
    looksRandom(text, value.start, value.end) ||
    leadingScheme(text, value.start) !== undefined ||
    (keyClass === 'cookie' && text.slice(value.start, value.end).includes('='));
  return isCredential ? maskQuoted(scan, keyClass, quote) : at + 1;
}

const longestTag = 96;

/** `<password>x</password>`, also with attributes in the tag. */
function elementAt(scan: Scan, at: number): number {
  const { text } = scan;
  labelledElementAt(scan, at);
  const name = tagName(text, at);
  const keyClass = name === undefined ? undefined : classifyKey(name, name.length, scan.extraKeys);
  if (name === undefined || keyClass === undefined) {
    return at + 1;
  }
  const isData = text.startsWith(cdata, at + 1);
  const start = isData ? at + 1 + cdata.length : at + 1;
  const closing = `${isData ? ']]>' : ''}</${name}`;
  const end = text.slice(start, start + longestElement).indexOf(isData ? ']]>' : '<');
  const value = text.slice(start, start + Math.max(0, end));
  const isClosed = text.startsWith(closing, start + end) && !value.includes('\n');
  const part = isClosed ? secretPart(keyClass, value, scan.marker, false) : undefined;
  if (part === undefined) {
    return at + 1;
  }
  scan.spans.push({ start: start + part.start, end: start + part.end });
  return start + end;
}

const cdata = '<![CDATA[';
const longestElement = 4096;

/** The name of the opening tag that `>` at `at` closes. */
function tagName(text: string, at: number): string | undefined {
  const floor = Math.max(0, at - longestTag);
  for (let i = at - 1; i >= floor; i--) {
    const code = text.charCodeAt(i);
    if (code === greater || isLineBreak(code)) {
      return undefined;
    }
    if (code === 0x3c) {
      let end = i + 1;
      while (isKeyChar(text.charCodeAt(end)) || text.charCodeAt(end) === colon) {
        end++;
      }
      return end === i + 1 ? undefined : text.slice(i + 1, end);
    }
  }
  return undefined;
}
