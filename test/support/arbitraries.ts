/**
 * Values that nobody would send on purpose: hostile errors, hostile results, and everything in between. The arbitraries
 * make recipes, because fast-check touches the values that it makes, and some of these cannot be touched.
 */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { branded, sdkCopies } from './thrown-errors.ts';

export type Recipe = () => unknown;

/** A recipe that a failed property can print. */
function recipe(make: Recipe): Recipe {
  return Object.assign(make, { [fc.toStringMethod]: () => print(make()) });
}

function print(value: unknown): string {
  try {
    return inspect(value, { depth: 6, showProxy: true });
  } catch {
    return 'a value that cannot be printed';
  }
}

function always(...values: readonly unknown[]): fc.Arbitrary<Recipe> {
  return fc.constantFrom(...values.map((value) => recipe(() => value)));
}

function plain(values: fc.Arbitrary<unknown>): fc.Arbitrary<Recipe> {
  return values.map((value) => recipe(() => value));
}

function recordOf(
  shape: Readonly<Record<string, fc.Arbitrary<Recipe>>>,
  requiredKeys: string[] = [],
): fc.Arbitrary<() => object> {
  return fc.record({ ...shape }, { requiredKeys }).map((recipes) => () => {
    const entries = Object.entries(recipes).flatMap(([key, make]) => (make ? [[key, make()]] : []));
    return Object.fromEntries(entries);
  });
}

function listOf(items: fc.Arbitrary<Recipe>): fc.Arbitrary<Recipe> {
  return fc.array(items, { maxLength: 4 }).map((recipes) => recipe(() => recipes.map((make) => make())));
}

