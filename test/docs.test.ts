import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';

/** Runs every `ts` block of the README and of docs/ as a program of its own, and checks what the README promises. */
const root = join(import.meta.dirname, '..');

interface Block {
  readonly name: string;
  readonly code: string;
}

async function markdownFiles(): Promise<readonly string[]> {
  const docs = await readdir(join(root, 'docs'), { recursive: true });
  return ['README.md', ...docs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file))];
}

async function readBlocks(): Promise<readonly Block[]> {
  const files = await markdownFiles();
  const blocks = await Promise.all(
    files.map(async (file) => {
      const markdown = await readFile(join(root, file), 'utf8');
      return [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], index) => ({
        name: `${file}, block ${index + 1}`,
        code,
      }));
    }),
  );
  return blocks.flat();
}

const blocks = await readBlocks();

describe('the code in the docs', () => {
  let folder = '';

  before(async () => {
    folder = await mkdtemp(join(root, 'test', '.docs-'));
  });

  after(() => rm(folder, { recursive: true }));

  test('there is some', () => {
    assert.ok(blocks.length >= 5, `only ${blocks.length} blocks`);
  });

  for (const [index, { name, code }] of blocks.entries()) {
    test(`${name} runs`, async () => {
      const file = join(folder, `block-${index}.ts`);
      await writeFile(file, code);
      const args = ['--conditions=mcp-outcome-source', '--import', 'tsx', file];
      const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
      const [output, errors, [exitCode]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ]);
      assert.equal(exitCode, 0, `${output}\n${errors}`);
    });
  }
});

describe('the README', () => {
  test('is at most 150 lines', async () => {
    const lines = (await readFile(join(root, 'README.md'), 'utf8')).split('\n').length;
    assert.ok(lines <= 150, `${lines} lines`);
  });

  test('links to files that exist', async () => {
    for (const file of await markdownFiles()) {
      const markdown = await readFile(join(root, file), 'utf8');
      for (const [, target = ''] of markdown.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
        await assert.doesNotReject(readFile(join(root, file, '..', target)), `${file} links to ${target}`);
      }
    }
  });
});

describe('the test runner', () => {
  test('finds every test file: Node 20 knows no patterns, and none may hide in a folder below', async () => {
    const files = await readdir(join(root, 'test'), { recursive: true });
    const hidden = files.filter(
      (file) => file.endsWith('.test.ts') && file.includes('/') && !file.includes('node_modules'),
    );
    assert.deepEqual(hidden, []);
  });
});
