import type { HeaderList } from './headers.ts';
import { UsageError } from './usage-error.ts';

/** Where the server is, and what it takes to reach it. */
export type ServerTarget = HttpTarget | StdioTarget;

export interface HttpTarget {
  readonly over: 'http' | 'sse';
  /** Its name in a config file. */
  readonly name?: string;
  readonly url: URL;
  readonly headers: HeaderList;
}

export interface StdioTarget {
  readonly over: 'stdio';
  readonly name?: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** An address that MCP is spoken at. It may hold credentials, so no error shows it. `instead` says where those go. */
export function readUrl(subject: string, text: string, instead: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`${subject}: expected an http or https URL, got something else.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${subject}: expected no user or password in the URL, got one. Use ${instead}.`);
  }
  return url;
}
