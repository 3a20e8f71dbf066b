/** Decides whether a value beside a secret's name is one of the harmless words and shapes of benign-patterns.ts. */

import { benignShapes, benignWords } from './benign-patterns.ts';
import { isMarkerAt } from './spans.ts';

const words: ReadonlySet<string> = new Set(benignWords.flatMap((row) => row.words.split(' ')));

const longestBenignValue = 64;
const closingPunctuation = '.,;:!?)]}>';

/** `marker` is what this redactor itself writes: a value that holds it was seen before. */
export function isBenignValue(value: string, marker: string): boolean {
  const trimmed = value.trim();
  if (trimmed === '' || isMarkerAt(trimmed, 0, marker)) {
    return true;
  }
  if (trimmed.length > longestBenignValue) {
    return false;
  }
  return isBenignPhrase(trimmed) || benignShapes.some((row) => row.pattern.test(trimmed));
}

function isBenignPhrase(phrase: string): boolean {
  return phrase
    .toLowerCase()
    .split(' ')
    .every((word) => words.has(withoutClosingPunctuation(word)));
}

function withoutClosingPunctuation(word: string): string {
  let end = word.length;
  while (end > 0 && closingPunctuation.includes(word.charAt(end - 1))) {
    end--;
  }
  return word.slice(0, end);
}
