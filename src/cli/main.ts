#!/usr/bin/env node
import { readOptions } from './read-options.ts';
import { outputProblem, print, say } from './streams.ts';
import { UsageError } from './usage-error.ts';
import { readVersion } from './version.ts';

const help = `Usage: mcp-outcome <command> [options]

Calls MCP tools, and says what really came of a call.

Commands:
  call      Calls one tool of a server and prints the outcome.
  classify  Reads captured results and prints the outcome of each.
  demo      Calls the tools of an embedded server with the plain SDK and with this package, and prints both verdicts.

Options:
  --help     Prints this text, or after a command the command's own.
  --version  Prints the version.

Exit codes: 0 success, 1 a call failed, 2 bad usage or input.
`;

type Command = (args: readonly string[]) => Promise<number>;

/** Loaded one at a time: the SDK alone takes longer than printing a help text. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  call: async () => (await import('./call.ts')).call,
  classify: async () => (await import('./classify.ts')).classify,
  demo: async () => (await import('./demo.ts')).demo,
};

/** Runs the command line and resolves with the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  const load = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) {
    const command = await load();
    return command(rest);
  }
  const { values, positionals } = readOptions(args, {
    help: { type: 'boolean' },
    version: { type: 'boolean' },
  });
  if (values.help === true || values.version === true) {
    await print(values.help === true ? help : `${readVersion()}\n`);
    return 0;
  }
  const got = positionals.length === 0 ? 'none' : 'something else';
  throw new UsageError(`Command: expected ${Object.keys(commands).join(', ')}, got ${got}. See --help.`);
}

/** What a person reads of a failure of the command line itself. Only a bug has a stack. */
async function describe(error: unknown): Promise<string> {
  if (error instanceof UsageError) {
    return error.message;
  }
  const { createRedactor } = await import('../index.ts');
  return createRedactor().text(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

let exitCode: number;
try {
  exitCode = await main(process.argv.slice(2));
} catch (error) {
  say(`mcp-outcome: ${await describe(error)}`);
  exitCode = 2;
}
const problem = outputProblem();
if (problem !== undefined) {
  say(`mcp-outcome: stdout cannot be written (${problem}).`);
  exitCode = 2;
}
// A socket or a grandchild that holds a pipe must not keep the process: everything is written and closed by now.
process.exit(exitCode);
