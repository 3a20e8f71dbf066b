/** Bad usage or bad input: one line for a person, exit code 2. Never holds a value that somebody passed in. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
