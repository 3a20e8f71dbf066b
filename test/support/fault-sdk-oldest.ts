/** SDK v1, the oldest that is supported. */
import { Client } from 'sdk-oldest/client/index.js';
import { SSEClientTransport } from 'sdk-oldest/client/sse.js';
import { StdioClientTransport } from 'sdk-oldest/client/stdio.js';
import { StreamableHTTPClientTransport } from 'sdk-oldest/client/streamableHttp.js';
import { InMemoryTransport } from 'sdk-oldest/inMemory.js';
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

export const oldestSdk: FaultSdk = {
  name: 'v1-oldest',
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
