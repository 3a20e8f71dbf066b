import type { AuthChallenge } from '../outcome.ts';

/**
 * `Retry-After` (RFC 9110 section 10.2.3) in milliseconds from now: delay seconds, or an HTTP date, which may be past.
 * Anything else is as if the header were absent.
 */
export function readRetryAfter(header: string | null): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(value)) {
    return Number(value) * 1_000;
  }
  const date = parseHttpDate(value);
  return date === undefined ? undefined : Math.max(0, date - Date.now());
}

/** The preferred date format and the two obsolete ones (RFC 9110 section 5.6.7); all are UTC, the last does not say so. */
const httpDates: readonly { readonly shape: RegExp; readonly suffix: string }[] = [
  { shape: /^[A-Z][a-z]{2}, (\d{2}) [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/, suffix: '' },
  { shape: /^[A-Z][a-z]{5,8}, (\d{2})-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/, suffix: '' },
  { shape: /^[A-Z][a-z]{2} [A-Z][a-z]{2} ([ \d]\d) \d{2}:\d{2}:\d{2} \d{4}$/, suffix: ' GMT' },
];

function parseHttpDate(value: string): number | undefined {
  for (const { shape, suffix } of httpDates) {
    const day = shape.exec(value)?.[1];
    const time = day === undefined ? Number.NaN : Date.parse(value + suffix);
    // `Date.parse` makes 31 February a day in March.
    if (new Date(time).getUTCDate() === Number(day)) {
      return time;
    }
  }
  return undefined;
}

/** A parameter of a challenge (RFC 9110 section 11.2), or a word by itself. Quoted values are taken whole, so that no name is read inside one. */
const challengePart =
  /([\w!#$%&'*+.^`|~-]{1,64})(?:[ \t]{0,8}=[ \t]{0,8}(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g;

/**
 * `error` and `scope` of a challenge in `WWW-Authenticate` (RFC 6750 section 3): of several, Bearer's, else the first that
 * has one of them. `undefined` when none has.
 */
export function readChallenge(header: string | null): AuthChallenge | undefined {
  const challenges = splitChallenges((header ?? '').slice(0, 4_096)).filter(
    ({ parameters }) => parameters.has('error') || parameters.has('scope'),
  );
  const { parameters } = challenges.find(({ scheme }) => scheme === 'bearer') ?? challenges[0] ?? {};
  if (parameters === undefined) {
    return undefined;
  }
  const error = parameters.get('error');
  const scope = parameters.get('scope');
  return { ...(error === undefined ? {} : { error }), ...(scope === undefined ? {} : { scope }) };
}

interface Challenge {
  readonly scheme: string;
  readonly parameters: Map<string, string>;
}

/** A word that is no parameter starts a challenge: it names its scheme. */
function splitChallenges(header: string): readonly Challenge[] {
  let current: Challenge = { scheme: '', parameters: new Map() };
  const challenges = [current];
  for (const [, name = '', quoted, token] of header.matchAll(challengePart)) {
    const value = quoted === undefined ? token : quoted.replaceAll(/\\(.)/g, '$1');
    if (value === undefined) {
      current = { scheme: name.toLowerCase(), parameters: new Map() };
      challenges.push(current);
    } else if (!current.parameters.has(name.toLowerCase())) {
      current.parameters.set(name.toLowerCase(), value);
    }
  }
  return challenges;
}
