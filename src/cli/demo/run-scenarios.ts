import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type OutcomeLogger, observeFetch, type ToolOutcome, withOutcomes } from '../../index.ts';
import { startDemoServer } from './http-server.ts';
import { demoTimeout, type Scenario, scenarios } from './scenarios.ts';

/** One tool called twice: what the bare SDK client said, and the outcome. */
export interface DemoRow {
  readonly scenario: Scenario;
  readonly bare: BareVerdict;
  readonly outcome: ToolOutcome;
}

interface BareVerdict {
  /** `resolved`, or the class and code of what was thrown. */
  readonly verdict: string;
  readonly detail: string;
}

/** Calls every tool of the demo with the bare SDK client, then with this package on a client of its own. */
export async function runScenarios(logger: OutcomeLogger): Promise<readonly DemoRow[]> {
  const server = await startDemoServer();
  const stdioServer = fileURLToPath(new URL(`./stdio-server${extname(import.meta.url)}`, import.meta.url));
  const transports: Readonly<Record<Scenario['over'], () => Transport>> = {
    http: () => new StreamableHTTPClientTransport(server.url, { fetch: observeFetch() }),
    stdio: () =>
      new StdioClientTransport({ command: process.execPath, args: [...process.execArgv, stdioServer] }),
  };
  const bare = { http: await connect(transports.http()), stdio: await connect(transports.stdio()) };
  const wrapped = { http: await connect(transports.http()), stdio: await connect(transports.stdio()) };
  const outcomes = {
    http: withOutcomes(wrapped.http, { logger, timeout: demoTimeout }),
    stdio: withOutcomes(wrapped.stdio, { logger, timeout: demoTimeout }),
  };
  try {
    const rows: DemoRow[] = [];
    for (const scenario of scenarios) {
      const { over, tool } = scenario;
      const params = { name: tool, arguments: {} };
      const said = await callBare(bare[over], params, abortOptions(scenario, server.reached));
      const outcome = await outcomes[over].callTool(params, abortOptions(scenario, server.reached));
      rows.push({ scenario, bare: said, outcome });
    }
    return rows;
  } finally {
    await Promise.all([bare, wrapped].flatMap(({ http, stdio }) => [http.close(), stdio.close()]));
    await server.close();
  }
}

/** The SDK validates output schemas of the tools that it has listed, so both clients list them. */
async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'mcp-outcome-demo', version: '1.0.0' });
  await client.connect(transport);
  await client.listTools();
  return client;
}

function abortOptions(
  { tool, abort }: Scenario,
  reached: (tool: string) => Promise<void>,
): { readonly signal?: AbortSignal } {
  if (abort === undefined) {
    return {};
  }
  const controller = new AbortController();
  void reached(tool).then(() => controller.abort(new Error('no longer needed')));
  return { signal: controller.signal };
}

async function callBare(
  client: Client,
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
  options: { readonly signal?: AbortSignal },
): Promise<BareVerdict> {
  try {
    const result = await client.callTool(params, undefined, { ...options, timeout: demoTimeout });
    return { verdict: 'resolved', detail: JSON.stringify(result) };
  } catch (thrown) {
    return {
      verdict: `threw ${nameOf(thrown)}`,
      detail: thrown instanceof Error ? thrown.message : String(thrown),
    };
  }
}

/** The class of an error and its code, which is an HTTP status in one class and a JSON-RPC code in the next. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) {
    return typeof thrown;
  }
  const code = 'code' in thrown ? ` ${thrown.code}` : '';
  return `${thrown.constructor.name}${code}`;
}
