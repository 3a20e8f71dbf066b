/**
 * A name in one element and its value in the next, as pages and documents lay out what they dump:
 * `<td>x-api-key</td><td>x</td>`, `<dt>Password</dt><dd>x</dd>`, `<key>Password</key><string>x</string>`,
 * `<name>password</name> <value>x</value>`, `<b>Cookie:</b> sid=x`.
 */
import { isKeyChar, isQuote, isSpace } from './char-classes.ts';
import { classifyKey } from './key-names.ts';
import type { SecretClass } from './key-patterns.ts';
import { isPlainUrl } from './masked-values.ts';
import { looksRandom } from './randomness.ts';
import type { Scan } from './scan.ts';
import { leadingScheme, secretPart } from './secret-parts.ts';

interface NamingElementRow {
  readonly name: string;
  readonly values: readonly string[];
  readonly about: string;
}

/** Elements that name what the next one holds: one word in that is a value. Between others it must look like a secret. */
const namingElements: readonly NamingElementRow[] = [
  { name: 'td', values: ['td'], about: 'Rows of a table.' },
  { name: 'th', values: ['td'], about: 'Rows with a head; two heads beside each other are columns.' },
  { name: 'dt', values: ['dd'], about: 'Lists of terms and their descriptions.' },
  { name: 'key', values: ['string', 'data', 'value'], about: 'Property lists of Apple, maps in XML.' },
  { name: 'name', values: ['value'], about: 'Configuration files of Java, parameters of XML-RPC.' },
];

const longestLabel = 64;
const mostLabelWords = 3;
/** From the end of the name to the value. */
const longestGap = 256;
/** Several names may share one end of their data, but not the next tag. */
const longestData = 4096;
const cdata = '<![CDATA[';

/** `at` is the `>` before the name. */
export function labelledElementAt(scan: Scan, at: number): void {
  const { text, marker } = scan;
  const labelEnd = contentEnd(text, at + 1, longestLabel);
  const keyClass = labelClass(scan, at + 1, labelEnd);
  const gap = keyClass === undefined ? undefined : readGap(text, labelEnd);
  if (keyClass === undefined || gap === undefined) {
    return;
  }
  const isData = text.startsWith(cdata, gap.end);
  const dataStart = gap.end + cdata.length;
  const { start, end } = isData
    ? trimmed(text, dataStart, contentEnd(text, dataStart, longestData, ']]>'))
    : trimmed(text, gap.end, contentEnd(text, gap.end, Number.POSITIVE_INFINITY));
  const value = text.slice(start, end);
  const isValue = isNamed(gap) && isWord(value) && !isPlainUrl(value);
  if (isValue || looksLikeCredential(keyClass, value)) {
    const part = secretPart(keyClass, value, marker, false);
    if (part !== undefined) {
      scan.spans.push({ start: start + part.start, end: start + part.end });
    }
  }
}

/** Where the text of an element ends, also at the end of a text that was cut; `start` when it is too long. */
function contentEnd(text: string, start: number, limit: number, stop = '<'): number {
  const content = text.slice(start, start + limit);
  const found = content.indexOf(stop);
  return start + (found === -1 ? (content.length < limit ? content.length : 0) : found);
}

/** Nothing but a name: `x-api-key`, `API key:`, `$_SERVER['HTTP_COOKIE']`. */
function labelClass(scan: Scan, start: number, end: number): SecretClass | undefined {
  const { text } = scan;
  let words = 0;
  let nameEnd = start;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isKeyChar(code)) {
      words += nameEnd === i && i > start ? 0 : 1;
      nameEnd = i + 1;
    } else if (!isSpace(code) && !isQuote(code) && !':[]'.includes(text.charAt(i))) {
      return undefined;
    }
  }
  return words === 0 || words > mostLabelWords ? undefined : classifyKey(text, nameEnd, scan.extraKeys);
}

interface Gap {
  /** Where the value starts. */
  readonly end: number;
  /** The last element that ended behind the name, and the first that began: in lower case, without their namespaces. */
  readonly closed: string;
  readonly opened: string;
}

