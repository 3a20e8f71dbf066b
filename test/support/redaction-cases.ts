/**
 * Hand-written redaction rows. ⟦…⟧ encloses what must be masked, and nothing else may change: a row without
 * brackets must come out as it went in. ⟦#…⟧ encloses a bare number, whose marker needs quotes. Every secret is
 * invented and joined from fragments.
 */

export interface RedactionRow {
  readonly name: string;
  readonly text: string;
}

const opaque = ['Zq7Kx9mB', '2vT4rL8n', 'W3pD6sH1'].join('');
const hex = ['9f86d081', '884c7d65', '9a2feaa0', 'c55ad015'].join('');
const uuid = ['3f2b8c1d', '9a7e', '4c5b', '8d6f', '1e2a3b4c5d6e'].join('-');
const base64 = ['dXNlcjpz', 'M2NyM3Q=', ''].join('');
const jwt = [
  ['eyJhbGciOi', 'JIUzI1NiJ9'].join(''),
  ['eyJzdWIiOi', 'IxMjM0NTY3', 'ODkwIn0'].join(''),
  ['dozjgNryP4', 'J3jVmNHl0w', '5N_XgL0n3I9P'].join(''),
].join('.');
const pem = (kind: string): string =>
  [
    `-----BEGIN ${kind}PRIVATE KEY-----`,
    ['MIIEvQIBADANBgkqhki', 'G9w0BAQEFAASCBKcwggSjAgEAAoIBAQ'].join(''),
    ['C7VJTUt9Us8cKjMzEfYyji', 'WA4R4ha8LKFBjFGBhGJEXJ'].join(''),
    `-----END ${kind}PRIVATE KEY-----`,
  ].join('\n');
const github = ['ghp', '_x7Qm2Lr9Vb4Nt6', 'Kd8Wp3Zs1Yc5Hf0Jg2Ra'].join('');

