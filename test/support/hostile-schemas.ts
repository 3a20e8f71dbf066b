/** What a server could send to block or crash its client. Built in the child process that survives it, or not. */

export interface HostileCase {
  readonly name: string;
  readonly why: string;
  readonly schema: () => unknown;
  readonly content: () => unknown;
  /** The verdicts that are right; more than one where it depends on the speed of the machine. */
  readonly verdicts: readonly string[];
}

const slow = ['unusable'] as const;

export const hostileCases: readonly HostileCase[] = [
  {
    name: 'anyOf-through-ref',
    why: 'two branches through one $ref, 24 levels deep: 2^24 checks, and an error for each',
    schema: () => ({ $ref: '#/$defs/n', $defs: { n: { anyOf: [step('n', 'a'), step('n', 'a')] } } }),
    content: () => nested('a', 24, 'end'),
    verdicts: slow,
  },
  {
    name: 'ref-doubling',
    why: 'each definition refers twice to the next one',
    schema: () => doubling(24, false),
    content: () => ({}),
    verdicts: ['unusable', 'valid'],
  },
  {
    name: 'ref-doubling-more',
    why: 'the same, 64 times',
    schema: () => doubling(64, false),
    content: () => ({}),
    verdicts: slow,
  },
  {
    name: 'ref-doubling-errors',
    why: 'the same, where every leaf is an error that anyOf keeps in memory',
    schema: () => doubling(24, true),
    content: () => ({}),
    verdicts: slow,
  },
  {
    name: 'unique-objects',
    why: 'uniqueItems compares each of 8,000 objects with each',
    schema: () => ({ uniqueItems: true }),
    content: () => Array.from({ length: 8_000 }, (_, i) => ({ a: 1, b: i })),
    verdicts: slow,
  },
  {
    name: 'unique-long-lists',
    why: 'few items, but long comparisons',
    schema: () => ({ uniqueItems: true }),
    content: () => Array.from({ length: 700 }, (_, i) => [...Array(700).fill(0), i]),
    verdicts: ['valid', 'unusable'],
  },
  {
    name: 'pattern-nested-plus',
    why: 'catastrophic backtracking',
    schema: () => ({ pattern: '^(a+)+$' }),
    content: () => `${'a'.repeat(50_000)}!`,
    verdicts: ['invalid', 'unusable'],
  },
  {
    name: 'pattern-lookahead',
    why: 'catastrophic backtracking in a pattern that the linear engine does not know',
    schema: () => ({ pattern: '^(?!x)(a+)+$' }),
    content: () => `${'a'.repeat(50_000)}!`,
    verdicts: slow,
  },
  {
    name: 'pattern-quadratic',
    why: 'no nesting, still the square of 900,000',
    schema: () => ({ pattern: 'a*b' }),
    content: () => 'a'.repeat(900_000),
    verdicts: ['invalid', 'unusable'],
  },
  {
    name: 'pattern-in-property-names',
    why: 'the backtracking pattern runs over a property name',
    schema: () => ({ propertyNames: { pattern: '^(a|a)*$' } }),
    content: () => ({ [`${'a'.repeat(60)}!`]: 1 }),
    verdicts: ['invalid', 'unusable'],
  },
  {
    name: 'pattern-properties',
    why: '1,500 patterns over 20,000 names',
    schema: () => ({
      patternProperties: keyed(
        1_500,
        (i) => `^.*x${i}.*y$`,
        () => ({ type: 'string' }),
      ),
    }),
    content: () =>
      keyed(
        20_000,
        (i) => `${'x'.repeat(30)}${i}`,
        () => 1,
      ),
    verdicts: slow,
  },
  {
    name: 'pattern-word-edges',
    why: 'V8 needs minutes to compile this natively, in one step that no timer ends',
    schema: () => ({ pattern: '(?:\\b.|\\b\\S|\\W\\b|[^a]\\b)'.repeat(8) }),
    content: () => 'aaaa é\u{10400}b',
    verdicts: ['invalid', 'valid'],
  },
  {
    name: 'pattern-character-properties',
    why: 'each \\p{L} is a table of 600 ranges; natively, 100 characters of them take seconds',
    schema: () => ({ pattern: '[^\\p{L}]\\b'.repeat(15) }),
    content: () => 'é\u{10400}b',
    verdicts: ['invalid'],
  },
  {
    name: 'pattern-all-properties',
    why: 'the syntax check alone would take seconds',
    schema: () => ({ pattern: '\\p{L}'.repeat(40_000) }),
    content: () => 'a',
    verdicts: slow,
  },
  {
    name: 'pattern-nested-groups',
    why: 'unrolled native code for 300 nested groups',
    schema: () => ({ pattern: `${'('.repeat(300)}a${'){3}'.repeat(300)}` }),
    content: () => 'a'.repeat(300),
    verdicts: ['unusable', 'invalid'],
  },
  {
    name: 'pattern-empty-loops',
    why: 'loops that match nothing in loops, which fill the stack of a matcher',
    schema: () => ({ pattern: '^(?:(?:a|b?|(?:c*)*)*)*$' }),
    content: () => `${'ab'.repeat(100_000)}!`,
    verdicts: ['unusable', 'unchecked', 'invalid'],
  },
  {
    name: 'pattern-counted-loops',
    why: 'a billion rounds',
    schema: () => ({ pattern: '^(?:(?:){99999}){99999}$' }),
    content: () => 'a',
    verdicts: ['unusable', 'unchecked', 'invalid'],
  },
  {
    name: 'patterns-at-the-limits',
    why: 'the longest patterns that are allowed, many of them',
    schema: () => ({ allOf: Array.from({ length: 100 }, (_, i) => ({ pattern: limitPattern(i) })) }),
    content: () => `${'a'.repeat(3_000)}é`,
    verdicts: ['unusable', 'invalid', 'valid'],
  },
  {
    name: 'properties-20000',
    why: 'generated code for 20,000 properties; longer than 256 KiB',
    schema: () => ({
      type: 'object',
      properties: keyed(
        20_000,
        (i) => `p${i}`,
        () => ({ type: 'string' }),
      ),
    }),
    content: () => ({}),
    verdicts: slow,
  },
  {
    name: 'properties-9000',
    why: 'the same below 256 KiB',
    schema: () => ({
      type: 'object',
      properties: keyed(
        9_000,
        (i) => `p${i}`,
        () => ({ type: 'string' }),
      ),
    }),
    content: () => ({}),
    verdicts: slow,
  },
  ...[1_000, 1_500, 2_000, 3_000].map((count) => ({
    name: `properties-${count}`,
    why: 'generated code that may still compile in time, and is then parsed in one native step',
    schema: () => ({
      type: 'object',
      properties: keyed(
        count,
        (i) => `p${i}`,
        () => ({ type: 'string' }),
      ),
    }),
    content: () => ({}),
    verdicts: ['unusable', 'valid'],
  })),
  {
    name: 'required-30000',
    why: 'a list of 30,000 names',
    schema: () => ({ type: 'object', required: Array.from({ length: 30_000 }, (_, i) => `r${i}`) }),
    content: () => ({}),
    verdicts: ['unusable', 'invalid'],
  },
  {
    name: 'nesting-3000',
    why: 'properties 3,000 levels deep',
    schema: () => nestedSchema(3_000, (inner) => ({ type: 'object', properties: { a: inner } })),
    content: () => nested('a', 3_000, 1),
    verdicts: slow,
  },
  {
    name: 'nesting-32000',
    why: 'as deep as 256 KiB allow',
    schema: () => nestedSchema(32_000, (inner) => ({ not: inner })),
    content: () => 1,
    verdicts: slow,
  },
  {
    name: 'nesting-all-of',
    why: 'allOf 1,000 levels deep',
    schema: () => nestedSchema(1_000, (inner) => ({ allOf: [inner, { type: 'string' }] })),
    content: () => 'x',
    verdicts: ['unusable', 'valid'],
  },
  {
    name: 'one-of-3000',
    why: 'ajv needs seconds to compile 3,000 branches',
    schema: () => ({ oneOf: Array.from({ length: 3_000 }, (_, i) => ({ const: i })) }),
    content: () => 1,
    verdicts: slow,
  },
  {
    name: 'any-of-objects',
    why: '1,000 branches with properties of their own',
    schema: () => ({
      anyOf: Array.from({ length: 1_000 }, (_, i) => ({
        properties: { [`k${i}`]: { type: 'string' } },
        required: [`k${i}`],
      })),
    }),
    content: () => ({ k999: 'x' }),
    verdicts: ['unusable', 'valid'],
  },
  {
    name: 'content-10-mb',
    why: 'checking takes time in proportion; such a content is not checked',
    schema: () => ({ type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } }),
    content: () => Array.from({ length: 250_000 }, (_, i) => ({ a: `a string with the number ${i}` })),
    verdicts: ['unchecked'],
  },
  {
    name: 'content-100000-keys',
    why: 'one object with 100,000 members',
    schema: () => ({ type: 'object', additionalProperties: { type: 'number' } }),
    content: () =>
      keyed(
        100_000,
        (i) => `key${i}`,
        (i) => i,
      ),
    verdicts: ['unchecked'],
  },
  {
    name: 'content-of-small-items',
    why: 'half a million items below 1 MiB, each an error',
    schema: () => ({ type: 'array', items: { type: 'string' } }),
    content: () => Array(520_000).fill(1),
    verdicts: ['invalid'],
  },
  {
    name: 'errors-many',
    why: 'each of 30,000 items breaks 300 rules, and every error is kept',
    schema: () => ({ items: { allOf: Array.from({ length: 300 }, () => ({ type: 'string' })) } }),
    content: () => Array(30_000).fill(1),
    verdicts: ['invalid', 'unusable'],
  },
  {
    name: 'errors-many-any-of',
    why: 'the same in branches, on a large content',
    schema: () => ({
      not: { items: { anyOf: Array.from({ length: 200 }, () => ({ type: 'string' })) } },
      anyOf: [
        { items: { anyOf: Array.from({ length: 200 }, () => ({ type: 'string' })) } },
        { contains: { anyOf: Array.from({ length: 100 }, () => ({ type: 'string' })) } },
      ],
    }),
    content: () => Array(500_000).fill(1),
    verdicts: ['invalid', 'unusable'],
  },
  {
    name: 'content-of-small-items-any-of',
    why: 'half a million items, each with three branches',
    schema: () => ({
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'number' }] },
    }),
    content: () => Array(520_000).fill(1),
    verdicts: ['valid', 'unusable'],
  },
  {
    name: 'contains-half-a-million',
    why: 'contains looks at all items, and keeps an error for each',
    schema: () => ({ type: 'array', contains: { type: 'string' }, maxContains: 1 }),
    content: () => Array(520_000).fill(1),
    verdicts: ['invalid', 'unusable'],
  },
  {
    name: 'recursion-deep-content',
    why: 'a recursive schema follows the content down',
    schema: () => ({ properties: { a: { $ref: '#' } } }),
    content: () => nested('a', 100_000, 1),
    verdicts: ['unchecked'],
  },
  {
    name: 'recursion-without-end',
    why: 'a schema that is itself',
    schema: () => ({ allOf: [{ $ref: '#' }] }),
    content: () => 1,
    verdicts: ['unchecked', 'unusable'],
  },
  {
    name: 'dynamic-ref',
    why: 'two branches through $dynamicRef',
    schema: () => ({ $dynamicAnchor: 'n', anyOf: [dynamicStep(), dynamicStep()] }),
    content: () => nested('a', 24, 'end'),
    verdicts: ['unusable', 'valid'],
  },
  {
    name: 'unevaluated-properties',
    why: 'the evaluated names of 24 levels are merged',
    schema: () => ({
      $ref: '#/$defs/n',
      $defs: { n: { anyOf: [step('n', 'a'), step('n', 'a')], unevaluatedProperties: false } },
    }),
    content: () => nested('a', 24, 'end'),
    verdicts: slow,
  },
  {
    name: 'enum-of-objects',
    why: '8,000 values to compare with each of 3,000 items',
    schema: () => ({ items: { enum: Array.from({ length: 8_000 }, (_, i) => ({ a: 1, b: i })) } }),
    content: () => Array.from({ length: 3_000 }, () => ({ a: 1, b: -1 })),
    verdicts: ['unusable', 'invalid'],
  },
  {
    name: 'enum-misses-in-not',
    why: 'every item is compared with every value, since none is there',
    schema: () => ({ items: { not: { enum: Array.from({ length: 8_000 }, (_, i) => ({ a: 1, b: i })) } } }),
    content: () => Array.from({ length: 20_000 }, () => ({ a: 1, b: -1 })),
    verdicts: slow,
  },
  {
    name: 'const-huge',
    why: 'an object of 200 KB as a constant',
    schema: () => ({
      const: keyed(
        10_000,
        (i) => `key${i}`,
        (i) => i,
      ),
    }),
    content: () =>
      keyed(
        10_000,
        (i) => `key${i}`,
        (i) => i,
      ),
    verdicts: ['valid'],
  },
  {
    name: 'const-deep',
    why: 'a constant 20,000 levels deep, compared by recursion',
    schema: () => ({ const: nested('a', 20_000, 1) }),
    content: () => nested('a', 20_000, 1),
    verdicts: ['unusable', 'unchecked', 'valid'],
  },
  {
    name: 'dependent-schemas',
    why: '3,000 dependent schemas',
    schema: () => ({
      dependentSchemas: keyed(
        3_000,
        (i) => `k${i}`,
        () => ({ minProperties: 1 }),
      ),
    }),
    content: () =>
      keyed(
        3_000,
        (i) => `k${i}`,
        (i) => i,
      ),
    verdicts: ['unusable', 'valid'],
  },
  {
    name: 'not-chain-over-keys',
    why: 'no keyword that is slow alone: 1,000 loops over 60,000 names',
    schema: () =>
      nestedSchema(1_000, (inner) => ({ not: { additionalProperties: { type: 'number' }, not: inner } })),
    content: () =>
      keyed(
        60_000,
        (i) => `k${i}`,
        (i) => i,
      ),
    verdicts: ['unusable', 'valid', 'invalid'],
  },
  {
    name: 'loops-over-keys',
    why: '2,000 flat loops over 60,000 names',
    schema: () => ({ allOf: Array.from({ length: 2_000 }, () => ({ propertyNames: { minLength: 1 } })) }),
    content: () =>
      keyed(
        60_000,
        (i) => `k${i}`,
        (i) => i,
      ),
    verdicts: slow,
  },
  {
    name: 'multiple-of-odd-numbers',
    why: 'numbers at the edges',
    schema: () => ({ allOf: [{ multipleOf: 1e-300 }, { multipleOf: 5e-324 }, { multipleOf: 0 }] }),
    content: () => 1.7e308,
    verdicts: ['invalid', 'unusable'],
  },
  {
    name: 'format-and-encoding',
    why: 'annotations over a long text',
    schema: () => ({ format: 'email', contentEncoding: 'base64', contentMediaType: 'application/json' }),
    content: () => 'a@'.repeat(400_000),
    verdicts: ['valid'],
  },
  {
    name: 'definitions-many',
    why: '4,000 definitions, each a function of its own',
    schema: () => ({
      allOf: Array.from({ length: 4_000 }, (_, i) => ({ $ref: `#/$defs/d${i}` })),
      $defs: keyed(
        4_000,
        (i) => `d${i}`,
        (i) => ({ $ref: `#/$defs/d${(i + 1) % 4_000}` }),
      ),
    }),
    content: () => 1,
    verdicts: ['unusable', 'unchecked'],
  },
  {
    name: 'anchors-many',
    why: '4,000 embedded identifiers',
    schema: () => ({
      $defs: keyed(
        4_000,
        (i) => `d${i}`,
        (i) => ({ $id: `https://a.test/${i}`, $anchor: `a${i}` }),
      ),
    }),
    content: () => 1,
    verdicts: ['unusable', 'valid'],
  },
  {
    name: 'schema-proxy',
    why: 'an in-memory peer can send a schema that throws when it is read',
    schema: () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no keys');
          },
        },
      ),
    content: () => 1,
    verdicts: slow,
  },
  {
    name: 'schema-cycle',
    why: 'an in-memory peer can send a schema that contains itself',
    schema: () => {
      const schema: Record<string, unknown> = {};
      schema.not = schema;
      return schema;
    },
    content: () => 1,
    verdicts: slow,
  },
  {
    name: 'content-cycle',
    why: 'and a content that contains itself',
    schema: () => ({ properties: { a: { $ref: '#' } } }),
    content: () => {
      const content: Record<string, unknown> = {};
      content.a = content;
      return content;
    },
    verdicts: ['unchecked'],
  },
];

