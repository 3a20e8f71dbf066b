/** Finds the user and password of URLs (RFC 3986, 3.2.1), also where a URL parser would give up. */
import { isCutAt } from './bounded-text.ts';
import { isAlphanumeric, isDigit, isLetter, isQuote, isSpace } from './char-classes.ts';
import { looksLikePassword, looksRandom } from './randomness.ts';
import { isMarkerAt, type Span } from './spans.ts';

const longestAuthority = 512;
const longestScheme = 20;
/** Of these, a name and a colon without any `@` are a login that was cut; elsewhere a colon may mean anything. */
const loginSchemes: ReadonlySet<string> = new Set(
  (
    'http https ws wss ftp ftps sftp ssh git postgres postgresql mysql mariadb mongodb mongodb+srv redis rediss ' +
    'amqp amqps smtp smtps imap imaps ldap ldaps mqtt mqtts nats mssql sqlserver clickhouse cockroachdb neo4j bolt'
  ).split(' '),
);
/** Bare names that are accounts of services, such as `git@`; a bare token has digits or is longer. */
const longestBareUser = 16;

export function findUserinfo(text: string, marker: string, spans: Span[]): void {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    if (isAlphanumeric(text.charCodeAt(at - 1))) {
      const span = userinfoAt(text, at + 3, marker);
      if (span !== undefined) {
        spans.push(span);
      }
    }
  }
}

function userinfoAt(text: string, start: number, marker: string): Span | undefined {
  if (isMarkerAt(text, start, marker)) {
    return undefined;
  }
  const url = readUrl(text, start);
  const { lastAt, authorityEnd, colon } = url;
  if (lastAt !== undefined && lastAt < authorityEnd) {
    return span(text, start, lastAt, colon);
  }
  const isAddress = text.charCodeAt(start) === 0x5b;
  if (isAddress || colon === undefined || colon >= authorityEnd || isPort(text, colon + 1, authorityEnd)) {
    return undefined;
  }
  // The password itself holds a slash, hash or question mark, or the URL was cut before its @.
  if (lastAt !== undefined) {
    return span(text, start, lastAt, colon);
  }
  const password = text.slice(colon + 1, authorityEnd);
  const isCut = isCutAt(text, url.end);
  const isLogin =
    looksLikePassword(password) || (isCut && password.length > 2 && password.toLowerCase() !== 'port');
  return isLogin && loginSchemes.has(schemeBefore(text, start - 3))
    ? span(text, start, url.end, colon)
    : undefined;
}

function schemeBefore(text: string, end: number): string {
  let start = end;
  while (
    start > end - longestScheme &&
    (isAlphanumeric(text.charCodeAt(start - 1)) || text.charAt(start - 1) === '+')
  ) {
    start--;
  }
  return text.slice(start, end).toLowerCase();
}

interface UrlParts {
  readonly end: number;
  /** Where the authority ends by the letter of RFC 3986. */
  readonly authorityEnd: number;
  /** The last `@`, wherever it stands. */
  readonly lastAt: number | undefined;
  readonly colon: number | undefined;
}

function readUrl(text: string, start: number): UrlParts {
  const stop = Math.min(text.length, start + longestAuthority);
  let authorityEnd: number | undefined;
  let lastAt: number | undefined;
  let colon: number | undefined;
  let end = start;
  for (; end < stop; end++) {
    const code = text.charCodeAt(end);
    if (endsUrl(text, end, code)) {
      break;
    }
    if (code === 0x40) {
      lastAt = end;
    } else if (code === 0x3a) {
      colon ??= end;
      if (text.startsWith('://', end)) {
        break;
      }
    } else if (authorityEnd === undefined && (code === 0x2f || code === 0x3f || code === 0x23)) {
      authorityEnd = end;
    }
  }
  return { end, authorityEnd: authorityEnd ?? end, lastAt, colon };
}

function endsUrl(text: string, i: number, code: number): boolean {
  if (isSpace(code) || isQuote(code) || code === 0x3c || code === 0x3e || code === 0x2026) {
    return true;
  }
  // `\n` and `\"` end a URL in escaped text.
  const next = text.charAt(i + 1);
  return code === 0x5c && (!isAlphanumeric(next.charCodeAt(0)) || 'nrt'.includes(next));
}

function span(text: string, start: number, end: number, colon: number | undefined): Span | undefined {
  const hasPassword = colon !== undefined && colon < end;
  if (
    end === start ||
    isTemplate(text, start, end, colon) ||
    (!hasPassword && isBareUser(text, start, end))
  ) {
    return undefined;
  }
  return { start, end };
}

function isPort(text: string, start: number, end: number): boolean {
  let i = start;
  while (i < end && isDigit(text.charCodeAt(i))) {
    i++;
  }
  return i === end || text.charCodeAt(i) === 0x5d || text.charCodeAt(i) === 0x3a;
}

/** `${user}:${pass}`, `{{user}}`, `user:***`. */
function isTemplate(text: string, start: number, end: number, colon: number | undefined): boolean {
  const part = text.slice(colon !== undefined && colon < end ? colon + 1 : start, end);
  const isVariable =
    (part.startsWith('$') || part.startsWith('{')) && (part.endsWith('}') || part.endsWith(')'));
  return isVariable || part.replaceAll('*', '') === '';
}

function isBareUser(text: string, start: number, end: number): boolean {
  if (end - start > longestBareUser || looksRandom(text, start, end)) {
    return false;
  }
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (!isLetter(code) && code !== 0x2d && code !== 0x5f && code !== 0x2e) {
      return false;
    }
  }
  return true;
}
