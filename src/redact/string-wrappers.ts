/** What source code and dumps write around a string. The string inside is the value. */

export interface StringWrapperRow {
  /** Tested on a slice of at most 64 units, at its start. */
  readonly pattern: RegExp;
  readonly about: string;
}

export const stringWrappers: readonly StringWrapperRow[] = [
  {
    pattern: /^(?:Some|Ok|Just|Right|Optional|Box|Arc|Rc|Cow|Owned|Borrowed)\(/,
    about: 'Options, results and pointers of Rust, Haskell, Scala and Swift.',
  },
  {
    pattern: /^(?:String|NSString|Str|Text|Bytes|Value)\(/,
    about: 'Strings that dumps name: serde_json writes String("x").',
  },
  {
    pattern:
      /^(?:Secret|SecretStr|SecretString|SecretBytes|SecretBox|Sensitive|Zeroizing|Password|Token|ApiKey)\(/,
    about: 'Types that hold secrets, as Pydantic and the Rust crates secrecy and zeroize have them.',
  },
  { pattern: /^\([*A-Za-z][\w*.]{0,24}\) ?/, about: '(string) of the Go package spew, and casts.' },
  { pattern: /^\((?:len|cap)=\d{1,9}(?: cap=\d{1,9})?\) ?/, about: '(len=11) of spew.' },
  { pattern: /^\[String: /, about: 'String objects, as Node.js inspects them.' },
  { pattern: /^string\(\d{1,9}\) /, about: 'var_dump of PHP.' },
];

/** What may stand before `'` in Python, PostgreSQL and shells. */
export const apostrophePrefixes: ReadonlySet<string> = new Set([
  'b',
  'B',
  'f',
  'F',
  'r',
  'R',
  'u',
  'U',
  'rb',
  'Rb',
  'RB',
  'br',
  'fr',
  'rf',
  'E',
  'N',
  '$',
]);
