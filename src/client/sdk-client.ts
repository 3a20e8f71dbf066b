import { readProperty } from '../redact/safe-read.ts';

/**
 * Anything that calls tools: the `Client` of either SDK, a subclass, a gateway, a test double. Told apart by structure,
 * so that two copies of an SDK in one process are the same to us.
 */
export interface ToolCallingClient {
  callTool(params: never, ...rest: never[]): Promise<unknown>;
}

/** SDK v1 takes a result schema between the parameters and the options; v2 and other clients do not. */
export function takesResultSchema(client: unknown): boolean {
  return (
    typeof readProperty(client, 'setRequestHandler') === 'function' &&
    typeof readProperty(client, 'getServerCapabilities') === 'function' &&
    typeof readProperty(client, 'getProtocolEra') !== 'function'
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
export function callToolOf(
  client: ToolCallingClient,
  withResultSchema: boolean,
  params: unknown,
  options: unknown,
): unknown {
  return Reflect.apply(
    client.callTool,
    client,
    withResultSchema ? [params, anyResult, options] : [params, options],
  );
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
