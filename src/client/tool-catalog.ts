import { isArray, isObject, readProperty } from '../redact/safe-read.ts';
import { runRequest } from './run-request.ts';
import { listToolsOf, type ToolCallingClient } from './sdk-client.ts';
import type { Tap } from './tap.ts';

/** What the server's list says of a tool. */
export interface ListedTool {
  readonly outputSchema?: unknown;
  readonly replaySafe?: boolean;
}

/** The tools of one server as far as outcomes need them. Calls never wait for it before they are made. */
export interface ToolCatalog {
  /** Starts a listing when one is due. For a connected client, once the call is on its way. */
  readonly refresh: (tap: Tap | undefined) => void;
  /** `undefined` for a tool that is not listed, and while nothing is known. */
  readonly find: (tool: string) => ListedTool | undefined;
  /** Why nothing is known; `undefined` when the list is there, or nobody wants it. */
  readonly problem: () => string | undefined;
  /** Waits for a listing that is on its way, until `limitMs` have passed or it has had its two seconds. */
  readonly settled: (limitMs: number) => Promise<void>;
}

/** For how long would-be successes wait for a listing, from its start. */
const waitMs = 2_000;

/** A listing may take longer than anybody waits for it: later calls profit. */
const pageTimeoutMs = 10_000;

const retryMs = 60_000;

/** More pages than any real server has; a cursor that never ends is no list. */
const maxPages = 256;

/** A catalog of schemas that the caller brought (or of none): nothing is ever listed. */
export function fixedCatalog(schemas: Readonly<Record<string, unknown>>): ToolCatalog {
  return {
    refresh: () => undefined,
    find: (tool) => (Object.hasOwn(schemas, tool) ? { outputSchema: schemas[tool] } : undefined),
    problem: () => undefined,
    settled: () => Promise.resolve(),
  };
}

type State =
  | { readonly status: 'none' }
  | { readonly status: 'listing'; readonly startedAt: number; readonly done: Promise<void> }
  | { readonly status: 'failed'; readonly failedAt: number }
  | { readonly status: 'listed'; readonly tools: ReadonlyMap<string, ListedTool> };

/** A catalog from `tools/list`: all pages, in requests of its own, since SDK v1 forgets page one when page two arrives. */
export function listedCatalog(client: ToolCallingClient): ToolCatalog {
  let state: State = { status: 'none' };
  let listedOn: Tap | undefined;

  const forgetTools = (): void => {
    state = { status: 'none' };
  };

  const start = (tap: Tap): void => {
    // In a later turn: the call that wants the list goes first.
    const listing = new Promise<ReadonlyMap<string, ListedTool> | undefined>((resolve) => {
      setImmediate(() => listTools(client, tap).then(resolve));
    });
    const started: State = {
      status: 'listing',
      startedAt: performance.now(),
      done: listing.then((tools) => {
        // A list that changed while it was read is stale: the next call starts over.
        if (state === started) {
          state =
            tools === undefined
              ? { status: 'failed', failedAt: performance.now() }
              : { status: 'listed', tools };
        }
      }),
    };
    state = started;
  };

  return {
    refresh: (tap) => {
      if (tap === undefined) {
        return;
      }
      if (tap !== listedOn) {
        listedOn?.toolsChanged.delete(forgetTools);
        tap.toolsChanged.add(forgetTools);
        listedOn = tap;
        forgetTools();
      }
      const due =
        state.status === 'none' ||
        (state.status === 'failed' && performance.now() - state.failedAt >= retryMs);
      if (due) {
        start(tap);
      }
    },
    find: (tool) => (state.status === 'listed' ? state.tools.get(tool) : undefined),
    problem: () => {
      switch (state.status) {
        case 'none':
        case 'listing':
          return listedOn === undefined ? undefined : 'the tools of the server were not listed in time';
        case 'failed':
          return 'the tools of the server could not be listed';
        case 'listed':
          return undefined;
      }
    },
    settled: async (limitMs) => {
      if (state.status === 'listing') {
        await within(state.done, Math.min(limitMs, state.startedAt + waitMs - performance.now()));
      }
    },
  };
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

/** Every page of the list, or `undefined` when one of them does not come. Never rejects. */
async function listTools(
  client: ToolCallingClient,
  tap: Tap,
): Promise<ReadonlyMap<string, ListedTool> | undefined> {
  const tools = new Map<string, ListedTool>();
  let cursor: unknown;
  for (let page = 0; page < maxPages; page += 1) {
    const { record } = await runRequest(
      {
        params: cursor === undefined ? {} : { cursor },
        requestOptions: {},
        signal: undefined,
        timeout: pageTimeoutMs,
        maxTotalTimeout: pageTimeoutMs,
        bounded: false,
      },
      tap,
      (params, options) => listToolsOf(client, params, options),
    );
    // Read on the tap: a client that refuses the list for one bad tool must not cost the others their schemas.
    const result = record.answer?.result;
    const listed = readProperty(result, 'tools');
    if (!isArray(listed)) {
      return undefined;
    }
    for (const tool of listed) {
      addTool(tools, tool);
    }
    cursor = readProperty(result, 'nextCursor');
    if (typeof cursor !== 'string') {
      return tools;
    }
  }
  return undefined;
}

/** Of two tools with one name the last counts, as in the SDKs. */
function addTool(tools: Map<string, ListedTool>, tool: unknown): void {
  const name = readProperty(tool, 'name');
  if (typeof name !== 'string') {
    return;
  }
  const outputSchema = readProperty(tool, 'outputSchema');
  const annotations = readProperty(tool, 'annotations');
  tools.set(name, {
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(isObject(annotations) ? { replaySafe: isReplaySafe(annotations) } : {}),
  });
}

function isReplaySafe(annotations: object): boolean {
  return (
    readProperty(annotations, 'readOnlyHint') === true || readProperty(annotations, 'idempotentHint') === true
  );
}
