/** Data goes to stdout, words to stderr. A reader that closes a pipe, such as `head`, has what it wanted. */

let readerGone = false;
let problem: string | undefined;

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  readerGone = true;
  if (code !== 'EPIPE') {
    problem ??= code ?? 'unknown error';
  }
});

// Nobody is left to tell.
process.stderr.on('error', () => undefined);

/** Writes to stdout; resolves when it is written, or when nobody reads any more. */
export function print(text: string | Uint8Array): Promise<void> {
  return readerGone
    ? Promise.resolve()
    : new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

/** Writes one line to stderr. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function isReaderGone(): boolean {
  return readerGone;
}

/** Why stdout could not be written, other than that its reader went away. */
export function outputProblem(): string | undefined {
  return problem;
}
