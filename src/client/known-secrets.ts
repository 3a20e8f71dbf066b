import { type Redactor, withKnownValues } from '../redact/redactor.ts';
import { readProperty } from '../redact/safe-read.ts';
import type { RequestRecord } from './request-record.ts';

/**
 * The redactor of one call: the credentials that an observed `fetch` saw in the request's own headers and URL are known
 * secrets, wherever the server echoes them. Built when the first text needs it, which a success never does.
 */
export function callRedactor(redactor: Redactor, record: RequestRecord | undefined): Redactor {
  const request = record?.httpRequest;
  if (request === undefined) {
    return redactor;
  }
  let knowing: Redactor | undefined;
  const current = (): Redactor => {
    knowing ??= withKnownValues(redactor, [
      ...headerSecrets(request.headers, redactor),
      ...urlSecrets(request.url),
    ]);
    return knowing;
  };
  return {
    text: (text) => current().text(text),
    value: (value) => current().value(value),
    bounded: (text, limit) => current().bounded(text, limit),
  };
}

/** The values of the headers that the redactor would mask by their names, and the values of cookies one by one. */
function headerSecrets(headers: unknown, redactor: Redactor): readonly string[] {
  return readHeaders(headers).flatMap(([name, value]) => {
    const masked = readProperty(redactor.value({ [name]: value }), name) !== value;
    const cookies = name === 'cookie' ? value.split(';').map(afterEquals) : [];
    return masked ? [value, ...cookies] : [];
  });
}

function readHeaders(headers: unknown): readonly (readonly [string, string])[] {
  try {
    return headers instanceof Headers ? [...headers] : [...new Headers(Object(headers))];
  } catch {
    return [];
  }
}

function afterEquals(pair: string): string {
  return pair.slice(pair.indexOf('=') + 1).trim();
}

/** User name, password, the two together, and every query value: none of them is needed to understand an error. */
function urlSecrets(url: unknown): readonly string[] {
  try {
    const { username, password, searchParams } = new URL(String(readProperty(url, 'url') ?? url));
    const login = password === '' ? [username] : [username, password, `${username}:${password}`];
    return [...login, ...searchParams.values()].flatMap(bothSpellings);
  } catch {
    return [];
  }
}

/** A URL spells some characters in percent escapes; a server may echo either spelling. */
function bothSpellings(value: string): readonly string[] {
  try {
    return [value, decodeURIComponent(value)];
  } catch {
    return [value];
  }
}
