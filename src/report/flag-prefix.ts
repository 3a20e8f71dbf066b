/**
 * How a failure is told from a success in messages that have no error flag of their own (OpenAI). The text of a
 * failure gets a prefix; so that no tool can fake it, a success that begins with that prefix gets another one.
 */
export const failedPrefix = 'Tool execution failed:\n';
const succeededPrefix = 'Tool execution succeeded:\n';

/** The prefix that a message with this text needs; `''` for nearly every success. */
export function flagPrefix(failed: boolean, text: string): string {
  if (failed) {
    return failedPrefix;
  }
  return text.startsWith(failedPrefix) ? succeededPrefix : '';
}
