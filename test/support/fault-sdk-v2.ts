/** SDK v2 in both of its protocol eras. */
import {
  Client,
  type ElicitResult,
  InMemoryTransport,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  type ClientSetup,
  clientInfo,
  type Elicitation,
  type FaultSdk,
  type HttpSetup,
  httpOptions,
  opened,
  openedChild,
  reconnectionOptions,
} from './fault-sdk.ts';

type Era = 'default' | '2026-07-28';

function createClient({ strictCapabilities, elicitation }: ClientSetup, era: Era): Client {
  const client = new Client(clientInfo, {
    enforceStrictCapabilities: strictCapabilities,
    ...(era === 'default' ? {} : { versionNegotiation: { mode: { pin: era } } }),
    ...(elicitation ? { capabilities: { elicitation: {} } } : {}),
    ...(elicitation === 'manual' ? { inputRequired: { autoFulfill: false } } : {}),
  });
  if (elicitation) client.setRequestHandler('elicitation/create', () => answerElicitation(elicitation));
  return client;
}

async function answerElicitation(how: Elicitation): Promise<ElicitResult> {
  switch (how) {
    case 'accept':
      return { action: 'accept', content: {} };
    case 'decline':
      return { action: 'decline' };
    case 'throw':
      throw new Error('the handler failed');
    case 'hang':
      return new Promise(() => {});
    case 'manual':
      throw new Error('Nobody should have asked.');
  }
}

function ownOptions({ tokens, onInsufficientScope }: HttpSetup) {
  return {
    ...(tokens ? { authProvider: tokens } : {}),
    ...(onInsufficientScope ? { onInsufficientScope } : {}),
  };
}

const prior = {
  kind: 'modern' as const,
  discover: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
};

function createSdk(name: FaultSdk['name'], era: Era): FaultSdk {
  return {
    name,
    streamableHttp: (setup) =>
      opened(
        createClient(setup, era),
        new StreamableHTTPClientTransport(setup.url, {
          ...httpOptions(setup),
          ...ownOptions(setup),
          reconnectionOptions,
        }),
      ),
    legacySse: (setup) =>
      opened(
        createClient(setup, era),
        new SSEClientTransport(setup.url, { ...httpOptions(setup), ...ownOptions(setup) }),
      ),
    stdio: (setup, command) => {
      const client = createClient(setup, era);
      const transport = new StdioClientTransport({ ...command, stderr: 'pipe' });
      // Else the client would ask a second child, of the same script, for its versions.
      const options = era === 'default' ? {} : { prior };
      return { ...openedChild(client, transport), connect: () => client.connect(transport, options) };
    },
    memory: (setup) => {
      const [transport, end] = InMemoryTransport.createLinkedPair();
      return { ...opened(createClient(setup, era), transport), end };
    },
  };
}

export const sdkV2: FaultSdk = createSdk('v2', 'default');
export const sdkV2Modern: FaultSdk = createSdk('v2-2026', '2026-07-28');
