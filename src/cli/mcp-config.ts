import { stat } from 'node:fs/promises';
import * as v from 'valibot';
import { expandVariables } from './expand-variables.ts';
import { checkHeader } from './headers.ts';
import { readJsonFile } from './read-json.ts';
import { readUrl, type ServerTarget } from './server-target.ts';
import { UsageError } from './usage-error.ts';

/** How hosts spell the transport of a server with a URL. */
const transports: Readonly<Record<string, 'http' | 'sse' | 'stdio'>> = {
  http: 'http',
  sse: 'sse',
  stdio: 'stdio',
  // Cline and Roo Code.
  streamableHttp: 'http',
  'streamable-http': 'http',
};

const text = v.string('a string');
const texts = v.record(
  v.string(),
  v.union([text, v.pipe(v.number(), v.transform(String))], 'a string'),
  'an object',
);

/** One server, as Claude, Cursor, VS Code, Windsurf (`serverUrl`), Gemini (`httpUrl`) and others write it down. */
const serverEntry = v.looseObject(
  {
    type: v.optional(v.picklist(Object.keys(transports), `one of ${Object.keys(transports).join(', ')}`)),
    command: v.optional(text),
    args: v.optional(v.array(text, 'an array of strings')),
    env: v.optional(texts),
    cwd: v.optional(text),
    url: v.optional(text),
    serverUrl: v.optional(text),
    httpUrl: v.optional(text),
    headers: v.optional(texts),
    envFile: v.optional(v.never('no such member, only env')),
  },
  'an object',
);

type ServerEntry = v.InferOutput<typeof serverEntry>;

/**
 * Reads one server of a config file: under `mcpServers`, as most hosts have it, or `servers`, as VS Code has it. A name
 * under both means the one under `mcpServers`.
 * `${NAME}`, `${env:NAME}` and `${NAME:-default}` stand for environment variables. Without `name` there must be one
 * server only.
 */
export async function readMcpConfig(path: string, name: string | undefined): Promise<ServerTarget> {
  const config = await readJsonFile('Option --config', path);
  const servers = new Map([...readServers(config, 'servers'), ...readServers(config, 'mcpServers')]);
  const known = [...servers.keys()];
  const [first, ...others] = known;
  if (first === undefined) {
    throw new UsageError('Option --config: expected servers under "mcpServers" or "servers", got none.');
  }
  const wanted = name ?? (others.length === 0 ? first : undefined);
  if (wanted === undefined || !servers.has(wanted)) {
    const names = known.map((key) => JSON.stringify(key)).join(', ');
    const got = name === undefined ? 'none' : 'another name';
    throw new UsageError(`Option --server: expected one of ${names}, got ${got}.`);
  }
  return toTarget(wanted, servers.get(wanted));
}

function readServers(
  config: Readonly<Record<string, unknown>>,
  key: 'mcpServers' | 'servers',
): readonly (readonly [string, unknown])[] {
  const servers = config[key] ?? {};
  if (typeof servers !== 'object' || Array.isArray(servers)) {
    const got = Array.isArray(servers) ? 'an array' : 'something else';
    throw new UsageError(
      `Option --config, ${key}: expected an object of servers by their names, got ${got}.`,
    );
  }
  return Object.entries(servers);
}

async function toTarget(name: string, value: unknown): Promise<ServerTarget> {
  const subject = `Option --config, server ${JSON.stringify(name)}`;
  const parsed = v.safeParse(serverEntry, value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const place = issue.path?.map(({ key }) => String(key)).join('.');
    const where = place === undefined ? subject : `${subject}, ${place}`;
    throw new UsageError(`${where}: expected ${issue.message}, got something else.`);
  }
  const target = readEntry(subject, name, parsed.output);
  if (target.over === 'stdio' && target.cwd !== undefined) {
    await checkFolder(`${subject}, cwd`, target.cwd);
  }
  return target;
}

/** To spawn a command in a folder that is not there fails as if the command were not there. */
async function checkFolder(subject: string, path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new UsageError(`${subject}: expected a folder, got ${found === undefined ? 'none' : 'a file'}.`);
  }
}

/** The members that say where a server is. */
const places = ['command', 'url', 'serverUrl', 'httpUrl'] as const;

function readEntry(subject: string, name: string, entry: ServerEntry): ServerTarget {
  const given = places.filter((place) => entry[place] !== undefined);
  if (given.length > 1) {
    throw new UsageError(`${subject}: expected a command or a url, got ${given.join(' and ')}.`);
  }
  const { command, args = [], env = {}, cwd, headers = {} } = entry;
  const address = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  const over = transports[entry.type ?? (address === undefined ? 'stdio' : 'http')];
  const expand = (place: string, given: string): string => expandVariables(`${subject}, ${place}`, given);
  if (over === 'stdio' || over === undefined) {
    if (command === undefined) {
      throw new UsageError(`${subject}: expected a command or a url, got neither.`);
    }
    return {
      over: 'stdio',
      name,
      command: expand('command', command),
      args: args.map((arg, index) => expand(`args.${index}`, arg)),
      env: expandAll('env', env, expand),
      ...(cwd === undefined ? {} : { cwd: expand('cwd', cwd) }),
    };
  }
  if (address === undefined) {
    throw new UsageError(`${subject}: expected a url, got none.`);
  }
  const expanded = Object.entries(expandAll('headers', headers, expand)).map(
    // A variable often ends with the line feed of the file that it was read from.
    ([key, value]): readonly [string, string] => [key, value.trim()],
  );
  for (const [key, header] of expanded) {
    checkHeader(`${subject}, headers`, 'names and values of HTTP headers', key, header);
  }
  const url = readUrl(`${subject}, url`, expand('url', address), 'an Authorization header');
  return { over, name, url, headers: expanded };
}

function expandAll(
  place: string,
  values: Readonly<Record<string, string>>,
  expand: (place: string, given: string) => string,
): Readonly<Record<string, string>> {
  const entries = Object.entries(values).map(([key, value]) => [key, expand(`${place}.${key}`, value)]);
  return Object.fromEntries(entries);
}
