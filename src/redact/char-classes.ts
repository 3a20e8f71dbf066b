/** Classes of UTF-16 units, looked up in a table: the scanners ask for every unit of a text. */

const upper = 1;
const lower = 2;
const digit = 4;
const blank = 8;
const lineBreak = 16;
const quote = 32;
/** The characters of tokens in running text: RFC 7235 `token68` without its padding rule. */
const token = 64;
const hexDigit = 128;

const table = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  table[code] =
    (char >= 'A' && char <= 'Z' ? upper | token : 0) |
    (char >= 'a' && char <= 'z' ? lower | token : 0) |
    (char >= '0' && char <= '9' ? digit | token | hexDigit : 0) |
    ('abcdefABCDEF'.includes(char) ? hexDigit : 0) |
    (char === ' ' || char === '\t' ? blank : 0) |
    (char === '\n' || char === '\r' ? lineBreak : 0) |
    ('"\'`'.includes(char) ? quote : 0) |
    ('-._~+/='.includes(char) ? token : 0);
}

function classOf(code: number): number {
  return code < 128 ? (table[code] ?? 0) : isForeignLetter(code) ? lower : 0;
}

/** Key words exist in other scripts too. Roughly: no symbols, punctuation, surrogates or (for NaN) end of text. */
function isForeignLetter(code: number): boolean {
  return (code >= 0xc0 && code < 0x2000) || (code >= 0x3040 && code < 0xd800);
}

export function isUpper(code: number): boolean {
  return (classOf(code) & upper) !== 0;
}

export function isLower(code: number): boolean {
  return (classOf(code) & lower) !== 0;
}

export function isLetter(code: number): boolean {
  return (classOf(code) & (upper | lower)) !== 0;
}

export function isDigit(code: number): boolean {
  return (classOf(code) & digit) !== 0;
}

export function isHexDigit(code: number): boolean {
  return (classOf(code) & hexDigit) !== 0;
}

export function isAlphanumeric(code: number): boolean {
  return (classOf(code) & (upper | lower | digit)) !== 0;
}

/** Tokens are ASCII, whatever script the text around them has. */
export function isAsciiAlphanumeric(code: number): boolean {
  return code < 128 && isAlphanumeric(code);
}

export function isAsciiLetter(code: number): boolean {
  return code < 128 && isLetter(code);
}

/** Punctuation of CJK text, full-width forms and typographic quotes. */
export function isWidePunctuation(code: number): boolean {
  return (
    (code >= 0x2018 && code <= 0x201f) ||
    (code >= 0x3000 && code <= 0x303f) ||
    (code >= 0xff00 && code <= 0xff0f) ||
    (code >= 0xff1a && code <= 0xff20)
  );
}

export function isBlank(code: number): boolean {
  return (classOf(code) & blank) !== 0;
}

export function isLineBreak(code: number): boolean {
  return (classOf(code) & lineBreak) !== 0;
}

/** A space, tab or line break. */
export function isSpace(code: number): boolean {
  return (classOf(code) & (blank | lineBreak)) !== 0;
}

export function isQuote(code: number): boolean {
  return (classOf(code) & quote) !== 0;
}

/** 0 for what ends a token, 2 for capitals and digits, 1 for the rest of a token. */
export function tokenWeight(code: number): 0 | 1 | 2 {
  const kind = code < 128 ? (table[code] ?? 0) : 0;
  if ((kind & token) === 0) {
    return 0;
  }
  return (kind & (upper | digit)) === 0 ? 1 : 2;
}

/** Letters, digits and the characters that join the words of one key: `_`, `-`, `.` and `$`. */
export function isKeyChar(code: number): boolean {
  return isAlphanumeric(code) || code === 0x5f || code === 0x2d || code === 0x2e || code === 0x24;
}
