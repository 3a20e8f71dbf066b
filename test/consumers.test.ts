/** The packed package in other people's projects: it type-checks with the compilers they use, and loads as they load it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { projectFolder } from './support/cli-run.ts';

const run = promisify(execFile);
const modules = join(import.meta.dirname, '..', 'node_modules');

const program = `
import { type ToolOutcome, classifyResult, toReceipt, withOutcomes } from 'mcp-outcome';
import * as v from 'valibot';

const client = { callTool: async (params: { name: string }) => ({ content: [{ type: 'text', text: params.name }] }) };
const { callTool } = withOutcomes(client, { logger: false });
const outcome = await callTool({ name: 'now' }, { output: v.object({ celsius: v.number() }) });
if (outcome.kind === 'success') {
  const celsius: number = outcome.value.celsius;
  console.log(celsius);
}
export function describe(other: ToolOutcome): string {
  switch (other.kind) {
    case 'success':
      return 'fine';
    case 'tool_error':
    case 'failure_body':
    case 'schema_mismatch':
      return other.category;
    case 'call_failure':
      return other.reason;
    case 'cancelled':
      return 'stopped';
  }
}
console.log(describe(classifyResult({ content: [] }, { server: 's', tool: 't' })), toReceipt(outcome)?.callId);
`;

const compilers = [
  { name: 'TypeScript 5.9', tsc: join(modules, 'typescript-5', 'bin', 'tsc') },
  { name: 'TypeScript 7', tsc: join(modules, 'typescript', 'bin', 'tsc') },
] as const;

const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
] as const;

describe('a project that uses the package', () => {
  const folder = join(projectFolder, 'consumer');

  before(async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
    await writeFile(join(folder, 'program.ts'), program);
  });

  after(() => rm(folder, { recursive: true }));

  for (const { name, tsc } of compilers) {
    for (const resolution of resolutions) {
      test(`type-checks with ${name}, ${resolution.moduleResolution}`, async () => {
        const compilerOptions = {
          ...resolution,
          target: 'es2022',
          lib: ['es2023', 'dom'],
          types: [],
          strict: true,
          noEmit: true,
          exactOptionalPropertyTypes: true,
        };
        const project = join(folder, `tsconfig.${resolution.moduleResolution}.json`);
        await writeFile(project, JSON.stringify({ compilerOptions, files: ['program.ts'] }));
        await assert.doesNotReject(run(process.execPath, [tsc, '-p', project]), (error: Error) => {
          assert.fail(JSON.stringify(error));
        });
      });
    }
  }

  test('loads it with require()', async () => {
    const script = `const { withOutcomes } = require('mcp-outcome'); console.log(typeof withOutcomes)`;
    // Node 20 still says that this is new.
    const { stdout } = await run(process.execPath, ['--no-warnings', '-e', script], { cwd: projectFolder });
    assert.equal(stdout, 'function\n');
  });
});
