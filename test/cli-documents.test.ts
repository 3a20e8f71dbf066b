/** How bytes become JSON values: the same whatever the chunks they come in, and nothing is lost. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createDocumentReader } from '../src/cli/read-documents.ts';
import { readLines } from '../src/cli/read-lines.ts';

const run = { seed: 20_261_130, numRuns: 300 };

type Found = readonly [line: number, what: unknown];

async function readChunks(chunks: readonly Buffer[], limit: number): Promise<readonly Found[]> {
  const found: Found[] = [];
  const reader = createDocumentReader(
    {
      onDocument: (line, value) => found.push([line, { value }]),
      onUnreadable: (line, why) => found.push([line, why]),
    },
    limit,
  );
  async function* source(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  for await (const lines of readLines(source(), limit)) {
    for (const line of lines) reader.push(line);
  }
  reader.end();
  return found;
}

/** Cuts a text into chunks at these places, in the middle of characters too. */
function cut(text: string, places: readonly number[]): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

const objects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 }));
const places = fc.array(fc.nat(), { maxLength: 12 });

describe('JSON values', () => {
  test('are found in NDJSON, wherever its chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(objects, { minLength: 1 }), places, async (values, ends) => {
        const text = values.map((value) => JSON.stringify(value)).join('\n');
        const expected = values.map((_value, index) => [
          index + 1,
          { value: JSON.parse(JSON.stringify(values[index])) },
        ]);
        assert.deepEqual(await readChunks(cut(text, ends), 1_000_000), expected);
      }),
      run,
    );
  });

  test('are found when they are printed over several lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(objects, { minLength: 1 }),
        places,
        fc.nat(4),
        async (values, ends, indent) => {
          const texts = values.map((value) => JSON.stringify(value, null, indent));
          let line = 1;
          const expected = texts.map((text) => {
            const first = line;
            line += text.split('\n').length;
            return [first, { value: JSON.parse(text) }];
          });
          assert.deepEqual(await readChunks(cut(texts.join('\n'), ends), 1_000_000), expected);
        },
      ),
      run,
    );
  });

  test('are found when they touch, on one line or where one of several lines ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(objects, { minLength: 2 }),
        places,
        fc.nat(4),
        fc.constantFrom('', ' ', '\t'),
        async (values, ends, indent, between) => {
          const texts = values.map((value) => JSON.stringify(value, null, indent));
          let line = 1;
          const expected = texts.map((text) => {
            const first = line;
            line += text.split('\n').length - 1;
            return [first, { value: JSON.parse(text) }];
          });
          assert.deepEqual(await readChunks(cut(texts.join(between), ends), 1_000_000), expected);
        },
      ),
      run,
    );
  });

  test('come out of any bytes without an error, in the order of their lines, each line refused once', async () => {
    const junk = fc.array(
      fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', 'x', ' ', '\n', '{}\n'),
    );
    await fc.assert(
      fc.asyncProperty(junk, places, async (parts, ends) => {
        const text = parts.join('');
        const found = await readChunks(cut(text, ends), 1_000_000);
        const numbers = found.map(([line]) => line);
        assert.deepEqual(
          numbers,
          numbers.toSorted((a, b) => a - b),
        );
        const refused = found.filter(([, what]) => typeof what === 'string').map(([line]) => line);
        assert.equal(new Set(refused).size, refused.length);
        assert.ok((numbers.at(-1) ?? 0) <= text.split('\n').length);
      }),
      run,
    );
  });
});

describe('the limit', () => {
  const rows: readonly { readonly name: string; readonly text: string; readonly found: readonly Found[] }[] =
    [
      {
        name: 'is inclusive',
        text: '"12345678"\n2',
        found: [
          [1, { value: '12345678' }],
          [2, { value: 2 }],
        ],
      },
      {
        name: 'holds for a line',
        text: '"123456789"\n2',
        found: [
          [1, 'too long'],
          [2, { value: 2 }],
        ],
      },
      {
        name: 'holds for the last line',
        text: '1\n"123456789"',
        found: [
          [1, { value: 1 }],
          [2, 'too long'],
        ],
      },
      {
        name: 'holds for a value over several lines, whose lines are then read one by one',
        text: '[\n1,\n2,\n3,\n4\n]\n{"a":1}',
        found: [
          [1, 'not JSON'],
          [2, 'not JSON'],
          [3, 'not JSON'],
          [4, 'not JSON'],
          [5, { value: 4 }],
          [6, 'not JSON'],
          [7, { value: { a: 1 } }],
        ],
      },
      {
        name: 'ends a value that has begun, too',
        text: '[\n{}\n"123456789"\n{}',
        found: [
          [1, 'not JSON'],
          [2, { value: {} }],
          [3, 'too long'],
          [4, { value: {} }],
        ],
      },
    ];
  for (const { name, text, found } of rows) {
    test(name, async () => {
      for (const size of [1, 3, text.length]) {
        const ends = Array.from({ length: Math.floor(text.length / size) }, (_, index) => index * size);
        assert.deepEqual(await readChunks(cut(text, ends), 10), found);
      }
    });
  }
});
