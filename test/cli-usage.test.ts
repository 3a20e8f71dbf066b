import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runCli } from './support/cli-run.ts';

/** Stands in every place that an error message must not quote. */
const canary = 'canary-5f1c9e';
const folder = await mkdtemp(join(tmpdir(), 'mcp-outcome-usage-'));
after(() => rm(folder, { recursive: true }));

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

function config(entry: object): Promise<string> {
  return file(`${Math.random()}.json`, JSON.stringify({ mcpServers: { shop: entry } }));
}

interface Row {
  readonly name: string;
  readonly args: readonly string[];
  readonly says: string;
  readonly input?: string;
}

/** Schemas of the user's own that nothing can be held against, for both commands that take one. */
async function unusableSchemas(): Promise<readonly Row[]> {
  const schemas = [
    {
      name: 'of no known type',
      schema: '{ "type": "bogus" }',
      why: 'the output schema does not compile: type must be JSONType or JSONType[]: bogus',
    },
    {
      name: 'of an old dialect',
      schema: '{ "$schema": "http://json-schema.org/draft-04/schema#" }',
      why: 'the output schema has an unsupported $schema: http://json-schema.org/draft-04/schema#',
    },
    {
      name: 'that refers to another machine',
      schema: '{ "$ref": "https://example.com/x.json" }',
      why: "the output schema does not compile: can't resolve reference https://example.com/x.json from id #",
    },
  ];
  const rows = schemas.map(async ({ name, schema, why }): Promise<readonly Row[]> => {
    const path = await file(`${name}.json`, schema);
    const says = `Option --output-schema, ${path}: expected a JSON Schema that can be used, got none: ${why}.`;
    const option = ['--output-schema', path];
    return [
      { name: `a schema ${name}, for a call`, args: ['call', 'tool', ...url, ...option], says },
      {
        name: `a schema ${name}, for a log`,
        args: ['classify', ...option],
        input: '{"content":[],"structuredContent":{}}',
        says,
      },
    ];
  });
  return (await Promise.all(rows)).flat();
}

const url = ['--url', 'http://127.0.0.1:9/mcp'];

