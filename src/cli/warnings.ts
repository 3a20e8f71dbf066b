import { pino } from 'pino';
import type { OutcomeLogger, Redactor } from '../index.ts';
import { say } from './streams.ts';
import { terminalLine } from './terminal-text.ts';

const shortLine = 160;

/** A logger to stderr: pino's NDJSON, or for people a short line. What `redactor` knows never gets there. */
export function createWarnings(format: 'json' | 'text', redactor: Redactor): OutcomeLogger {
  const lines = pino({ name: 'mcp-outcome', level: 'warn' }, { write: (line) => say(line.trimEnd()) });
  return {
    warn: (record, message) => {
      const safe = redactor.text(message);
      if (format === 'text') {
        say(`warning: ${terminalLine(safe, shortLine)}`);
      } else {
        lines.warn(redactor.value(record), safe);
      }
    },
  };
}
