import { type JsonScan, opensDocument, scanLine } from './json-scan.ts';
import type { Line } from './read-lines.ts';

/** What becomes of the lines: JSON values with the number of their first line, and lines that hold none. */
export interface DocumentSink {
  readonly onDocument: (line: number, value: unknown) => void;
  readonly onUnreadable: (line: number, why: 'not JSON' | 'too long') => void;
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
 * Reads JSON values from lines: one value a line, or values that are printed over several lines, of at most `limit`
 * bytes each. Lines that look like the start of such a value and turn out not to be are read again, one by one.
 */
export function createDocumentReader(
  { onDocument, onUnreadable }: DocumentSink,
  limit: number,
): DocumentReader {
  let pending: Pending | undefined;

  const giveUp = ({ first, text, length }: Pending): void => {
    pending = undefined;
    let from = 0;
    for (let line = first; from < length; line += 1) {
      const end = text.indexOf(lineFeed, from);
      // Parts of a broken document are indented; a line that was never part of one is not.
      const value = text[from] === 0x7b ? parseJson(text.subarray(from, end)) : undefined;
      if (value === undefined) {
        onUnreadable(line, 'not JSON');
      } else {
        onDocument(line, value);
      }
      from = end + 1;
    }
  };

  const pushFirst = (number: number, bytes: Buffer): void => {
    const value = parseJson(bytes);
    if (value !== undefined) {
      onDocument(number, value);
    } else if (opensDocument(bytes)) {
      const text = Buffer.allocUnsafe(firstCapacity);
      pending = { first: number, text, length: 0, scan: { depth: 0, inString: false } };
      append(pending, bytes);
    } else if (!isBlank(bytes)) {
      onUnreadable(number, 'not JSON');
    }
  };

  const pushNext = (document: Pending, bytes: Buffer): void => {
    append(document, bytes);
    const { depth, inString } = document.scan;
    if (inString || depth < 0 || document.length > limit) {
      giveUp(document);
    } else if (depth === 0) {
      const value = parseJson(document.text.subarray(0, document.length));
      if (value === undefined) {
        giveUp(document);
      } else {
        pending = undefined;
        onDocument(document.first, value);
      }
    }
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
        onUnreadable(number, 'too long');
      } else if (pending === undefined) {
        pushFirst(number, number === 1 ? withoutByteOrderMark(bytes) : bytes);
      } else {
        pushNext(pending, bytes);
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
  document.scan = scanLine(bytes, document.scan);
}

/** `undefined` for what is not JSON: no JSON text stands for it. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
