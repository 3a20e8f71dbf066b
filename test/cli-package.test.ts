/** The packed package in an empty project: what a user who installs it has. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { assertHas, parseLines, projectFolder, runCli } from './support/cli-run.ts';

const run = promisify(execFile);
const everything = join(import.meta.dirname, '..', 'node_modules', '.bin', 'mcp-server-everything');

describe('the installed package', () => {
  test('starts through npx', async () => {
    const { stdout } = await run('npx', ['--no-install', 'mcp-outcome', '--version'], { cwd: projectFolder });
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  test('is imported by its name', async () => {
    const script = `import { outcomeKinds, withOutcomes } from 'mcp-outcome'; console.log(typeof withOutcomes, outcomeKinds.length)`;
    const args = ['--input-type=module', '-e', script];
    const { stdout } = await run(process.execPath, args, { cwd: projectFolder });
    assert.equal(stdout, 'function 6\n');
  });

  test('holds no sources, tests or source maps', async () => {
    const files = await readdir(join(projectFolder, 'node_modules', 'mcp-outcome'), { recursive: true });
    assert.ok(files.includes(join('dist', 'cli', 'main.js')));
    assert.deepEqual(
      files.filter((file) => /^(src|test)|\.map$|(?<!\.d)\.ts$/.test(file)),
      [],
    );
  });

  test('holds the types of what is imported, and none of the command line', async () => {
    const files = await readdir(join(projectFolder, 'node_modules', 'mcp-outcome'), { recursive: true });
    const types = files.filter((file) => file.endsWith('.d.ts'));
    assert.ok(types.includes(join('dist', 'index.d.ts')));
    assert.ok(types.includes(join('dist', 'redact', 'redactor.d.ts')));
    assert.deepEqual(
      types.filter((file) => file.startsWith(join('dist', 'cli', '/'))),
      [],
    );
  });

  test('calls a reference server over stdio', async () => {
    const args = ['call', 'echo', '{"message":"hi"}', '--', process.execPath, everything];
    const { exitCode, stdout } = await runCli(args);
    assertHas(stdout, {
      kind: 'success',
      server: 'mcp-servers/everything',
      tool: 'echo',
      result: { content: [{ type: 'text', text: 'Echo: hi' }] },
    });
    assert.equal(exitCode, 0);
  });

  test('runs the demo, whose every verdict is the right one', async () => {
    const { exitCode, stdout, stderr } = await runCli(['demo']);
    assert.match(stdout, /\n20 of 20 verdicts are the right ones\.\n$/);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
    const logged = parseLines(
      stdout
        .split('\n')
        .filter((line) => line.startsWith('{"level"'))
        .join('\n'),
    );
    assert.equal(logged.length, 17);
  });
});
