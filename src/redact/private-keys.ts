/** Finds private keys in PEM (RFC 7468), OpenSSH, PGP and SSH2 armour, whole or cut, with real or escaped line breaks. */
import { isAsciiAlphanumeric, isSpace } from './char-classes.ts';
import { looksRandom } from './randomness.ts';
import type { Span } from './spans.ts';

const armours = ['-----BEGIN ', '---- BEGIN '] as const;
const longestLabel = 64;
const longestKey = 16_384;
/** The headers of an encrypted key, before its first long line. */
const longestHeader = 512;
/** A header alone is a message about keys, not a key. */
const shortestBody = 16;
const shortestCutBody = 8;

export function findPrivateKeys(text: string, spans: Span[]): void {
  for (const armour of armours) {
    findArmoured(text, armour, spans);
  }
}

function findArmoured(text: string, armour: string, spans: Span[]): void {
  const dashes = armour.slice(0, armour.indexOf('B')).trimEnd();
  const endMark = armour.replace('BEGIN', 'END');
  let nextEnd = -1;
  for (let start = text.indexOf(armour); start !== -1; ) {
    const bodyStart = labelEnd(text, start + armour.length, dashes);
    if (bodyStart === undefined) {
      start = text.indexOf(armour, start + armour.length);
      continue;
    }
    // The search for the end goes on where the last one stopped, or many headers would each search the rest.
    if (nextEnd !== Number.POSITIVE_INFINITY && nextEnd < bodyStart) {
      const found = text.indexOf(endMark, bodyStart);
      nextEnd = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    const end =
      nextEnd - bodyStart <= longestKey
        ? (labelEnd(text, nextEnd + endMark.length, dashes) ?? nextEnd + endMark.length)
        : keyTextEnd(text, bodyStart);
    if (end - bodyStart >= shortestCutBody) {
      spans.push({ start, end });
    }
    start = text.indexOf(armour, Math.max(end, bodyStart));
  }
}

/** The position behind `… PRIVATE KEY-----`; `undefined` for certificates and public keys. */
function labelEnd(text: string, start: number, dashes: string): number | undefined {
  const label = text.slice(start, start + longestLabel);
  const close = label.indexOf(dashes);
  return close !== -1 && label.slice(0, close).includes('PRIVATE KEY')
    ? start + close + dashes.length
    : undefined;
}

/**
 * The end of what looks like the body of a key: base64 in lines, PEM headers, escapes, quotes of joined lines.
 * It ends at two dashes, and where no long word follows any more.
 */
function keyTextEnd(text: string, start: number): number {
  let bodyEnd = start;
  let wordLength = 0;
  let end = start;
  for (; end < text.length && end - bodyEnd < longestHeader; end++) {
    const code = text.charCodeAt(end);
    if (isBase64(code)) {
      wordLength++;
      const isKeyText =
        wordLength >= shortestBody || (wordLength === 8 && looksRandom(text, end - 7, end + 1));
      bodyEnd = isKeyText || bodyEnd === end ? end + 1 : bodyEnd;
    } else if (isSpace(code) || code === 0x5c) {
      wordLength = 0;
    } else if (!isHeaderText(code) || text.startsWith('--', end)) {
      break;
    }
  }
  // A last short line may still be key text when the text was cut there.
  return end === text.length ? end : bodyEnd;
}

function isBase64(code: number): boolean {
  return isAsciiAlphanumeric(code) || code === 0x2b || code === 0x2f || code === 0x3d;
}

function isHeaderText(code: number): boolean {
  return code === 0x3a || code === 0x2c || code === 0x2d || code === 0x27 || code === 0x22;
}
