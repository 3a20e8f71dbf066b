/** SDK v1, the newest. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import {
  type ClientSetup,
  clientInfo,
  type FaultSdk,
  httpOptions,
  opened,
  openedChild,
  reconnectionOptions,
} from './fault-sdk.ts';

function createClient({ strictCapabilities }: ClientSetup): Client {
  return new Client(clientInfo, { enforceStrictCapabilities: strictCapabilities });
}

export const sdkV1: FaultSdk = {
  name: 'v1',
  streamableHttp: (setup) =>
    opened(
      createClient(setup),
      new StreamableHTTPClientTransport(setup.url, { ...httpOptions(setup), reconnectionOptions }),
    ),
  legacySse: (setup) => opened(createClient(setup), new SSEClientTransport(setup.url, httpOptions(setup))),
  stdio: (setup, command) =>
    openedChild(createClient(setup), new StdioClientTransport({ ...command, stderr: 'pipe' })),
  memory: (setup) => {
    const [transport, end] = InMemoryTransport.createLinkedPair();
    return { ...opened(createClient(setup), transport), end };
  },
};
