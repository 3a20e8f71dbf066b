/** What is remembered of a request until its response comes. */
interface OpenRequest {
  /** A tool result is what answers it. */
  readonly ofTool: boolean;
  readonly tool: string | undefined;
}

/** The requests of a log that wait for their response, so that a response is known to be a tool's, and which. */
export interface OpenRequests {
  readonly add: (id: unknown, request: OpenRequest) => void;
  /**
   * The request that a response with this id answers; it waits no longer. Both sides of a connection count their
   * requests from the start, so that several may wait under one id: the newest is answered first, or the newest of its
   * kind when `ofTool` says what the response looks like.
   */
  readonly take: (id: unknown, ofTool: boolean | undefined) => OpenRequest | undefined;
}

/** More than any client has in flight; the oldest is forgotten then, so that memory stays bounded. */
const mostIds = 10_000;
const mostOfOneId = 8;
const longestId = 256;

export function createOpenRequests(): OpenRequests {
  /** Oldest first, both the ids and the requests of each. */
  const open = new Map<string, readonly OpenRequest[]>();
  return {
    add: (id, request) => {
      const key = toKey(id);
      if (key === undefined) {
        return;
      }
      const waiting = open.get(key) ?? [];
      // Deleted first, so that the order of the map is that of the log.
      open.delete(key);
      open.set(key, [...waiting.slice(1 - mostOfOneId), request]);
      const [oldest] = open.size > mostIds ? open.keys() : [];
      if (oldest !== undefined) {
        open.delete(oldest);
      }
    },
    take: (id, ofTool) => {
      const key = toKey(id);
      const waiting = key === undefined ? undefined : open.get(key);
      if (key === undefined || waiting === undefined) {
        return undefined;
      }
      const request = waiting.findLast((candidate) => candidate.ofTool === ofTool) ?? waiting.at(-1);
      const left = waiting.filter((candidate) => candidate !== request);
      if (left.length === 0) {
        open.delete(key);
      } else {
        open.set(key, left);
      }
      return request;
    },
  };
}

/** `"1"` answers the request 1, as it does for the SDKs. */
function toKey(id: unknown): string | undefined {
  const isUsable = typeof id === 'number' || (typeof id === 'string' && id.length <= longestId);
  return isUsable ? String(id) : undefined;
}
