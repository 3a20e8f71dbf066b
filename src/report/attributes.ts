import type { ToolOutcome } from '../outcome.ts';

/** Span attributes by the OpenTelemetry semantic conventions for MCP clients (status: Development), for `span.setAttributes`. */
export type OtelAttributes = Readonly<{
  'mcp.method.name': 'tools/call';
  'gen_ai.tool.name': string;
  'gen_ai.operation.name': 'execute_tool';
  'error.type'?: string;
  'rpc.response.status_code'?: string;
  'http.response.status_code'?: number;
}>;

/**
 * The attributes of a `CLIENT` span over the call. `error.type` is there for every outcome that is not `ok`:
 * `tool_error` for `isError: true`, the JSON-RPC code, the HTTP status, else the outcome's `reason` or `kind`.
 */
export function toOtelAttributes(outcome: ToolOutcome): OtelAttributes {
  const common = {
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': outcome.tool,
    'gen_ai.operation.name': 'execute_tool',
  } as const;
  switch (outcome.kind) {
    case 'success':
      return common;
    case 'tool_error':
    case 'failure_body':
    case 'schema_mismatch':
    case 'cancelled':
      return { ...common, 'error.type': outcome.kind };
    case 'call_failure': {
      const { reason, rpcCode, httpStatus } = outcome;
      return {
        ...common,
        'error.type': String(rpcCode ?? httpStatus ?? reason),
        ...(rpcCode === undefined ? {} : { 'rpc.response.status_code': String(rpcCode) }),
        ...(httpStatus === undefined ? {} : { 'http.response.status_code': httpStatus }),
      };
    }
  }
}
