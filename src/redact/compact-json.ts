/** Compacts JSON text without parsing it, so that it also works on the first part of a document. */

/** How much of a text is looked at: a flood of white space must not cost more than a document. */
const scanLimit = 262_144;

/**
 * Drops the white space outside strings when the text looks like JSON (starts, after white space, with `{` or
 * `[`); any other text is returned as it is. Linear, and valid JSON keeps its meaning. Of a long text the first
 * `limit` UTF-16 units of the result are compact, and the result is longer than that: a cut of it is seen as one.
 */
export function compactJsonWindow(text: string, limit: number): string {
  const first = text.charAt(skipWhiteSpace(text, 0));
  if (first !== '{' && first !== '[') {
    return text;
  }
  let result = '';
  let from = 0;
  for (let i = 0; i < text.length; ) {
    if (result.length + i - from > limit || i > scanLimit) {
      return result + text.slice(from, i + limit);
    }
    if (text.charCodeAt(i) === doubleQuote) {
      i = endOfString(text, i);
      continue;
    }
    const next = skipWhiteSpace(text, i);
    if (next > i) {
      result += text.slice(from, i);
      from = next;
      i = next;
    } else {
      i++;
    }
  }
  return from === 0 ? text : result + text.slice(from);
}

const doubleQuote = 0x22;
const backslash = 0x5c;

/** The position behind the closing quote, or the end of what is looked at for a string that was cut. */
function endOfString(text: string, start: number): number {
  const end = Math.min(text.length, start + scanLimit);
  for (let i = start + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === backslash) {
      i++;
    } else if (code === doubleQuote) {
      return i + 1;
    }
  }
  return end;
}

function skipWhiteSpace(text: string, start: number): number {
  let i = start;
  while (i < start + scanLimit && isJsonWhiteSpace(text.charCodeAt(i))) {
    i++;
  }
  return i;
}

function isJsonWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
