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

/** `error` and `scope` of a `WWW-Authenticate` challenge (RFC 6750 section 3); `undefined` when it has neither. */
export function readChallenge(header: string | null): AuthChallenge | undefined {
  const value = header?.slice(0, 4_096) ?? '';
  const error = parameter(value, /(?:^|[\s,])error="([^"]*)"|(?:^|[\s,])error=([^\s,"]+)/i);
  const scope = parameter(value, /(?:^|[\s,])scope="([^"]*)"|(?:^|[\s,])scope=([^\s,"]+)/i);
  return error === undefined && scope === undefined
    ? undefined
    : { ...(error === undefined ? {} : { error }), ...(scope === undefined ? {} : { scope }) };
}

function parameter(header: string, shape: RegExp): string | undefined {
  const match = shape.exec(header);
  return match?.[1] ?? match?.[2];
}
