import { UsageError } from './usage-error.ts';

/** An expression in braces; without the closing one it goes on to the end. */
const expressions = /\$\{([^}]*)(\}?)/g;

/** Puts environment variables in the place of `${NAME}`, `${env:NAME}` and `${NAME:-default}`. */
export function expandVariables(subject: string, given: string): string {
  return given.replaceAll(expressions, (_whole, expression: string, end: string) => {
    if (end === '') {
      throw new UsageError(`${subject}: expected a } behind every \${, got one without.`);
    }
    if (expression.includes('${')) {
      throw new UsageError(`${subject}: expected no variable inside another, got one.`);
    }
    return readVariable(subject, expression);
  });
}

function readVariable(subject: string, expression: string): string {
  const [, variable, fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(expression) ?? [];
  if (variable === undefined) {
    const input = expression.startsWith('input:')
      ? ' an input, which only an editor can ask for'
      : ' something else';
    throw new UsageError(`${subject}: expected \${NAME} or \${env:NAME} for a variable, got${input}.`);
  }
  const value = process.env[variable] ?? fallback;
  if (value === undefined) {
    throw new UsageError(`${subject}: expected the environment variable ${variable} to be set, got none.`);
  }
  return value;
}
