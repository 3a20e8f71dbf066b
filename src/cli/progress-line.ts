import type { Progress, Redactor } from '../index.ts';
import { terminalLine } from './terminal-text.ts';

/** The one line of a terminal that shows how far a call is. */
export interface ProgressLine {
  readonly show: (progress: Progress) => void;
  readonly clear: () => void;
}

/** What a terminal needs to be, for a line that is written over. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** `undefined` for a stream that is no terminal: nothing is shown there. */
export function createProgressLine(terminal: Terminal, redactor: Redactor): ProgressLine | undefined {
  if (terminal.isTTY !== true) {
    return undefined;
  }
  const startOfLine = '\r\u001B[K';
  let shown = false;
  return {
    show: ({ progress, total, message }) => {
      const amount = total === undefined ? `${progress}` : `${progress} of ${total}`;
      const words = message === undefined ? '' : `: ${redactor.bounded(message, 200)}`;
      terminal.write(startOfLine + terminalLine(`progress ${amount}${words}`, (terminal.columns || 80) - 1));
      shown = true;
    },
    clear: () => {
      if (shown) {
        terminal.write(startOfLine);
        shown = false;
      }
    },
  };
}
