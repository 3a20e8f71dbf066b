/** Cutting and flattening text for messages and log lines. */

/** What stands at the end of a text that was cut. */
export const ellipsis = '…';

/**
 * At most `limit` UTF-16 units, then `…` when something was cut. Never ends inside a surrogate pair; a text of
 * exactly `limit` units is returned as it is.
 */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, cutPosition(text, limit)) + ellipsis;
}

/** The place nearest to `limit`, at or before it, where a cut splits no surrogate pair. */
export function cutPosition(text: string, limit: number): number {
  return limit > 0 && isHighSurrogate(text.charCodeAt(limit - 1)) && isLowSurrogate(text.charCodeAt(limit))
    ? limit - 1
    : limit;
}

/** Whether a text was cut at a place: it ends there, or an ellipsis stands there. */
export function isCutAt(text: string, i: number): boolean {
  return i >= text.length || text.charCodeAt(i) === 0x2026 || text.startsWith('...', i);
}

/**
 * The text as one line: each control character (C0, C1, DEL) and each U+2028 or U+2029 becomes one space, so
 * nobody can forge a second log line or move a terminal's cursor. Same length as the input, linear.
 */
export function oneLine(text: string): string {
  let result = '';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (isControl(text.charCodeAt(i))) {
      result += `${text.slice(from, i)} `;
      from = i + 1;
    }
  }
  return from === 0 ? text : result + text.slice(from);
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code === 0x2028 || code === 0x2029;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
