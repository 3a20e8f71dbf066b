/**
 * Effect's own MCP servers, as children over stdio: the release candidate that sends a declared failure as a success,
 * and the release that flags it and sends it as text alone. Each with an SDK client that has not listed the tools, then
 * with one that has, whose own schema check then stands in the way.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Failure, type ToolCaller, type ToolOutcome, withOutcomes } from '../src/index.ts';
import { effectRcServer } from './support/effect-rc-server.ts';
import { effectServer } from './support/effect-server.ts';

interface Row {
  readonly name: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly kind: ToolOutcome['kind'];
  readonly category: ToolOutcome['category'];
  readonly failure?: Failure;
  /** The envelope as this version of the server is known to send it. */
  readonly result: object;
  /** What the SDK's own `callTool` rejects with once it has listed the tools. */
  readonly sdkRejects?: number;
}

interface Version {
  readonly version: string;
  readonly server: StdioServerParameters;
  readonly rows: readonly Row[];
}

const thread = { threadId: 't-1' };

function text(said: string): { readonly content: readonly object[] } {
  return { content: [{ type: 'text', text: said }] };
}

/** The failure that a tool declares, as a body on the wire. */
function body(code: string) {
  return { _tag: 'OrchestratorMcpFailure', code, message: `${code}: t-1` };
}

function orchestratorFailure(code: string): Failure {
  const { message } = body(code);
  return { recognizer: 'orchestratorMcpFailure', tag: 'OrchestratorMcpFailure', code, message };
}

/** A code of t3code's, and what it means for the caller. */
const codes: readonly (readonly [string, ToolOutcome['category']])[] = [
  ['thread_not_found', 'not_found'],
  ['capability_denied', 'access_denied'],
  ['runtime_mode_escalation_denied', 'access_denied'],
  ['thread_credential_required', 'access_denied'],
  ['target_required', 'invalid_input'],
  ['provider_unavailable', 'transient_failure'],
  // A code of the server's that says neither.
  ['thread_not_sendable', 'tool_error'],
];

/** Both versions agree on these. */
const sameInBoth: readonly Row[] = [
  ...['returned', 'raised'].map(
    (tool): Row => ({
      name: `${tool}: a success`,
      tool,
      arguments: thread,
      kind: 'success',
      category: 'success',
      result: {
        ...text('{"title":"Thread t-1"}'),
        structuredContent: { title: 'Thread t-1' },
        isError: false,
      },
    }),
  ),
  {
    name: 'a raised failure: only its message is sent',
    tool: 'raised',
    arguments: { ...thread, code: 'thread_not_found' },
    kind: 'tool_error',
    category: 'tool_error',
    result: { ...text('thread_not_found: t-1'), isError: true },
  },
  {
    name: 'raised: invalid arguments',
    tool: 'raised',
    arguments: {},
    kind: 'tool_error',
    category: 'tool_error',
    result: {
      ...text('Invalid parameters for tool \'raised\': Missing key\n  at ["threadId"]'),
      isError: true,
    },
  },
  {
    name: 'a defect',
    tool: 'crashed',
    arguments: thread,
    kind: 'tool_error',
    category: 'tool_error',
    result: { ...text('Tool execution failed due to an internal server error.'), isError: true },
  },
];

const refusedArguments = {
  _tag: 'AiError',
  module: 'Toolkit',
  method: 'returned.handle',
  reason: {
    _tag: 'ToolParameterValidationError',
    toolName: 'returned',
    description: 'Missing key\n  at ["threadId"]',
  },
};

