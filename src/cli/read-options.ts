import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What `parseArgs` reads with these options. */
export type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true; strict: true }>
>;

/** `parseArgs` with errors that name the option and what is allowed, and never quote a value. */
export function readOptions<const T extends Options>(args: readonly string[], options: T): Parsed<T> {
  const { tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'option') {
      checkOption(token, options);
    }
  }
  return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkOption({ name, rawName, value, inlineValue }: OptionToken, options: Options): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined || !rawName.startsWith('--')) {
    const allowed = Object.keys(options).map((known) => `--${known}`);
    throw new UsageError(
      `Option ${printableName(rawName)}: not known, expected one of ${allowed.join(', ')}.`,
    );
  }
  if (option.type === 'boolean' && value !== undefined) {
    throw new UsageError(`Option --${name}: expected no value, got one.`);
  }
  const swallowed = inlineValue === false && value !== undefined && value.length > 1 && value.startsWith('-');
  if (option.type === 'string' && (value === undefined || swallowed)) {
    const way = swallowed ? ` (one that starts with "-" is written --${name}=-…)` : '';
    throw new UsageError(`Option --${name}: expected a value, got none${way}.`);
  }
}

/** A misspelt option may have its value glued to it. */
function printableName(rawName: string): string {
  return /^--?[a-z][a-z-]{0,30}/i.exec(rawName)?.[0] ?? '(unreadable)';
}

/** A number of milliseconds that a timer can hold. */
export function readMilliseconds(option: string, value: string): number {
  const milliseconds = /^\d{1,10}$/.test(value) ? Number(value) : 0;
  if (milliseconds < 1 || milliseconds > 2_147_483_647) {
    throw new UsageError(
      `Option --${option}: expected a whole number of milliseconds from 1 to 2147483647, got something else.`,
    );
  }
  return milliseconds;
}

/** One of a few words. */
export function readChoice<const T extends string>(option: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) {
    throw new UsageError(`Option --${option}: expected ${choices.join(' or ')}, got something else.`);
  }
  return choice;
}

/** A name, which may be anything but empty. */
export function readName(option: string, value: string): string {
  if (value.trim() === '') {
    throw new UsageError(`Option --${option}: expected a name, got an empty one.`);
  }
  return value;
}
