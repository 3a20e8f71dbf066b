/** What other ways to call a tool cost, on the same server, beside the bare client of SDK v1. */
import { createMCPClient } from '@ai-sdk/mcp';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { httpRounds } from './call-path.ts';
import { sdks } from './clients.ts';
import { measurePair } from './measure.ts';
import { startHttpPeer } from './peer.ts';
import type { BenchRow } from './rows.ts';

interface OtherClient {
  readonly name: string;
  readonly connect: (url: string) => Promise<{ call(): Promise<unknown>; close(): Promise<void> }>;
}

const others: readonly OtherClient[] = [
  {
    name: '@ai-sdk/mcp',
    connect: async (url) => {
      const client = await createMCPClient({ transport: { type: 'http', url } });
      const { small } = await client.tools();
      const options = { toolCallId: 'call-1', messages: [] };
      return {
        call: async () => small?.execute?.({}, options),
        close: () => client.close(),
      };
    },
  },
  {
    name: 'LangChain MCP adapters',
    connect: async (url) => {
      const client = new MultiServerMCPClient({ mcpServers: { bench: { transport: 'http', url } } });
      const small = (await client.getTools()).find(({ name }) => name === 'small');
      return {
        call: async () => small?.invoke({}),
        close: () => client.close(),
      };
    },
  },
];

export async function otherClientRows(): Promise<readonly BenchRow[]> {
  const peer = await startHttpPeer();
  const rows: BenchRow[] = [];
  const bare = await sdks[0]?.overHttp(peer.url);
  for (const { name, connect } of others) {
    const { call, close } = await connect(peer.url.href);
    if (!JSON.stringify(await call()).includes('xxx')) {
      throw new Error(`${name} did not call the tool`);
    }
    const bareCall = async (): Promise<unknown> => bare?.callTool({ name: 'small', arguments: {} });
    const { ratio } = await measurePair(bareCall, call, httpRounds);
    rows.push({ what: `a call over HTTP, ${name}: of a bare SDK v1 call`, unit: '×', ...ratio });
    await close();
  }
  await bare?.close();
  peer.close();
  return rows;
}