const rows: readonly Row[] = [
  { name: 'no command', args: [], says: 'Command: expected call, classify, demo, got none. See --help.' },
  {
    name: 'an unknown command, which may be an argument with secrets',
    args: [canary],
    says: 'Command: expected call, classify, demo, got something else. See --help.',
  },
  {
    name: 'a command that is a member of every object',
    args: ['constructor'],
    says: 'Command: expected call, classify, demo, got something else. See --help.',
  },
  {
    name: 'an unknown option before the command',
    args: ['--verson'],
    says: 'Option --verson: not known, expected one of --help, --version.',
  },
  {
    name: 'an unknown option with a value glued to it',
    args: ['call', 'tool', `--heder=${canary}`],
    says: 'Option --heder: not known, expected one of --url, --transport, --header, --config, --server, --output, --timeout, --output-schema, --help.',
  },
  {
    name: 'a header that was taken for an option',
    args: ['classify', `--Authorization: Bearer ${canary}`],
    says: 'Option --Authorization: not known, expected one of --server, --tool, --output-schema, --help.',
  },
  {
    name: 'a short option',
    args: ['classify', '-t', canary],
    says: 'Option -t: not known, expected one of --server, --tool, --output-schema, --help.',
  },
  {
    name: 'a flag with a value',
    args: ['demo', `--help=${canary}`],
    says: 'Option --help: expected no value, got one.',
  },
  { name: 'a demo with arguments', args: ['demo', canary], says: 'Demo: expected no arguments, got some.' },
  {
    name: 'no tool',
    args: ['call', ...url],
    says: 'Tool: expected a name, got none. See mcp-outcome call --help.',
  },
  {
    name: 'too many arguments',
    args: ['call', 'tool', '{}', canary, ...url],
    says: 'Arguments: expected one JSON object after the tool, got more.',
  },
  {
    name: 'no server',
    args: ['call', 'tool'],
    says: 'Server: expected --url URL, --config FILE or -- COMMAND, got none of them.',
  },
  {
    name: 'two servers',
    args: ['call', 'tool', ...url, '--', 'node'],
    says: 'Server: expected --url URL, --config FILE or -- COMMAND, got more than one.',
  },
  {
    name: 'no command after --',
    args: ['call', 'tool', '--'],
    says: 'Server: expected a command after --, got none.',
  },
  {
    name: 'an address that is none',
    args: ['call', 'tool', '--url', canary],
    says: 'Option --url: expected an http or https URL, got something else.',
  },
  {
    name: 'an address of another protocol',
    args: ['call', 'tool', '--url', `ftp://${canary}@127.0.0.1/`],
    says: 'Option --url: expected an http or https URL, got something else.',
  },
  {
    name: 'an address with credentials',
    args: ['call', 'tool', '--url', `http://bob:${canary}@127.0.0.1:9/mcp`],
    says: "Option --url: expected no user or password in the URL, got one. Use --header 'Authorization: …'.",
  },
  {
    name: 'an address with a user name alone, in a config file',
    args: ['call', 'tool', '--config', await config({ url: `http://${canary}@127.0.0.1:9/mcp` })],
    says: 'Option --config, server "shop", url: expected no user or password in the URL, got one. Use an Authorization header.',
  },
  {
    name: 'an option without its value',
    args: ['call', 'tool', '--url'],
    says: 'Option --url: expected a value, got none.',
  },
  {
    name: 'an option that swallowed the next',
    args: ['call', 'tool', '--url', '--timeout', '5'],
    says: 'Option --url: expected a value, got none (one that starts with "-" is written --url=-…).',
  },
  {
    name: 'an unknown transport',
    args: ['call', 'tool', ...url, '--transport', canary],
    says: 'Option --transport: expected http or sse, got something else.',
  },
  {
    name: 'a transport without an address',
    args: ['call', 'tool', '--transport', 'sse', '--', 'node'],
    says: 'Option --transport: expected only together with --url, got it without.',
  },
  {
    name: 'a header without an address',
    args: ['call', 'tool', '--header', `K: ${canary}`, '--', 'node'],
    says: 'Option --header: expected only together with --url, got it without.',
  },
  {
    name: 'a server name without a config file',
    args: ['call', 'tool', ...url, '--server', canary],
    says: 'Option --server: expected only together with --config, got it without.',
  },
  {
    name: 'a header without a colon',
    args: ['call', 'tool', ...url, '--header', canary],
    says: "Option --header: expected 'Name: value', got something else.",
  },
  {
    name: 'a header with a line break, which would be two',
    args: ['call', 'tool', ...url, '--header', `K: ${canary}\r\nL: m`],
    says: 'Option --header: expected a value of K without control characters, got some.',
  },
  ...(await Promise.all(
    ['\u0001', '\u0008', '\n', '\u001f', '\u007f'].map(async (character) => {
      const headers = { K: `${canary}${character}${canary}` };
      return {
        name: `a header with ${JSON.stringify(character)}, in a config file`,
        args: ['call', 'tool', '--config', await config({ url: 'http://127.0.0.1:9', headers })],
        says: 'Option --config, server "shop", headers: expected a value of K without control characters, got some.',
      };
    }),
  )),
  {
    name: 'a header whose value no request can carry',
    args: ['call', 'tool', ...url, '--header', `K: ${canary}…`],
    says: 'Option --header: expected a value of K in ISO 8859-1, got something else.',
  },
  {
    name: 'a header whose name is none, and may be a value',
    args: ['call', 'tool', ...url, '--header', `${canary} x: y`],
    says: "Option --header: expected 'Name: value', got something else.",
  },
  ...['Host', 'content-length', 'Transfer-Encoding', 'Expect', 'Connection', 'Keep-Alive', 'Upgrade'].map(
    (name) => ({
      name: `the header ${name}, which is not the caller's`,
      args: ['call', 'tool', ...url, '--header', `${name}: ${canary}`],
      says: `Option --header: expected no ${name}, which is not for a caller to set, got one.`,
    }),
  ),
  {
    name: 'such a header in a config file',
    args: [
      'call',
      'tool',
      '--config',
      await config({ url: 'http://127.0.0.1:9', headers: { Host: canary } }),
    ],
    says: 'Option --config, server "shop", headers: expected no Host, which is not for a caller to set, got one.',
  },
  ...['0', '-5', '1.5', '5s', '99999999999', canary].map((timeout) => ({
    name: `a timeout of ${timeout}`,
    args: ['call', 'tool', ...url, `--timeout=${timeout}`],
    says: 'Option --timeout: expected a whole number of milliseconds from 1 to 2147483647, got something else.',
  })),
  {
    name: 'an unknown format',
    args: ['call', 'tool', ...url, '--output', canary],
    says: 'Option --output: expected json or text, got something else.',
  },
  {
    name: 'arguments that are not JSON',
    args: ['call', 'tool', `{"a": "${canary}",}`, ...url],
    says: 'Arguments: expected a JSON object, got what is not JSON (it breaks at character 23).',
  },
  {
    name: 'arguments that are not JSON at all, for which the engine has no place',
    args: ['call', 'tool', canary, ...url],
    says: 'Arguments: expected a JSON object, got what is not JSON.',
  },
  {
    name: 'arguments that are an array',
    args: ['call', 'tool', `["${canary}"]`, ...url],
    says: 'Arguments: expected a JSON object, got an array.',
  },
  {
    name: 'arguments that are a string',
    args: ['call', 'tool', `"${canary}"`, ...url],
    says: 'Arguments: expected a JSON object, got a string.',
  },
  {
    name: 'arguments that are null',
    args: ['call', 'tool', 'null', ...url],
    says: 'Arguments: expected a JSON object, got null.',
  },
  {
    name: 'empty arguments from stdin',
    args: ['call', 'tool', '-', ...url],
    says: 'Arguments: expected a JSON object, got nothing.',
  },
  {
    name: 'bad arguments from stdin',
    args: ['call', 'tool', '-', ...url],
    input: `[1, "${canary}"]`,
    says: 'Arguments: expected a JSON object, got an array.',
  },
  {
    name: 'an argument file that is not there',
    args: ['call', 'tool', `@${join(folder, canary)}`, ...url],
    says: 'Arguments: expected a file that can be read, got none (ENOENT).',
  },
  {
    name: 'an argument file that is a folder',
    args: ['call', 'tool', `@${folder}`, ...url],
    says: 'Arguments: expected a file that can be read, got none (EISDIR).',
  },
  {
    name: 'a schema that is not JSON',
    args: ['call', 'tool', ...url, '--output-schema', await file('schema.json', `{ ${canary}`)],
    says: 'Option --output-schema: expected a JSON object, got what is not JSON (it breaks at character 3).',
  },
  ...(await unusableSchemas()),
  {
    name: 'a config file that is not there',
    args: ['call', 'tool', '--config', join(folder, 'nowhere.json')],
    says: 'Option --config: expected a file that can be read, got none (ENOENT).',
  },
  {
    name: 'a config file without servers',
    args: ['call', 'tool', '--config', await file('empty.json', '{ "mcpServers": {} }')],
    says: 'Option --config: expected servers under "mcpServers" or "servers", got none.',
  },
  {
    name: 'an unknown server, with the known ones',
    args: [
      ...['call', 'tool', '--server', canary, '--config'],
      await file('two.json', '{ "mcpServers": { "shop": { "command": "x" }, "files": { "command": "y" } } }'),
    ],
    says: 'Option --server: expected one of "shop", "files", got another name.',
  },
  {
    name: 'no server name where there are two',
    args: ['call', 'tool', '--config', join(folder, 'two.json')],
    says: 'Option --server: expected one of "shop", "files", got none.',
  },
  {
    name: 'a server of no known type',
    args: ['call', 'tool', '--config', await config({ type: canary, url: 'http://127.0.0.1:9' })],
    says: 'Option --config, server "shop", type: expected one of http, sse, stdio, streamableHttp, streamable-http, got something else.',
  },
  {
    name: 'a server with neither a command nor an address',
    args: ['call', 'tool', '--config', await config({ env: {} })],
    says: 'Option --config, server "shop": expected a command or a url, got neither.',
  },
  {
    name: 'a server over HTTP without an address',
    args: ['call', 'tool', '--config', await config({ type: 'http', command: 'x' })],
    says: 'Option --config, server "shop": expected a url, got none.',
  },
  {
    name: 'a header that is no string',
    args: ['call', 'tool', '--config', await config({ url: 'http://127.0.0.1:9', headers: { K: [canary] } })],
    says: 'Option --config, server "shop", headers.K: expected a string, got something else.',
  },
  {
    name: 'a config entry with a command and a url',
    args: ['call', 'tool', '--config', await config({ command: canary, url: 'http://127.0.0.1:9' })],
    says: 'Option --config, server "shop": expected a command or a url, got command and url.',
  },
  {
    name: 'a config entry with two addresses, whatever its type',
    args: ['call', 'tool', '--config', await config({ type: 'sse', url: canary, httpUrl: canary })],
    says: 'Option --config, server "shop": expected a command or a url, got url and httpUrl.',
  },
  {
    name: 'an address in a config file that is none',
    args: ['call', 'tool', '--config', await config({ url: canary })],
    says: 'Option --config, server "shop", url: expected an http or https URL, got something else.',
  },
  {
    name: 'an environment variable that is not set',
    args: [
      'call',
      'tool',
      '--config',
      await config({ command: 'x', env: { TOKEN: `\${env:NOT_SET_HERE}` } }),
    ],
    says: 'Option --config, server "shop", env.TOKEN: expected the environment variable NOT_SET_HERE to be set, got none.',
  },
  {
    name: 'a variable inside a default',
    args: ['call', 'tool', '--config', await config({ command: 'x', args: [`\${UNSETV:-\${HOME}}`] })],
    says: 'Option --config, server "shop", args.0: expected no variable inside another, got one.',
  },
  {
    name: 'a variable without its end',
    args: [
      'call',
      'tool',
      '--config',
      await config({ url: 'http://127.0.0.1:9', headers: { K: `a \${HOME` } }),
    ],
    says: `Option --config, server "shop", headers.K: expected a } behind every \${, got one without.`,
  },
  {
    name: 'a folder that is not there',
    args: ['call', 'tool', '--config', await config({ command: 'node', cwd: join(folder, canary) })],
    says: 'Option --config, server "shop", cwd: expected a folder, got none.',
  },
  {
    name: 'a folder that is a file',
    args: ['call', 'tool', '--config', await config({ command: 'node', cwd: import.meta.filename })],
    says: 'Option --config, server "shop", cwd: expected a folder, got a file.',
  },
  {
    name: 'a list of servers',
    args: ['call', 'tool', '--config', await file('list.json', '{ "mcpServers": [{ "command": "x" }] }')],
    says: 'Option --config, mcpServers: expected an object of servers by their names, got an array.',
  },
  {
    name: 'servers that are a string',
    args: ['call', 'tool', '--config', await file('text.json', `{ "servers": "${canary}" }`)],
    says: 'Option --config, servers: expected an object of servers by their names, got something else.',
  },
  {
    name: 'no server name where there are two under two members',
    args: [
      ...['call', 'tool', '--config'],
      await file('both.json', '{ "mcpServers": { "shop": {} }, "servers": { "files": {}, "shop": {} } }'),
    ],
    says: 'Option --server: expected one of "files", "shop", got none.',
  },
  {
    name: 'a variable that only an editor knows',
    args: ['call', 'tool', '--config', await config({ command: 'x', args: [`\${input:token}`] })],
    says: `Option --config, server "shop", args.0: expected \${NAME} or \${env:NAME} for a variable, got an input, which only an editor can ask for.`,
  },
  {
    name: 'an env file, which would have to be found first',
    args: ['call', 'tool', '--config', await config({ command: 'x', envFile: canary })],
    says: 'Option --config, server "shop", envFile: expected no such member, only env, got something else.',
  },
  {
    name: 'an empty name of a server',
    args: ['classify', '--server', ''],
    says: 'Option --server: expected a name, got an empty one.',
  },
  {
    name: 'a name of a tool that is a space',
    args: ['classify', '--server', 'shop', '--tool', ' '],
    says: 'Option --tool: expected a name, got an empty one.',
  },
  {
    name: 'two files to classify',
    args: ['classify', canary, canary],
    says: 'Input: expected one file, got more.',
  },
  {
    name: 'a file to classify that is not there',
    args: ['classify', join(folder, canary)],
    says: 'Input: expected a file that can be read, got none (ENOENT).',
  },
  {
    name: 'a folder to classify',
    args: ['classify', folder],
    says: 'Input: expected a file that can be read, got none (EISDIR).',
  },
  {
    name: 'nothing to classify',
    args: ['classify'],
    says: 'Input: expected a result or a response, got none.',
  },
];

