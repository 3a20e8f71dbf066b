import type { FailedOutcome, ToolOutcome } from '../outcome.ts';
import { readProperty } from '../redact/safe-read.ts';
import { toolLabel } from './model-content.ts';

const brand = Symbol.for('mcp-outcome.ToolCallError');

/**
 * A failed outcome as an exception. Its message is redacted. `outcome` is not enumerable and there is no `cause`, so
 * that a logger which prints the error prints neither the tool's answer nor the untouched thrown value.
 */
export class ToolCallError extends Error {
  declare readonly outcome: FailedOutcome;

  constructor(outcome: FailedOutcome) {
    super(`${toolLabel(outcome)} failed: ${outcome.message}`);
    this.name = 'ToolCallError';
    Object.defineProperty(this, 'outcome', { value: outcome });
    Object.defineProperty(this, brand, { value: true });
  }

  /** Recognizes the error by its brand, so that two copies of the package in one process agree. */
  static isInstance(value: unknown): value is ToolCallError {
    return readProperty(value, brand) === true;
  }
}

/**
 * The value of a success, for callers who want exceptions.
 * @throws ToolCallError for a failure. For `cancelled` the abort reason itself, where there is one.
 */
export function unwrap<T>(outcome: ToolOutcome<T>): T {
  if (outcome.ok) {
    return outcome.value;
  }
  if (outcome.kind === 'cancelled' && outcome.cause !== undefined) {
    throw outcome.cause;
  }
  throw new ToolCallError(outcome);
}
