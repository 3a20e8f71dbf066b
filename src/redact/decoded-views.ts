/**
 * Parts of a text that hide other text behind an encoding: percent (RFC 3986, also form-encoded), HTML
 * entities, `\u0022` escapes, ANSI colours. Each is decoded once, scanned like any text, and what is found is
 * marked in the original, so nothing has to be encoded again and the rest keeps its bytes.
 */
import { isDigit, isHexDigit, isLineBreak, isQuote, isSpace } from './char-classes.ts';
import type { Span } from './spans.ts';

export interface DecodedView {
  readonly text: string;
  /** The span of the original text for a span of the decoded one. */
  readonly toSource: (span: Span) => Span;
}

/**
 * The escape that starts at a place, as one number: its length times 256, plus the ASCII code that it stands
 * for, or 255 when it stands for nothing. 0 when none starts there.
 */
type ReadEscape = (text: string, at: number) => number;

const nothing = 255;

function packEscape(length: number, code: number): number {
  return length * 256 + code;
}

function escapeLength(packed: number): number {
  return packed >>> 8;
}

/** Shorter decoded parts cannot hold a name and a secret. */
const shortestView = 10;

/** Every run that holds `%XX`, then every line that holds one of the other encodings. */
export function* decodedViews(text: string): Generator<DecodedView> {
  yield* viewsAround(text, nextOf(text, ['%']), readPercent, endsRun);
  yield* viewsAround(text, nextOf(text, ['&', '\\u', '\u001b[']), readMarkup, isLineBreak);
}

function* viewsAround(
  text: string,
  next: (from: number) => number,
  read: ReadEscape,
  endsPart: (code: number) => boolean,
): Generator<DecodedView> {
  let floor = 0;
  for (let at = next(0); at !== -1; ) {
    if (read(text, at) === 0) {
      at = next(at + 1);
      continue;
    }
    let start = at;
    while (start > floor && !endsPart(text.charCodeAt(start - 1))) {
      start--;
    }
    let end = at + 1;
    while (end < text.length && !endsPart(text.charCodeAt(end))) {
      end++;
    }
    const view = decode(text, start, end, read);
    if (view.text.length >= shortestView) {
      yield view;
    }
    floor = end;
    at = next(end);
  }
}

/** The next place, from `from` on, of any of the literals. Each literal is searched once over the whole text. */
function nextOf(text: string, literals: readonly string[]): (from: number) => number {
  const places = literals.map((literal) => ({ literal, at: text.indexOf(literal) }));
  return (from) => {
    let nearest = -1;
    for (const place of places) {
      if (place.at !== -1 && place.at < from) {
        place.at = text.indexOf(place.literal, from);
      }
      if (place.at !== -1 && (nearest === -1 || place.at < nearest)) {
        nearest = place.at;
      }
    }
    return nearest;
  };
}

/** Where the escapes of a view are: `behind[i]` units into the decoded text the source goes on at `source[i]`. */
interface EscapeMap {
  readonly behind: number[];
  readonly source: number[];
}

function decode(text: string, start: number, end: number, read: ReadEscape): DecodedView {
  const map: EscapeMap = { behind: [], source: [] };
  const pieces: string[] = [];
  let from = start;
  let length = 0;
  for (let i = start; i < end; ) {
    const found = startsEscape(text.charCodeAt(i)) ? read(text, i) : 0;
    if (found === 0) {
      i++;
      continue;
    }
    const char = (found & nothing) === nothing ? '' : String.fromCharCode(found & nothing);
    // Where escapes follow each other, their characters are all there is to keep.
    if (i > from) {
      pieces.push(text.slice(from, i));
    }
    pieces.push(char);
    length += i - from + char.length;
    i += escapeLength(found);
    from = i;
    map.behind.push(length);
    map.source.push(i);
  }
  pieces.push(text.slice(from, end));
  return {
    text: pieces.join(''),
    toSource: (span) => {
      // By its last unit, so that a colour code behind the span stays.
      const lastUnit = sourcePosition(map, start, span.end - 1);
      return {
        start: sourcePosition(map, start, span.start),
        end: lastUnit + Math.max(1, escapeLength(read(text, lastUnit))),
      };
    },
  };
}

/** Counted from the last escape that is over at a decoded position. */
function sourcePosition(map: EscapeMap, start: number, position: number): number {
  let low = 0;
  let high = map.behind.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((map.behind[middle] ?? 0) <= position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low === 0 ? start + position : (map.source[low - 1] ?? 0) + position - (map.behind[low - 1] ?? 0);
}

function startsEscape(code: number): boolean {
  return code === 0x25 || code === 0x2b || code === 0x26 || code === 0x5c || code === 0x1b;
}

/** Only ASCII: names and delimiters are, and half a character must never come out. Forms write `+` for a space. */
function readPercent(text: string, at: number): number {
  switch (text.charCodeAt(at)) {
    case 0x25:
      return asciiEscape(text, at + 1, 2, 3);
    case 0x2b:
      return packEscape(1, 0x20);
  }
  return 0;
}

function asciiEscape(text: string, at: number, digits: number, length: number): number {
  let code = 0;
  for (let i = at; i < at + digits; i++) {
    const unit = text.charCodeAt(i);
    if (!isHexDigit(unit)) {
      return 0;
    }
    code = code * 16 + (isDigit(unit) ? unit - 0x30 : (unit | 0x20) - 0x57);
  }
  return code < 128 ? packEscape(length, code) : 0;
}

function readMarkup(text: string, at: number): number {
  switch (text.charCodeAt(at)) {
    case 0x26:
      return readEntity(text, at);
    case 0x5c:
      return text.charCodeAt(at + 1) === 0x75 ? asciiEscape(text, at + 2, 4, 6) : 0;
    case 0x1b:
      return readColour(text, at);
  }
  return 0;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['#34', '"'],
  ['#38', '&'],
  ['#39', "'"],
  ['#039', "'"],
  ['#60', '<'],
  ['#61', '='],
  ['#62', '>'],
  ['#x22', '"'],
  ['#x26', '&'],
  ['#x27', "'"],
  ['#x2f', '/'],
  ['#x2F', '/'],
  ['#x3d', '='],
  ['#x3D', '='],
]);

const longestEntity = 6;

function readEntity(text: string, at: number): number {
  for (let end = at + 3; end <= at + 1 + longestEntity; end++) {
    if (text.charCodeAt(end) === 0x3b) {
      const char = entities.get(text.slice(at + 1, end));
      return char === undefined ? 0 : packEscape(end + 1 - at, char.charCodeAt(0));
    }
  }
  return 0;
}

const longestColour = 24;

/** `ESC [ … m` and the other control sequences of ECMA-48 with a letter at their end. */
function readColour(text: string, at: number): number {
  let end = at + 2;
  while (end < at + longestColour && (isDigit(text.charCodeAt(end)) || text.charCodeAt(end) === 0x3b)) {
    end++;
  }
  const final = text.charCodeAt(end);
  const isFinal = text.charCodeAt(at + 1) === 0x5b && final >= 0x40 && final <= 0x7e;
  return isFinal ? packEscape(end + 1 - at, nothing) : 0;
}

/** An apostrophe needs no percent encoding, so it may stand inside a run. */
function endsRun(code: number): boolean {
  return isSpace(code) || (isQuote(code) && code !== 0x27) || code === 0x3c || code === 0x3e || code === 0x5c;
}
