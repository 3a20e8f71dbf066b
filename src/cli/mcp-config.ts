import * as v from 'valibot';
import { readJsonFile } from './read-json.ts';
import { isHeader, readUrl, type ServerTarget } from './server-target.ts';
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
 * Reads one server of a config file: under `mcpServers`, as most hosts have it, or `servers`, as VS Code has it.
 * `${NAME}`, `${env:NAME}` and `${NAME:-default}` stand for environment variables. Without `name` there must be one
 * server only.
 */
export async function readMcpConfig(path: string, name: string | undefined): Promise<ServerTarget> {
  const config = await readJsonFile('Option --config', path);
  const servers = config.mcpServers ?? config.servers;
  if (typeof servers !== 'object' || servers === null || Object.keys(servers).length === 0) {
    throw new UsageError('Option --config: expected servers under "mcpServers" or "servers", got none.');
  }
  const known = Object.keys(servers);
  const wanted = name ?? (known.length === 1 ? known[0] : undefined);
  const found = Object.entries(servers).find(([key]) => key === wanted);
  if (found === undefined) {
    const names = known.map((key) => JSON.stringify(key)).join(', ');
    const got = name === undefined ? 'none' : 'another name';
    throw new UsageError(`Option --server: expected one of ${names}, got ${got}.`);
  }
  return toTarget(...found);
}

function toTarget(name: string, value: unknown): ServerTarget {
  const subject = `Option --config, server ${JSON.stringify(name)}`;
  const parsed = v.safeParse(serverEntry, value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const place = issue.path?.map(({ key }) => String(key)).join('.');
    const where = place === undefined ? subject : `${subject}, ${place}`;
    throw new UsageError(`${where}: expected ${issue.message}, got something else.`);
  }
  return readEntry(subject, name, parsed.output);
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
  const expanded = expandAll('headers', headers, expand);
  if (!Object.entries(expanded).every(([key, header]) => isHeader(key, header))) {
    throw new UsageError(
      `${subject}, headers: expected names and values of HTTP headers, got something else.`,
    );
  }
  return { over, name, url: readUrl(`${subject}, url`, expand('url', address)), headers: expanded };
}

function expandAll(
  place: string,
  values: Readonly<Record<string, string>>,
  expand: (place: string, given: string) => string,
): Readonly<Record<string, string>> {
  const entries = Object.entries(values).map(([key, value]) => [key, expand(`${place}.${key}`, value)]);
  return Object.fromEntries(entries);
}

function expandVariables(subject: string, given: string): string {
  return given.replaceAll(/\$\{([^}]*)\}/g, (_whole, expression: string) => {
    const [, variable, fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(expression) ?? [];
    if (variable === undefined) {
      const input = expression.startsWith('input:')
        ? ' an input, which only an editor can ask for'
        : ' something else';
      throw new UsageError(`${subject}: expected \${NAME} or \${env:NAME} for a variable, got${input}.`);
    }
    const value = process.env[variable] ?? fallback;
    if (value === undefined) {
      throw new UsageError(`${subject}: expected the environment variable ${variable} to be set, got none.`);
    }
    return value;
  });
}
