/**
 * Whether a word looks as if a machine had drawn it. Never reason enough to mask something: hashes, ids and
 * base64 images look the same. It only confirms a key name or a scheme beside it.
 */
import { isAlphanumeric, isDigit, isLetter, isUpper } from './char-classes.ts';

/** Secrets show early; and a rejected candidate must cost little. */
const window = 64;

/** Whether one run of letters and digits within the first 64 units is at least 8 units of mixed kinds. */
export function looksRandom(text: string, start: number, end: number): boolean {
  const stop = Math.min(end, start + window);
  for (let i = start; i < stop; ) {
    let chunkEnd = i;
    while (chunkEnd < stop && isAlphanumeric(text.charCodeAt(chunkEnd))) {
      chunkEnd++;
    }
    if (chunkEnd - i >= 8 && isRandomChunk(text, i, chunkEnd)) {
      return true;
    }
    i = chunkEnd + 1;
  }
  return false;
}

/**
 * Digits among letters, switching often; or without digits, capitals that sit closer together than those of
 * camelCase words do.
 */
function isRandomChunk(text: string, start: number, end: number): boolean {
  const length = end - start;
  let switches = 0;
  let digits = 0;
  let lowers = 0;
  let lowerRuns = 0;
  let previous = kindOf(text.charCodeAt(start));
  for (let i = start; i < end; i++) {
    const kind = kindOf(text.charCodeAt(i));
    digits += kind === digitKind ? 1 : 0;
    lowers += kind === lowerKind ? 1 : 0;
    lowerRuns += kind === lowerKind && (previous !== lowerKind || i === start) ? 1 : 0;
    switches += kind === previous ? 0 : 1;
    previous = kind;
  }
  if (digits > 0 && digits < length) {
    return switches >= (length < 12 ? 3 : 2) && switches * 6 >= length;
  }
  return digits === 0 && length >= 20 && switches * 3 >= length && lowers * 2 <= lowerRuns * 5;
}

const digitKind = 0;
const upperKind = 1;
const lowerKind = 2;

function kindOf(code: number): number {
  return isDigit(code) ? digitKind : isUpper(code) ? upperKind : lowerKind;
}

/** Counts, times and marks have none. */
export function hasLetter(text: string): boolean {
  return mixesLettersWith(text, () => true);
}

/** Letters together with digits or symbols, as people write passwords. */
export function looksLikePassword(text: string): boolean {
  return mixesLettersWith(text, (code) => isDigit(code) || !isAlphanumeric(code));
}

export function mixesLettersAndDigits(text: string): boolean {
  return mixesLettersWith(text, isDigit);
}

function mixesLettersWith(text: string, isOther: (code: number) => boolean): boolean {
  let letters = false;
  let others = false;
  for (let i = 0; i < Math.min(text.length, window); i++) {
    const code = text.charCodeAt(i);
    others ||= isOther(code);
    letters ||= isLetter(code);
  }
  return letters && others;
}
