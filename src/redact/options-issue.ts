import type * as v from 'valibot';
import { OptionsError, typeName } from './options-error.ts';

/** Names the option, what is allowed and what kind of value it got; of the value itself a number at most: it may be a secret. */
export function toOptionsError(issue: v.BaseIssue<unknown>, whole: string): OptionsError {
  const option = issue.path?.map((step) => String(step.key)).join('.') ?? whole;
  const got = issue.expected === 'never' ? 'an unknown name' : describeValue(issue.input);
  return new OptionsError(option, issue.message, got);
}

export function describeValue(value: unknown): string {
  if (value === '') {
    return 'an empty string';
  }
  return typeof value === 'number' ? String(value) : typeName(value);
}
