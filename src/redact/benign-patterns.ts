/** Values that stand where a secret could stand and are none: words of error messages, type names, placeholders. */

export interface BenignWordRow {
  readonly words: string;
  readonly about: string;
}

/** Compared in lower case, without closing punctuation. A value made only of these words stays. */
export const benignWords: readonly BenignWordRow[] = [
  { words: 'await new typeof delete', about: 'Operators in source code.' },
  {
    words: 'null undefined none nil nan true false yes no on off 0 1 -1 n/a na empty blank',
    about: 'No value.',
  },
  {
    words:
      'string number boolean bool object array unknown any void never function date buffer bigint symbol int integer ' +
      'float double bytes char varchar text uuid url uri email json promise optional nullable str',
    about: 'Type names in schemas, signatures and validation messages.',
  },
  {
    words:
      'token tokens password passwords secret secrets key keys apikey credential credentials session cookie cookies ' +
      'auth authorization authentication authenticate header headers value values username user login account field ' +
      'parameter param argument option flag variable environment env name names file',
    about: 'The subject of the message, named again.',
  },
  {
    words:
      'required missing invalid expired revoked unauthorized unauthenticated forbidden denied rejected malformed ' +
      'incorrect wrong bad failed failure error unsupported unrecognized unexpected disabled enabled locked expires ' +
      'mismatch mismatched inactive active valid ok okay pass passed success successful accepted allowed ' +
      'not-set unset set present absent found provided supplied specified given configured defined unconfigured ' +
      'optional default auto automatic inherit same-origin include omit pending refreshed refreshing renewed created ' +
      'deleted updated changed reset rotated generated verified unverified confirmed exists loaded saved stored used ' +
      'fail skip skipped done complete completed partial running warning unused exceeded exhausted insufficient limited unlimited too-short weak strong short long invalid_token ' +
      'invalid_grant invalid_client invalid_request unauthorized_client',
    about: 'What error messages say about a credential.',
  },
  {
    words:
      'a an and are as at be been by can cannot could did do does for from has have if in instead into is it its ' +
      'least length may more most must my no not of only or other our should so than that the their then there these ' +
      'this to too until use was we were when where which while will with without would you your after again before ' +
      'between both but character characters char chars digit digits letter letters at-least contain contains match ' +
      'matches minimum maximum min max please try see check checks checking needs need cannot be',
    about: 'Function words, and the rules of passwords.',
  },
  {
    words:
      'sha1 sha256 sha384 sha512 md5 base64 base64url bcrypt argon2 argon2id pbkdf2 scrypt hs256 rs256 es256 eddsa utf8 ' +
      'basic bearer digest negotiate ntlm oauth oauth2 jwt mtls saml sso ldap kerberos hawk hmac scheme realm plain ' +
      'public private client server api http https',
    about: 'Names of schemes and algorithms, which are values of keys such as "auth".',
  },
  {
    words:
      'redacted filtered masked hidden removed omitted censored placeholder changeme change-me example sample dummy ' +
      'todo tbd here env-var secret-here your-key-here self object',
    about: 'Placeholders and the words of other redactors.',
  },
];

export interface BenignShapeRow {
  readonly pattern: RegExp;
  readonly about: string;
}

/** Tested against a whole value of at most 64 units, so any pattern here must be safe on such a slice only. */
export const benignShapes: readonly BenignShapeRow[] = [
  { pattern: /^[*xX•.…#_?~|<>+-]*$/, about: 'Stars, dots, "xxxx", YAML block marks, a lone dash.' },
  {
    pattern: /^[[(<{*]{1,4}[A-Za-z][A-Za-z _-]{0,40}[\])>}*]{1,4}$/,
    about: '[REDACTED], <your-secret>, ***MASKED***, {token}.',
  },
  {
    pattern: /^\$(?:\{[^{}]{1,60}\}|\([^()]{1,60}\)?|[A-Z_][A-Z\d_]{0,60}$|[a-z_]{1,40}$)/,
    about: 'Variables of shells and templates, also in braces, and commands in place of a value.',
  },
  {
    pattern: /^(?:\$\d{1,3}(?:::[a-z]{1,20})?|[:?]\d{1,3}|@p\d{1,3}|%[sdi]|%\([A-Za-z_]{1,40}\)[sdi])$/,
    about: 'Placeholders of SQL statements: $1, :1, ?1, @p0, %s, %(name)s.',
  },
  { pattern: /^(?:\{\{|<%|#\{|@\{|\{%)/, about: 'Templates of Handlebars, Jinja, ERB, Ruby, Azure.' },
  {
    pattern: /^[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3]{1,64}$/,
    about: 'Prose in Chinese, Japanese and Korean, which has no spaces.',
  },
  { pattern: /^&lt;[^&;]{1,40}&gt;?$/, about: 'A placeholder with its brackets as HTML entities.' },
  { pattern: /^%[A-Za-z_]{1,40}%$/, about: 'Windows variables: %TOKEN%.' },
  {
    pattern: /^(?:process\.env|os\.environ|env\.|ENV\[|import\.meta|vault:|secretKeyRef)/,
    about: 'A reference to where the secret is kept.',
  },
  { pattern: /^(?:YOUR[A-Z_ -]|[Yy]our[_ -])[A-Za-z_ -]{0,60}$/, about: 'YOUR_API_KEY, your-token-here.' },
  {
    pattern: /^[A-Z]{2,20}(?:_[A-Z]{2,20}){1,5}$/,
    about: 'The name of a variable or of an error code: ACCESS_TOKEN, ERR_TOKEN_EXPIRED.',
  },
  {
    pattern: /^[\^~>=<v]{0,2}\d{1,3}(?:\.\d{1,4}){2}(?:-[a-z]{1,10}(?:\.\d{1,4})?)?$/,
    about: 'Version numbers of packages: "cookie": "^0.5.0".',
  },
  { pattern: /^(?:ssh-rsa|ssh-ed25519|ecdsa-sha2-\w{1,20}) /, about: 'Public keys of SSH.' },
  { pattern: /^[A-Za-z_$][A-Za-z_$.]{0,60}\($/, about: 'The start of a call in source code.' },
  {
    pattern:
      /^(?:this|self|options|opts|config|args|props|params|process|module|exports)\.[A-Za-z_$.]{1,40}$/,
    about: 'A member in source code.',
  },
  { pattern: /^(?:async |function\b|\([^()]{0,50}\) ?=>)/, about: 'Source code.' },
  { pattern: /^<\/?[a-z|_]{1,30}>$/, about: 'Markup, and tokens of language models: </s>, <|end|>.' },
];
