#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { demo } from './demo.ts';

const help = `Usage: mcp-outcome <command>

Commands:
  demo    Calls the tools of an embedded server with the plain SDK and with this package, and prints both verdicts.

Options:
  --help     Prints this text.
  --version  Prints the version.

Exit codes: 0 every verdict is the right one, 1 one is not, 2 bad usage.
`;

/** Runs the command line and resolves with the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { help: { type: 'boolean' }, version: { type: 'boolean' } },
  });
  if (values.help === true) {
    process.stdout.write(help);
    return 0;
  }
  if (values.version === true) {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    process.stdout.write(`${manifest.version}\n`);
    return 0;
  }
  const [command, ...rest] = positionals;
  if (command !== 'demo' || rest.length > 0) {
    const problem =
      command === undefined ? 'A command is missing.' : `Unknown command: ${positionals.join(' ')}.`;
    process.stderr.write(`${problem}\n\n${help}`);
    return 2;
  }
  return demo(process.stdout);
}

// A reader that closes the pipe, such as `head`, has what it wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