/** The tags, white space and colons between a name and its value; `undefined` when no tag ends the name. */
function readGap(text: string, from: number): Gap | undefined {
  let closed = '';
  let opened = '';
  let i = from;
  while (i < from + longestGap) {
    const at = skipBetween(text, i, beforeTag);
    if (text.charCodeAt(at) !== 0x3c || text.startsWith(cdata, at)) {
      return closed === '' ? undefined : { end: skipBetween(text, i, beforeValue), closed, opened };
    }
    const tag = readTag(text, at);
    if (tag === undefined || (tag.closes ? opened !== '' : closed === '')) {
      return undefined;
    }
    if (tag.closes) {
      closed = tag.name;
    } else if (opened === '') {
      opened = tag.name;
    }
    i = tag.end;
  }
  return undefined;
}

const beforeValue = ':';
/** Node.js shows a text of several lines as `'…' +` and `'…'`. */
const beforeTag = `${beforeValue}+'"\``;

/** Steps over white space, escaped in pages inside JSON, and over the given units. */
function skipBetween(text: string, from: number, units: string): number {
  let i = from;
  while (i < from + longestGap) {
    const isBetween = isSpace(text.charCodeAt(i)) || (i < text.length && units.includes(text.charAt(i)));
    const length = isBetween ? 1 : escapedSpace(text, i);
    if (length === 0) {
      break;
    }
    i += length;
  }
  return i;
}

/** The length of `\n`, `\r` or `\t`, with any number of backslashes; else 0. */
function escapedSpace(text: string, at: number): number {
  const letter = afterBackslashes(text, at);
  return letter > at && 'nrt'.includes(text.charAt(letter)) ? letter + 1 - at : 0;
}

const deepest = 31;

function afterBackslashes(text: string, at: number): number {
  let i = at;
  while (text.charAt(i) === '\\' && i < at + deepest) {
    i++;
  }
  return i;
}

interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly end: number;
}

/** PHP writes `<\/td>` in JSON. */
function readTag(text: string, at: number): Tag | undefined {
  const slash = afterBackslashes(text, at + 1);
  const closes = text.charAt(slash) === '/';
  const start = closes ? slash + 1 : at + 1;
  let end = start;
  while (end < start + longestLabel && (isKeyChar(text.charCodeAt(end)) || text.charAt(end) === ':')) {
    end++;
  }
  const rest = text.slice(end, end + longestGap).indexOf('>');
  const name = text.slice(start, end).toLowerCase();
  return name === '' || rest === -1
    ? undefined
    : { name: name.slice(name.indexOf(':') + 1), closes, end: end + rest + 1 };
}

const quotes = ["'", '"', '`', '&#x27;', '&#39;', '&quot;', '&#34;'] as const;

/** The value without the white space and the quotes around it. */
function trimmed(text: string, from: number, to: number): { readonly start: number; readonly end: number } {
  let end = to;
  for (let stop = withoutSpace(text, from, end); stop < end; stop = withoutSpace(text, from, end)) {
    end = stop;
  }
  const quote = quotes.find(
    (candidate) =>
      text.startsWith(candidate, from) &&
      end - from >= 2 * candidate.length &&
      text.startsWith(candidate, end - candidate.length),
  );
  const length = quote?.length ?? 0;
  return { start: from + length, end: end - length };
}

/** Steps back over one space, or an escaped one. */
function withoutSpace(text: string, from: number, end: number): number {
  if (end === from || isSpace(text.charCodeAt(end - 1))) {
    return Math.max(from, end - 1);
  }
  let start = end - 1;
  while (start > from && text.charAt(start - 1) === '\\') {
    start--;
  }
  return start < end - 1 && 'nrt'.includes(text.charAt(end - 1)) ? start : end;
}

function isNamed({ closed, opened }: Gap): boolean {
  return namingElements.some((row) => row.name === closed && row.values.includes(opened));
}

function isWord(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    if (isSpace(value.charCodeAt(i))) {
      return false;
    }
  }
  return !value.includes('&nbsp;');
}

/** Looks drawn, or has the form of a header's credentials: `Bearer x`, `Digest a="x"`, `sid=x; theme=dark`. */
function looksLikeCredential(keyClass: SecretClass, value: string): boolean {
  const scheme = leadingScheme(value);
  if (scheme !== undefined) {
    const credentials = value.slice(scheme.credentialsStart);
    return scheme.row.credentials === 'token' ? isWord(credentials) : credentials.includes('=');
  }
  return looksRandom(value, 0, value.length) || (keyClass === 'cookie' && value.includes('='));
}
