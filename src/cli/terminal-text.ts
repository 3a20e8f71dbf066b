/** Text of a server as a terminal may show it: no control characters but line feeds and tabs, no reordering marks. */
export function terminalText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, ' ');
}

/** The same on one line, at most `width` UTF-16 units. */
export function terminalLine(text: string, width: number): string {
  const line = terminalText(text).replaceAll(/[\n\t]/g, ' ');
  return line.length <= width
    ? line
    : `${line.slice(0, Math.max(0, width - 1)).replace(/\p{Surrogate}$/u, '')}…`;
}
