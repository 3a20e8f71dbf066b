/**
 * How a key name tells that its value is a secret. A name is split into words (humps, `_ - . $ : /`, spaces)
 * and read from its end: the last word decides, or the last two. So `max_tokens`, `author` and `tokenizer`
 * stay, and `OPENAI_API_KEY`, `x-api-key` and `userPassword` go.
 */

/**
 * `secret`: any value. `plural`: any value but a count. `header`: credentials after a scheme word. `cookie`: a
 * whole cookie line. `password`: one word that
 * is no count. `random`: a value that looks random.
 * `digits`: 4 to 8 digits, or random. `query`: a random value in a query or form only. `name`: no secret; the
 * value names the key that another member's value belongs to.
 */
export type KeyClass =
  | 'secret'
  | 'plural'
  | 'header'
  | 'cookie'
  | 'password'
  | 'random'
  | 'digits'
  | 'query'
  | 'name';

/** The classes that say something about the value itself. */
export type SecretClass = Exclude<KeyClass, 'name'>;

export interface KeyWordRow {
  readonly words: readonly string[];
  readonly class: KeyClass;
  readonly about: string;
}

/** Words that decide alone, as the last word of a key. */
export const keyWords: readonly KeyWordRow[] = [
  {
    words: ['password', 'passwords', 'passwd', 'pwd', 'passphrase', 'passcode', 'passkey'],
    class: 'secret',
    about: 'Passwords; libpq, mysql and ODBC connection parameters spell them this way.',
  },
  {
    words: ['secret', 'otp', 'totp', 'jwt', 'bearer', 'creds'],
    class: 'secret',
    about:
      'Client secrets and tokens of OAuth 2.0 (RFC 6749), bearer tokens (RFC 6750), JWT (RFC 7519), one-time passwords (RFC 6238).',
  },
  {
    words: ['secrets', 'credentials', 'credential', 'apikeys'],
    class: 'plural',
    about: 'Often the name of a list or a count; the count may stay.',
  },
  {
    words: [
      'apikey',
      'apitoken',
      'accesstoken',
      'authtoken',
      'refreshtoken',
      'idtoken',
      'bearertoken',
      'csrftoken',
      'xsrftoken',
      'usertoken',
      'bottoken',
      'sessiontoken',
      'clientsecret',
      'appsecret',
      'privatekey',
      'secretkey',
      'accesskey',
      'authkey',
      'signingkey',
      'encryptionkey',
      'masterkey',
      'sharedkey',
      'accountkey',
      'connectionstring',
    ],
    class: 'secret',
    about: 'The two-word names below, written as one lower-case word.',
  },
  {
    words: ['sessionid', 'phpsessid', 'jsessionid', 'sessid', 'aspsessionid'],
    class: 'secret',
    about: 'Session ids: whoever has one can use the session (OWASP Session Management Cheat Sheet).',
  },
  {
    words: ['samlresponse', 'samlrequest', 'samlassertion', 'xsrf'],
    class: 'secret',
    about: 'SAML 2.0 HTTP POST binding parameters; XSRF-TOKEN without its second word.',
  },
  {
    words: [
      'passwort',
      'kennwort',
      'contraseña',
      'contrasena',
      'senha',
      'motdepasse',
      'wachtwoord',
      'пароль',
      '密码',
      '密碼',
      'パスワード',
      '비밀번호',
    ],
    class: 'secret',
    about: '"Password" in other languages.',
  },
  {
    words: ['authorization'],
    class: 'header',
    about: 'Authorization and Proxy-Authorization (RFC 9110, 11.6.2 and 11.7.2).',
  },
  { words: ['cookie', 'cookies'], class: 'cookie', about: 'Cookie and Set-Cookie (RFC 6265).' },
  {
    words: ['pswd', 'userpass', 'dbpass', 'smtppass', 'mailpass', 'ftppass'],
    class: 'secret',
    about: 'Passwords, shortened.',
  },
  {
    words: [
      'auth',
      'sid',
      'session',
      'signature',
      'sig',
      'hmac',
      'mac',
      'ticket',
      'csrf',
      'assertion',

      'salt',
    ],
    class: 'random',
    about: 'Names of credentials and of harmless things alike.',
  },
  { words: ['pin', 'mfa', 'cvv', 'cvc'], class: 'digits', about: 'Short numbers that people type.' },
  {
    words: ['state', 'hash'],
    class: 'query',
    about: 'OAuth 2.0 state (RFC 6749, 10.12) and signed links; ordinary words elsewhere.',
  },
  {
    words: ['name', 'header', 'field', 'param', 'parameter', 'variable', 'var', 'k'],
    class: 'name',
    about: 'name/value pairs: HAR, Kubernetes env lists, XML attributes, multipart/form-data (RFC 7578).',
  },
];

