/** What holds for every text and value: no throw, bounds, well-formed output, one pass is enough, linear time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cutText, oneLine } from '../src/redact/bounded-text.ts';
import { compactJsonWindow } from '../src/redact/compact-json.ts';
import { toErrorRecord } from '../src/redact/error-record.ts';
import { createRedactor, defaultRedactor, type Redactor, withKnownValues } from '../src/redact/redactor.ts';
import { hostileText, loadRedactionCorpus } from './support/redaction-corpus.ts';

const settings = { seed: 20_260_101, numRuns: 3000 } as const;

/** What the scanners look for, so that random texts reach every one of them. */
const fragments = [
  ...[
    'password',
    'token',
    'api',
    'key',
    'secret',
    'session',
    'code',
    'pin',
    'signature',
    'Authorization',
    'Cookie',
  ],
  ...[
    'set-cookie',
    'PWD=/a',
    'Bearer ',
    'Basic ',
    'Digest a="b", ',
    'is ',
    'of ',
    'name',
    'value',
    'login ',
    'curl ',
  ],
  ...[
    '"',
    "'",
    '`',
    '\\',
    '\\"',
    '\\\\\\"',
    '\\n',
    '\n',
    '\r\n',
    ' ',
    '=',
    ':',
    '=>',
    ':=',
    ',',
    '&',
    ';',
    '?',
    '#',
  ],
  ...[
    '/',
    '://',
    '@',
    '<',
    '>',
    '</',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '|',
    '+',
    '%',
    '$',
    '-',
    '--',
    '_',
    '.',
    '…',
    '...',
  ],
  ...['%3D', '%22', '%253A', '%2B', '&quot;', '&amp;', '\\u0022', '\u001b[31m', '\\x1B[0m'],
  ...['-u ', '-p', 'sshpass ', 'mysql ', '--api-key ', 'postgres://u:p', 'http', '<password>', '</password>'],
  ...[
    'name="token" value="',
    "b'",
    'string(3) ',
    'hunter2',
    '9214',
    'true',
    'null',
    '<x>',
    '***',
    '[REDACTED]',
    'REDACTED',
  ],
  ...[
    ['Zq7Kx9mB', '2vT4rL8n'].join(''),
    ['eyJhbGciOi', 'JIUzI1NiJ9'].join(''),
    '8Q~',
    '-us1',
    ':AA',
    '12345678',
  ],
  ...[
    ['gh', 'p_'].join(''),
    ['xo', 'xb-1'].join(''),
    ['AK', 'IA1234ABCD5678EFGH'].join(''),
    'sk-',
    'SG.',
    'MTA',
    'pat',
  ],
  ...[
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----END RSA PRIVATE KEY-----',
    'MIIEvQIBADANBgkq',
    'hooks.slack.com/',
  ],
  ...[
    '<td>',
    '</td>',
    '<td>token</td>',
    '<dt>',
    '</dt>',
    '<dd>',
    '<![CDATA[',
    ']]>',
    '<b>Cookie:</b>',
    '<string>',
  ],
  ...["Unexpected token 'a', ", '..."', '" is not valid JSON', '"... is not valid JSON'],
  ...['Headers.set: "', '" is an invalid header value.', '" is an invalid header name.', '&#x27;'],
  ...['é', '😀', '\ud83d', 'пароль', 'a', 'A', '1'],
];

const hostile = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...fragments) },
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    {
      maxLength: 20,
    },
  )
  .map((parts) => parts.join(''));

describe('texts', () => {
  test('a second pass changes nothing, and well-formed texts stay well-formed', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const masked = defaultRedactor.text(text);
        assert.equal(defaultRedactor.text(masked), masked);
        assert.ok(isWellFormed(masked) || !isWellFormed(text));
      }),
      settings,
    );
  });

  test('bounded keeps its limit, and cuts no pair in two', () => {
    fc.assert(
      fc.property(hostile, fc.nat(60), (text, limit) => {
        const output = defaultRedactor.bounded(text, limit);
        assert.ok(output.length <= limit + 1);
        assert.ok(isWellFormed(output) || !isWellFormed(text));
      }),
      settings,
    );
  });

  test('a known value never stays, whole or cut', () => {
    const value = ['tenant-', 'handle-77x'].join('');
    const redactor = withKnownValues(createRedactor(), [value]);
    fc.assert(
      fc.property(hostile, hostile, fc.integer({ min: 0, max: 60 }), (before, after, limit) => {
        assert.ok(!redactor.text(`${before} ${value} ${after}`).includes(value));
        assert.ok(!redactor.bounded(`${before} ${value} ${after}`, limit).includes(value.slice(0, 9)));
      }),
      settings,
    );
  });

  test('a text that holds a known value leaves nothing of itself in base64', () => {
    const value = ['tenant-', 'handle-77x'].join('');
    const redactor = createRedactor({ values: [value] });
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (before, after) => {
        const bytes = Buffer.from(before + value + after, 'utf8');
        for (const encoding of ['base64', 'base64url'] as const) {
          const masked = redactor.text(`sent "${bytes.toString(encoding)}" to you`);
          assert.equal(masked, 'sent "[REDACTED]" to you');
          assert.equal(redactor.text(masked), masked);
        }
      }),
      settings,
    );
  });

  test('a secret beside its key never stays in JSON, at any depth', () => {
    const secret = fc
      .string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 30 })
      .map((text) => `x7${text}!9`);
    fc.assert(
      fc.property(secret, fc.integer({ min: 1, max: 3 }), (value, depth) => {
        let json = JSON.stringify({ password: value, n: 1 });
        let shown = value;
        for (let level = 0; level < depth; level++) {
          shown = JSON.stringify(shown).slice(1, -1);
          json = level === 0 ? json : JSON.stringify({ body: json });
        }
        assert.ok(!defaultRedactor.text(json).includes(shown), json);
      }),
      settings,
    );
  });

  test('cutText, oneLine and compactJsonWindow', () => {
    fc.assert(
      fc.property(hostile, fc.nat(30), (text, limit) => {
        assert.ok(cutText(text, limit).length <= limit + 1);
        assert.equal(oneLine(text).length, text.length);
        const compact = compactJsonWindow(text, 100_000);
        assert.equal(compactJsonWindow(compact, 100_000), compact);
      }),
      settings,
    );
  });

  test('compactJsonWindow keeps what JSON means', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (json, indent) => {
        const value: unknown = JSON.parse(json);
        const text = JSON.stringify(value, null, indent);
        const isContainer = typeof value === 'object' && value !== null;
        assert.equal(compactJsonWindow(text, 100_000), isContainer ? JSON.stringify(value) : text);
      }),
      settings,
    );
  });
});