const versions: readonly Version[] = [
  {
    version: '4.0.0-rc.115',
    server: effectRcServer,
    rows: [
      ...sameInBoth,
      ...codes.map(
        ([code, category]): Row => ({
          name: `a returned failure with the code ${code} looks like a success`,
          tool: 'returned',
          arguments: { ...thread, code },
          kind: 'failure_body',
          category,
          failure: orchestratorFailure(code),
          result: { ...text(JSON.stringify(body(code))), structuredContent: body(code), isError: false },
          sdkRejects: -32602,
        }),
      ),
      {
        name: 'returned: invalid arguments look like a success',
        tool: 'returned',
        arguments: {},
        kind: 'failure_body',
        category: 'invalid_input',
        failure: {
          recognizer: 'effectAiError',
          tag: 'AiError',
          code: 'ToolParameterValidationError',
          message: 'Missing key\n  at ["threadId"]',
        },
        result: {
          ...text(JSON.stringify(refusedArguments)),
          structuredContent: refusedArguments,
          isError: false,
        },
        sdkRejects: -32602,
      },
    ],
  },
  {
    version: '4.1.0',
    server: effectServer,
    rows: [
      ...sameInBoth,
      ...codes.map(
        ([code, category]): Row => ({
          name: `a returned failure with the code ${code} is flagged, its body is text alone`,
          tool: 'returned',
          arguments: { ...thread, code },
          kind: 'tool_error',
          category,
          failure: orchestratorFailure(code),
          result: { ...text(JSON.stringify(body(code))), isError: true },
        }),
      ),
      {
        name: 'returned: invalid arguments are flagged, as prose',
        tool: 'returned',
        arguments: {},
        kind: 'tool_error',
        category: 'tool_error',
        result: {
          ...text('Invalid parameters for tool \'returned\': Missing key\n  at ["threadId"]'),
          isError: true,
        },
      },
    ],
  },
];

const suites = versions.map((version) => {
  const client = new Client({ name: 'effect-tests', version: '1.0.0' });
  return { ...version, client, transport: new StdioClientTransport(version.server) };
});

// Loading Effect takes most of the time of these tests: both children do it at once.
before(() => Promise.all(suites.map(({ client, transport }) => client.connect(transport))));
after(() =>
  Promise.all(
    suites.map(async ({ client, transport }) => {
      const { pid } = transport;
      await client.close();
      assert.throws(() => process.kill(pid ?? Number.NaN, 0), { code: 'ESRCH' }, 'the server is still there');
    }),
  ),
);

for (const { version, client, rows } of suites) {
  describe(`effect ${version}`, () => {
    const warnings: object[] = [];
    const caller = withOutcomes(client, { logger: { warn: (record) => warnings.push(record) } });

    for (const row of rows) {
      test(`not listed: ${row.name}`, async () => {
        const { tool: name, result } = row;
        // The bare client has nothing to hold the answer against.
        assert.deepEqual(await client.callTool({ name, arguments: row.arguments }), result);
        await assertOutcome(caller, row, warnings);
      });
    }

    test('the tools are listed, with output schemas', async () => {
      const { tools } = await client.listTools();
      const title = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
      assert.deepEqual(
        tools.map(({ name, outputSchema }) => [name, outputSchema]),
        ['returned', 'raised', 'crashed'].map((name) => [name, { ...title, additionalProperties: true }]),
      );
    });

    for (const row of rows) {
      test(`listed: ${row.name}`, async () => {
        const { tool: name, result, sdkRejects } = row;
        const bare = client.callTool({ name, arguments: row.arguments });
        await (sdkRejects === undefined
          ? bare.then((resolved) => assert.deepEqual(resolved, result))
          : assert.rejects(bare, { name: 'McpError', code: sdkRejects }));
        await assertOutcome(caller, row, warnings);
      });
    }

    test('a tool that is not there', async () => {
      const outcome = await caller.callTool({ name: 'missing', arguments: {} });
      assert.equal(outcome.kind, 'call_failure', outcome.message);
      assert.equal(outcome.kind === 'call_failure' && outcome.reason, 'protocol_error');
      assert.equal(outcome.kind === 'call_failure' && outcome.rpcCode, -32602);
    });
  });
}

async function assertOutcome(caller: ToolCaller, row: Row, warnings: object[]): Promise<void> {
  warnings.length = 0;
  const outcome = await caller.callTool({ name: row.tool, arguments: row.arguments });
  assert.equal(outcome.kind, row.kind, outcome.message);
  assert.equal(outcome.category, row.category);
  assert.equal(outcome.delivery, 'answered');
  assert.deepEqual('result' in outcome && outcome.result, row.result);
  assert.deepEqual('failure' in outcome ? outcome.failure : undefined, row.failure);
  assert.equal(warnings.length, row.kind === 'success' ? 0 : 1);
  if (outcome.kind === 'success') {
    assert.deepEqual(outcome.value, { title: 'Thread t-1' });
    assert.deepEqual(outcome.warnings, []);
    // `returned` alone is declared to be read-only.
    assert.equal(outcome.replaySafe, row.tool === 'returned');
  }
}
