/** Compacts JSON text without parsing it, so that it also works on the first part of a document. */

/**
 * Drops the white space outside strings when the text looks like JSON (starts, after white space, with `{` or
 * `[`); any other text is returned as it is. Linear, and valid JSON keeps its meaning.
 */
export function compactJsonWindow(text: string): string {
  const first = text.charAt(skipWhiteSpace(text, 0));
  if (first !== '{' && first !== '[') {
    return text;
  }
  let result = '';
  let from = 0;
  for (let i = 0; i < text.length; ) {
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

/** The position behind the closing quote, or the end of the text for a string that was cut. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === backslash) {
      i++;
    } else if (code === doubleQuote) {
      return i + 1;
    }
  }
  return text.length;
}

function skipWhiteSpace(text: string, start: number): number {
  let i = start;
  while (i < text.length && isJsonWhiteSpace(text.charCodeAt(i))) {
    i++;
  }
  return i;
}

function isJsonWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
