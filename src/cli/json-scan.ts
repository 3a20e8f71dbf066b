/** How far a JSON text has come: its open brackets, and whether a string is open. */
export interface JsonScan {
  readonly depth: number;
  readonly inString: boolean;
  /** Behind the bracket that closed the last open one; `undefined` as long as there is none. */
  readonly end: number | undefined;
}

export const scanStart: JsonScan = { depth: 0, inString: false, end: undefined };

const quote = 0x22;
const backslash = 0x5c;

/** The scan after more bytes of a line, up to the end of the value. Brackets and strings only: parsing says the rest. */
export function scanBytes(bytes: Buffer, { depth: before, inString: open }: JsonScan): JsonScan {
  let depth = before;
  let inString = open;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === backslash) {
        i += 1;
      } else if (byte === quote) {
        inString = false;
      }
    } else if (byte === quote) {
      inString = true;
    } else if (isOpening(byte)) {
      depth += 1;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
      if (depth <= 0) {
        return { depth, inString, end: i + 1 };
      }
    }
  }
  return { depth, inString, end: undefined };
}

/** Whether an object or an array may begin with this byte. */
export function isOpening(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b;
}

const closing: ReadonlyMap<number | undefined, number> = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
  [quote, quote],
]);

/** `-`, the digits, and the first letters of `false`, `null` and `true`. */
const otherStarts: ReadonlySet<number | undefined> = new Set(Buffer.from('-0123456789fnt'));

/** Whether the first and the last byte allow the text to be JSON: to find out by a failed parse takes long. */
export function mayBeJson(bytes: Buffer): boolean {
  const first = bytes[skipBlank(bytes, 0)];
  let end = bytes.length;
  while (end > 0 && isBlankByte(bytes[end - 1])) {
    end -= 1;
  }
  const last = closing.get(first);
  return last === undefined ? otherStarts.has(first) : bytes[end - 1] === last;
}

/** Whether a document that goes on over more lines may begin with this line, as a log line in brackets may not. */
export function opensDocument(bytes: Buffer, { depth, inString }: JsonScan): boolean {
  const start = bytes.toString('latin1', 0, 64);
  return depth > 0 && !inString && /^\s*(?:\{\s*(?:"|$)|\[\s*(?:["{[\dtfn-]|$))/.test(start);
}

/** Where the first byte is that is no white space; the length when there is none. */
export function skipBlank(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isBlankByte(bytes[at])) {
    at += 1;
  }
  return at;
}

function isBlankByte(byte: number | undefined): boolean {
  return byte !== undefined && (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}