function step(definition: string, property: string): object {
  return { properties: { [property]: { $ref: `#/$defs/${definition}` } }, required: [property] };
}

function dynamicStep(): object {
  return { properties: { a: { $dynamicRef: '#n' } }, required: ['a'] };
}

function doubling(levels: number, failing: boolean): object {
  const leaf = failing ? { anyOf: [{ type: 'string' }, { required: ['x'] }] } : { type: 'object' };
  const combine = failing ? 'anyOf' : 'allOf';
  const $defs: Record<string, unknown> = { [`d${levels}`]: leaf };
  for (let i = 0; i < levels; i++) {
    const next = { $ref: `#/$defs/d${i + 1}` };
    $defs[`d${i}`] = { [combine]: [next, next] };
  }
  return { $ref: '#/$defs/d0', $defs };
}

function nested(key: string, levels: number, end: unknown): unknown {
  let value = end;
  for (let i = 0; i < levels; i++) {
    value = { [key]: value };
  }
  return value;
}

function nestedSchema(levels: number, wrap: (inner: object) => object): object {
  let schema: object = { type: 'string' };
  for (let i = 0; i < levels; i++) {
    schema = wrap(schema);
  }
  return schema;
}

function keyed(
  count: number,
  key: (i: number) => string,
  value: (i: number) => unknown,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (let i = 0; i < count; i++) {
    result[key(i)] = value(i);
  }
  return result;
}

/** 2,000 units and 90 character properties, in each pattern another text. */
function limitPattern(i: number): string {
  return `^${'a?'.repeat(500)}${'(?:[^\\p{L}]\\b|\\P{Lu}{2,3})?'.repeat(30)}${'[^c]'.repeat(20 + i)}`;
}
