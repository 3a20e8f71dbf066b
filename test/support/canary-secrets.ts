/**
 * One secret for every place of a call that can hold one. They look random, carry no vendor's prefix, and no two share
 * a part, so that a part found somewhere names the place that it leaked from.
 */
import { createHash } from 'node:crypto';

export const places = [
  'Authorization header',
  'x-api-key header',
  'x-tenant header',
  'session cookie',
  'api_key in the URL',
  'tenant in the URL',
  'user in the URL',
  'password in the URL',
  'session id of the server',
  'argument "password"',
  'argument "query"',
  'HTTP body',
  'HTTP header that is refused',
  'api_key of the event stream',
  'WWW-Authenticate challenge',
  'JSON-RPC message',
  'JSON-RPC data',
  'text of a failed tool',
  'structured content of a failed tool',
  'text of a success',
  'failure body message',
  'failure body code',
  'failure body member',
  'thrown message',
  'thrown code',
  'thrown cause',
  'thrown request',
  'schema',
  'structured content',
  'abort reason',
  'server name',
  'tool name',
  'task id',
  'environment of the server',
] as const;

export type Place = (typeof places)[number];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 24 letters and digits, always the same for a place. */
export function secret(place: Place): string {
  const digest = createHash('sha256').update(`canary in ${place}`).digest();
  return [...digest.subarray(0, 24)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** What `Authorization: Basic` makes of the user and the password in the URL. */
export function basicCredentials(): string {
  return btoa(`${secret('user in the URL')}:${secret('password in the URL')}`);
}

const partLength = 8;

/** Every part of eight units of every secret, with its place. */
const parts: ReadonlyMap<string, Place> = new Map(
  places.flatMap((place) => [secret(place), ...encoded(place)].flatMap((text) => partsOf(text, place))),
);

/**
 * Base64 is the one encoding that hides these secrets from a search: all others leave letters and digits alone. With the
 * colon in front, it is how the password stands in the Basic credentials, since a secret fills whole groups of three.
 */
function encoded(place: Place): readonly string[] {
  return [btoa(secret(place)), btoa(`:${secret(place)}`)];
}

function partsOf(text: string, place: Place): readonly (readonly [string, Place])[] {
  const count = text.length - partLength + 1;
  return Array.from({ length: count }, (_, at) => [text.slice(at, at + partLength), place]);
}

/** The places whose secrets a text holds, whole or any eight units of them, also in base64. */
export function placesIn(text: string): ReadonlySet<Place> {
  const found = new Set<Place>();
  for (let at = 0; at + partLength <= text.length; at += 1) {
    const place = parts.get(text.slice(at, at + partLength));
    if (place !== undefined) found.add(place);
  }
  return found;
}