describe('values', () => {
  const anything = fc.anything({
    key: fc.oneof(
      fc.string(),
      fc.constantFrom('password', 'token', 'headers', 'cookie', 'value', 'name', 'toJSON'),
    ),
    values: [fc.string(), hostile, fc.integer(), fc.boolean(), fc.constant(null), fc.bigInt(), fc.date()],
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withNullPrototype: true,
    withBoxedValues: true,
    withSparseArray: true,
    maxDepth: 5,
  });

  test('come out as plain JSON data, and are never changed', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const before = fc.stringify(value);
        const copy = defaultRedactor.value(value);
        const json = JSON.stringify(copy);
        assert.equal(fc.stringify(value), before);
        assert.deepEqual(copy, json === undefined ? undefined : JSON.parse(json));
      }),
      { ...settings, numRuns: 1000 },
    );
  });

  test('anything thrown has a record', () => {
    fc.assert(
      fc.property(anything, (thrown) => {
        const record = toErrorRecord(thrown, defaultRedactor, { stack: true });
        assert.ok(record.message.length <= 513);
        JSON.stringify(record);
      }),
      { ...settings, numRuns: 1000 },
    );
  });
});

describe('time grows with the text, not with its square', () => {
  const small = 16_384;
  const factor = 8;
  /** A square would give 64; the rest is left to the garbage collector. */
  const allowed = 28;
  const tooShortToTell = 8;

  const rows = [
    ...loadRedactionCorpus().hostile,
    { name: 'headers in one word', head: '{pat', unit: 'Authorization%253A', tail: '' },
    { name: 'cells without values', head: '', unit: '<td>token</td>', tail: '' },
    { name: 'cells without ends', head: '', unit: '<td>token</td><td>', tail: '' },
    { name: 'cells with data', head: '', unit: '<td>token</td><td><![CDATA[', tail: '' },
    { name: 'names in cells', head: '<td>', unit: 'token ', tail: '</td><td>x' },
    { name: 'tags and backslashes', head: '', unit: '<b>token<\\\\', tail: '' },
    { name: 'spaces in cells', head: '<td>token</td><td>', unit: ' \\n', tail: '</td>' },
    { name: 'texts that are no JSON', head: '', unit: "Unexpected token 'a', \"", tail: '' },
    { name: 'ends of texts that are no JSON', head: '', unit: '" is not valid JSON', tail: '' },
    { name: 'headers without ends', head: '', unit: 'Headers.set: "', tail: '' },
    { name: 'headers of other kinds', head: '', unit: 'Headers.set: " is an invalid header ', tail: '' },
    { name: 'headers of keys', head: '', unit: '-----BEGIN RSA PRIVATE KEY-----', tail: '>' },
    { name: 'soft names in one word', head: '', unit: 'auth:', tail: '"' },
    { name: 'cookies', head: '', unit: "cookie:'", tail: '' },
    { name: 'statements', head: '', unit: "PASSWORD 'a", tail: '' },
    { name: 'logins', head: '', unit: 'login a password ', tail: '' },
    { name: 'names of names', head: '', unit: 'name="token" ', tail: '' },
    { name: 'colours and names', head: '', unit: '\u001b[31msession=', tail: '' },
  ];

  for (const row of rows) {
    test(row.name, () => {
      assertLinear(defaultRedactor, row);
    });
  }

  const value = ['tenant-', 'handle-77x'].join('');
  const knowing = createRedactor({ values: [value] });
  const inBase64 = btoa(value);
  for (const unit of [value, value.slice(0, 12), inBase64, inBase64.slice(0, 12), 'ab/+', `${inBase64} `]) {
    test(`known values and ${unit}`, () => {
      assertLinear(knowing, { name: unit, head: '', unit, tail: '' });
    });
  }

  function assertLinear(redactor: Redactor, row: Parameters<typeof hostileText>[0]): void {
    const shortText = hostileText(row, small);
    const longText = hostileText(row, small * factor);
    const long = milliseconds(redactor, longText);
    if (long > tooShortToTell) {
      const short = milliseconds(redactor, shortText);
      const ratio = milliseconds(redactor, longText) / Math.max(short, tooShortToTell / factor);
      assert.ok(ratio <= allowed, `${factor} times the text took ${ratio.toFixed(1)} times as long`);
    }
  }
});

/** Of the processor, not of the clock: other tests run beside this one. */
function milliseconds(redactor: Redactor, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 2; run++) {
    const start = process.cpuUsage();
    redactor.text(text);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}