export interface KeyPairRow {
  readonly last: string;
  /** With one of these before it, the last word means a secret. */
  readonly secretAfter: readonly string[];
  /** With one of these before it, it never does. */
  readonly neverAfter: readonly string[];
  /** What the last word means otherwise, if anything. */
  readonly alone?: KeyClass;
  /** What it means in a name such as `DIFY_KEY`, if that differs. */
  readonly inEnvironment?: KeyClass;
  readonly about: string;
}

const passwordOwners = [
  'db',
  'database',
  'sql',
  'mysql',
  'postgres',
  'pg',
  'mongo',
  'redis',
  'smtp',
  'imap',
  'mail',
  'email',
  'ftp',
  'sftp',
  'ssh',
  'http',
  'proxy',
  'ldap',
  'user',
  'admin',
  'root',
  'login',
  'auth',
  'api',
  'app',
  'account',
  'wifi',
  'amqp',
  'rabbitmq',
  'key',
  'keystore',
] as const;

const passes = [
  'first',
  'second',
  'third',
  'last',
  'final',
  'next',
  'previous',
  'single',
  'multi',
  'one',
  'two',
  'no',
  'by',
  'render',
  'shader',
  'compiler',
  'boarding',
] as const;

const keyOwners = [
  'api',
  'access',
  'secret',
  'private',
  'signing',
  'encryption',
  'master',
  'shared',
  'account',
  'storage',
  'service',
  'session',
  'auth',
  'license',
  'consumer',
  'app',
  'application',
  'subscription',
  'function',
  'functions',
  'host',
  'hmac',
  'ssh',
  'deploy',
  'anon',
  'role',
  'admin',
  'webhook',
  'client',
  'server',
  'aes',
  'rsa',
  'jwt',
  'token',
  'recovery',
  'integration',
  'publisher',
] as const;

