import { readProperty } from '../redact/safe-read.ts';

/**
 * Anything that calls tools: the `Client` of either SDK, a subclass, a gateway, a test double. Told apart by structure,
 * so that two copies of an SDK in one process are the same to us.
 */
export interface ToolCallingClient {
  callTool(params: never, ...rest: never[]): Promise<unknown>;
}

/** The request options of a client's own `callTool`: SDK v1 takes them third, all others second. */
export type RequestOptionsOf<C extends ToolCallingClient> = NonNullable<
  C extends SdkV1 ? ThirdParameter<C> : SecondParameter<C>
>;

/** Both SDKs have these two; v2 has `getProtocolEra` too, as `isSdkV1` knows. */
interface SdkV1 {
  readonly setRequestHandler: unknown;
  readonly getServerCapabilities: unknown;
  readonly getProtocolEra?: undefined;
}

type SecondParameter<C extends ToolCallingClient> =
  Parameters<C['callTool']> extends readonly [unknown?, (infer O)?, ...unknown[]] ? O : never;

type ThirdParameter<C extends ToolCallingClient> =
  Parameters<C['callTool']> extends readonly [unknown?, unknown?, (infer O)?, ...unknown[]] ? O : never;

/** SDK v2 is told by a method that v1 does not have. */
export function isSdkV2(client: unknown): boolean {
  return typeof readProperty(client, 'getProtocolEra') === 'function';
}

/** SDK v1 takes a result schema between the parameters and the options; v2 and other clients do not. */
export function isSdkV1(client: unknown): boolean {
  return (
    typeof readProperty(client, 'setRequestHandler') === 'function' &&
    typeof readProperty(client, 'getServerCapabilities') === 'function' &&
    !isSdkV2(client)
  );
}

/** A result schema for either SDK that lets everything through: the classifier judges, and an SDK throws away what it refuses. */
const anyResult = {
  safeParse: (data: unknown): { readonly success: true; readonly data: unknown } => ({ success: true, data }),
  '~standard': {
    version: 1,
    vendor: 'mcp-outcome',
    validate: (value: unknown): { readonly value: unknown } => ({ value }),
  },
};

/** Calls the client's own `callTool`, so that an override or a subclass does what it does. */
export function callSdkV1(client: ToolCallingClient, params: unknown, options: unknown): unknown {
  return Reflect.apply(client.callTool, client, [params, anyResult, options]);
}

/** The same for every other client. */
export function callClient(client: ToolCallingClient, params: unknown, options: unknown): unknown {
  return Reflect.apply(client.callTool, client, [params, options]);
}

/** The name that the server gave itself in the handshake. */
export function readServerName(client: unknown): string | undefined {
  const getServerVersion = readProperty(client, 'getServerVersion');
  if (typeof getServerVersion !== 'function') {
    return undefined;
  }
  try {
    const name = readProperty(Reflect.apply(getServerVersion, client, []), 'name');
    return typeof name === 'string' && name.trim() !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** The client's transport: `undefined` while it is not connected, `'none'` for a client that has no such thing. */
export function readTransport(client: ToolCallingClient): unknown {
  const transport = readProperty(client, 'transport') ?? undefined;
  return transport === undefined && !hasMember(client, 'transport') ? 'none' : transport;
}

function hasMember(value: object, key: string): boolean {
  try {
    return key in value;
  } catch {
    return false;
  }
}

/** Asks for a page of tools past the client's own `listTools`, which in SDK v1 forgets the page before. */
export function listToolsOf(client: ToolCallingClient, params: unknown, options: unknown): unknown {
  const request = readProperty(client, 'request');
  if (typeof request !== 'function') {
    throw new TypeError('The client has no request function.');
  }
  return Reflect.apply(request, client, [{ method: 'tools/list', params }, anyResult, options]);
}
