import { readEventLine } from './event-lines.ts';
import {
  isOpening,
  type JsonScan,
  mayBeJson,
  opensDocument,
  scanBytes,
  scanStart,
  skipBlank,
} from './json-scan.ts';
import type { Line } from './read-lines.ts';

/** Why something on a line could not be read. */
type Unreadable = 'not JSON' | 'not JSON behind a value' | 'too long';

/** What becomes of the lines: JSON values with the number of their first line, and lines that hold something else. */
export interface DocumentSink {
  readonly onDocument: (line: number, value: unknown) => void;
  /** At most once a line. */
  readonly onUnreadable: (line: number, why: Unreadable) => void;
}

export interface DocumentReader {
  readonly push: (line: Line) => void;
  readonly end: () => void;
}

/** The lines of a value that is not complete yet, each with its line feed. */
interface Pending {
  readonly first: number;
  text: Buffer;
  length: number;
  scan: JsonScan;
}

const lineFeed = 0x0a;
const firstCapacity = 65_536;

/**
 * Reads JSON values from lines: one value a line, values that touch on one, or values that are printed over several
 * lines, of at most `limit` bytes each. Lines that look like the start of such a value and turn out not to be are read
 * again, one by one. The fields of an event stream count as the lines that they hold.
 */
export function createDocumentReader(
  { onDocument, onUnreadable }: DocumentSink,
  limit: number,
): DocumentReader {
  let pending: Pending | undefined;
  let lastUnreadable = 0;
  let lineFailed = false;

  const refuse = (line: number, why: Unreadable): void => {
    if (line > lastUnreadable) {
      lastUnreadable = line;
      onUnreadable(line, why);
    }
  };

  const giveUp = ({ first, text, length }: Pending): void => {
    pending = undefined;
    let from = 0;
    for (let line = first; from < length; line += 1) {
      const end = text.indexOf(lineFeed, from);
      // Parts of a broken document are indented; a line that was never part of one is not.
      if (text[from] === 0x7b) {
        // Not as a line of its own, which is parsed at once: most of these never close, and a failed parse is slow.
        pushValues(line, text.subarray(from, end), false);
      } else {
        refuse(line, 'not JSON');
      }
      from = end + 1;
    }
  };

  const pushLine = (number: number, bytes: Buffer): void => {
    const value = mayBeJson(bytes) ? parseLine(bytes) : undefined;
    if (value === undefined) {
      pushValues(number, bytes, true);
    } else {
      onDocument(number, value);
    }
  };

  /** A failed parse is slow, a scan is not: behind a line that failed, the next is scanned before it is parsed. */
  const parseLine = (bytes: Buffer): unknown => {
    const value = lineFailed && neverCloses(bytes) ? undefined : parseJson(bytes);
    lineFailed = value === undefined;
    return value;
  };

  /** Each value is looked for by its brackets: to parse what is left, again and again, takes time by its square. */
  const pushValues = (number: number, bytes: Buffer, mayGoOn: boolean, behindValue = false): void => {
    let why: Unreadable = behindValue ? 'not JSON behind a value' : 'not JSON';
    for (let from = skipBlank(bytes, 0); from < bytes.length; from = skipBlank(bytes, from)) {
      const rest = bytes.subarray(from);
      const scan = isOpening(rest[0]) ? scanBytes(rest, scanStart) : scanStart;
      if (scan.end === undefined) {
        if (mayGoOn && opensDocument(rest, scan)) {
          pending = { first: number, text: Buffer.allocUnsafe(firstCapacity), length: 0, scan };
          append(pending, rest);
        } else {
          refuse(number, why);
        }
        return;
      }
      const value = parseJson(rest.subarray(0, scan.end));
      if (!holdsMessages(value)) {
        refuse(number, why);
        return;
      }
      onDocument(number, value);
      why = 'not JSON behind a value';
      from += scan.end;
    }
  };

  const pushNext = (document: Pending, number: number, bytes: Buffer): void => {
    document.scan = scanBytes(bytes, document.scan);
    const { end, inString } = document.scan;
    append(document, bytes.subarray(0, end));
    const tooLong = document.length > limit;
    if (end === undefined) {
      if (tooLong || inString) {
        giveUp(document);
      }
      return;
    }
    const value = tooLong ? undefined : parseJson(document.text.subarray(0, document.length));
    if (value === undefined) {
      giveUp(document);
    } else {
      pending = undefined;
      onDocument(document.first, value);
    }
    pushValues(number, bytes.subarray(end), true, value !== undefined);
  };

  const end = (): void => {
    if (pending !== undefined) {
      giveUp(pending);
    }
  };

  return {
    push: ({ number, bytes }) => {
      if (bytes === undefined) {
        end();
        refuse(number, 'too long');
        return;
      }
      const content = readEventLine(number === 1 ? withoutByteOrderMark(bytes) : bytes);
      if (pending === undefined) {
        pushLine(number, content);
      } else {
        pushNext(pending, number, content);
      }
    },
    end,
  };
}

function append(document: Pending, bytes: Buffer): void {
  const length = document.length + bytes.length + 1;
  if (length > document.text.length) {
    const larger = Buffer.allocUnsafe(Math.max(length, document.text.length * 2));
    document.text.copy(larger, 0, 0, document.length);
    document.text = larger;
  }
  bytes.copy(document.text, document.length);
  document.text[length - 1] = lineFeed;
  document.length = length;
}

function neverCloses(bytes: Buffer): boolean {
  const text = bytes.subarray(skipBlank(bytes, 0));
  return isOpening(text[0]) && scanBytes(text, scanStart).end === undefined;
}

/** `undefined` for what is not JSON: no JSON text stands for it. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Whether a value may stand beside others on a line: an object, or a list of objects. Numbers and words in brackets
 * before an object are the head of a log line.
 */
function holdsMessages(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isObject) : isObject(value);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
