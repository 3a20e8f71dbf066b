/** What `createRedactor` accepts, and what it says about anything else. */
import { types } from 'node:util';
import * as v from 'valibot';
import { joinedKey } from './key-names.ts';
import { OptionsError, typeName } from './options-error.ts';

export interface RedactorOptions {
  /** Names of members, headers, query parameters or flags that hold secrets too. Case, `_`, `-` and `.` do not matter. */
  readonly keys?: readonly string[];
  /** Secret values, masked in every form in which a server may echo them. Values below 8 units are ignored. */
  readonly values?: readonly string[];
  /** What else is secret. Each match is masked whole; the caller answers for the time that a pattern takes. */
  readonly patterns?: readonly RegExp[];
  /** What stands in place of a secret; default `[REDACTED]`. At most 64 units, none that quotes or separates values. */
  readonly marker?: string;
}

export interface CheckedOptions {
  readonly keys: readonly string[];
  readonly values: readonly string[];
  readonly patterns: readonly RegExp[];
  readonly marker: string;
}

/** What stands in place of a secret when the caller names no other marker. */
export const defaultMarker = '[REDACTED]';

const optionNames = 'one of "keys", "values", "patterns" and "marker"';
const names = 'an array of names, each with a letter or digit';
const strings = 'an array of strings';
const expressions = 'an array of regular expressions';
export const markerWords =
  'a text of 1 to 64 units without white space, quotes and any of \\ = : ; , & @ % / ? #, that is not masked itself';
/** Units that separate or quote values: a marker with one of them would be read as two things. */
const markerShape = /^[^\s\p{Cc}\p{Cs}"'`\\=:;,&@%/?#]{1,64}$/u;

/** Fills in the defaults; throws `OptionsError` for anything that is not allowed. */
export function checkRedactorOptions(options: unknown): CheckedOptions {
  if (typeName(options) !== 'object') {
    throw new OptionsError('options', 'an object', typeName(options));
  }
  const result = parsed(options);
  if (result === undefined) {
    throw new OptionsError('options', 'an object that can be read', 'one that throws');
  }
  if (result.success) {
    return result.output;
  }
  const [issue] = result.issues;
  const [option, index] = issue.path?.map((item) => item.key) ?? [];
  const place = index === undefined ? '' : ` at index ${String(index)}`;
  const got = issue.expected === 'never' ? 'an unknown name' : typeName(issue.input) + place;
  throw new OptionsError(String(option), issue.message, got);
}

/** `undefined` when the options throw while they are read. */
function parsed(options: unknown): v.SafeParseResult<ReturnType<typeof optionsSchema>> | undefined {
  try {
    return v.safeParse(optionsSchema(), options);
  } catch {
    return undefined;
  }
}

function optionsSchema(): v.GenericSchema<unknown, CheckedOptions> {
  return v.strictObject(
    {
      keys: v.optional(v.array(v.pipe(v.string(names), v.check(isName, names)), names), []),
      values: v.optional(v.array(v.string(strings), strings), []),
      patterns: v.optional(v.array(v.custom<RegExp>(types.isRegExp, expressions), expressions), []),
      marker: v.optional(v.pipe(v.string(markerWords), v.regex(markerShape, markerWords)), defaultMarker),
    },
    optionNames,
  );
}

function isName(name: string): boolean {
  return joinedKey(name) !== '';
}
