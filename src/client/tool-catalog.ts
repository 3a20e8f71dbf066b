import { isExhausted } from '../classify/output-schema.ts';
import { type ListedTool, listTools, type Tools } from './list-tools.ts';
import type { ToolCallingClient } from './sdk-client.ts';
import type { Tap } from './tap.ts';

/** The tools of one server as far as outcomes need them. Calls never wait for it before they are made. */
export interface ToolCatalog {
  /**
   * Prepares a listing when one is due. It starts when the call's request is out: a listing that refreshes an expired
   * token beside the call would spend the refresh token twice.
   */
  readonly prepare: (tap: Tap | undefined) => PreparedListing | undefined;
  /** `undefined` for a tool that is not listed, and while nothing is known. */
  readonly find: (tool: string) => ListedTool | undefined;
  /** Whether the client would not call a tool because of its output schema. */
  readonly isRefused: (tool: string) => boolean;
  /** Why nothing is known; `undefined` when the list is there, or nobody wants it. */
  readonly problem: () => string | undefined;
  /** Waits until the list is there, is known to fail, or `limitMs` or the two seconds of the listing have passed. */
  readonly settled: (limitMs: number) => Promise<void>;
}

interface PreparedListing {
  readonly start: () => void;
  /** The call was never sent: so is the listing. */
  readonly drop: () => void;
}

/** For how long would-be successes wait for a listing, from its start. */
const waitMs = 2_000;

const retryMs = 60_000;

/** A catalog of schemas that the caller brought (or of none): nothing is ever listed. */
export function fixedCatalog(schemas: Readonly<Record<string, unknown>>): ToolCatalog {
  return {
    prepare: () => undefined,
    find: (tool) => (Object.hasOwn(schemas, tool) ? { outputSchema: schemas[tool] } : undefined),
    isRefused: () => false,
    problem: () => undefined,
    settled: () => Promise.resolve(),
  };
}

/** What is known of the tools behind one transport. `version` is the tap's count of changes when the list was asked for. */
type Listing =
  | { readonly status: 'none' }
  | { readonly status: 'prepared' }
  | { readonly status: 'running'; readonly startedAt: number; readonly done: Promise<void> }
  | { readonly status: 'failed'; readonly failedAt: number; readonly version: number }
  | { readonly status: 'listed'; readonly tools: Tools; readonly version: number };

const none: Listing = { status: 'none' };

/** One listing for each transport, whoever asks: a wrapper made anew for every request does not list anew. */
const listings = new WeakMap<Tap, Listing>();

/** What a transport's lists have told so far, for as long as it lives. */
interface History {
  tools: Tools;
  /** The schemas that have used up their time, by their tools' names. */
  readonly exhausted: Map<string, unknown>;
}

const histories = new WeakMap<Tap, History>();

/** The listing as it stands: what was learned before the tools changed is not known any more. */
function currentListing(tap: Tap): Listing {
  const listing = listings.get(tap) ?? none;
  const outdated =
    (listing.status === 'listed' || listing.status === 'failed') && listing.version !== tap.toolsVersion;
  return outdated ? none : listing;
}

/** A catalog from `tools/list`: all pages, in requests of its own, since SDK v1 forgets page one when page two arrives. */
export function listedCatalog(client: ToolCallingClient): ToolCatalog {
  let tap: Tap | undefined;
  const current = (): Listing => (tap === undefined ? none : currentListing(tap));
  return {
    prepare: (nextTap) => {
      tap = nextTap;
      if (nextTap === undefined || !isDue(current())) {
        return undefined;
      }
      const prepared: Listing = { status: 'prepared' };
      listings.set(nextTap, prepared);
      return {
        start: () => {
          if (listings.get(nextTap) === prepared) {
            startListing(client, nextTap);
          }
        },
        drop: () => {
          if (listings.get(nextTap) === prepared) {
            listings.set(nextTap, none);
          }
        },
      };
    },
    find: (tool) => {
      const listing = current();
      return listing.status === 'listed' ? listing.tools.get(tool) : undefined;
    },
    isRefused: (tool) => tap?.refused.has(tool) === true,
    problem: () => {
      const { status } = current();
      if (tap === undefined || status === 'listed') {
        return undefined;
      }
      return status === 'failed'
        ? 'the tools of the server could not be listed'
        : 'the tools of the server were not listed in time';
    },
    settled: async (limitMs) => {
      if (tap !== undefined) {
        await waitForListing(client, tap, limitMs);
      }
    },
  };
}

function isDue(listing: Listing): boolean {
  return (
    listing.status === 'none' ||
    (listing.status === 'failed' && performance.now() - listing.failedAt >= retryMs)
  );
}

function startListing(client: ToolCallingClient, tap: Tap): void {
  const startedAt = performance.now();
  const { toolsVersion: version } = tap;
  const done = listTools(client).then((listed) => {
    if (listed === undefined) {
      listings.set(tap, { status: 'failed', failedAt: performance.now(), version });
      return;
    }
    const tools = keepExhausted(listed, historyOf(tap));
    listings.set(tap, { status: 'listed', tools, version });
  });
  listings.set(tap, { status: 'running', startedAt, done });
}

function historyOf(tap: Tap): History {
  const history = histories.get(tap) ?? { tools: new Map(), exhausted: new Map() };
  histories.set(tap, history);
  return history;
}

/** A tool whose schema has used up its time keeps it: a server must not get new time with every new list. */
function keepExhausted(listed: Tools, history: History): Tools {
  for (const [name, { outputSchema }] of history.tools) {
    if (isExhausted(outputSchema)) {
      history.exhausted.set(name, outputSchema);
    }
  }
  const { exhausted } = history;
  history.tools = new Map(
    [...listed].map(([name, tool]) => [
      name,
      exhausted.has(name) ? { ...tool, outputSchema: exhausted.get(name) } : tool,
    ]),
  );
  return history.tools;
}

/** A server that says again and again that its tools changed gets no more than this in one wait. */
const maxListings = 3;

async function waitForListing(client: ToolCallingClient, tap: Tap, limitMs: number): Promise<void> {
  const until = performance.now() + Math.min(limitMs, waitMs);
  for (let waits = 0; waits < maxListings && performance.now() < until; waits += 1) {
    const { status } = currentListing(tap);
    if (status === 'none' || status === 'prepared') {
      startListing(client, tap);
    }
    const listing = currentListing(tap);
    if (listing.status !== 'running') {
      return;
    }
    await within(listing.done, Math.min(until, listing.startedAt + waitMs) - performance.now());
  }
}

async function within(done: Promise<void>, limitMs: number): Promise<void> {
  if (limitMs <= 0) {
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([done, timeUp]);
  clearTimeout(timer);
}