/** The text that goes in. */
export function inputOf(row: RedactionRow): string {
  return row.text.replaceAll(/⟦#?|⟧/g, '');
}

/** The text that must come out. */
export function maskedOf(row: RedactionRow): string {
  return row.text.replaceAll(/⟦#[^⟧]*⟧/g, '"[REDACTED]"').replaceAll(/⟦[^⟧]*⟧/g, '[REDACTED]');
}

export const headerRows: readonly RedactionRow[] = [
  { name: 'bearer', text: `Authorization: Bearer ⟦${opaque}⟧` },
  { name: 'lower case', text: `authorization: bearer ⟦${opaque}⟧\nhost: a.example` },
  { name: 'upper case', text: `AUTHORIZATION: BEARER ⟦${opaque}⟧\nHOST: a.example` },
  { name: 'proxy', text: `Proxy-Authorization: Basic ⟦${base64}⟧` },
  { name: 'opaque without scheme', text: `Authorization: ⟦${opaque}⟧\r\nAccept: */*` },
  { name: 'short opaque', text: 'Authorization: ⟦hunter2⟧\r\nAccept: */*' },
  { name: 'token scheme', text: `Authorization: token ⟦${opaque}⟧` },
  { name: 'api key scheme', text: `Authorization: ApiKey ⟦${base64}⟧` },
  { name: 'opsgenie scheme', text: `Authorization: GenieKey ⟦${uuid}⟧` },
  {
    name: 'digest',
    text: `Authorization: Digest ⟦username="bob", realm="a", nonce="x", response="${hex}"⟧\nHost: a`,
  },
  { name: 'digest, cut', text: 'Authorization: Digest ⟦username="bob", response="x1⟧' },
  {
    name: 'aws',
    text: `Authorization: AWS4-HMAC-SHA256 ⟦Credential=AKIAIOSFODNN7EXAMPLE/20260101/eu/s3/aws4_request, Signature=${hex}⟧`,
  },
  {
    name: 'shared access signature',
    text: `Authorization: SharedAccessSignature ⟦sr=a&sig=${opaque}%3D&se=1&skn=root⟧`,
  },
  { name: 'in a curl command', text: `curl -H 'Authorization: Bearer ⟦${opaque}⟧' https://a.example` },
  { name: 'in a curl command, double quotes', text: `curl -H "X-Api-Key: ⟦${opaque}⟧" https://a.example` },
  { name: 'in JSON', text: `{"Authorization":"Bearer ⟦${opaque}⟧","Accept":"*/*"}` },
  {
    name: 'in JSON, two levels',
    text: `{"a":"{\\"b\\":\\"{\\\\\\"authorization\\\\\\":\\\\\\"Bearer ⟦${opaque}⟧\\\\\\",\\\\\\"n\\\\\\":1}\\"}"}`,
  },
  { name: 'in a flat header list', text: `['Accept','*/*','Authorization','Bearer ⟦${opaque}⟧','Host','a']` },
  { name: 'in header pairs', text: `[["authorization","Bearer ⟦${opaque}⟧"],["host","a"]]` },
  {
    name: 'as a name and a value',
    text: `{"name":"Authorization","value":"Bearer ⟦${opaque}⟧"},{"name":"Accept","value":"*/*"}`,
  },
  { name: 'in a Python dump', text: `{'Authorization': 'Bearer ⟦${opaque}⟧', 'Accept': '*/*'}` },
  { name: 'in a Go dump', text: `map[Authorization:[Bearer ⟦${opaque}⟧] Host:[a.example]]` },
  {
    name: 'in a request dump with escaped breaks',
    text: `'GET / HTTP/1.1\\r\\nAuthorization: Bearer ⟦${opaque}⟧\\r\\nHost: a\\r\\n'`,
  },
  {
    name: 'a header value that fetch refuses',
    text: `Headers.append: "Bearer ⟦${opaque}⟧\n" is an invalid header value.`,
  },
  { name: 'token scheme with a parameter', text: `Authorization: Token ⟦token="${opaque}"⟧\nHost: a` },
  { name: 'gitlab', text: `PRIVATE-TOKEN: ⟦${opaque}⟧\nHost: a` },
  { name: 'azure', text: `Ocp-Apim-Subscription-Key: ⟦${hex}⟧\nHost: a` },
  { name: 'functions', text: `x-functions-key: ⟦${opaque}==⟧\nHost: a` },
  { name: 'amazon token', text: `X-Amz-Security-Token: ⟦${opaque}/${opaque}+${opaque}==⟧\nHost: a` },
  { name: 'vault', text: `X-Vault-Token: ⟦${opaque}⟧\nHost: a` },
  { name: 'csrf token', text: `X-CSRF-Token: ⟦${opaque}⟧\nHost: a` },
  { name: 'session id of MCP', text: `mcp-session-id: ⟦${uuid}⟧\nmcp-protocol-version: 2025-06-18` },
  { name: 'cookie', text: `Cookie: ⟦sid=${opaque}; theme=dark⟧\nHost: a` },
  { name: 'set-cookie', text: `Set-Cookie: ⟦sid=abc; Path=/; HttpOnly⟧\r\nServer: x` },
  { name: 'set-cookie list', text: `'set-cookie': [ '⟦a=1; Path=/⟧', '⟦b=2⟧' ], server: 'x'` },
  { name: 'cookie in JSON', text: `{"cookie":"⟦sid=abc⟧","host":"a"}` },
  { name: 'cookie in a command', text: `curl --cookie "⟦sid=${opaque}⟧" https://a.example` },
  { name: 'in a formatted string', text: `headers["Authorization"] = f"Bearer ⟦${opaque}⟧"` },
  {
    name: 'challenge stays',
    text: 'WWW-Authenticate: Bearer realm="mcp", error="invalid_token", resource_metadata="https://a.example/.well-known/oauth-protected-resource"',
  },
  { name: 'authorization as a word', text: 'Authorization: required for this tool' },
  {
    name: 'authorization of a schema',
    text: '{"authorization":{"type":"oauth2"},"authorizationUrl":"https://a.example/authorize"}',
  },
  { name: 'prose about bearer', text: 'Use Bearer authentication with a valid token.' },
  { name: 'prose about a cookie', text: `cookie: ${opaque} is not known\npassword=⟦hunter2⟧` },
  { name: 'cookie banner', text: 'cookie: accept all cookies to go on' },
  {
    name: 'protocol headers stay',
    text: 'mcp-protocol-version: 2025-06-18\ncontent-type: text/event-stream\nx-request-id: req_011CSHoEeqs5C35K2UUqR7Fy\nretry-after: 120',
  },
];

export const keyedRows: readonly RedactionRow[] = [
  { name: 'JSON', text: '{"password":"⟦hunter2⟧","user":"bob"}' },
  { name: 'JSON with spaces', text: '{ "password" : "⟦hunter2⟧" , "user" : "bob" }' },
  { name: 'pretty JSON', text: '{\n  "client_secret": "⟦a-b-c-d⟧",\n  "scope": "read"\n}' },
  { name: 'JSON number', text: '{"password":⟦#12345678⟧,"n":1}' },
  { name: 'JSON in JSON', text: '{"body":"{\\"password\\":\\"⟦hunter2⟧\\",\\"n\\":1}"}' },
  {
    name: 'JSON in JSON in JSON',
    text: '{"a":"{\\"b\\":\\"{\\\\\\"password\\\\\\":\\\\\\"⟦hunter2⟧\\\\\\",\\\\\\"n\\\\\\":1}\\"}"}',
  },
  { name: 'a quote inside', text: '{"password":"⟦a\\"b⟧","n":1}' },
  { name: 'a backslash at the end', text: '{"password":"⟦ab\\\\⟧","n":1}' },
  { name: 'a quote inside, nested', text: '"{\\"password\\":\\"⟦a\\\\\\"b⟧\\",\\"n\\":1}"' },
  { name: 'delimiters inside', text: '{"password":"⟦a,b;c&d=e:f}⟧","n":1}' },
  { name: 'cut JSON', text: '{"user":"bob","password":"⟦hunt⟧' },
  { name: 'camel case', text: '{"clientSecret":"⟦abc-def⟧","clientId":"me"}' },
  { name: 'acronym', text: '{"openAIAPIKey":"⟦abc-def⟧","userID":"me"}' },
  { name: 'prefix', text: '{"dbPassword":"⟦abc-def⟧","dbHost":"h"}' },
  { name: 'number at the end', text: '{"password2":"⟦abc-def⟧","line2":"h"}' },
  {
    name: 'neutral word at the end',
    text: '{"passwordConfirmation":"⟦abc-def⟧","orderConfirmation":"ok-77"}',
  },
  { name: 'list of keys', text: '{"api_keys":["⟦abc-def⟧","⟦ghi-jkl⟧"],"keys":["a","b"]}' },
  { name: 'inspect', text: "{ apiKey: '⟦abc-def⟧', model: 'm1' }" },
  { name: 'inspect, nested', text: "{ config: { auth: { username: 'bob', password: '⟦hunter2⟧' } } }" },
  { name: 'YAML', text: 'user: bob\npassword: ⟦hunter2⟧\nport: 5432' },
  { name: 'ini', text: '[db]\npassword = ⟦hunter2⟧\nport = 5432' },
  { name: 'TOML', text: 'token = "⟦hunter2⟧"\nport = 5432' },
  { name: 'properties', text: 'spring.datasource.password=⟦hunter2⟧\nserver.port=80' },
  { name: 'npmrc', text: '//registry.example/:_authToken=⟦abc-def⟧\nalways-auth=true' },
  { name: 'XML element', text: '<user>bob</user><password>⟦hunter2⟧</password>' },
  { name: 'XML element with attributes', text: '<password type="plain">⟦hunter2⟧</password>' },
  { name: 'XML attributes', text: '<add key="ApiKey" value="⟦hunter2⟧"/><add key="Mode" value="fast"/>' },
  {
    name: 'HTML form',
    text: '<input type="hidden" name="csrf_token" value="⟦abc-def⟧"><input name="page" value="2">',
  },
  { name: 'HTML entities', text: '{&quot;password&quot;:&quot;⟦hunter2⟧&quot;,&quot;n&quot;:1}' },
  { name: 'unicode escapes', text: '{\\u0022password\\u0022:\\u0022⟦hunter2⟧\\u0022,\\u0022n\\u0022:1}' },
  { name: 'Python', text: "{'password': '⟦hunter2⟧', 'n': 1}" },
  { name: 'Python bytes', text: "{'password': b'⟦hunter2⟧', 'n': 1}" },
  { name: 'Ruby', text: '{:password=>"⟦hunter2⟧", :n=>1}' },
  { name: 'PHP', text: "['password' => '⟦hunter2⟧', 'n' => 1]" },
  { name: 'PHP print_r', text: '[password] => ⟦hunter2⟧\n[n] => 1' },
  { name: 'Go', text: '{User:bob Password:⟦hunter2⟧ Port:5432}' },
  { name: 'connection string', text: 'Server=db;User Id=sa;Password=⟦P@ssw0rd⟧;Encrypt=true' },
  { name: 'connection string, short name', text: 'Data Source=db;UID=sa;PWD=⟦x!9⟧;Timeout=5' },
  { name: 'libpq', text: 'host=db user=bob password=⟦hunter2⟧ dbname=x' },
  {
    name: 'form',
    text: `grant_type=authorization_code&code=⟦${opaque}⟧&client_secret=⟦abc-def⟧&code_verifier=⟦abc-def⟧&client_id=me`,
  },
  { name: 'multipart', text: 'Content-Disposition: form-data; name="password"\r\n\r\n⟦hunter2⟧\r\n--x' },
  { name: 'Kubernetes env', text: '- name: DB_PASSWORD\n  value: ⟦hunter2⟧\n- name: DB_HOST\n  value: db' },
  { name: 'colon without space', text: 'token:⟦hunter2⟧ user:bob' },
  { name: 'assignment in code', text: `headers["x-api-key"] = "⟦${opaque}⟧";` },
  { name: 'walrus', text: `token := "⟦${opaque}⟧"` },
  { name: 'prose before the colon', text: `Invalid API key provided: ⟦${opaque}⟧. See the docs.` },
  { name: 'quoted in prose', text: "Error: Invalid token: '⟦hunter2-x⟧' (expired)" },
  {
    name: 'other languages',
    text: 'пароль: ⟦секрет77⟧\ncontraseña=⟦hola77⟧\nPasswort: ⟦geheim77⟧\n您的密码：⟦abc123⟧，请重试',
  },
  { name: 'comma behind', text: 'password=⟦hunter2⟧, user=bob' },
  { name: 'closing bracket behind', text: '(password=⟦hunter2⟧) [token=⟦hunter2⟧] {secret=⟦hunter2⟧}' },
  { name: 'full stop behind', text: 'It was password=⟦hunter2⟧.' },
  { name: 'short password in a pair', text: 'user=bob pass=⟦hunter2⟧' },
  { name: 'pin', text: '{"pin":⟦#9214⟧,"page":12}' },
  {
    name: 'soft name with a random value',
    text: `{"signature":"⟦${hex}⟧","session":"⟦${opaque}⟧","auth":"⟦${opaque}⟧"}`,
  },
  { name: 'a soft name with an endless value', text: `{"signature":"${opaque.repeat(50)}"}` },
  { name: 'a scheme before a marker', text: 'token=Bearer [REDACTED] password=⟦hunter2⟧' },
  { name: 'soft name with a word', text: '{"signature":"void f(int)","session":"expired","auth":"none"}' },
  {
    name: 'numbers of words',
    text: '{"max_tokens":4096,"tokens":12,"token_count":3,"total_tokens":99,"tokenizer":"cl100k_base"}',
  },
  { name: 'counts', text: 'secrets: 3, passwords: 2 found, credentials=5' },
  {
    name: 'cursors',
    text: '{"next_page_token":"CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA","nextCursor":"abc123DEF456ghi","continuationToken":"a1B2c3D4e5F6"}',
  },
  { name: 'progress token', text: '{"_meta":{"progressToken":"a1B2c3D4e5F6g7"}}' },
  {
    name: 'words that hold a key word',
    text: '{"author":"J4ne D0e9xyz","monkey":"b4nana12x9","passenger":"p1","compass":"n0rth1x2y3","secretary":"J4ne1x2y3z"}',
  },
  {
    name: 'names about secrets',
    text: '{"password_min_length":8,"token_endpoint":"https://a.example/token","secret_name":"db1x2y3z4","api_key_id":"key_1x2y3z4w5","key_id":"k-2024-01"}',
  },
  {
    name: 'table keys',
    text: 'primary_key=user_8f3a9c2d1e partition_key=eu1x2y3z4w5 cache_key=users:42:v7 idempotency_key=1a2b3c4d5e6f',
  },
  { name: 'public key', text: '{"public_key":"pk_8f7d6a5b4c3d2e1f","publicKey":"MFkwEwYHKoZIzj0CAQ"}' },
  {
    name: 'validation messages',
    text: 'password: must contain at least 8 characters\ntoken: is required\napi_key: String must not be empty\nsecret: Required',
  },
  {
    name: 'error words',
    text: '{"token":"invalid","password":"required","api_key":"missing","secret":null,"cookie":true,"jwt":"expired"}',
  },
  {
    name: 'placeholders',
    text: `API_KEY=<your-api-key> TOKEN=$TOKEN SECRET=\${SECRET} PASSWORD={{ password }} KEY=YOUR_API_KEY PWD=%PWD% A_TOKEN=xxxx`,
  },
  {
    name: 'markers of other tools',
    text: 'password=*** token=[Filtered] secret=<redacted> api_key=[REDACTED] {"jwt":"***MASKED***"}',
  },
  { name: 'prose without spaces', text: '密码：不能为空 パスワード：必須です' },
  { name: 'types', text: 'interface A { password: string; token?: string | null; apiKey: Promise<string> }' },
  {
    name: 'schema',
    text: '{"properties":{"password":{"type":"string"},"token":{"type":["string","null"]}},"required":["password","token"]}',
  },
  { name: 'comparisons', text: 'if (token == null || secret === undefined || password != x) { retry(); }' },
  {
    name: 'letters before a quote',
    text: `password = f"⟦Sommer2024!x⟧"; password = rb'⟦Sommer2024!x⟧'; password = L"⟦Sommer2024!x⟧"; password: u8"⟦Sommer2024!x⟧"`,
  },
  {
    name: 'signs before a quote',
    text: `password = @"⟦Sommer2024!x⟧"; password = $"⟦Sommer2024!x⟧"; password = $@"⟦Sommer2024!x⟧"; PASSWORD=$'⟦Sommer2024!x⟧'`,
  },
  { name: 'a letter before an escaped quote', text: '{"code":"password = f\\"⟦Sommer2024!x⟧\\""}' },
  { name: 'a tag before a quote', text: 'password = raw"⟦Sommer2024!x⟧"; key = raw"⟦Zq7Kx9mB2vT4⟧"' },
  { name: 'a joined word', text: 'TOKEN=⟦abcdefgh1⟧"⟦hunter2⟧" x' },
  { name: 'three quotes', text: 'password = """⟦Sommer2024!x⟧"""' },
  {
    name: 'a word before a closing quote',
    text: '{"log":"token: ⟦abz⟧","code":"E_AUTH","query":"token=⟦abcz⟧"}',
  },
  { name: 'an apostrophe in a word', text: "token: it's not known to the server, isn't it" },
  {
    name: 'a call before a quote',
    text: `password = getpass("Enter it"); token = request.headers.get('X-Token'); secret = os.environ["NAME"]`,
  },
  { name: 'a subscript', text: `key = configuration['flatten-arrays']; state = $Issue["code"]` },
  {
    name: 'a quote that closes',
    text: '{"message":"Missing token: ","code":"E_AUTH"} {"prompt":"Enter password: ","timeout":30}',
  },
  {
    name: 'a quote that closes, nested',
    text: '{"a":"{\\"message\\":\\"Missing token: \\",\\"code\\":\\"E_AUTH\\"}"}',
  },
  { name: 'a prompt in prose', text: 'expected "Password: " but got "Login incorrect"' },
  {
    name: 'a prompt in code',
    text: `input("Password: ") print("Password: " + pw) input(f'Password: ') ask("a", "Token: ", "b") ask(\n"Token: ", b) ask("\\nToken: ", b)`,
  },
  {
    name: 'a quote that opens in a quoted text',
    text: '{"message":"Bad token: \\"⟦!hunter⟧\\" (x)"} say("a") say="a" token: "⟦!hunter⟧" and "b " token: "⟦!hunter⟧"',
  },
  { name: 'an apostrophe before a quote', text: "it's password: '⟦!hunter⟧' and don't token: '⟦!hunter⟧'" },
  { name: 'many apostrophes', text: `${"it's ".repeat(9)}token: '⟦!hunter⟧'` },
  {
    name: 'words as short passwords',
    text: '{"auth":{"user":"bot","pass":"⟦summerday⟧"}} <pass>⟦summerday⟧</pass> ?user=x&pass=⟦summerday⟧',
  },
  {
    name: 'short passwords of a service',
    text: 'SMTP_PASS=⟦summerday⟧\nDB_PASS=⟦12345678⟧\nEMAIL_PASS="⟦summerday⟧"\ndbpass=⟦summerday⟧\nmail.pass: ⟦summerday⟧',
  },
  {
    name: 'results of tests',
    text: 'pass: 12, fail: 0; "pass": true; pass = 3 of 4; 2 pass, 1 fail; {"pass":12} pass=fail pass: all {"pass":"12/15"} ALL_PASS=12',
  },
  { name: 'passes of a compiler', text: 'first_pass=lexer, {"renderPass":"opaque"}, bypass=summer' },
  {
    name: 'two words for one',
    text: 'passWord=⟦summer⟧ PassWord=⟦summer⟧ pass_word=⟦summer⟧ PASS_PHRASE=⟦summer⟧ passPhrase=⟦summer⟧',
  },
  { name: 'word and phrase alone', text: 'word=summer keyWord=summer key_phrase=summer' },
  {
    name: 'options and results',
    text: 'User { name: Some("bob"), password: Some("⟦Sommer2024!⟧"), token: Ok("⟦abc-def⟧"), secret: Some(Secret("⟦hunter2⟧")) }',
  },
  {
    name: 'strings with their types',
    text: `password: String("⟦hunter2⟧") password: [String: '⟦hunter2⟧'] password=SecretStr('⟦hunter2⟧') password: (string) "⟦hunter2⟧" password: (string) (len=7) "⟦hunter2⟧"`,
  },
  {
    name: 'PHP dumps',
    text: `'password' => string '⟦hunter2⟧' (length=7) ["password"]=> string(7) "⟦hunter2⟧"`,
  },
  {
    name: 'options without a value',
    text: `password: Some("required"), token: None, password=SecretStr('**********') password: (String) required`,
  },
  {
    name: 'placeholders of SQL',
    text: 'WHERE "sessions"."token" = $1 OR token = :token OR token = @new_token OR token = %s OR token = ?2 OR token = $2::text OR token = %(token)s',
  },
  { name: 'passwords like placeholders', text: 'password=⟦:summer⟧ password=⟦@summer1⟧ password=⟦$1x!⟧' },
  {
    name: 'emphasis',
    text: '**API Key:** `⟦hunter2⟧` was refused\n**Token**: ⟦hunter2⟧\n__Token:__ ⟦hunter2⟧\n*Password:* ⟦Sommer2024!⟧\n- **Password**: `⟦hunter2⟧`',
  },
  {
    name: 'emphasis without a secret',
    text: '**Password:** required\n**Token:** ***\n- **token** (string): the token\n**Max tokens:** 4096\npassword=*** user=bob\n2 * token: * x',
  },
  {
    name: 'block scalars',
    text: 'token: |\n  ⟦hunter2⟧\nhost: a\nstringData:\n  password: |-\n    ⟦Sommer2024!⟧\n\n    ⟦hunter2⟧\n  user: bob\n- private_key: >2- \n    ⟦hunter2⟧\n  host: a',
  },
  { name: 'a block scalar with an endless line', text: `token: |\n  ⟦${opaque.repeat(300)}!⟧\nhost: a` },
  { name: 'plain lists in JSON', text: '{"log":"password:\\n  - ⟦hunter22⟧\\nuser:\\n  - bob","n":1}' },
  { name: 'block scalars in JSON', text: '{"log":"token: |\\n  ⟦hunter2⟧\\nhost: a","n":1}' },
  {
    name: 'block scalars of prose',
    text: 'password: |\n  The password of the user\ntoken: |\nhost: a\nsummary: |\n  hunter2\nx token: |\n  hunter2\nsession: |\n  a1b2\ntoken: |\n  <your-token>\n',
  },
  {
    name: 'plain lists',
    text: 'apiKeys: [⟦Zq7Kx9mB2vT4⟧, ⟦hunter2⟧]\npassword: [⟦Sommer2024!⟧]\npassword:\n  - ⟦Sommer2024!⟧\n  - required\n  - "⟦hunter2⟧"\nuser:\n  - bob\npassword: !!str ⟦hunter⟧',
  },
  {
    name: 'plain lists of names',
    text: 'secrets:\n  - db_password\n  - source: db\npassword: [required, string]\ntoken: [12, 34]\nrequired:\n  - password\n  - token\nsecrets: [db, x.y]\ntoken: [docs2024](https://a.example/)\nsession: [a1b2c3]\nx token:\n- a1b2c3\nsession:\n- a1b2c3\npassword: !! x',
  },
  {
    name: 'pairs in a list',
    text: 'secrets:\n  - token=⟦hunter2⟧\n  - password: ⟦hunter2⟧\nsecrets: [a, token=⟦hunter2⟧]',
  },
  { name: 'MAC address', text: 'mac: 00:1b:44:11:3a:b7' },
  { name: 'package versions', text: '{"cookie":"^0.5.0","jsonwebtoken":"^9.0.2","csrf":"3.1.0"}' },
  {
    name: 'error codes',
    text: '{"code":"ERR_TOKEN_EXPIRED","error_code":"E4021x9Q7Z2","code_challenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}',
  },
  { name: 'times and addresses', text: '12:34:56 127.0.0.1:8080 [::1]:3000 C:\\keys:x file:///a/b.js:12:34' },
];

/** A name in one element and its value in the next. */
export const elementRows: readonly RedactionRow[] = [
  {
    name: 'cells',
    text: `<tr><td>x-api-key</td><td>⟦${opaque}⟧</td></tr><tr><td>host</td><td>${hex}</td></tr>`,
  },
  { name: 'a head and a cell', text: '<tr><th>Password</th><td>⟦hunter2⟧</td></tr>' },
  {
    name: 'a term and its description',
    text: '<dl><dt>API key</dt>\n<dd>⟦hunter2⟧</dd><dt>Mode</dt><dd>fast</dd></dl>',
  },
  {
    name: 'a property list',
    text: '<dict><key>Password</key>\n\t<string>⟦hunter2⟧</string><key>User</key><string>bob</string></dict>',
  },
  {
    name: 'a configuration',
    text: '<property><name>db.password</name> <value>⟦hunter2⟧</value></property>',
  },
  { name: 'character data', text: '<name>password</name><value><![CDATA[⟦a<b⟧]]></value>' },
  { name: 'namespaces and capitals', text: '<ns:Name>Password</ns:Name><ns:Value>⟦hunter2⟧</ns:Value>' },
  {
    name: 'Django',
    text: `<td>HTTP_X_API_KEY</td>\n <td class="code"><pre>&#x27;⟦${opaque}⟧&#x27;</pre></td>`,
  },
  {
    name: 'phpinfo',
    text: `<td class="e">$_SERVER['HTTP_X_API_KEY'] </td><td class="v">⟦${opaque}⟧ </td>`,
  },
  { name: 'PHP in JSON', text: `{"page":"<td>token<\\/td>\\n<td>⟦${opaque}⟧\\n<\\/td>"}` },
  { name: 'cut', text: `<td>x-api-key</td><td>⟦${opaque}⟧` },
  { name: 'a scheme', text: `<td>Authorization</td><td>Bearer ⟦${opaque}⟧</td>` },
  { name: 'parameters', text: '<td>Authorization</td><td>Digest ⟦username="bob", response="x1"⟧</td>' },
  { name: 'cookies', text: '<td>Cookie</td><td>⟦sid=abc; theme=dark⟧</td>' },
  { name: 'markup within', text: `<td><b>token</b></td><td><code>⟦${opaque}⟧</code></td>` },
  { name: 'other elements', text: `<b>Token:</b> ⟦${opaque}⟧<br><span>Cookie</span>: <i>⟦sid=abc⟧</i>` },
  {
    name: 'documentation',
    text: '<td>Authorization</td><td>A bearer token for the API</td><td>Cookie</td><td>Set by the login page</td>',
  },
  {
    name: 'schemes in words',
    text: '<td>Authorization</td><td>Bearer and the token that the login gave</td>',
  },
  { name: 'words joined by entities', text: '<td>Authorization</td><td>one&nbsp;of&nbsp;these</td>' },
  {
    name: 'types and error words',
    text: '<td>password</td><td>string</td><td>required</td><dt>Token</dt><dd>expired</dd>',
  },
  { name: 'columns', text: '<tr><th>Token</th><th>Owner</th></tr>' },
  {
    name: 'links and items',
    text: '<a href="/p">Forgot password</a> <a href="/s">Signup</a><li>Token</li><li>Limits</li>',
  },
  { name: 'addresses in elements', text: '<dt>Reset password</dt><dd>https://a.example/reset</dd>' },
  {
    name: 'names about secrets in cells',
    text: `<td>token_count</td><td>1234</td><td>request_id</td><td>${opaque}</td>`,
  },
  {
    name: 'sentences in cells',
    text: '<td>Please send a valid token</td><td>now</td><td>a, token</td><td>now</td>',
  },
  { name: 'an empty cell', text: `<td>password</td><td></td><td>${opaque}</td>` },
  { name: 'no end of the name', text: `<p>password<td>${opaque}</td><p>token</p><!-- ${opaque} -->` },
  { name: 'too far away', text: `<td>password</td>${'<br>'.repeat(70)}<td>${opaque}</td>` },
  { name: 'an endless tag', text: `<td>password</td><td class="${'a'.repeat(300)}">${opaque}</td>` },
  { name: 'an endless value', text: `<td>password</td><td>⟦${opaque.repeat(200)}⟧</td>` },
];

/** What errors of the runtime quote of an input that they refuse. */
export const quotedInputRows: readonly RedactionRow[] = [
  { name: 'the end of a text', text: `Unexpected token '@', ..."⟦yDdpW8oS",@]⟧" is not valid JSON` },
  { name: 'the start of a text', text: `Unexpected token 'u', "⟦usDyhEdjzQ⟧"... is not valid JSON` },
  {
    name: 'the middle of a text',
    text: `Unexpected token 'b', ..."⟦aaaaaaa", bbbbbbbbb ⟧"... is not valid JSON`,
  },
  {
    name: 'a whole text',
    text: `SyntaxError: Unexpected token 'h', "⟦hunter2⟧" is not valid JSON\n    at JSON.parse`,
  },
  {
    name: 'a comma and an apostrophe',
    text: `Unexpected token ',', "⟦a,b⟧" is not valid JSON, Unexpected token ''', "⟦'b⟧" is not valid JSON`,
  },
  { name: 'a line break in a text', text: `Unexpected token '\n', "⟦a\nb⟧" is not valid JSON` },
  {
    name: 'a text in JSON',
    text: `{"error":"Unexpected token 'u', \\"⟦usDyhEdjzQ⟧\\"... is not valid JSON"}`,
  },
  {
    name: 'a text in HTML',
    text: '<p>Unexpected token &#39;u&#39;, &quot;⟦usDyhEdjzQ⟧&quot;... is not valid JSON</p>',
  },
  { name: 'a text cut behind its start', text: `Unexpected token 'u', "⟦usDyhEdj⟧` },
  { name: 'a text cut with an ellipsis', text: `Unexpected token 'u', "⟦usDyhEdj⟧… (500)` },
  { name: 'a page in place of JSON', text: `Unexpected token '<', "<!DOCTYPE "... is not valid JSON` },
  { name: 'the middle of a page', text: `Unexpected token '<', ..."⟦<b>usDyhEd⟧"... is not valid JSON` },
  {
    name: 'words of proxies',
    text: `"Unexpected token 'B', "Bad Gatewa"... is not valid JSON, Unexpected token 'u', "upstream c"... is not valid JSON`,
  },
  { name: 'error words in place of JSON', text: `Unexpected token 'F', "Forbidden" is not valid JSON` },
  {
    name: 'values that are no text',
    text: `Unexpected token 'o', "[object Obj"... is not valid JSON, "undefined" is not valid JSON`,
  },
  {
    name: 'prose about JSON',
    text: `the file "usDyhEdjzQ" is not valid JSON. Unexpected token 'u' in JSON at position 0`,
  },
  {
    name: 'unexpected tokens elsewhere',
    text: `Unexpected token '}', "a" and more than that: ${'word '.repeat(70)}`,
  },
  { name: 'a header that is appended', text: 'Headers.append: "⟦one\nabc-def⟧" is an invalid header value.' },
  {
    name: 'a header that is set',
    text: 'TypeError: Headers.set: "⟦one\nabc-def⟧" is an invalid header value.\n    at a.js:1:2',
  },
  {
    name: 'the constructor of headers',
    text: 'Headers constructor: "⟦one\nabc-def⟧" is an invalid header value.',
  },
  { name: 'a header with quotes', text: 'Headers.set: "⟦a"b\n"c⟧" is an invalid header value.' },
  {
    name: 'a header in JSON',
    text: '{"error":"Headers.set: \\"⟦one\\nabc-def⟧\\" is an invalid header value."}',
  },
  {
    name: 'a header in HTML',
    text: '<p>Headers.set: &quot;⟦one\nabc-def⟧&quot; is an invalid header value.</p>',
  },
  { name: 'a header that was cut', text: 'Headers.set: "⟦one\nabc-def and more⟧' },
  {
    name: 'several headers',
    text: 'Headers.set: "a b" is an invalid header name. Headers.set: "⟦one\nabc⟧" is an invalid header value. Headers.set: x',
  },
  { name: 'the name of a header', text: 'Headers.append: "bad name" is an invalid header name.' },
  { name: 'an empty header', text: 'Headers.append: "\n" is an invalid header value.' },
  {
    name: 'other complaints about headers',
    text: 'Headers.get: 1 argument required, but only 0 found. Headers.append: "x" is fine',
  },
];

export const urlRows: readonly RedactionRow[] = [
  { name: 'user and password', text: 'https://⟦bob:hunter2⟧@a.example/x' },
  { name: 'password only', text: 'redis://⟦:hunter2⟧@cache:6379/0' },
  { name: 'token as the user', text: `https://⟦${hex}⟧@proxy.example:8080` },
  { name: 'at sign inside', text: 'postgres://⟦u:p@ss@w⟧@h/db' },
  { name: 'slash inside', text: 'mysql://⟦u:p/w#1⟧@h/db' },
  { name: 'srv', text: 'mongodb+srv://⟦u:pw1⟧@c.example/?retryWrites=true' },
  { name: 'jdbc', text: 'jdbc:postgresql://⟦u:pw1⟧@h/db' },
  { name: 'quoted and without a host', text: 'in "mongodb+srv://⟦user:pw-4⟧@"' },
  { name: 'cut', text: 'could not reach postgres://⟦app:hunt⟧' },
  { name: 'cut with an ellipsis', text: 'could not reach postgres://⟦app:hunt⟧…' },
  { name: 'in a sentence', text: 'proxy http://⟦u:p1⟧@p.example:3128, retried' },
  {
    name: 'query names',
    text: `https://a.example/x?api_key=⟦${opaque}⟧&page=2&token=⟦abc⟧&sig=⟦${opaque}⟧&key=⟦${opaque}⟧#top`,
  },
  {
    name: 'fragment',
    text: `https://a.example/cb#access_token=⟦${opaque}⟧&token_type=Bearer&expires_in=3600&state=⟦${opaque}⟧`,
  },
  { name: 'SAS', text: `https://a.blob.example/c?sv=2022-11-02&se=2026-01-01&sr=b&sp=r&sig=⟦${opaque}%3D⟧` },
  { name: 'session in a path parameter', text: `/app;jsessionid=⟦${opaque}⟧ x` },
  { name: 'MCP session', text: `/messages?sessionId=⟦${uuid}⟧` },
  {
    name: 'percent-encoded inside',
    text: `https://a.example/login?next=%2Fcb%3Ftoken%3D⟦${opaque}⟧%26x%3D1`,
  },
  { name: 'percent-encoded JSON', text: '/x?q=%7B%22password%22%3A%22⟦hunter2⟧%22%2C%22n%22%3A1%7D' },
  { name: 'percent-encoded twice', text: '/x?q=%257B%2522password%2522%253A%2522⟦hunter2⟧%2522%257D' },
  { name: 'form-encoded header', text: `m=Authorization%3A+Bearer+⟦${opaque}⟧&n=1` },
  { name: 'entity in a link', text: `<a href="/x?auth_token=⟦${opaque}⟧&amp;tab=1">` },
  { name: 'slack hook', text: ['https://hooks.slack', '.com/⟦services/T0UZ/B0W1/q7Kx9mB2vT4rL8n⟧'].join('') },
  { name: 'port', text: 'http://localhost:3000/mcp and http://[::1]:3000/mcp' },
  { name: 'a short token as the user', text: 'https://⟦abc12⟧@proxy.example:8080' },
  { name: 'bare user', text: 'ssh://git@github.com/a/b.git and git@github.com:a/b.git' },
  {
    name: 'at sign in a path',
    text: 'https://unpkg.com/@scope/pkg@1.2.3/index.js and https://a.example/x@2x.png?email=a@b.co',
  },
  { name: 'template', text: `postgres://\${USER}:\${PASSWORD}@\${HOST}/db` },
  { name: 'port by name', text: 'http://localhost:PORT/mcp redis://cache:<port>' },
  {
    name: 'harmless names',
    text: 'https://a.example/x?page=2&code=404&state=open&key=name&session=3&hash=top',
  },
  {
    name: 'data',
    text: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
  },
];

export const commandRows: readonly RedactionRow[] = [
  { name: 'flag and word', text: `npx -y @acme/mcp --api-key ⟦${opaque}⟧ --verbose` },
  { name: 'flag and plain word', text: 'npx @acme/mcp --password ⟦hunter⟧ --verbose' },
  { name: 'short flag and plain word', text: 'acme --pass ⟦summerday⟧ --pass-through x' },
  { name: 'flag with equals', text: 'acme --token=⟦hunter2⟧ --port 3000' },
  { name: 'flag with quotes', text: 'acme --token "⟦a b c⟧" --port 3000' },
  { name: 'single dash', text: 'acme -token ⟦hunter2⟧ -port 3000' },
  { name: 'argument list', text: "[ '--api-key', '⟦hunter2⟧', '--stdio' ]" },
  { name: 'argument list in JSON', text: '["--api-key","⟦hunter2⟧","--stdio"]' },
  { name: 'argument list over lines', text: "[\n  '--api-key',\n  '⟦hunter2⟧',\n  '--stdio'\n]" },
  { name: 'curl user', text: 'curl -u bob:⟦hunter2⟧ https://a.example' },
  { name: 'curl user, quoted', text: 'curl --user "bob:⟦hun ter2⟧" https://a.example' },
  {
    name: 'mcp-remote',
    text: `npx mcp-remote https://a.example/sse --header "Authorization: Bearer ⟦${opaque}⟧" --debug`,
  },
  {
    name: 'mcp-remote without the space',
    text: `npx mcp-remote https://a.example/sse --header Authorization:⟦${opaque}⟧ --debug`,
  },
  { name: 'environment of docker', text: 'docker run -e API_KEY=⟦hunter2⟧ -i --rm mcp/x' },
  { name: 'export', text: 'export DIFY_KEY="⟦hunter2⟧"; npm start' },
  { name: 'environment dump', text: 'PATH=/bin\nPGPASSWORD=⟦hunter2!⟧\nHOME=/root\nMY_SECRET=⟦x9!⟧\nLANG=C' },
  {
    name: 'environment of a child process',
    text: "env: { API_TOKEN: '⟦hunter2⟧', PATH: '/bin', MAX_TOKENS: '4096', KEYBOARD: 'us' }",
  },
  { name: 'set', text: 'set TOKEN=⟦hunter2⟧\r\nset LANG=en' },
  {
    name: 'set commands',
    text: 'set -x API_TOKEN ⟦hunter⟧; setenv API_TOKEN ⟦hunter⟧; aws configure set aws_secret_access_key ⟦hunter⟧',
  },
  {
    name: 'short flags',
    text: 'redis-cli -a ⟦hunter⟧ ping; docker login -u bob -p ⟦hunter⟧ r.example; curl -b "⟦a=b⟧" -ubob:⟦hunter⟧ x',
  },
  { name: 'key flag', text: `acme --key ⟦${opaque}⟧ --cert server.pem` },
  { name: 'the key is a file', text: 'acme --key server.key --cert server.pem; set token to a new value' },
  { name: 'sshpass', text: 'sshpass -p ⟦hunter2⟧ ssh root@h' },
  { name: 'mysql', text: 'mysql -uroot -p⟦hunter2⟧ db' },
  { name: 'working directory', text: 'PWD=/home/user/app OLDPWD=/tmp' },
  {
    name: 'flags about secrets',
    text: 'acme --token-file /run/token --password-stdin --secret-name db --max-tokens 4096',
  },
  {
    name: 'flag in prose',
    text: 'Use --token to set it; --password is required, and --api-key or --secret must be given.',
  },
  {
    name: 'a quote that closes behind a flag',
    text: 'run("acme --password ", x); run("acme --token \\"⟦!hunter⟧\\"")',
  },
  { name: 'flag before a flag', text: 'acme --token --verbose' },
  {
    name: 'other users of -u and -p',
    text: 'docker run -u 1000:1000 -p 8080:80 -a stdin x; mkdir -p a/b; git push -u origin main',
  },
  { name: 'style sheets', text: '--token-color: #ff00aa; --secret-bg: var(--x1)' },
];

export const proseRows: readonly RedactionRow[] = [
  { name: 'bearer', text: `The call with Bearer ⟦${opaque}⟧ was refused (401)` },
  { name: 'basic', text: `header Basic ⟦${base64}⟧ after 3 tries` },
  { name: 'token', text: `Error: token ⟦${opaque}⟧ is not valid` },
  { name: 'token, quoted', text: `refresh token '⟦${opaque}⟧' is revoked` },
  { name: 'password is', text: 'The password is ⟦Hunter2Hunter⟧ and it works' },
  { name: 'API key', text: `API key ⟦${opaque}⟧ was rejected` },
  { name: 'SQL', text: "ALTER ROLE bob WITH PASSWORD '⟦hunter⟧'; CREATE USER bob IDENTIFIED BY '⟦hunter⟧'" },
  { name: '.netrc', text: 'machine a.example login bob password ⟦hunter⟧ port 21' },
  { name: 'a sentence behind it', text: 'the password: ⟦hunter2⟧ was refused' },
  { name: 'session', text: `Session ⟦${uuid}⟧ not found` },
  { name: 'cut token', text: 'token ⟦Zq7Kx9mB2v⟧' },
  {
    name: 'emphasis',
    text: `Your API key is **⟦${opaque}⟧**, the **token** ⟦${opaque}⟧; Bearer **⟦${opaque}⟧**`,
  },
  { name: 'emphasised ids', text: `request **${uuid}** of *${opaque}*` },
  {
    name: 'words',
    text: 'the token has expired; password incorrect; session closed; secret santa; bearer token required',
  },
  {
    name: 'ids',
    text: `request ${uuid} failed; commit da39a3ee5e6b4b0d3255bfef95601890afd80709; trace 4bf92f3577b34da6a3ce929d0e0e4736`,
  },
  { name: 'quoted words', text: "the field password 'is required', login with password reset" },
  { name: 'algorithms', text: 'password: sha256 digest expected, token: oauth2 is required' },
  { name: 'unexpected token', text: 'SyntaxError: Unexpected token a1B2c3D4e5F6 in JSON at position 0' },
  { name: 'duplicate key', text: 'duplicate key 1a2b3c4d5e6f in index; primary key 9z8y7x6w5v' },
];

export const tokenRows: readonly RedactionRow[] = [
  { name: 'github', text: `tool said: ⟦${github}⟧ was rejected` },
  { name: 'after an escaped line break', text: `{"log":"a\\n⟦${github}⟧\\nb"}` },
  { name: 'after a percent escape', text: `url%3D⟦${github}⟧%26x` },
  { name: 'after a colour', text: `\u001b[32m⟦${github}⟧\u001b[0m ok` },
  { name: 'after a dumped colour', text: `'\\x1B[32m⟦${github}⟧\\x1B[0m ok'` },
  { name: 'before text without spaces', text: `密钥⟦${github}⟧被拒绝` },
  { name: 'after an underscore', text: `x_⟦${github}⟧` },
  { name: 'with a suffix that it cannot hold', text: `⟦${github}⟧-backup` },
  { name: 'cut at the end', text: ['got ', '⟦gh', 'p_x7Qm2L⟧'].join('') },
  { name: 'cut before an ellipsis', text: ['got ', '⟦gh', 'p_x7Qm2L⟧… and more'].join('') },
  { name: 'jwt', text: `(⟦${jwt}⟧)` },
  {
    name: 'jwt without a signature',
    text: `x ⟦${jwt.split('.').slice(0, 2).join('.')}.⟧ y`.replace('.⟧ y', '⟧. y'),
  },
  { name: 'jwt, cut', text: `x ⟦${jwt.slice(0, 18)}⟧…` },
  { name: 'private key', text: `key:\n⟦${pem('')}⟧\nend` },
  { name: 'private key of RSA', text: `key:\n⟦${pem('RSA ')}⟧\nend` },
  { name: 'private key in JSON', text: `{"k":"⟦${pem('EC ').replaceAll('\n', '\\n')}⟧"}` },
  {
    name: 'private key in JSON in JSON',
    text: `"{\\"k\\":\\"⟦${pem('OPENSSH ').replaceAll('\n', '\\\\n')}⟧\\"}"`,
  },
  { name: 'private key with CRLF', text: `⟦${pem('ENCRYPTED ').replaceAll('\n', '\r\n')}⟧\r\nend` },
  { name: 'private key, cut', text: `key: ⟦${pem('').slice(0, 90)}⟧` },
  { name: 'certificate', text: pem('').replaceAll('PRIVATE KEY', 'CERTIFICATE') },
  { name: 'public key', text: pem('').replaceAll('PRIVATE', 'PUBLIC') },
  { name: 'header alone', text: 'The file must start with -----BEGIN PRIVATE KEY----- on its own line.' },
  {
    name: 'prefixes as words',
    text: 'Tokens start with ghp_ or github_pat_, keys with sk- or AKIA; see sk-learn, npm_config_registry, hf_transfer.',
  },
  {
    name: 'names that share a prefix',
    text: 'task-management-server-v2-production-2024 disk-usage-report-2024 pypi-server-guide secret_santa_2024_list.csv SG.Report re_export_all_types_2024 key-value-store',
  },
  { name: 'base64 that is no token', text: '{"nextCursor":"eyJwYWdlIjoyLCJzaXplIjo1MH0="}' },
  { name: 'word with eyJ', text: 'eyJust a word, eyewitness.report.final, xoxo-gossip' },
];

const mixed36 = ['x7Qm2Lr9Vb4Nt6', 'Kd8Wp3Zs1Yc5Hf0Jg2Ra'].join('');
const hex40 = [hex, '4e3b2a1c'].join('');
const upper16 = ['D4VH0YKN', '7T5V00D2'].join('');

/** Prefix in two fragments, then a body of the vendor's kind. */
const vendorTokens: readonly (readonly [name: string, ...fragments: string[]])[] = [
  ['GitHub OAuth', 'gh', 'o_', mixed36],
  ['GitHub fine-grained', 'github', '_pat_', mixed36],
  ['GitLab', 'gl', 'pat-', mixed36.slice(0, 20)],
  ['GitLab with a dotted end', 'gl', 'pat-', mixed36.slice(0, 20), '.01.a1b2c3'],
  ['GitLab job', 'gl', 'cbt-64_', mixed36.slice(0, 20)],
  ['Slack bot', 'xo', 'xb-123456789012-123456789012-', mixed36.slice(0, 24)],
  ['Slack app', 'xa', 'pp-1-A0B1C2D3E4F-', hex],
  ['Stripe', 'sk', '_live_', mixed36],
  ['Stripe restricted test', 'rk', '_test_', mixed36],
  ['Stripe webhook', 'wh', 'sec_', mixed36],
  ['Shopify', 'sh', 'pat_', hex],
  ['Square', 'sq', '0atp-', mixed36.slice(0, 22)],
  ['OpenAI', 'sk', '-', mixed36, '0a1B2c3D'],
  ['OpenAI project', 'sk', '-proj-', mixed36],
  ['Anthropic', 'sk', '-ant-api03-', mixed36, '-', mixed36],
  ['OpenRouter', 'sk', '-or-v1-', hex40],
  ['Langfuse', 'sk', '-lf-', uuid],
  ['Groq', 'gs', 'k_', mixed36],
  ['xAI', 'xa', 'i-', mixed36],
  ['Replicate', 'r8', '_', mixed36],
  ['Hugging Face', 'hf', '_', mixed36],
  ['Perplexity', 'pp', 'lx-', mixed36],
  ['Tavily', 'tv', 'ly-dev-', mixed36],
  ['Firecrawl', 'fc', '-', hex],
  ['LangSmith', 'ls', 'v2_pt_', hex, '_a1b2c3d4e5'],
  ['NVIDIA', 'nv', 'api-', mixed36],
  ['Apify', 'ap', 'ify_api_', mixed36],
  ['E2B', 'e2', 'b_', hex40],
  ['Browserbase', 'bb', '_live_', mixed36],
  ['AWS', 'AK', 'IA', upper16],
  ['AWS without a digit', 'AK', 'IA', 'IOSFODNN', 'GEXAMPLE'],
  ['AWS temporary', 'AS', 'IA', upper16],
  ['Bedrock', 'AB', 'SKQmVkcm9ja0FQSUtleS1', mixed36],
  ['Alibaba', 'LT', 'AI', mixed36.slice(0, 20)],
  ['Google', 'AI', 'za', mixed36.slice(0, 35)],
  ['Google OAuth', 'ya', '29.a0', mixed36],
  ['Google client secret', 'GO', 'CSPX-', mixed36.slice(0, 28)],
  ['Google refresh', '1/', '/0', mixed36],
  ['DigitalOcean', 'do', 'p_v1_', hex40],
  ['Vercel', 'vc', 'p_', mixed36],
  ['Cloudflare', 'cf', 'ut_', mixed36],
  ['Netlify', 'nf', 'p_', mixed36],
  ['OpenShift', 'sha', '256~', mixed36],
  ['Databricks', 'da', 'pi', hex],
  ['Pulumi', 'pu', 'l-', hex40],
  ['Tailscale', 'ts', 'key-auth-', mixed36],
  ['Vault', 'hv', 's.CAESI', mixed36],
  ['Doppler', 'dp', '.pt.', mixed36],
  ['1Password', 'op', 's_eyJ', mixed36],
  ['age', 'AGE', '-SECRET-KEY-1', upper16, upper16],
  ['npm', 'np', 'm_', mixed36],
  ['PyPI', 'py', 'pi-AgEIcHlwaS5vcmc', mixed36],
  ['RubyGems', 'ruby', 'gems_', hex40],
  ['Docker', 'dc', 'kr_pat_', mixed36.slice(0, 27)],
  ['SendGrid', 'S', 'G.', mixed36.slice(0, 22), '.', mixed36],
  ['Twilio', 'S', 'K', hex],
  ['Mailgun', 'ke', 'y-', hex],
  ['Mailchimp', hex, '-', 'us12'],
  ['Brevo', 'xk', 'eysib-', hex40, '-a1B2c3D4'],
  ['Resend', 're', '_', mixed36.slice(0, 8), '_', mixed36],
  ['Linear', 'li', 'n_api_', mixed36],
  ['Notion', 'nt', 'n_', mixed36],
  ['Notion, older', 'secret', '_', mixed36, 'a1B2c3D'],
  ['Supabase', 'sb', '_secret_', mixed36],
  ['Figma', 'fi', 'gd_', mixed36],
  ['Sentry', 'sn', 'tryu_', hex40],
  ['Postman', 'PM', 'AK-', hex, '-', hex40],
  ['Grafana', 'gl', 'sa_', mixed36.slice(0, 32), '_a1b2c3d4'],
  ['Airtable', 'pa', 't', mixed36.slice(0, 14), '.', hex, hex],
  ['Atlassian', 'AT', 'ATT3', mixed36],
  ['PlanetScale', 'ps', 'cale_tkn_', mixed36],
  ['New Relic', 'NR', 'AK-', upper16, 'A1B2C3D4E5F'],
  ['PostHog', 'ph', 'x_', mixed36],
  ['Telegram', '123456789', ':AA', mixed36.slice(0, 33)],
  ['Discord', 'MT', 'A3cWq7KG7F8vkzjq9gMbfKNn', '.bEBluA.', mixed36],
  ['Microsoft Entra', 'abc', '8Q~', mixed36.slice(0, 34)],
];

export const vendorRows: readonly RedactionRow[] = vendorTokens.flatMap(([name, ...fragments]) => {
  const token = fragments.join('');
  return [
    { name: `${name} in a sentence`, text: `upstream said "⟦${token}⟧" is not known` },
    { name: `${name} in JSON in JSON`, text: `{"a":"{\\"b\\":\\"⟦${token}⟧\\",\\"n\\":1}"}` },
    { name: `${name} in an address`, text: `https://a.example/x?page=2&v=⟦${token}⟧&n=1` },
  ];
});
