import { print } from './streams.ts';

/** Lines on their way to stdout. */
export interface OutputLines {
  readonly add: (line: string) => void;
  readonly flush: () => Promise<void>;
}

const capacity = 4 * 1024 * 1024;
const lineFeed = 0x0a;

/** Encodes each line as it comes: to join a batch and encode it whole takes longer than all else that is done to it. */
export function createOutputLines(): OutputLines {
  let bytes = Buffer.allocUnsafe(capacity);
  let length = 0;

  const reserve = (size: number): void => {
    if (length + size > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(length + size, bytes.length * 2));
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
  };

  return {
    add: (line) => {
      reserve(Buffer.byteLength(line) + 1);
      length += bytes.write(line, length);
      bytes[length] = lineFeed;
      length += 1;
    },
    flush: async () => {
      if (length > 0) {
        await print(bytes.subarray(0, length));
        length = 0;
        bytes = bytes.length > capacity ? Buffer.allocUnsafe(capacity) : bytes;
      }
    },
  };
}
