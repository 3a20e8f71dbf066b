import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { checkOutputSchema } from '../src/classify/output-schema.ts';

const folder = new URL('fixtures/json-schema-test-suite/', import.meta.url);
const drafts = {
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const;

interface SuiteGroup {
  readonly description: string;
  readonly schema: boolean | object;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

interface Exception {
  readonly file: string;
  readonly reason: string;
  /** `unusable`: nothing is judged. `wrong`: a verdict comes out that the suite does not want. */
  readonly instead: 'unusable' | 'wrong';
  readonly groups: readonly string[];
}

/** What is not as the suite wants it. A group that comes out right fails here, so that the list stays true. */
const exceptions: readonly Exception[] = [
  {
    file: 'draft7/refRemote.json',
    reason: 'no schema is ever fetched',
    instead: 'unusable',
    groups: [
      'remote ref',
      'fragment within remote ref',
      'ref within remote ref',
      'base URI change',
      'base URI change - change folder',
      'base URI change - change folder in subschema',
      'root ref in remote ref',
      'remote ref with ref to definitions',
      'Location-independent identifier in remote ref',
      'retrieved nested refs resolve relative to their URI not $id',
    ],
  },
  {
    file: 'draft2020-12/refRemote.json',
    reason: 'no schema is ever fetched',
    instead: 'unusable',
    groups: [
      'remote ref',
      'fragment within remote ref',
      'anchor within remote ref',
      'ref within remote ref',
      'base URI change',
      'base URI change - change folder',
      'base URI change - change folder in subschema',
      'root ref in remote ref',
      'remote ref with ref to defs',
      'Location-independent identifier in remote ref',
      'retrieved nested refs resolve relative to their URI not $id',
      'remote HTTP ref with different $id',
      'remote HTTP ref with different URN $id',
      'remote HTTP ref with nested absolute ref',
    ],
  },
  {
    file: 'draft2020-12/dynamicRef.json',
    reason: 'no schema is ever fetched',
    instead: 'unusable',
    groups: [
      'strict-tree schema, guards against misspelled properties',
      'tests for implementation dynamic anchor and reference link',
      '$ref and $dynamicAnchor are independent of order - $defs first',
      '$ref and $dynamicAnchor are independent of order - $ref first',
    ],
  },
  {
    file: 'draft2020-12/dynamicRef.json',
    reason: 'ajv resolves $dynamicRef across embedded schemas wrongly, so such schemas are refused',
    instead: 'unusable',
    groups: [
      'A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated',
      'A $dynamicRef without anchor in fragment behaves identical to $ref',
      "A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
      'An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution',
      'A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor',
      'A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor',
      'A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope',
      'A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor',
      'multiple dynamic paths to the $dynamicRef keyword',
      'after leaving a dynamic scope, it is not used by a $dynamicRef',
    ],
  },
  {
    file: 'draft2020-12/ref.json',
    reason: 'ajv recurses for ever when it compiles these embedded identifiers',
    instead: 'unusable',
    groups: [
      'refs with relative uris and defs',
      'relative refs with absolute uris and defs',
      'URN ref with nested pointer ref',
    ],
  },
  {
    file: 'draft7/unknownKeyword.json',
    reason: 'ajv takes each $id for an identifier, also in unknown keywords',
    instead: 'unusable',
    groups: ['$id inside an unknown keyword is not a real identifier'],
  },
  {
    file: 'draft2020-12/unknownKeyword.json',
    reason: 'ajv takes each $id for an identifier, also in unknown keywords',
    instead: 'unusable',
    groups: ['$id inside an unknown keyword is not a real identifier'],
  },
  {
    file: 'draft2020-12/vocabulary.json',
    reason: 'another dialect',
    instead: 'unusable',
    groups: [
      'schema that uses custom metaschema with with no validation vocabulary',
      'ignore unrecognized optional vocabulary',
    ],
  },
  {
    file: 'draft2020-12/unevaluatedItems.json',
    reason: 'ajv does not count what items in a branch, or contains, evaluated',
    instead: 'wrong',
    groups: [
      'unevaluatedItems with nested items',
      'unevaluatedItems depends on adjacent contains',
      'unevaluatedItems depends on multiple nested contains',
      'unevaluatedItems and contains interact to control item dependency relationship',
    ],
  },
  {
    file: 'draft2020-12/unevaluatedProperties.json',
    reason: 'ajv counts what an if evaluated that did not hold, when there is no then',
    instead: 'wrong',
    groups: ['unevaluatedProperties with if/then/else, then not defined'],
  },
];

describe('official JSON Schema test suite', () => {
  const met = new Set<string>();
  for (const [draft, $schema] of Object.entries(drafts)) {
    for (const name of readdirSync(new URL(draft, folder))) {
      const file = `${draft}/${name}`;
      it(file, (t) => {
        for (const group of readGroups(file)) {
          const exception = exceptions.find(
            (row) => row.file === file && row.groups.includes(group.description),
          );
          const verdicts = judge(group, $schema);
          const right = verdicts.every(({ got, wanted }) => got === wanted);
          if (exception === undefined) {
            assert.deepEqual(
              verdicts.filter(({ got, wanted }) => got !== wanted),
              [],
              group.description,
            );
          } else {
            t.diagnostic(`${exception.instead}: ${file}: ${group.description} (${exception.reason})`);
            met.add(`${file} ${group.description}`);
            assert.ok(!right, `no longer an exception: ${group.description}`);
            const unusable = verdicts.every(({ got }) => got === 'unusable');
            assert.equal(unusable ? 'unusable' : 'wrong', exception.instead, group.description);
          }
        }
      });
    }
  }

  it('has every group that is listed as an exception', () => {
    const listed = exceptions.flatMap(({ file, groups }) => groups.map((group) => `${file} ${group}`));
    assert.deepEqual([...met].sort(), listed.sort());
  });
});

function readGroups(file: string): readonly SuiteGroup[] {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
}

/** The root of an output schema is an object, so the suite's `true` and `false` stand one level down. */
function judge({ schema, tests }: SuiteGroup, $schema: string) {
  const root = typeof schema === 'boolean' ? { $schema, allOf: [schema] } : { $schema, ...schema };
  return tests.map(({ description, data, valid }) => ({
    description,
    got: checkOutputSchema(root, data).verdict,
    wanted: valid ? 'valid' : 'invalid',
  }));
}
