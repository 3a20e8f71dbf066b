/** What an outcome says of its own call, however late it is asked: the tool's name, and the error behind it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  classifyResult,
  classifyThrown,
  createRedactor,
  logOutcome,
  outcomeSerializer,
  type ToolOutcome,
  withOutcomes,
} from '../src/index.ts';
import { safeNames } from '../src/redact/safe-names.ts';

const answer = { content: [{ type: 'text', text: 'ok' }] };
const handle = ['tenant-', 'handle-77x'].join('');
const redactor = createRedactor({ values: [handle] });

describe('the name of a tool, which a model may have invented', () => {
  const rows: readonly { readonly name: string; readonly tool: string; readonly safe: string }[] = [
    { name: 'as MCP allows it', tool: 'shop.search-links_2/v1', safe: 'shop.search-links_2/v1' },
    { name: 'about a secret', tool: 'get_access_token', safe: 'get_access_token' },
    { name: 'with a secret', tool: 'search token=abc1 x', safe: 'search token=[REDACTED] x' },
    { name: 'with what is on its line', tool: 'a\nb\u001b[31m', safe: 'a b [31m' },
    { name: 'of 128 units', tool: 'a'.repeat(128), safe: 'a'.repeat(128) },
    { name: 'of 129 units', tool: 'a'.repeat(129), safe: `${'a'.repeat(128)}…` },
  ];
  for (const { name, tool, safe } of rows) {
    test(name, async () => {
      const tools = withOutcomes({ callTool: async () => answer }, { logger: false });
      const outcomes = [
        await tools.callTool({ name: tool }),
        await tools.callTool({ name: tool }),
        classifyResult(answer, { server: 'shop', tool }),
      ];
      assert.deepEqual(
        outcomes.map((outcome) => [outcome.ok, outcome.tool]),
        [
          [true, safe],
          [true, safe],
          [true, safe],
        ],
      );
    });
  }

  test('goes through the redactor of the wrapper, and to the server as it is', async () => {
    const names: unknown[] = [];
    const client = {
      callTool: async (params: { name: string }) => {
        names.push(params.name);
        return answer;
      },
    };
    const tools = withOutcomes(client, { redactor, logger: false });
    const outcomes = [
      await tools.callTool({ name: `of-${handle}` }),
      await tools.callTool({ name: 'of-tenant' }),
    ];
    assert.deepEqual(
      outcomes.map(({ tool }) => tool),
      ['of-[REDACTED]', 'of-tenant'],
    );
    assert.deepEqual(names, [`of-${handle}`, 'of-tenant']);
  });

  test('finds its schema by the name that the server knows', async () => {
    const client = { callTool: async () => ({ content: [], structuredContent: { total: 'three' } }) };
    const schema = { type: 'object', properties: { total: { type: 'number' } } };
    const tools = withOutcomes(client, { logger: false, outputSchemas: { 'count token=abc1': schema } });
    const known = await tools.callTool({ name: 'count token=abc1' });
    const unknown = await tools.callTool({ name: 'count token=[REDACTED]' });
    assert.deepEqual([known.kind, known.tool], ['schema_mismatch', 'count token=[REDACTED]']);
    assert.deepEqual([unknown.kind, unknown.tool], ['success', 'count token=[REDACTED]']);
  });

  test('is right for more names than are remembered', () => {
    let asked = 0;
    const counting = {
      ...redactor,
      bounded: (text: string, limit: number) => {
        asked += 1;
        return redactor.bounded(text, limit);
      },
    };
    const safe = safeNames(counting);
    for (let i = 0; i < 2_000; i += 1)
      assert.equal(safe(`tool-${i} token=abc1`), `tool-${i} token=[REDACTED]`);
    assert.equal(asked, 2_000);
    assert.equal(safe('tool-1999 token=abc1'), 'tool-1999 token=[REDACTED]');
    assert.equal(asked, 2_000);
  });
});

describe('the error of an outcome, when it is logged later', () => {
  const thrown = new Error(`no such place: ${handle}`);
  const failing = {
    callTool: async () => {
      throw thrown;
    },
  };

  async function failedCall(options: { readonly redactor?: typeof redactor }): Promise<ToolOutcome> {
    return withOutcomes(failing, { ...options, logger: false, server: 'shop' }).callTool({ name: 'find' });
  }

  function loggedTexts(outcome: ToolOutcome): readonly string[] {
    const records: object[] = [];
    logOutcome({ warn: (record) => records.push(record) }, outcome);
    return [JSON.stringify(records), JSON.stringify(outcomeSerializer(outcome))];
  }

  test('goes through the redactor of its call', async () => {
    for (const text of loggedTexts(await failedCall({ redactor }))) {
      assert.ok(text.includes('no such place: [REDACTED]'), text);
      assert.ok(!text.includes(handle), text);
    }
  });

  test('goes through the default redactor when its call had no other', async () => {
    const outcomes = [await failedCall({}), classifyThrown(thrown, { server: 'shop', tool: 'find' })];
    for (const text of outcomes.flatMap(loggedTexts)) {
      assert.ok(text.includes(`no such place: ${handle}`), text);
    }
  });

  test('is not there any more in a copy', async () => {
    const outcome = await failedCall({ redactor });
    for (const copy of [{ ...outcome }, structuredClone(outcome), Object.assign({}, outcome)]) {
      const text = JSON.stringify(outcomeSerializer(copy));
      assert.ok(text.includes('no such place: [REDACTED]') && !text.includes(handle), text);
    }
  });
});

describe('a redactor of the caller’s own', () => {
  const long = 'x'.repeat(5_000);
  const fine = {
    text: (text: string) => `<${text}>`,
    value: (value: unknown) => value,
    bounded: (text: string) => text,
  };
  const refuse = (): never => {
    throw new Error('broken');
  };
  const rows = [
    { name: 'that masks all', redactor: { ...fine, bounded: () => 'masked' }, message: /^masked$/ },
    {
      name: 'that throws',
      redactor: { text: refuse, value: refuse, bounded: refuse },
      message: /^\[REDACTED\]$/,
    },
    { name: 'that answers with no text', redactor: { ...fine, bounded: () => 5 }, message: /^\[REDACTED\]$/ },
    { name: 'that forgets the limit', redactor: { ...fine, bounded: () => long }, message: /^x{2048}…$/ },
  ] as const;
  for (const { name, redactor, message } of rows) {
    test(`${name}: the message is what it made, or nothing of the text`, async () => {
      const client = { callTool: () => Promise.reject(new Error('token=hunter2')) };
      const lines: string[] = [];
      const logger = { warn: (record: object, text: string) => lines.push(JSON.stringify(record), text) };
      const wrap = (options: object) => Reflect.apply(withOutcomes, undefined, [client, options]);
      const outcome = await wrap({ logger, redactor }).callTool({ name: 'tool' });
      assert.match(outcome.message, message);
      assert.equal(lines.length, 2);
      assert.doesNotMatch(lines.join(), /hunter2/);
    });
  }
});
