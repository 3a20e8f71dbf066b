import type { ExtraKeys } from './key-names.ts';
import type { Span } from './spans.ts';

/** One pass over one text: what the scanners of keyed values share. */
export interface Scan {
  readonly text: string;
  readonly marker: string;
  /** Names that the caller added, as `joinedKey` writes them. */
  readonly extraKeys: ExtraKeys;
  /** Found so far; scanners add to it. */
  readonly spans: Span[];
}

/** What a candidate may cost when its key alone does not decide. */
export const weakLimit = 1024;
/** White space between a key and its value. */
export const longestGap = 64;

/** Where a key and its value meet. */
export interface Place {
  /** Behind the key, before its closing quote. */
  readonly keyEnd: number;
  /** Where the key starts. */
  readonly keyStart: number;
  /** The delimiter. */
  readonly at: number;
  readonly valueStart: number;
}
