/** Names that a model or a server chose, as they may stand in records: redacted, bounded, one line. */
import { oneLine } from './bounded-text.ts';
import type { Redactor } from './redactor.ts';

/** The longest name that MCP allows a tool, in UTF-16 units. */
const longestName = 128;
/** More names than any client calls; a model that invents new ones must not fill the memory. */
const mostNames = 512;

/** At most 128 UTF-16 units, then `…`. It remembers what it answered: a call that succeeds has no time for it. */
export function safeNames(redactor: Redactor): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) {
      return found;
    }
    const safe = oneLine(redactor.bounded(name, longestName));
    if (known.size >= mostNames) {
      known.clear();
    }
    if (name.length <= longestName) {
      known.set(name, safe);
    }
    return safe;
  };
}
