/** Reports lines of the input that could not be read, neighbours as one, and no more than a person would look at. */
export interface Complaints {
  readonly add: (line: number, why: string) => void;
  /** To be called at the end: the last lines may still wait for a neighbour. */
  readonly flush: () => void;
  readonly lines: () => number;
}

const mostReported = 20;

export function createComplaints(say: (line: string) => void): Complaints {
  let lines = 0;
  let reported = 0;
  let open: { readonly from: number; to: number; readonly why: string } | undefined;

  const close = (): void => {
    if (open === undefined) {
      return;
    }
    const { from, to, why } = open;
    open = undefined;
    reported += 1;
    if (reported <= mostReported) {
      say(`mcp-outcome: ${from === to ? `line ${from}` : `lines ${from} to ${to}`}: ${why}, skipped.`);
    }
  };

  return {
    add: (line, why) => {
      lines += 1;
      if (open?.why === why && open.to === line - 1) {
        open.to = line;
        return;
      }
      close();
      open = { from: line, to: line, why };
    },
    flush: () => {
      close();
      if (reported > mostReported) {
        say(`mcp-outcome: ${reported - mostReported} more places like these.`);
      }
    },
    lines: () => lines,
  };
}
