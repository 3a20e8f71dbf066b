/** The redaction corpus both ways: what must vanish, in full and in part, and what must come out unchanged. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRedactor, type Redactor } from '../src/redact/redactor.ts';
import { type CorpusCase, loadRedactionCorpus } from './support/redaction-corpus.ts';

const corpus = loadRedactionCorpus();

function redact(row: CorpusCase): unknown {
  const redactor: Redactor = createRedactor({ values: row.known });
  switch (row.mode) {
    case 'value':
      return redactor.value(row.input);
    case 'text':
      return redactor.text(String(row.input));
    case 'bounded':
      return redactor.bounded(String(row.input), row.limit);
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Eight units of a secret in a row are a leak, for a short secret all of it. */
const shownUnits = 8;

function leakOf(output: string, { value, prefix }: CorpusCase['secrets'][number]): string | undefined {
  const secret = value.slice(prefix);
  if (secret.length < 12) {
    return output.includes(secret) ? secret : undefined;
  }
  for (let i = 0; i + shownUnits <= secret.length; i++) {
    const shown = secret.slice(i, i + shownUnits);
    if (output.includes(shown)) {
      return shown;
    }
  }
  return undefined;
}

describe('what must vanish', () => {
  for (const row of corpus.positives) {
    test(`${row.name}, tier ${row.tier}`, () => {
      const output = asText(redact(row));
      assert.deepEqual(
        row.secrets.map((secret) => leakOf(output, secret)),
        row.secrets.map(() => undefined),
        output.slice(0, 400),
      );
      assert.deepEqual(
        row.keep.filter((kept) => !output.includes(kept)),
        [],
        output.slice(0, 400),
      );
      assert.ok(row.mode !== 'bounded' || output.length <= row.limit + 1, `${output.length} units`);
    });
  }
});

describe('what must survive', () => {
  for (const row of corpus.negatives) {
    test(row.name, () => {
      assert.equal(asText(redact(row)), asText(row.input));
    });
  }
});

/** Texts of public reports about secrets in the logs of MCP clients and servers. */
const reportedLogs: readonly {
  readonly name: string;
  readonly text: string;
  readonly mustNotContain: readonly string[];
  readonly mustContain: readonly string[];
}[] = [
  {
    name: 'J01: userinfo, JSON members and environment pairs in one line',
    text: 'connect https://svc:EXAMPLE-PW-1@mcp.example.test/mcp failed: HTTP 400: {"client_secret":"EXAMPLE-CS-1"} PASSWORD=EXAMPLE-PW-2 AWS_SECRET_ACCESS_KEY=EXAMPLE-AWS-1',
    mustNotContain: ['EXAMPLE-PW-1', 'EXAMPLE-CS-1', 'EXAMPLE-PW-2', 'EXAMPLE-AWS-1'],
    mustContain: ['mcp.example.test', 'HTTP 400'],
  },
  {
    name: 'J02: an inspected environment',
    text: "tool failed: stderr: { cmd: 'init', env: { GITHUB_PAT: 'github_pat_EXAMPLE0EXAMPLE0EXAMPLE_EXAMPLE0001', PATH: '/usr/bin', DB_URL: 'postgres://u:EXAMPLE-PW-3@db/x' } }",
    mustNotContain: ['github_pat_EXAMPLE0EXAMPLE0EXAMPLE_EXAMPLE0001', 'EXAMPLE-PW-3'],
    mustContain: ['tool failed', '/usr/bin'],
  },
  {
    name: 'J03: a connection string without a host',
    text: 'Protocol and host list are required in "mongodb+srv://user:EXAMPLE-PW-4@"',
    mustNotContain: ['EXAMPLE-PW-4'],
    mustContain: ['Protocol and host list are required'],
  },
  {
    name: 'J05: names that end in a key word',
    text: 'MCP_API_KEY=EXAMPLE-KEY-1 rejected; x-goog-api-key: EXAMPLE-KEY-2',
    mustNotContain: ['EXAMPLE-KEY-1', 'EXAMPLE-KEY-2'],
    mustContain: ['rejected'],
  },
  {
    name: 'J07: _KEY is secret, MAX_TOKENS and KEYBOARD are not',
    text: '{"env":{"DIFY_KEY":"EXAMPLE-KEY-3","MAX_TOKENS":"4096","KEYBOARD":"us"}}',
    mustNotContain: ['EXAMPLE-KEY-3'],
    mustContain: ['4096', 'us'],
  },
  {
    name: 'J09: no prefix of the value stays',
    text: 'upload failed with xoxb-EXAMPLE-12345-abcdef',
    mustNotContain: ['EXAMPLE-12345', 'EXAMPLE-1', 'xoxb'],
    mustContain: ['upload failed with'],
  },
  {
    name: 'J11: a whole error as JSON, with its cause',
    text: '{"name":"McpError","code":-32602,"message":"boom","data":{"requestId":"r1","auth":{"clientId":"c","token":"EXAMPLE-BEARER-1"}},"cause":{"config":{"headers":{"Authorization":"Bearer EXAMPLE-BEARER-2","Cookie":"sid=EXAMPLE-SID-1"}}}}',
    mustNotContain: ['EXAMPLE-BEARER-1', 'EXAMPLE-BEARER-2', 'EXAMPLE-SID-1'],
    mustContain: ['boom', '-32602', '"requestId":"r1"'],
  },
];

describe('logs of public reports', () => {
  for (const row of reportedLogs) {
    test(row.name, () => {
      const output = createRedactor().text(row.text);
      assert.deepEqual(
        row.mustNotContain.filter((secret) => output.includes(secret)),
        [],
      );
      assert.deepEqual(
        row.mustContain.filter((kept) => !output.includes(kept)),
        [],
      );
    });
  }
});