function explode(): never {
  throw new Error('do not touch me');
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** Every operation on it throws; unlike a revoked one it is still an array to `Array.isArray` when its target is. */
function untouchable(target: object): object {
  return new Proxy(target, new Proxy({}, { get: () => explode }));
}

/** An object that answers the first read of every member, and throws on the next: it is not the same twice. */
export function fickle(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const seen = new Set<PropertyKey>();
  return new Proxy(value, {
    get: (target, key) => {
      if (seen.has(key)) explode();
      seen.add(key);
      return Reflect.get(target, key);
    },
  });
}

/** Getters that throw, where no spread and no `for…in` comes by. */
function withHiddenGetters(members: object, keys: readonly string[]): object {
  const getters = keys.map((key) => [key, { get: explode, enumerable: false }]);
  const prototype = Object.defineProperties({}, Object.fromEntries(getters));
  const own = Object.entries(members).filter(([key]) => !keys.includes(key));
  return Object.defineProperties(
    Object.create(prototype),
    Object.getOwnPropertyDescriptors(Object.fromEntries(own)),
  );
}

function withOwnGetters(members: object, keys: readonly string[]): object {
  const getters = keys.map((key) => [key, { get: explode, enumerable: true, configurable: true }]);
  return Object.defineProperties(members, Object.fromEntries(getters));
}

/** The same object, as it is or made hostile in one of several ways. */
function hostile(objects: fc.Arbitrary<() => object>, keys: readonly string[]): fc.Arbitrary<Recipe> {
  const twists: readonly ((made: object, some: readonly string[]) => object)[] = [
    (made) => made,
    (made) => made,
    (made) => Object.freeze(made),
    withHiddenGetters,
    withOwnGetters,
  ];
  return fc
    .tuple(objects, fc.constantFrom(...twists), fc.subarray([...keys], { maxLength: 3 }))
    .map(([make, twist, some]) => recipe(() => twist(make(), some)));
}

const anyValue: fc.Arbitrary<unknown> = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

/** From nothing to many thousand units, with control characters and halves of surrogate pairs. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(4_096))
    .map(([part, times]) => part.repeat(times)),
  fc.constantFrom('', ' \n', 'HTTP 401 Unauthorized', 'a\r\nb', '\u2028', '\ud800', 'A'.repeat(2_049)),
);

const oddValue: fc.Arbitrary<Recipe> = fc.oneof(
  plain(anyValue),
  plain(text),
  always(...[{}, [], () => 0].flatMap((target) => [revoked(target), untouchable(target)])),
  always(undefined, null, Symbol('401'), () => 401, 401, 403, 404, 500, -1, -32_001, -32_000, 0, 5n),
);

const sdkErrors: fc.Arbitrary<Recipe> = fc
  .tuple(
    fc.constantFrom(...Object.values(sdkCopies)),
    fc.integer({ min: -32_800, max: 700 }),
    text,
    oddValue,
    fc.nat(6),
  )
  .map(([{ types, streamableHttp, sse, auth, oauth }, code, message, data, which]) => {
    const makers: readonly Recipe[] = [
      () => new types.McpError(code, message, data()),
      () => new streamableHttp.StreamableHTTPError(code, message),
      () => new sse.SseError(code, message, new Event('error')),
      () => new auth.UnauthorizedError(message),
      () => new oauth.ServerError(message),
      () => new oauth.InvalidGrantError(message),
      () => branded('mcp.SdkHttpError', message),
    ];
    return recipe(() => makers[which]?.());
  });

const errorNames = always('McpError', 'StreamableHTTPError', 'SdkHttpError', 'OAuthError', 'TimeoutError');
const errorCodes = always('ECONNREFUSED', 'ECONNRESET', 'REQUEST_TIMEOUT', 'server_error', '', '404');

/** Anything that can be thrown. */
export const thrown: fc.Arbitrary<Recipe> = fc.letrec<{ value: Recipe }>((tie) => {
  const inner = fc.oneof({ maxDepth: 3 }, oddValue, tie('value'));
  const shape = {
    name: fc.oneof(oddValue, errorNames),
    message: oddValue,
    code: fc.oneof(oddValue, errorCodes),
    status: oddValue,
    statusCode: oddValue,
    response: fc.oneof(oddValue, recordOf({ status: oddValue, statusCode: oddValue }).map(recipe)),
    data: fc.oneof(oddValue, recordOf({ text: oddValue, status: oddValue }).map(recipe)),
    cause: inner,
    errors: fc.oneof(oddValue, listOf(inner)),
    syscall: oddValue,
    errorCode: oddValue,
  };
  const members = recordOf(shape);
  const errors = members.map(
    (make) => () => Object.defineProperties(new Error(), Object.getOwnPropertyDescriptors(make())),
  );
  const cyclic = errors.map((make) =>
    recipe(() => {
      const error = make();
      return Object.defineProperty(error, 'cause', { value: error });
    }),
  );
  const aggregates = listOf(inner).map((make) =>
    recipe(() => Object.defineProperty(new AggregateError([]), 'errors', { value: make() })),
  );
  const keys = [...Object.keys(shape), 'constructor', 'toString'];
  return {
    value: fc.oneof(oddValue, sdkErrors, hostile(fc.oneof(members, errors), keys), cyclic, aggregates),
  };
}).value;

const failureBody = hostile(
  recordOf({
    _tag: fc.oneof(oddValue, always('OrchestratorMcpFailure', 'AiError')),
    success: fc.oneof(oddValue, always(true, false)),
    ok: fc.oneof(oddValue, always(true, false)),
    error: fc.oneof(oddValue, recordOf({ _tag: always('AiError'), reason: oddValue }).map(recipe)),
    error_code: oddValue,
    code: fc.oneof(oddValue, always('capability_denied', 'run_not_found')),
    message: oddValue,
    reason: oddValue,
  }),
  ['_tag', 'error', 'success', 'ok', 'code', 'message', 'reason'],
);

const textBlock = recordOf({ type: always('text'), text: plain(fc.oneof(text, fc.json())) }, [
  'type',
  'text',
]);
const block = fc.oneof(
  oddValue,
  textBlock.map(recipe),
  hostile(
    recordOf({
      type: fc.oneof(oddValue, always('text', 'image', 'audio', 'resource', 'resource_link', 'other')),
      text: oddValue,
      data: oddValue,
      mimeType: oddValue,
      uri: oddValue,
      name: oddValue,
      resource: fc.oneof(oddValue, recordOf({ uri: plain(text), text: oddValue }).map(recipe)),
    }),
    ['type', 'text', 'data', 'resource'],
  ),
);

/** Anything that a client can resolve with: JSON, and what only a peer in the same process can send. */
export const result: fc.Arbitrary<Recipe> = fc.oneof(
  plain(fc.jsonValue()),
  oddValue,
  recordOf({ content: listOf(textBlock.map(recipe)) }, ['content']).map(recipe),
  hostile(
    recordOf({
      isError: fc.oneof(oddValue, always(true, false, null)),
      content: fc.oneof(oddValue, listOf(block)),
      structuredContent: fc.oneof(oddValue, failureBody, plain(fc.jsonValue())),
      task: fc.oneof(oddValue, recordOf({ taskId: oddValue }).map(recipe)),
      resultType: fc.oneof(oddValue, always('complete', 'input_required', null)),
      _meta: oddValue,
    }),
    ['isError', 'content', 'structuredContent', 'task', 'resultType', '_meta'],
  ),
);

/** Anything that can stand where a JSON-RPC error object should. */
export const rpcError: fc.Arbitrary<Recipe> = fc.oneof(
  oddValue,
  sdkErrors,
  hostile(
    recordOf({
      code: fc.oneof(plain(fc.integer()), oddValue),
      message: fc.oneof(plain(text), oddValue),
      data: oddValue,
    }),
    ['code', 'message', 'data'],
  ),
);

/** A signal that is not aborted, or that is, with any reason. */
export const signal: fc.Arbitrary<() => AbortSignal> = fc.oneof(
  fc.constant(() => new AbortController().signal),
  thrown.map((make) => () => AbortSignal.abort(make())),
  fc
    .constantFrom('TimeoutError', 'AbortError')
    .map((name) => () => AbortSignal.abort(new DOMException('no', name))),
);

/**
 * The value behind a membrane: whatever tries to change it, or anything inside it, is written down in `changes` and
 * refused.
 */
export function guarded(value: unknown, changes: string[]): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const refuse = (what: string) => (): boolean => {
    changes.push(what);
    return false;
  };
  return new Proxy(value, {
    get: (target, key) => guarded(Reflect.get(target, key), changes),
    set: refuse('set'),
    defineProperty: refuse('defineProperty'),
    deleteProperty: refuse('deleteProperty'),
    setPrototypeOf: refuse('setPrototypeOf'),
    preventExtensions: refuse('preventExtensions'),
  });
}
