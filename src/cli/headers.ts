import { UsageError } from './usage-error.ts';

/** The headers of every request, each with one of its values. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** As they are sent: values of one name are joined, the way that is right for the name. */
export function toHeaders(list: HeaderList): Headers {
  const headers = new Headers();
  for (const [name, value] of list) {
    headers.append(name, value);
  }
  return headers;
}

/** Headers of a message and its connection, which fetch writes itself: it fails or waits for ever with another's. */
const headersOfFetch: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** What no field value may hold (RFC 9110 section 5.5). Tabs may stand in one. */
const controlCharacter = /[^\P{Cc}\t\u0080-\u009F]/u;

/** Checks a header before anything is sent. No error shows its value, nor a name that is none: it may be a value. */
export function checkHeader(subject: string, expected: string, name: string, value: string): void {
  if (!isSendable(name, '')) {
    throw new UsageError(`${subject}: expected ${expected}, got something else.`);
  }
  if (headersOfFetch.has(name.toLowerCase())) {
    throw new UsageError(`${subject}: expected no ${name}, which is not for a caller to set, got one.`);
  }
  if (controlCharacter.test(value)) {
    throw new UsageError(`${subject}: expected a value of ${name} without control characters, got some.`);
  }
  if (!isSendable(name, value)) {
    throw new UsageError(`${subject}: expected a value of ${name} in ISO 8859-1, got something else.`);
  }
}

function isSendable(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}
