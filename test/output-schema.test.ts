import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { checkOutputSchema } from '../src/classify/output-schema.ts';

const draft07 = 'http://json-schema.org/draft-07/schema#';

interface VerdictRow {
  readonly name: string;
  readonly why: string;
  readonly schema: unknown;
  readonly content?: unknown;
  readonly verdict: 'valid' | 'invalid' | 'unusable' | 'unchecked';
}

const rows: readonly VerdictRow[] = [
  {
    name: 'fits',
    why: 'the plain case',
    schema: { type: 'object', required: ['a'] },
    content: { a: 1 },
    verdict: 'valid',
  },
  {
    name: 'lacks a required member',
    why: 'its neighbour',
    schema: { type: 'object', required: ['a'] },
    content: {},
    verdict: 'invalid',
  },
  {
    name: 'no structured content',
    why: 'a tool with an output schema must send one',
    schema: { type: 'object' },
    verdict: 'invalid',
  },
  {
    name: 'no structured content, schema {}',
    why: 'the schema that accepts all still asks for something',
    schema: {},
    verdict: 'invalid',
  },
  {
    name: 'no structured content, unusable schema',
    why: 'nobody knows what was promised',
    schema: { type: 'nope' },
    verdict: 'unusable',
  },
  {
    name: 'null is a content',
    why: 'null is sent, absent is not',
    schema: { type: 'null' },
    content: null,
    verdict: 'valid',
  },
  {
    name: 'null is no object',
    why: 'its neighbour',
    schema: { type: 'object' },
    content: null,
    verdict: 'invalid',
  },
  {
    name: 'false is a content',
    why: 'any JSON value may be sent',
    schema: { type: 'boolean' },
    content: false,
    verdict: 'valid',
  },
  {
    name: 'zero is a content',
    why: 'any JSON value may be sent',
    schema: { type: 'integer' },
    content: 0,
    verdict: 'valid',
  },
  {
    name: 'an empty text is a content',
    why: 'any JSON value may be sent',
    schema: { type: 'string' },
    content: '',
    verdict: 'valid',
  },
  {
    name: 'an array is a content',
    why: 'the 2026 protocol allows it at the root',
    schema: { type: 'array' },
    content: [1],
    verdict: 'valid',
  },
  {
    name: 'an array of the wrong items',
    why: 'its neighbour',
    schema: { type: 'array', items: { type: 'string' } },
    content: [1],
    verdict: 'invalid',
  },
  // The schema itself
  { name: 'schema {}', why: 'accepts all', schema: {}, content: { x: 1 }, verdict: 'valid' },
  { name: 'schema true', why: 'MCP wants an object here', schema: true, content: 1, verdict: 'unusable' },
  { name: 'schema false', why: 'MCP wants an object here', schema: false, content: 1, verdict: 'unusable' },
  { name: 'schema null', why: 'no schema', schema: null, content: 1, verdict: 'unusable' },
  { name: 'schema "x"', why: 'no schema', schema: 'x', content: 1, verdict: 'unusable' },
  { name: 'schema undefined', why: 'no schema', schema: undefined, content: 1, verdict: 'unusable' },
  { name: 'schema []', why: 'no schema', schema: [], content: 1, verdict: 'unusable' },
  { name: 'schema that is a function', why: 'no schema', schema: () => 1, content: 1, verdict: 'unusable' },
  {
    name: 'false below the root',
    why: 'there it is a schema',
    schema: { properties: { a: false } },
    content: { a: 1 },
    verdict: 'invalid',
  },
  {
    name: 'a text below the root',
    why: 'there it is no schema',
    schema: { properties: { a: 'string' } },
    content: { a: 1 },
    verdict: 'unusable',
  },
  {
    name: 'a type that does not exist',
    why: 'does not compile',
    schema: { properties: { x: { type: 'nope' } } },
    content: { x: 1 },
    verdict: 'unusable',
  },
  {
    name: 'minLength of the wrong type',
    why: 'does not compile',
    schema: { minLength: '3' },
    content: 'x',
    verdict: 'unusable',
  },
  {
    name: 'exclusiveMinimum of draft-04',
    why: 'does not compile, and is not half applied',
    schema: { minimum: 1, exclusiveMinimum: true },
    content: 1,
    verdict: 'unusable',
  },
  {
    name: 'unknown keywords',
    why: 'annotations',
    schema: { 'x-note': { type: 'nope' }, id: 'a', discriminator: 1, type: 'string' },
    content: 'a',
    verdict: 'valid',
  },
  {
    name: 'schema of 256 KiB',
    why: 'just short enough',
    schema: { description: 'x'.repeat(262_144 - '{"description":""}'.length) },
    content: 1,
    verdict: 'valid',
  },
  {
    name: 'schema over 256 KiB',
    why: 'one too long',
    schema: { description: 'x'.repeat(262_145 - '{"description":""}'.length) },
    content: 1,
    verdict: 'unusable',
  },
  // Dialects
  ...[
    'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2020-12/schema#',
    'http://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema',
  ].flatMap(($schema): VerdictRow[] => [
    { name: $schema, why: 'supported', schema: { $schema, type: 'string' }, content: 'a', verdict: 'valid' },
    {
      name: $schema,
      why: 'and applied',
      schema: { $schema, type: 'string' },
      content: 1,
      verdict: 'invalid',
    },
  ]),
  ...[
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-06/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/next/schema',
    'https://json-schema.org/draft/2020-12/schema/',
    'https://example.test/my-dialect',
    '__proto__',
    '',
    7,
    null,
  ].map(
    ($schema): VerdictRow => ({
      name: `$schema ${$schema}`,
      why: 'another dialect',
      schema: { $schema },
      content: 1,
      verdict: 'unusable',
    }),
  ),
  {
    name: 'another dialect below the root',
    why: 'its keywords would be read wrongly',
    schema: { $defs: { a: { $schema: 'http://json-schema.org/draft-04/schema#' } } },
    content: 1,
    verdict: 'unusable',
  },
  {
    name: 'a property named $schema',
    why: 'a name is no keyword',
    schema: { properties: { $schema: { type: 'string' } } },
    content: { $schema: 1 },
    verdict: 'invalid',
  },
  {
    name: 'items as a list in 2020-12',
    why: 'there it is prefixItems',
    schema: { items: [{ type: 'string' }] },
    content: [1],
    verdict: 'unusable',
  },
  {
    name: 'items as an empty list in 2020-12',
    why: 'the same',
    schema: { items: [] },
    content: [1],
    verdict: 'unusable',
  },
  {
    name: 'items as a list in draft-07',
    why: 'there it is the tuple',
    schema: { $schema: draft07, items: [{ type: 'string' }] },
    content: [1],
    verdict: 'invalid',
  },
  {
    name: 'prefixItems in draft-07',
    why: 'there it is an annotation',
    schema: { $schema: draft07, prefixItems: [{ type: 'string' }] },
    content: [1],
    verdict: 'valid',
  },
  {
    name: 'prefixItems in 2020-12',
    why: 'its neighbour',
    schema: { prefixItems: [{ type: 'string' }] },
    content: [1],
    verdict: 'invalid',
  },
  {
    name: 'beside $ref in draft-07',
    why: 'ignored, section 8.3',
    schema: { $schema: draft07, $ref: '#/definitions/a', definitions: { a: {} }, type: 'string' },
    content: 1,
    verdict: 'valid',
  },
  {
    name: 'beside $ref in 2020-12',
    why: 'applied',
    schema: { $ref: '#/$defs/a', $defs: { a: {} }, type: 'string' },
    content: 1,
    verdict: 'invalid',
  },
  {
    name: '$dynamicRef in one schema',
    why: 'goes to its anchor',
    schema: { $dynamicAnchor: 'n', properties: { v: { type: 'number' }, next: { $dynamicRef: '#n' } } },
    content: { next: { next: { v: 'x' } } },
    verdict: 'invalid',
  },
  {
    name: '$dynamicRef, fitting',
    why: 'its neighbour',
    schema: { $dynamicAnchor: 'n', properties: { v: { type: 'number' }, next: { $dynamicRef: '#n' } } },
    content: { next: { next: { v: 1 } } },
    verdict: 'valid',
  },
  ...[{ $anchor: 'n' }, { $dynamicAnchor: 'n' }, { $anchor: 'n', $id: 'https://schemas.test/n' }].flatMap(
    (anchored) => {
      const properties = { v: { type: 'number' }, next: { $ref: '#n' } };
      const schema = { ...anchored, properties };
      return [
        {
          name: `$ref to the root as ${JSON.stringify(anchored)}`,
          why: 'an anchor of the root is one',
          schema,
          content: { next: { next: { v: 'x' } } },
          verdict: 'invalid',
        },
        {
          name: `$ref to the root as ${JSON.stringify(anchored)}, fitting`,
          why: 'its neighbour',
          schema,
          content: { next: { next: { v: 1 } } },
          verdict: 'valid',
        },
      ] as const;
    },
  ),
  {
    name: '$ref to an anchor that the root has too, in an embedded schema',
    why: 'there it is the embedded one',
    schema: {
      $anchor: 'n',
      type: 'object',
      properties: {
        a: { $id: 'https://schemas.test/a', $ref: '#n', $defs: { b: { $anchor: 'n', type: 'string' } } },
      },
    },
    content: { a: {} },
    verdict: 'invalid',
  },
  {
    name: '$ref to an anchor that nobody has, though the root is called alike',
    why: 'a reference without # is a name of another kind',
    schema: { $anchor: 'n', properties: { a: { $ref: '_n' } } },
    content: { a: 1 },
    verdict: 'unusable',
  },
  {
    name: '$dynamicRef across embedded schemas',
    why: 'ajv resolves it wrongly',
    schema: { $defs: { a: { $id: 'a', $dynamicAnchor: 'n' } }, $dynamicRef: '#n' },
    content: 1,
    verdict: 'unusable',
  },
  // What ajv would do
  {
    name: '$async',
    why: 'ajv accepts all and rejects a promise that nobody holds',
    schema: { $async: true, type: 'string' },
    content: 1,
    verdict: 'unusable',
  },
  {
    name: '$async where only a reference leads',
    why: 'the same',
    schema: { $ref: '#/x/y', x: { y: { $async: true } } },
    content: 1,
    verdict: 'unusable',
  },
  {
    name: 'a text with $async in it',
    why: 'no keyword',
    schema: { description: '"$async":true', type: 'string' },
    content: 'a',
    verdict: 'valid',
  },
  {
    name: 'a property named $async',
    why: 'a name is no keyword',
    schema: { properties: { $async: { type: 'boolean' } }, required: ['$async'] },
    content: {},
    verdict: 'invalid',
  },
  {
    name: 'a constant that looks like a reference to data',
    why: '$data is of no dialect',
    schema: { properties: { a: { const: { $data: '1/b' } } } },
    content: { a: 1, b: 1 },
    verdict: 'invalid',
  },
  {
    name: 'a price in cents',
    why: '19.99 is a multiple of 0.01, whatever binary fractions say',
    schema: { items: { multipleOf: 0.01 } },
    content: [19.99, 4.35, 0.07, -19.99, 12_345_678.91, 0],
    verdict: 'valid',
  },
  {
    name: 'half a cent',
    why: 'negative neighbour',
    schema: { items: { multipleOf: 0.01 } },
    content: [19.995],
    verdict: 'invalid',
  },
  {
    name: 'a property named $data',
    why: 'a name is no keyword',
    schema: { properties: { $data: { type: 'string' } } },
    content: { $data: 1 },
    verdict: 'invalid',
  },
  {
    name: 'nullable without a type',
    why: 'ajv would throw; an annotation',
    schema: { properties: { a: { nullable: true, anyOf: [{ type: 'string' }] } } },
    content: { a: 'x' },
    verdict: 'valid',
  },
  {
    name: 'nullable beside a type',
    why: "OpenAPI's, as both SDKs have it",
    schema: { type: 'string', nullable: true },
    content: null,
    verdict: 'valid',
  },
  {
    name: 'format',
    why: 'an annotation',
    schema: { type: 'string', format: 'email' },
    content: 'no email',
    verdict: 'valid',
  },
  {
    name: 'a format nobody knows',
    why: 'an annotation',
    schema: { format: 'nope' },
    content: 1,
    verdict: 'valid',
  },
  // References
  {
    name: 'a recursive schema',
    why: 'follows the content',
    schema: { properties: { child: { $ref: '#' } }, additionalProperties: false },
    content: { child: { child: { x: 1 } } },
    verdict: 'invalid',
  },
  {
    name: 'a recursive schema, fitting',
    why: 'its neighbour',
    schema: { properties: { child: { $ref: '#' } }, additionalProperties: false },
    content: { child: { child: {} } },
    verdict: 'valid',
  },
  {
    name: 'a dangling reference',
    why: 'nothing there',
    schema: { $ref: '#/$defs/a' },
    content: 1,
    verdict: 'unusable',
  },
  {
    name: 'a remote reference',
    why: 'nothing is fetched',
    schema: { $ref: 'https://example.test/remote.json' },
    content: 1,
    verdict: 'unusable',
  },
  {
    name: 'a file reference',
    why: 'nothing is read',
    schema: { $ref: 'file:///etc/hostname' },
    content: 1,
    verdict: 'unusable',
  },
  {
    name: 'the meta-schema',
    why: 'built in: a tool may return a schema',
    schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
    content: { properties: { a: { type: 'nope' } } },
    verdict: 'invalid',
  },
  {
    name: 'the meta-schema, fitting',
    why: 'its neighbour',
    schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
    content: { properties: { a: { type: 'string' } } },
    verdict: 'valid',
  },
  {
    name: '$id that no parser takes',
    why: 'dropped',
    schema: { $id: 'urn:a', type: 'string' },
    content: 1,
    verdict: 'invalid',
  },
  {
    name: '$id that ends a comment',
    why: 'no text of the server becomes code',
    schema: { $id: 'https://a.test/*/;throw 1;/*', $defs: { a: { $id: '*/;throw 1;/*' } }, type: 'string' },
    content: 'a',
    verdict: 'valid',
  },
  {
    name: '$id as a base',
    why: 'a schema may name itself',
    schema: { $id: 'https://a.test/x', $ref: 'x#/$defs/a', $defs: { a: { type: 'string' } } },
    content: 1,
    verdict: 'invalid',
  },
  // Names of Object.prototype
  {
    name: 'property constructor, absent',
    why: 'every object inherits one',
    schema: { properties: { constructor: { type: 'number' }, toString: false } },
    content: {},
    verdict: 'valid',
  },
  {
    name: 'required toString',
    why: 'inherited does not count',
    schema: { required: ['toString'] },
    content: {},
    verdict: 'invalid',
  },
  {
    name: 'property __proto__',
    why: 'ajv skips it',
    schema: JSON.parse('{"properties":{"__proto__":{"type":"number"}},"additionalProperties":false}'),
    content: JSON.parse('{"__proto__":"x"}'),
    verdict: 'invalid',
  },
  {
    name: 'property __proto__, fitting',
    why: 'and is no additional one',
    schema: JSON.parse('{"properties":{"__proto__":{"type":"number"}},"additionalProperties":false}'),
    content: JSON.parse('{"__proto__":1}'),
    verdict: 'valid',
  },
  // Contents
  {
    name: 'content of 1 MiB',
    why: 'just short enough',
    schema: { type: 'number' },
    content: 'x'.repeat(1_048_576 - 2),
    verdict: 'invalid',
  },
  {
    name: 'content over 1 MiB',
    why: 'one too long',
    schema: { type: 'number' },
    content: 'x'.repeat(1_048_577 - 2),
    verdict: 'unchecked',
  },
  {
    name: 'content over 1 MiB in small pieces',
    why: 'numbers and brackets count',
    schema: { type: 'string' },
    content: Array(200_000).fill(12_345),
    verdict: 'unchecked',
  },
  {
    name: 'content that refers to itself',
    why: 'endless',
    schema: { type: 'object' },
    content: cycle(),
    verdict: 'unchecked',
  },
  {
    name: 'content that throws',
    why: 'an in-memory peer can send it',
    schema: { type: 'object' },
    content: Object.defineProperty({}, 'a', { enumerable: true, get: () => assert.fail('read') }),
    verdict: 'unchecked',
  },
  {
    name: 'content that is a revoked proxy',
    why: 'an in-memory peer can send it',
    schema: { type: 'object' },
    content: revoked(),
    verdict: 'unchecked',
  },
  {
    name: 'content that JSON cannot carry',
    why: 'an in-memory peer can send it; undefined members are absent ones',
    schema: { type: 'object', required: ['a'], properties: { a: { type: 'object' } } },
    content: { a: new Date(0), b: undefined, c: () => 1, d: 1n, e: Symbol('e') },
    verdict: 'valid',
  },
  {
    name: 'a required member that is undefined',
    why: 'its neighbour',
    schema: { required: ['a'] },
    content: { a: undefined },
    verdict: 'invalid',
  },
];

