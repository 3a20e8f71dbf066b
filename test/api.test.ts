import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as api from '../src/index.ts';

/** The surface of the package, written out: a name that comes or goes shows up here, and in docs/api.md. */
const values = [
  'OptionsError',
  'ToolCallError',
  'callFailureReasons',
  'classifyResult',
  'classifyRpcError',
  'classifyThrown',
  'createRedactor',
  'declaredFailure',
  'defaultFailureBodies',
  'defineFailureBody',
  'dispatcherCategory',
  'effectAiError',
  'failureCategories',
  'fromAnthropicToolResult',
  'isFailedToolMessage',
  'logOutcome',
  'logRecordSchema',
  'looseFailure',
  'markToolMessage',
  'observeFetch',
  'orchestratorMcpFailure',
  'outcomeDigest',
  'outcomeKinds',
  'outcomeSerializer',
  'outcomeText',
  'parseOutcome',
  'publishToolMessages',
  'serializeOutcome',
  'toAISDKToolResultOutput',
  'toAnthropicToolResult',
  'toCallToolResult',
  'toGeminiFunctionResponse',
  'toLangChainToolMessage',
  'toOpenAIFunctionCallOutput',
  'toOpenAIToolMessage',
  'toOtelAttributes',
  'toReceipt',
  'toStatusResult',
  'unwrap',
  'withOutcomes',
];

const root = join(import.meta.dirname, '..');

/** Every name in the export lists of the root entry, types included. */
async function exportedNames(): Promise<readonly string[]> {
  const source = await readFile(join(root, 'src/index.ts'), 'utf8');
  const lists = [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(','),
  );
  return lists.map((name) => name.replace(/^\s*type\s/, '').trim()).filter((name) => name !== '');
}

describe('the root entry', () => {
  test('exports these values and no others', () => {
    assert.deepEqual(Object.keys(api).sort(), [...values].sort());
  });

  test('is documented: every export, values and types, stands in docs/api.md', async () => {
    const docs = await readFile(join(root, 'docs/api.md'), 'utf8');
    const names = await exportedNames();
    assert.ok(names.length > values.length);
    assert.deepEqual(
      names.filter((name) => !new RegExp(`\`${name}\\b`).test(docs)),
      [],
    );
  });

  test('names nothing in docs/api.md that it does not export', async () => {
    const docs = await readFile(join(root, 'docs/api.md'), 'utf8');
    const names = new Set(await exportedNames());
    const rows = [...docs.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell);
    const named = rows
      .filter((cell) => /^`[A-Za-z]+[(`]/.test(cell))
      .flatMap((cell) => [...cell.matchAll(/`([A-Za-z]+)/g)].map(([, name = '']) => name));
    const options = [
      'server',
      'logger',
      'redactor',
      'failureBodies',
      'errorBodies',
      'outputSchemas',
      'timeout',
    ];
    const known = (name: string): boolean =>
      names.has(name) || options.includes(name) || name === 'maxTotalTimeout';
    assert.deepEqual(
      named.filter((name) => !known(name)),
      [],
    );
  });
});
