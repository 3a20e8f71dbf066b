import { cutText } from './bounded-text.ts';

export interface RedactorOptions {
  readonly keys?: readonly string[];
  readonly values?: readonly string[];
  readonly patterns?: readonly RegExp[];
  readonly marker?: string;
}

export interface Redactor {
  text(text: string): string;
  value(value: unknown): unknown;
  bounded(text: string, limit: number): string;
}

// First simple form: the scanners come next, the signatures are final.
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const marker = options.marker ?? '[REDACTED]';
  const text = (input: string): string =>
    (options.values ?? []).reduce((result, value) => result.replaceAll(value, marker), input);
  return {
    text,
    value: (value) => (typeof value === 'string' ? text(value) : value),
    bounded: (input, limit) => cutText(text(input.slice(0, limit + 4096)), limit),
  };
}

export function withKnownValues(redactor: Redactor, values: readonly string[]): Redactor {
  const known = createRedactor({ values });
  return {
    text: (input) => redactor.text(known.text(input)),
    value: (value) => redactor.value(known.value(value)),
    bounded: (input, limit) => redactor.bounded(known.text(input.slice(0, limit + 4096)), limit),
  };
}

export const defaultRedactor: Redactor = createRedactor();
