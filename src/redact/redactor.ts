/** Masks secrets in texts and values: what the caller knows first, then what shapes, schemes and key names tell. */
import { cutPosition, cutText, ellipsis } from './bounded-text.ts';
import { isSpace } from './char-classes.ts';
import { findSecrets } from './find-secrets.ts';
import { classifyKey, joinedKey } from './key-names.ts';
import { longestKey, type SecretClass } from './key-patterns.ts';
import { findKnownValues, knownForms } from './known-values.ts';
import { OptionsError } from './options-error.ts';
import {
  type CheckedOptions,
  checkRedactorOptions,
  defaultMarker,
  markerWords,
  type RedactorOptions,
} from './redactor-options.ts';
import { secretPart } from './secret-parts.ts';
import { maskSpans, type Span } from './spans.ts';
import { walkValue } from './value-walk.ts';

export type { RedactorOptions };

/** Implement it to bring your own. Every method must be safe to call on whatever a server sent. */
export interface Redactor {
  /** The text without its secrets. Applying it twice changes nothing more. */
  text(text: string): string;
  /** A redacted copy as plain JSON data; at most 12 levels and 20,000 values. The input is never changed. */
  value(value: unknown): unknown;
  /** The text without its secrets, then cut: at most `limit` UTF-16 units, then `…`. Its cost does not grow with the text. */
  bounded(text: string, limit: number): string;
}

/** The markers of this package's own redactors, for the redactors that wrap them. */
const markers = new WeakMap<Redactor, string>();

/** How far behind the limit a bounded text is looked at: a secret there may move under the limit. */
const windowSlack = 4096;
/** A word that the window cut is dropped, since its telling part may be missing; a longer one is no token. */
const longestCutWord = 1024;

/** Throws `OptionsError` for options that are not allowed, unknown names included. */
export function createRedactor(options?: RedactorOptions): Redactor {
  const checked = checkRedactorOptions(options === undefined ? {} : options);
  if (!isStableMarker(checked.marker)) {
    throw new OptionsError('marker', markerWords, 'one that is masked again');
  }
  return redactorOf(checked);
}

const noOptions: CheckedOptions = { keys: [], values: [], patterns: [], marker: defaultMarker };

/** The redactor with no options. */
export const defaultRedactor: Redactor = redactorOf(noOptions);

/**
 * Another redactor that masks the given secret values first, in every form in which a server may echo them, and
 * leaves the rest to `redactor`, which may be the caller's own. Values below 8 units are ignored.
 */
export function withKnownValues(redactor: Redactor, values: readonly string[]): Redactor {
  const forms = knownForms(values);
  if (forms.length === 0) {
    return redactor;
  }
  const marker = markers.get(redactor) ?? defaultMarker;
  const mask = (text: string): string => {
    const spans: Span[] = [];
    findKnownValues(text, forms, spans);
    return maskSpans(text, spans, marker);
  };
  const rules = { text: mask, classify: () => undefined, mask: () => undefined };
  return {
    text: (text) => redactor.text(mask(text)),
    value: (value) => redactor.value(walkValue(value, rules)),
    bounded: (text, limit) =>
      boundedText(text, limit, mask, (masked, units) => redactor.bounded(masked, units)),
  };
}

/** Whether a redactor is one of this package's own, which never throw and always answer with what they should. */
export function isOwnRedactor(redactor: Redactor): boolean {
  return markers.has(redactor);
}

function redactorOf(options: CheckedOptions): Redactor {
  const rules = {
    marker: options.marker,
    extraKeys: new Set(options.keys.map(joinedKey)),
    knownForms: knownForms(options.values),
  };
  const patterns = options.patterns.map(globalCopy);
  const once = (input: string): string => {
    const found = [...findSecrets(input, rules), ...matches(input, patterns)];
    return maskSpans(input, found, options.marker);
  };
  const text = (input: string): string => {
    const masked = once(input);
    return masked === input ? masked : redactMarkedLines(masked, options.marker, once);
  };
  const walkRules = {
    text,
    classify: (name: string): SecretClass | undefined =>
      name.length > longestKey ? 'secret' : classifyKey(name, name.length, rules.extraKeys),
    mask: (keyClass: SecretClass, value: string): string | undefined => {
      const part = secretPart(keyClass, value, options.marker, false);
      return part && value.slice(0, part.start) + options.marker + value.slice(part.end);
    },
  };
  const redactor: Redactor = {
    text,
    value: (value) => walkValue(value, walkRules),
    bounded: (input, limit) =>
      boundedText(input, limit, text, (masked, units) => cutBeforeMarker(masked, units, options.marker)),
  };
  markers.set(redactor, options.marker);
  return redactor;
}

/**
 * A marker may uncover something beside it that the secret had hidden, so the lines with a marker are scanned
 * once more: applying the redactor twice then changes nothing more.
 */
function redactMarkedLines(text: string, marker: string, redact: (text: string) => string): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf(marker); at !== -1; at = text.indexOf(marker, from)) {
    const start = Math.max(from, text.lastIndexOf('\n', at) + 1);
    const lineBreak = text.indexOf('\n', at);
    const end = lineBreak === -1 ? text.length : lineBreak + 1;
    result += text.slice(from, start) + redact(text.slice(start, end));
    from = end;
  }
  return result + text.slice(from);
}

/** Redacts a window, drops a last word that the window cut, then cuts by `cut`. */
function boundedText(
  text: string,
  limit: number,
  redact: (text: string) => string,
  cut: (text: string, limit: number) => string,
): string {
  const units = Math.max(0, Math.floor(limit)) || 0;
  const windowEnd = units + windowSlack;
  if (text.length <= windowEnd) {
    return cut(redact(text), units);
  }
  const result = cut(withoutLastWord(redact(text.slice(0, cutPosition(text, windowEnd)))), units);
  return result.endsWith(ellipsis) ? result : cutText(result, units).slice(0, units) + ellipsis;
}

function withoutLastWord(text: string): string {
  const floor = Math.max(0, text.length - longestCutWord);
  let end = text.length;
  while (end > floor && !isSpace(text.charCodeAt(end - 1))) {
    end--;
  }
  return text.slice(0, cutPosition(text, end));
}

/** Half a marker would read like a rest of the secret. */
function cutBeforeMarker(text: string, limit: number, marker: string): string {
  if (text.length <= limit) {
    return text;
  }
  const start = text.lastIndexOf(marker, limit - 1);
  const splitsMarker = start !== -1 && start < limit && start + marker.length > limit;
  return splitsMarker ? text.slice(0, start) + ellipsis : cutText(text, limit);
}

/** The caller's own pattern keeps its `lastIndex`. */
function globalCopy(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
}

function matches(text: string, patterns: readonly RegExp[]): readonly Span[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) =>
      match[0] === '' ? [] : [{ start: match.index, end: match.index + match[0].length }],
    ),
  );
}

/** Whether the marker looks like no secret, and is left alone wherever a redactor may write it. */
function isStableMarker(marker: string): boolean {
  const alone = `${marker} Bearer ${marker}`;
  const redactor = redactorOf({ ...noOptions, marker });
  const places = [
    `token=${marker}`,
    `Authorization: Bearer ${marker}`,
    `{"password":"${marker}"}`,
    `https://${marker}@example.com/`,
    `the token ${marker} is`,
    `--api-key ${marker} --x`,
  ];
  return (
    marker === defaultMarker ||
    (defaultRedactor.text(alone) === alone && places.every((place) => redactor.text(place) === place))
  );
}
