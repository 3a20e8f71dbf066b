/** Tokens that no literal prefix gives away, only their build. Each is anchored at two or three literal units. */
import { isCutAt } from './bounded-text.ts';
import { isAsciiAlphanumeric, isAsciiLetter, isDigit, isHexDigit } from './char-classes.ts';
import type { Span } from './spans.ts';

export interface TokenShape {
  /** The two or three units that the look-up anchors at. */
  readonly starts: readonly string[];
  /** `at` is where those stand; the token may start before it. Every candidate costs a bounded number of units. */
  readonly find: (text: string, at: number) => Span | undefined;
  readonly about: string;
  readonly source: string;
}

export const tokenShapes: readonly TokenShape[] = [
  {
    starts: ['eyJ'],
    find: findJwt,
    about:
      'JSON Web Token: base64url of {"…, a dot, and at least the start of a second part; or cut within its header.',
    source: 'RFC 7519, RFC 7515 (JWS), RFC 7516 (JWE)',
  },
  {
    starts: ['SG.'],
    find: findSendGridKey,
    about: 'SendGrid key: SG, a dot, two base64url parts.',
    source: 'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
  },
  {
    starts: ['Q~'],
    find: findEntraSecret,
    about: 'Microsoft Entra client secret: three units, a digit, Q~, 31 to 34 units.',
    source: 'https://learn.microsoft.com/purview/sit-defn-azure-ad-client-secret',
  },
  {
    starts: ['-us'],
    find: findMailchimpKey,
    about: 'Mailchimp key: 32 hexadecimal digits, -us, the number of the data centre.',
    source: 'https://mailchimp.com/developer/marketing/docs/fundamentals/',
  },
  {
    starts: [':AA'],
    find: findTelegramToken,
    about: 'Telegram bot token: 8 to 10 digits, :AA, about 33 units.',
    source: 'https://core.telegram.org/bots/api#authorizing-your-bot',
  },
  {
    starts: ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'],
    find: findDiscordToken,
    about: 'Discord bot token: the base64 of its numeric id (23 to 28 units), 6 units, 27 or more.',
    source: 'https://discord.com/developers/docs/reference#authentication',
  },
  {
    starts: ['pat'],
    find: findAirtableToken,
    about: 'Airtable personal access token: pat, 14 units, a dot, 64 hexadecimal digits.',
    source: 'https://airtable.com/developers/web/guides/personal-access-tokens',
  },
];

const longestToken = 4096;

function isBase64Url(code: number): boolean {
  return isAsciiAlphanumeric(code) || code === 0x2d || code === 0x5f;
}

function runEnd(text: string, start: number, limit: number, accepts: (code: number) => boolean): number {
  const stop = Math.min(text.length, start + limit);
  let end = start;
  while (end < stop && accepts(text.charCodeAt(end))) {
    end++;
  }
  return end;
}

function isDot(text: string, i: number): boolean {
  return text.charCodeAt(i) === 0x2e;
}

/** Base64url of `{"alg"`, `{"typ"` and the other first members of a header: enough even when the rest was cut. */
const headerStarts = [
  'eyJhbGci',
  'eyJ0eXAi',
  'eyJraWQi',
  'eyJlbmMi',
  'eyJqa3Ui',
  'eyJ4NXQi',
  'eyJjdHki',
  'eyJ6aXAi',
];

function findJwt(text: string, at: number): Span | undefined {
  if (!text.startsWith('eyJ', at) || isLetterBefore(text, at)) {
    return undefined;
  }
  const hasHeaderStart = headerStarts.includes(text.slice(at, at + 8));
  // Anything but a well-known header must show its dot early, so that a long run of base64 costs little.
  const headerEnd = runEnd(text, at, hasHeaderStart ? longestToken : 200, isBase64Url);
  const secondEnd = isDot(text, headerEnd)
    ? runEnd(text, headerEnd + 1, longestToken, isBase64Url)
    : headerEnd;
  const isJwt = hasHeaderStart
    ? headerEnd - at >= 12 || isCutAt(text, headerEnd)
    : headerEnd - at >= 12 && secondEnd - headerEnd > 4;
  if (!isJwt) {
    return undefined;
  }
  let end = runEnd(text, at, Number.POSITIVE_INFINITY, (code) => isBase64Url(code) || code === 0x2e);
  while (isDot(text, end - 1)) {
    end--;
  }
  return { start: at, end };
}

function isLetterBefore(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  return isAsciiLetter(code) && text.charCodeAt(at - 2) !== 0x5c && text.charCodeAt(at - 3) !== 0x25;
}

function findSendGridKey(text: string, at: number): Span | undefined {
  if (!isDot(text, at + 2) || isLetterBefore(text, at)) {
    return undefined;
  }
  const middle = runEnd(text, at + 3, 64, isBase64Url);
  if (middle - at - 3 < 16 || !isDot(text, middle)) {
    return undefined;
  }
  const end = runEnd(text, middle + 1, 128, isBase64Url);
  return end - middle > 8 ? { start: at, end } : undefined;
}

function isEntraUnit(code: number): boolean {
  return isBase64Url(code) || code === 0x7e || code === 0x2e;
}

function findEntraSecret(text: string, at: number): Span | undefined {
  const start = at - 4;
  if (start < 0 || !isDigit(text.charCodeAt(at - 1)) || runEnd(text, start, 3, isEntraUnit) !== start + 3) {
    return undefined;
  }
  const end = runEnd(text, at + 2, 40, isEntraUnit);
  return end - at >= 22 || (end - at > 4 && isCutAt(text, end)) ? { start, end } : undefined;
}

function findMailchimpKey(text: string, at: number): Span | undefined {
  const start = at - 32;
  if (!text.startsWith('-us', at) || !isDigit(text.charCodeAt(at + 3)) || start < 0) {
    return undefined;
  }
  const end = runEnd(text, at + 3, 3, isDigit);
  return runEnd(text, start, 32, isHexDigit) === at ? { start, end } : undefined;
}

function findTelegramToken(text: string, at: number): Span | undefined {
  let start = at;
  while (start > 0 && at - start < 11 && isDigit(text.charCodeAt(start - 1))) {
    start--;
  }
  const end = runEnd(text, at + 1, 64, isBase64Url);
  const isToken = end - at > 24 || (end - at > 6 && isCutAt(text, end));
  return isToken && at - start >= 8 && at - start <= 10 ? { start, end } : undefined;
}

function findDiscordToken(text: string, at: number): Span | undefined {
  const first = runEnd(text, at, 29, isBase64Url);
  if (first - at < 23 || !isDot(text, first) || isLetterBefore(text, at)) {
    return undefined;
  }
  const second = runEnd(text, first + 1, 7, isBase64Url);
  const end = runEnd(text, second + 1, 64, isBase64Url);
  const isToken = second - first === 7 && isDot(text, second) && (end - second > 20 || isCutAt(text, end));
  return isToken ? { start: at, end } : undefined;
}

function findAirtableToken(text: string, at: number): Span | undefined {
  const dot = at + 17;
  if (!text.startsWith('pat', at) || !isDot(text, dot) || runEnd(text, at, 17, isBase64Url) !== dot) {
    return undefined;
  }
  const end = runEnd(text, dot + 1, 64, isHexDigit);
  return end - dot > 32 ? { start: at, end } : undefined;
}
