/** The one error that this package throws for bad options, and the words that its messages share. */

const brand = Symbol.for('mcp-outcome.OptionsError');

/**
 * A bad option. The message names the option, what is allowed and what was given, never the value itself:
 * `Option "values": expected an array of strings, got number.`
 */
export class OptionsError extends TypeError {
  readonly option: string;

  constructor(option: string, expected: string, got: string) {
    super(`Option "${option}": expected ${expected}, got ${got}.`);
    this.name = 'OptionsError';
    this.option = option;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Recognizes the error by its brand, so that two copies of the package in one process agree. */
  static isInstance(value: unknown): value is OptionsError {
    try {
      return typeof value === 'object' && value !== null && Reflect.get(value, brand) === true;
    } catch {
      return false;
    }
  }
}

/** The kind of a value for error messages: `null`, `array`, else its `typeof`. Never throws. */
export function typeName(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  try {
    return Array.isArray(value) ? 'array' : typeof value;
  } catch {
    return 'object';
  }
}
