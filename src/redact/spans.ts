/** Where secrets stand in a text. Scanners only add spans; the text is rewritten once, at the end. */

import { isAsciiAlphanumeric } from './char-classes.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
  /** For a bare number: the quotes that the marker needs, so that JSON stays JSON. */
  readonly quote?: string;
}

/** The text with every span replaced by the marker. Spans may come in any order, overlap and touch. */
export function maskSpans(text: string, spans: readonly Span[], marker: string): string {
  const merged = mergeSpans(outsideMarkers(text, spans, marker));
  let result = '';
  let from = 0;
  for (const { start, end, quote = '' } of merged) {
    result += text.slice(from, start) + quote + marker + quote;
    from = end;
  }
  return merged.length === 0 ? text : result + text.slice(from);
}

function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  let last: Span | undefined;
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (last === undefined || span.start > last.end) {
      last = span;
      merged.push(span);
    } else if (span.end > last.end) {
      last = { start: last.start, end: span.end };
      merged[merged.length - 1] = last;
    }
  }
  return merged;
}

/** Whether a marker stands at a place as a word of its own: a value may start like a short marker. */
export function isMarkerAt(text: string, at: number, marker: string): boolean {
  return text.startsWith(marker, at) && !isAsciiAlphanumeric(text.charCodeAt(at + marker.length));
}

/** A marker that the text brought along is no secret, whatever a caller's pattern or value says. */
function outsideMarkers(text: string, spans: readonly Span[], marker: string): readonly Span[] {
  if (spans.length === 0 || !text.includes(marker)) {
    return spans;
  }
  return spans.filter((span) => {
    const from = Math.max(0, span.end - marker.length);
    const at = text.slice(from, span.start + marker.length).indexOf(marker);
    return at === -1 || from + at > span.start;
  });
}