function cycle(): unknown {
  const content: Record<string, unknown> = {};
  content.a = [content];
  return content;
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('output schema verdicts', () => {
  for (const { name, why, schema, content, verdict } of rows) {
    it(`${verdict}: ${name} (${why})`, () => {
      const first = checkOutputSchema(schema, content);
      // A busy machine may take a heavy schema over its time; a copy of it starts anew.
      const outOfTime = first.verdict === 'unusable' && first.reason.includes('took too long');
      const checked = outOfTime ? checkOutputSchema(structuredClone(schema), content) : first;
      assert.equal(checked.verdict, verdict, JSON.stringify(checked));
    });
  }
});

describe('output schema issues', () => {
  const issueRows = [
    {
      name: 'every issue of a plain schema',
      schema: { properties: { a: { type: 'number' }, b: { minLength: 3 } }, required: ['c'] },
      content: { a: 'secret-1', b: 'no' },
      issues: [
        { path: '', message: "must have required property 'c'" },
        { path: '/a', message: 'must be number' },
        { path: '/b', message: 'must NOT have fewer than 3 characters' },
      ],
    },
    {
      name: 'the first issue only where a reference may repeat the work',
      schema: {
        properties: { a: { $ref: '#/$defs/n' }, b: { $ref: '#/$defs/n' } },
        $defs: { n: { type: 'number' } },
      },
      content: { a: 'x', b: 'y' },
      issues: [{ path: '/a', message: 'must be number' }],
    },
    {
      name: 'what failed before why each branch did',
      schema: { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
      content: { a: 1 },
      issues: [
        { path: '/a', message: 'must match a schema in anyOf' },
        { path: '/a', message: 'must be string' },
        { path: '/a', message: 'must be null' },
      ],
    },
    {
      name: 'JSON Pointer escapes',
      schema: { additionalProperties: { type: 'number' } },
      content: { 'a/b~c': 'x' },
      issues: [{ path: '/a~1b~0c', message: 'must be number' }],
    },
    {
      name: 'items of lists',
      schema: { items: { items: { type: 'number' } } },
      content: [[], [1, 'x']],
      issues: [{ path: '/1/1', message: 'must be number' }],
    },
    {
      name: 'control characters become spaces',
      schema: { required: ['a\nb'], additionalProperties: { type: 'number' } },
      content: { 'x\u001b[2Jy': 'z' },
      issues: [
        { path: '', message: "must have required property 'a b'" },
        { path: '/x [2Jy', message: 'must be number' },
      ],
    },
    {
      name: 'a long path ends at an ancestor',
      schema: { additionalProperties: { additionalProperties: { type: 'number' } } },
      content: { [`a${'x'.repeat(200)}`]: { ['y'.repeat(200)]: 'z' } },
      issues: [{ path: `/a${'x'.repeat(200)}/…`, message: 'must be number' }],
    },
    {
      name: 'a long message is cut',
      schema: { required: ['y'.repeat(300)] },
      content: {},
      issues: [{ path: '', message: `must have required property '${'y'.repeat(226)}…` }],
    },
    {
      name: 'a missing content says so',
      schema: { type: 'object' },
      content: undefined,
      issues: [{ path: '', message: 'structuredContent is missing: the tool has an output schema' }],
    },
  ];
  for (const { name, schema, content, issues } of issueRows) {
    it(name, () => {
      assert.deepEqual(checkOutputSchema(schema, content), { verdict: 'invalid', issues });
    });
  }

  it('are at most 10', () => {
    const required = Array.from({ length: 25 }, (_, i) => `r${i}`);
    const checked = checkOutputSchema({ required }, {});
    assert.equal(checked.verdict === 'invalid' && checked.issues.length, 10);
  });
});

describe('output schema reasons', () => {
  const reasonRows = [
    { schema: null, reason: 'the output schema is not a JSON object' },
    { schema: { $async: true }, reason: 'the output schema uses $async' },
    {
      schema: { $schema: 'https://a.test/\u0007x' },
      reason: 'the output schema has an unsupported $schema: https://a.test/ x',
    },
    {
      schema: { $schema: 'y'.repeat(5_000) },
      reason: `the output schema has an unsupported $schema: ${'y'.repeat(4_096)}…`,
    },
    {
      schema: { $ref: '#/$defs/a' },
      reason: "the output schema does not compile: can't resolve reference #/$defs/a from id #",
    },
    {
      schema: { pattern: 'a'.repeat(2_049) },
      reason: 'the output schema does not compile: a pattern is longer than 2,048 UTF-16 units',
    },
  ];
  for (const { schema, reason } of reasonRows) {
    it(reason.slice(0, 80), () => {
      assert.deepEqual(checkOutputSchema(schema, {}), { verdict: 'unusable', reason });
    });
  }
});

describe('output schema state', () => {
  it('two schemas with the same $id stay two schemas', () => {
    const first = { $id: 'https://a.test/same', type: 'object', required: ['x'] };
    const second = { $id: 'https://a.test/same', type: 'object', required: ['y'] };
    assert.equal(checkOutputSchema(first, { x: 1 }).verdict, 'valid');
    assert.equal(checkOutputSchema(second, { y: 1 }).verdict, 'valid');
    assert.equal(checkOutputSchema(second, { x: 1 }).verdict, 'invalid');
    assert.equal(checkOutputSchema(first, { y: 1 }).verdict, 'invalid');
  });

  it('reads a schema once, without changing it', () => {
    let reads = 0;
    const schema = {
      get type() {
        reads += 1;
        return 'string';
      },
      $schema: 'http://json-schema.org/draft-07/schema#',
    };
    assert.equal(checkOutputSchema(schema, 1).verdict, 'invalid');
    const before = reads;
    assert.equal(checkOutputSchema(schema, 'a').verdict, 'valid');
    assert.equal(reads, before);
    const frozen = Object.freeze({
      $id: 'urn:a',
      $ref: '#/$defs/a',
      $defs: Object.freeze({ a: Object.freeze({}) }),
    });
    assert.equal(checkOutputSchema(frozen, 1).verdict, 'valid');
  });

  it('does not hold a content against the next one', () => {
    const schema = { properties: { a: { $ref: '#/$defs/n' } }, $defs: { n: { type: 'number' } } };
    for (const [a, verdict] of [
      [1, 'valid'],
      ['x', 'invalid'],
      [2, 'valid'],
      [null, 'invalid'],
    ] as const) {
      assert.equal(checkOutputSchema(schema, { a }).verdict, verdict);
    }
  });

  it('checks small and large contents of one schema alike', () => {
    const schema = { type: 'array', items: { type: 'number' } };
    assert.equal(checkOutputSchema(schema, [1]).verdict, 'valid');
    assert.equal(checkOutputSchema(schema, Array(100_000).fill(1)).verdict, 'valid');
    assert.deepEqual(checkOutputSchema(schema, [...Array(100_000).fill(1), 'x', 'y']), {
      verdict: 'invalid',
      issues: [{ path: '/100000', message: 'must be number' }],
    });
  });
});

describe('public reports about structuredContent and outputSchema', () => {
  const cases = readCases();
  // What the schema alone says; the cases with `isError: true` never ask it.
  const verdicts: Readonly<Record<string, string>> = {
    C01: 'invalid',
    C03: 'invalid',
    C04: 'invalid',
    C07: 'invalid',
    C08: 'invalid',
    C10: 'unusable',
  };
  for (const { id, title, schema, content } of cases) {
    it(`${id} ${title}`, () => {
      assert.equal(checkOutputSchema(schema, content).verdict, verdicts[id]);
    });
  }
  it('were all there', () => {
    assert.deepEqual(
      cases.map(({ id }) => id),
      Object.keys(verdicts),
    );
  });
});

interface SchemaCase {
  readonly id: string;
  readonly title: string;
  readonly schema: unknown;
  readonly content: unknown;
}

function readCases(): readonly SchemaCase[] {
  const text = readFileSync(new URL('fixtures/outcomes.json', import.meta.url), 'utf8');
  const all: readonly {
    readonly id: string;
    readonly theme: string;
    readonly title: string;
    readonly input: {
      readonly outputSchema?: unknown;
      readonly result?: { readonly structuredContent?: unknown };
    };
  }[] = JSON.parse(text);
  return all
    .filter(({ theme }) => theme.startsWith('C '))
    .map(({ id, title, input }) => ({
      id,
      title,
      schema: input.outputSchema,
      content: input.result?.structuredContent,
    }));
}
