export type Dialect = '2020-12' | 'draft-07';

type JsonObject = Record<string, unknown>;

interface PreparedSchema {
  readonly dialect: Dialect;
  readonly json: JsonObject;
}

/** A schema in the schema, and whether it belongs to one with an `$id` of its own. */
interface Place {
  readonly schema: unknown;
  readonly embedded: boolean;
}

interface SchemaProblem {
  readonly problem: string;
  /** The piece of the schema that is meant, as the server wrote it. */
  readonly excerpt?: string;
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
]);

/** Where both dialects hold schemas: as a keyword's value or a list of it, or under the keys of a map. */
const schemaPlaces: ReadonlyMap<string, 'value' | 'map'> = new Map([
  ['$defs', 'map'],
  ['additionalItems', 'value'],
  ['additionalProperties', 'value'],
  ['allOf', 'value'],
  ['anyOf', 'value'],
  ['contains', 'value'],
  ['definitions', 'map'],
  ['dependentSchemas', 'map'],
  ['else', 'value'],
  ['if', 'value'],
  ['items', 'value'],
  ['not', 'value'],
  ['oneOf', 'value'],
  ['patternProperties', 'map'],
  ['prefixItems', 'value'],
  ['properties', 'map'],
  ['propertyNames', 'value'],
  ['then', 'value'],
  ['unevaluatedItems', 'value'],
  ['unevaluatedProperties', 'value'],
]);

/** With `$async`, ajv accepts every content, and rejects a promise that nobody holds. */
export const asyncProblem = 'the output schema uses $async';

/** Checks the dialect and the places of subschemas, and changes the given JSON so that ajv reads it as specified. */
export function prepareSchema(json: unknown): PreparedSchema | SchemaProblem {
  if (!isJsonObject(json)) {
    return { problem: 'the output schema is not a JSON object' };
  }
  const dialect = dialectOf(json, '2020-12');
  if (dialect === undefined) {
    return unsupportedDialect(json);
  }
  const $id = usableRootId(json);
  delete json.$id;
  delete json.$schema;
  const rootAnchors = [json.$anchor, json.$dynamicAnchor];
  const usage = { dynamicRef: false, embeddedId: false };
  const pending: Place[] = [{ schema: json, embedded: false }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { schema } = place;
    if (typeof schema === 'boolean') {
      continue;
    }
    if (!isJsonObject(schema)) {
      return { problem: 'the output schema has something else where a schema belongs' };
    }
    if (dialectOf(schema, dialect) !== dialect) {
      return unsupportedDialect(schema);
    }
    if (Object.hasOwn(schema, '$async')) {
      return { problem: asyncProblem };
    }
    const embedded = place.embedded || schema.$id !== undefined;
    usage.embeddedId ||= embedded;
    usage.dynamicRef ||= dialect === '2020-12' && schema.$dynamicRef !== undefined;
    rewriteForAjv(schema, dialect, embedded ? [] : rootAnchors);
    for (const [keyword, value] of Object.entries(schema)) {
      for (const subschema of subschemas(schemaPlaces.get(keyword), value)) {
        pending.push({ schema: subschema, embedded });
      }
    }
  }
  if (usage.dynamicRef && usage.embeddedId) {
    return { problem: 'the output schema uses $dynamicRef across embedded schemas' };
  }
  return { dialect, json: $id === undefined ? json : { ...json, $id } };
}

function dialectOf({ $schema }: JsonObject, inherited: Dialect): Dialect | undefined {
  if ($schema === undefined) {
    return inherited;
  }
  return typeof $schema === 'string'
    ? dialects.get($schema.replace(/^https?:\/\//, '').replace(/#$/, ''))
    : undefined;
}

function unsupportedDialect({ $schema }: JsonObject): SchemaProblem {
  const excerpt = typeof $schema === 'string' ? $schema : '';
  return { problem: 'the output schema has an unsupported $schema', excerpt };
}

/** A keyword's value of the wrong kind holds none; compiling reports it. */
function subschemas(place: 'value' | 'map' | undefined, value: unknown): readonly unknown[] {
  switch (place) {
    case undefined:
      return [];
    case 'value':
      return Array.isArray(value) ? value : [value];
    case 'map':
      return isJsonObject(value) ? Object.values(value) : [];
  }
}

function rewriteForAjv(schema: JsonObject, dialect: Dialect, rootAnchors: readonly unknown[]): void {
  // Not JSON Schema, and ajv throws; beside a type it is OpenAPI's, which ajv and so both SDKs honor.
  if (schema.type === undefined || schema.nullable !== true) {
    delete schema.nullable;
  }
  switch (dialect) {
    case 'draft-07':
      ignoreSiblingsOfRef(schema);
      break;
    case '2020-12':
      resolveRootAnchor(schema, rootAnchors);
      resolveDynamicRef(schema);
      break;
  }
  // ajv skips this name among `properties`.
  if (isJsonObject(schema.properties) && Object.hasOwn(schema.properties, '__proto__')) {
    const { ['__proto__']: own, ...properties } = schema.properties;
    const patterns = isJsonObject(schema.patternProperties) ? schema.patternProperties : {};
    schema.patternProperties = { ...patterns, '^__proto__$': own };
    schema.properties = properties;
  }
}

/** draft-07 section 8.3: beside `$ref`, all else is ignored; schemas in there can still be referred to. */
function ignoreSiblingsOfRef(schema: JsonObject): void {
  if (typeof schema.$ref === 'string') {
    for (const keyword of Object.keys(schema)) {
      if (!['$ref', 'definitions', '$defs'].includes(keyword)) {
        delete schema[keyword];
      }
    }
  }
}

/** ajv registers no anchor of the root itself. */
function resolveRootAnchor(schema: JsonObject, rootAnchors: readonly unknown[]): void {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const reference = schema[keyword];
    if (typeof reference === 'string' && /^#./.test(reference) && rootAnchors.includes(reference.slice(1))) {
      schema[keyword] = '#';
    }
  }
}

/** With a single schema resource there is one dynamic scope, in which `$dynamicRef` is `$ref`. */
function resolveDynamicRef(schema: JsonObject): void {
  const { $dynamicRef: $ref, allOf } = schema;
  if (typeof $ref === 'string') {
    delete schema.$dynamicRef;
    schema.allOf = [...(Array.isArray(allOf) ? allOf : []), { $ref }];
  }
}

/** The base of references, unless ajv's URI parser would refuse it, like `urn:a`. */
function usableRootId({ $id }: JsonObject): string | undefined {
  const usable = typeof $id === 'string' && /^(?:https?:|urn:[^:]+:)./.test($id) && URL.canParse($id);
  return usable ? $id : undefined;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