/** Words that need the word before them. */
export const keyPairs: readonly KeyPairRow[] = [
  {
    last: 'token',
    secretAfter: [],
    neverAfter: [
      'page',
      'next',
      'continuation',
      'cursor',
      'sync',
      'progress',
      'cancel',
      'cancellation',
      'stop',
      'eos',
      'bos',
      'pad',
      'unk',
      'mask',
      'sep',
      'cls',
      'special',
      'start',
      'end',
      'first',
      'last',
      'per',
      'output',
      'input',
      'prompt',
      'design',
      'unexpected',
      'idempotency',
      'resume',
      'pagination',
      'previous',
      'prev',
    ],
    alone: 'secret',
    about:
      'Access tokens; but also page cursors (Google API design), MCP progressToken, and words of language models.',
  },
  {
    last: 'tokens',
    secretAfter: ['api', 'access', 'refresh', 'auth', 'bearer', 'secret', 'session'],
    neverAfter: [],
    about: 'A plain "tokens" counts words of a language model.',
  },
  {
    last: 'key',
    secretAfter: keyOwners,
    neverAfter: [
      'primary',
      'foreign',
      'public',
      'sort',
      'partition',
      'cache',
      'hash',
      'row',
      'index',
      'idempotency',
      'dedup',
      'dedupe',
      'deduplication',
      'unique',
      'natural',
      'composite',
      'surrogate',
      'range',
      'object',
      'lookup',
      'group',
      'join',
      'query',
      'record',
      'translation',
      'message',
      'i18n',
      'routing',
      'bucket',
      's3',
      'enter',
      'return',
      'escape',
      'tab',
      'arrow',
      'shift',
      'control',
      'any',
      'press',
      'registry',
      'map',
      'dict',
      'property',
      'config',
      'setting',
      'answer',
      'gpg',
      'pgp',
    ],
    alone: 'random',
    inEnvironment: 'secret',
    about: 'API keys and signing keys; but also the keys of tables, maps and keyboards.',
  },
  {
    last: 'keys',
    secretAfter: keyOwners,
    neverAfter: [],
    about: 'Lists of API keys; a plain "keys" lists names.',
  },
  {
    last: 'id',
    secretAfter: ['session', 'sess'],
    neverAfter: [],
    about: 'mcp-session-id (Model Context Protocol, Streamable HTTP) and web session ids.',
  },
  {
    last: 'sid',
    secretAfter: ['connect'],
    neverAfter: [],
    alone: 'random',
    about: 'connect.sid of Express.',
  },
  {
    last: 'code',
    secretAfter: ['auth', 'authorization', 'recovery', 'backup', 'device', 'otp', 'mfa', 'verification'],
    neverAfter: ['status', 'error', 'exit', 'http', 'country', 'language', 'zip', 'postal'],
    alone: 'query',
    about: 'OAuth 2.0 authorization codes (RFC 6749, 4.1.2) and device codes (RFC 8628); error codes stay.',
  },
  {
    last: 'pat',
    secretAfter: ['github', 'gitlab', 'azure', 'devops', 'personal'],
    neverAfter: [],
    alone: 'random',
    inEnvironment: 'secret',
    about: 'Personal access tokens, as GITHUB_PAT.',
  },
  {
    last: 'verifier',
    secretAfter: ['code'],
    neverAfter: [],
    about: 'PKCE (RFC 7636); code_challenge is public.',
  },
  {
    last: 'string',
    secretAfter: ['connection', 'conn'],
    neverAfter: [],
    about: 'Database connection strings, with their passwords.',
  },
  {
    last: 'pass',
    secretAfter: passwordOwners,
    neverAfter: passes,
    alone: 'password',
    inEnvironment: 'plural',
    about: 'Short for password, as SMTP_PASS; but also "pass: 12, fail: 0", and the passes of a compiler.',
  },
  {
    last: 'pw',
    secretAfter: passwordOwners,
    neverAfter: [],
    alone: 'password',
    inEnvironment: 'plural',
    about: 'The same, shorter.',
  },
  { last: 'word', secretAfter: ['pass'], neverAfter: [], about: 'passWord, PASS_WORD.' },
  { last: 'phrase', secretAfter: ['pass'], neverAfter: [], about: 'passPhrase, PASS_PHRASE.' },
  { last: 'base', secretAfter: ['key'], neverAfter: [], about: 'secret_key_base of Ruby on Rails.' },
  {
    last: 'response',
    secretAfter: ['saml'],
    neverAfter: [],
    about: 'SAMLResponse of the SAML 2.0 HTTP POST binding.',
  },
  { last: 'request', secretAfter: ['saml'], neverAfter: [], about: 'SAMLRequest, likewise.' },
  {
    last: 'dsn',
    secretAfter: ['database', 'db'],
    neverAfter: [],
    about: 'Data source names hold passwords.',
  },
];

/** Words at the end of a key that say nothing about its value: the word before them decides. */
export const neutralKeyWords: readonly string[] = [
  'value',
  'string',
  'raw',
  'b64',
  'base64',
  'encoded',
  'encrypted',
  'plain',
  'plaintext',
  'hash',
  'old',
  'new',
  'current',
  'prod',
  'production',
  'test',
  'dev',
  'staging',
  'confirm',
  'confirmation',
  'provided',
  'given',
  'header',
  'is',
  'was',
  'v',
];

/** Endings of names without any word boundary: `PGPASSWORD`, `OPENAIAPIKEY`, `dbpassword`, and scripts without spaces. */
export const gluedKeyEndings: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'apikey',
  'accesskey',
  'privatekey',
  'secretkey',
  'apitoken',
  'accesstoken',
  'authtoken',
  'refreshtoken',
  'clientsecret',
  '密码',
  '密碼',
  'パスワード',
  '비밀번호',
];

/** Keys beyond this length count as secret: nobody writes them, so they hold something else. */
export const longestKey = 512;
