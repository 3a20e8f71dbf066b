/** What one JSON value of a captured log is. */
export type Message =
  | { readonly is: 'result'; readonly result: unknown; readonly id?: unknown }
  | { readonly is: 'error'; readonly error: unknown; readonly id?: unknown }
  | { readonly is: 'request'; readonly id: unknown; readonly method: unknown; readonly tool: unknown };

/**
 * The messages in a value: one, or those of a list (a JSON-RPC batch, a list of results). What is no JSON-RPC message
 * is a result. A response that has neither a result nor an error is an error without a code.
 */
export function readMessages(value: unknown): readonly Message[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
    ? value.map(readMessage)
    : [readMessage(value)];
}

function readMessage(value: unknown): Message {
  if (!isObject(value) || value.jsonrpc !== '2.0') {
    return { is: 'result', result: value };
  }
  const { id, method } = value;
  if (method !== undefined) {
    return { is: 'request', id, method, tool: isObject(value.params) ? value.params.name : undefined };
  }
  return Object.hasOwn(value, 'result') && !Object.hasOwn(value, 'error')
    ? { is: 'result', result: value.result, id }
    : { is: 'error', error: value.error, id };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
