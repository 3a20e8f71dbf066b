/** What is remembered of a request until its response comes. */
interface OpenRequest {
  /** A tool result is what answers it. */
  readonly ofTool: boolean;
  readonly tool: string | undefined;
}

/** The requests of a log that wait for their response, so that a response is known to be a tool's, and which. */
export interface OpenRequests {
  readonly add: (id: unknown, request: OpenRequest) => void;
  /** The request that a response with this id answers; it waits no longer. */
  readonly take: (id: unknown) => OpenRequest | undefined;
}

/** More than any client has in flight; the oldest is forgotten then, so that memory stays bounded. */
const mostOpen = 10_000;
const longestId = 256;

export function createOpenRequests(): OpenRequests {
  const open = new Map<number | string, OpenRequest>();
  return {
    add: (id, request) => {
      if (!isUsableId(id)) {
        return;
      }
      // Deleted first, so that the order of the map is that of the log.
      open.delete(id);
      open.set(id, request);
      const [oldest] = open.size > mostOpen ? open.keys() : [];
      if (oldest !== undefined) {
        open.delete(oldest);
      }
    },
    take: (id) => {
      if (!isUsableId(id)) {
        return undefined;
      }
      const request = open.get(id);
      open.delete(id);
      return request;
    },
  };
}

function isUsableId(id: unknown): id is number | string {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= longestId);
}
