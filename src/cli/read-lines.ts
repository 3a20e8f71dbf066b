/** One line of the input, without its line feed. A line over the limit is never held: its `bytes` are `undefined`. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer | undefined;
}

const lineFeed = 0x0a;

/** Splits chunks into lines, a batch for each chunk. Holds a chunk and an unfinished line of at most `limit` bytes. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  limit: number,
): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;

  const finish = (): Line => {
    number += 1;
    const bytes = length > limit ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts);
    parts = [];
    length = 0;
    return { number, bytes };
  };
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > limit) {
      parts = [];
    } else {
      parts.push(part);
    }
  };

  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, end));
      lines.push(finish());
      from = end + 1;
    }
    if (from < chunk.length) {
      add(chunk.subarray(from));
    }
    yield lines;
  }
  if (length > 0) {
    yield [finish()];
  }
}
