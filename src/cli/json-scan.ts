/** How far a JSON text that is spread over lines has come: its open brackets, and whether a string is open. */
export interface JsonScan {
  readonly depth: number;
  readonly inString: boolean;
}

const quote = 0x22;
const backslash = 0x5c;

/** The scan after one more line. A depth below 0 is no JSON. Brackets and strings only: parsing says the rest. */
export function scanLine(bytes: Buffer, { depth: before, inString: open }: JsonScan): JsonScan {
  let depth = before;
  let inString = open;
  for (let i = 0; i < bytes.length && depth >= 0; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === backslash) {
        i += 1;
      } else if (byte === quote) {
        inString = false;
      }
    } else if (byte === quote) {
      inString = true;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
    }
  }
  return { depth, inString };
}

/** Whether a document that goes on over more lines may begin with this line, as a log line in brackets may not. */
export function opensDocument(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 64);
  const { depth, inString } = scanLine(bytes, { depth: 0, inString: false });
  return depth > 0 && !inString && /^\s*(?:\{\s*(?:"|$)|\[\s*(?:["{[\dtfn-]|$))/.test(start);
}
