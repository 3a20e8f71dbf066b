/** How servers repeat a request in their error bodies. */
import type { SeenRequest } from './canary-peers.ts';
import type { Place } from './canary-secrets.ts';

/** What no redactor can know, without and with an observed `fetch`, and why. */
export interface Leaks {
  readonly unobserved: readonly Place[];
  readonly observed: readonly Place[];
  readonly why: string;
}

interface Encoding {
  readonly name: string;
  readonly contentType: string;
  readonly encode: (seen: SeenRequest) => string;
}

function withoutNoise({ method, url, headers, arguments: args }: SeenRequest): object {
  const wanted = Object.entries(headers).filter(([name]) => !quiet.has(name));
  return { method, url, headers: Object.fromEntries(wanted), arguments: args };
}

const quiet: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'sec-fetch-mode',
  'accept-encoding',
  'accept-language',
]);

export const encodings: readonly Encoding[] = [
  {
    name: 'JSON',
    contentType: 'application/json',
    encode: (seen) => JSON.stringify({ error: 'refused', request: withoutNoise(seen) }, null, 2),
  },
  {
    name: 'JSON in JSON',
    contentType: 'application/json',
    encode: (seen) => JSON.stringify({ error: 'refused', detail: JSON.stringify(withoutNoise(seen)) }),
  },
  {
    name: 'a URL-encoded form',
    contentType: 'application/x-www-form-urlencoded',
    encode: (seen) => new URLSearchParams(flat(seen)).toString(),
  },
  {
    name: 'an HTML page',
    contentType: 'text/html',
    encode: (seen) =>
      `<!doctype html><html><head><title>500</title></head><body><h1>Server Error</h1><pre>${escapeHtml(
        JSON.stringify(withoutNoise(seen), null, 2),
      )}</pre><table>${flat(seen)
        .map(([name, value]) => `<tr><td>${name}</td><td>${escapeHtml(value)}</td></tr>`)
        .join('')}</table></body></html>`,
  },
  {
    name: 'a dump of its headers',
    contentType: 'text/plain',
    encode: (seen) =>
      `${seen.method} ${seen.url} HTTP/1.1\n${flat(seen)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}\n`,
  },
];

/** URL, arguments and headers as pairs. */
function flat({ url, headers, arguments: args }: SeenRequest): [string, string][] {
  const pairs = [['url', url] as const, ...Object.entries(args), ...Object.entries(headers)];
  return pairs.filter(([name]) => !quiet.has(name)).map(([name, value]) => [name, String(value)]);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Every secret of the request as a word of its own, with nothing beside it that tells what it is. */
export function bareWords({ url, headers, arguments: args }: SeenRequest): string {
  const query = new URL(url, 'http://localhost').searchParams;
  const basic = atob(afterSpace(headers['proxy-authorization']));
  const words = [
    afterSpace(headers.authorization),
    headers['x-api-key'],
    headers['x-tenant'],
    /session=(\w+)/.exec(headers.cookie ?? '')?.[1],
    ...query.values(),
    basic.slice(basic.indexOf(':') + 1),
    headers['mcp-session-id'],
    args.password,
  ];
  return `not known here: ${words.filter((word) => word !== undefined).join(', ')}.`;
}

function afterSpace(header: string | undefined): string {
  return header?.split(' ')[1] ?? '';
}

/** What stays of a whole request. */
export const opaqueEcho: Leaks = {
  unobserved: ['x-tenant header', 'tenant in the URL', 'argument "query"'],
  observed: ['x-tenant header', 'argument "query"'],
  why:
    'names such as `tenant` and `query` say nothing of a secret; of the request, `observeFetch` takes every value in ' +
    'the URL for one, and the headers whose names say so',
};