describe('bad usage exits with 2, one line on stderr and nothing on stdout', { concurrency: 2 }, () => {
  for (const { name, args, says, input } of rows) {
    test(name, async () => {
      const { exitCode, stdout, stderr } = await runCli(args, input === undefined ? {} : { input });
      assert.equal(stderr, `mcp-outcome: ${says}\n`);
      assert.equal(stdout, '');
      assert.equal(exitCode, 2);
      assert.doesNotMatch(stderr, new RegExp(canary));
    });
  }
});

describe('help and version go to stdout', () => {
  test('--version is the version of the package', async () => {
    const { exitCode, stdout, stderr } = await runCli(['--version']);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
  });

  const helps: readonly { readonly args: readonly string[]; readonly names: readonly string[] }[] = [
    { args: ['--help'], names: ['call', 'classify', 'demo', '--help', '--version', 'Exit codes'] },
    {
      args: ['call', '--help'],
      names: [
        ...[
          '--url',
          '--transport',
          '--header',
          '--config',
          '--server',
          '-- COMMAND',
          '--output',
          '--timeout',
        ],
        ...['--output-schema', '--help', 'Exit codes', 'Examples'],
      ],
    },
    {
      args: ['classify', '--help'],
      names: ['--server', '--tool', '--output-schema', '--help', 'Exit codes', 'Examples'],
    },
    { args: ['demo', '--help'], names: ['--help', 'Exit codes'] },
  ];

  for (const { args, names } of helps) {
    test(`${args.join(' ')} names every option`, async () => {
      const { exitCode, stdout, stderr } = await runCli(args);
      for (const name of names) {
        assert.ok(stdout.includes(name), name);
      }
      assert.ok(stdout.split('\n').every((line) => line.length <= 120));
      assert.equal(stderr, '');
      assert.equal(exitCode, 0);
    });
  }

  test('--help wins over a call that cannot be made', async () => {
    assert.equal((await runCli(['call', '--help', '--', 'node'])).exitCode, 0);
  });
});
