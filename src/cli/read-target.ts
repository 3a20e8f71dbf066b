import { checkHeader, type HeaderList } from './headers.ts';
import { readMcpConfig } from './mcp-config.ts';
import { readChoice } from './read-options.ts';
import { readUrl, type ServerTarget, type StdioTarget } from './server-target.ts';
import { UsageError } from './usage-error.ts';

/** What the command line says about the server. `command` is what follows `--`. */
export interface TargetOptions {
  readonly url?: string | undefined;
  readonly transport?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly config?: string | undefined;
  readonly server?: string | undefined;
  readonly command?: readonly string[] | undefined;
}

/** Reads the one server that the options name. */
export async function readTarget(options: TargetOptions): Promise<ServerTarget> {
  const { url, transport, header, config, server, command } = options;
  const given = [url, config, command].filter((way) => way !== undefined).length;
  if (given !== 1) {
    const got = given === 0 ? 'none of them' : 'more than one';
    throw new UsageError(`Server: expected --url URL, --config FILE or -- COMMAND, got ${got}.`);
  }
  requireTogether('--transport', transport, '--url', url);
  requireTogether('--header', header, '--url', url);
  requireTogether('--server', server, '--config', config);
  if (url !== undefined) {
    const over = readChoice('transport', transport ?? 'http', ['http', 'sse']);
    const address = readUrl('Option --url', url, "--header 'Authorization: …'");
    return { over, url: address, headers: readHeaders(header ?? []) };
  }
  return config === undefined ? readCommand(command ?? []) : readMcpConfig(config, server);
}

function requireTogether(option: string, value: unknown, needed: string, given: unknown): void {
  if (value !== undefined && given === undefined) {
    throw new UsageError(`Option ${option}: expected only together with ${needed}, got it without.`);
  }
}

function readHeaders(lines: readonly string[]): HeaderList {
  return lines.map((line) => {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()];
    checkHeader('Option --header', "'Name: value'", name, value);
    return [name, value];
  });
}

/** A command that a person typed runs in that person's environment, as in any shell. */
function readCommand([command, ...args]: readonly string[]): StdioTarget {
  if (command === undefined || command === '') {
    throw new UsageError('Server: expected a command after --, got none.');
  }
  const env = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return { over: 'stdio', command, args, env: Object.fromEntries(env) };
}
