import type { CallLine } from './perform-call.ts';
import { readArguments } from './read-arguments.ts';
import { readChoice, readMilliseconds, readOptions } from './read-options.ts';
import { readOutputSchema } from './read-output-schema.ts';
import { readTarget } from './read-target.ts';
import { print } from './streams.ts';
import { UsageError } from './usage-error.ts';

const help = `Usage: mcp-outcome call <tool> [arguments] <server>

Calls one tool and prints the outcome as a line of JSON. A failed call is also a warning on stderr, as NDJSON.

Arguments of the tool: a JSON object, @FILE, or - for stdin. Default: {}

The server, one of:
  --url URL            A server over HTTP.
    --transport NAME     http (Streamable HTTP, the default) or sse (the legacy transport).
    --header 'K: V'      A header for every request; may be given more than once.
  --config FILE        A server of a config file, under "mcpServers" or "servers".
    --server NAME        Which one; not needed when there is one only.
  -- COMMAND ARGS…     A server over stdio. Goes last, and runs in the environment of this command.

Options:
  --output FORMAT      json (the default), or text for people.
  --timeout MS         For connecting and the call together. Default: 60000
  --output-schema FILE The JSON Schema of the structured content, in place of the one that the server lists.
  --help               Prints this text.

Exit codes: 0 success, 1 the call failed or was interrupted, 2 bad usage or input. A second Ctrl-C quits at once, with
130.

Examples:
  mcp-outcome call echo '{"message":"hi"}' -- npx -y @modelcontextprotocol/server-everything
  mcp-outcome call search @query.json --url https://example.com/mcp --header "Authorization: Bearer $TOKEN"
  mcp-outcome call list-issues --config .vscode/mcp.json --server github --output text
`;

const options = {
  url: { type: 'string' },
  transport: { type: 'string' },
  header: { type: 'string', multiple: true },
  config: { type: 'string' },
  server: { type: 'string' },
  output: { type: 'string' },
  timeout: { type: 'string' },
  'output-schema': { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** `mcp-outcome call`: resolves with the exit code. */
export async function call(args: readonly string[]): Promise<number> {
  const line = await readLine(args);
  if (line === 'help') {
    await print(help);
    return 0;
  }
  // The SDK and all else that a call needs take a while to load: a mistyped option need not wait for it.
  const { performCall } = await import('./perform-call.ts');
  return performCall(line);
}

async function readLine(args: readonly string[]): Promise<CallLine | 'help'> {
  const separator = args.indexOf('--');
  const own = separator === -1 ? args : args.slice(0, separator);
  const command = separator === -1 ? undefined : args.slice(separator + 1);
  const { values, positionals } = readOptions(own, options);
  if (values.help === true) {
    return 'help';
  }
  const [tool, source, ...rest] = positionals;
  if (tool === undefined || tool === '') {
    throw new UsageError('Tool: expected a name, got none. See mcp-outcome call --help.');
  }
  if (rest.length > 0) {
    throw new UsageError('Arguments: expected one JSON object after the tool, got more.');
  }
  const format = readChoice('output', values.output ?? 'json', ['json', 'text']);
  const timeoutMs = readMilliseconds('timeout', values.timeout ?? '60000');
  const target = await readTarget({ ...values, command });
  const request = {
    tool,
    args: await readArguments(source),
    server: target.name,
    timeoutMs,
    outputSchema: await readOutputSchema(values['output-schema']),
  };
  return { target, request, format };
}
