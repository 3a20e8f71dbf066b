/** What a call costs on top of the same client's bare `callTool`. */
import { observeFetch, withOutcomes } from 'mcp-outcome';
import { type BenchClient, type Sdk, sdks } from './clients.ts';
import { measurePair, type Rounds } from './measure.ts';
import { startHttpPeer } from './peer.ts';
import { type BenchRow, boundedRow } from './rows.ts';

/** Few runs a round: a call over HTTP takes long enough to be timed. */
export const httpRounds: Rounds = { rounds: 400, runs: 4 };

export async function inMemoryRows(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const sdk of sdks) {
    rows.push(...(await successInMemory(sdk)), await typedInMemory(sdk), await failureInMemory(sdk));
  }
  return rows;
}

async function successInMemory({ name: sdk, inMemory }: Sdk): Promise<readonly BenchRow[]> {
  const client = await inMemory();
  const tools = withOutcomes(client, { logger: false });
  const rows: BenchRow[] = [await controlInMemory(sdk, client)];
  for (const [name, size] of [
    ['small', '1 KB'],
    ['large', '1 MB'],
  ] as const) {
    const { bare, added } = await measurePair(
      () => client.callTool({ name, arguments: {} }),
      () => tools.callTool({ name, arguments: {} }),
      { rounds: 2_000, runs: 20 },
    );
    rows.push(
      { what: `a bare call in memory, ${size}, ${sdk}`, unit: 'µs', ...bare },
      boundedRow(`success in memory, ${size}, ${sdk}: added`, 'µs', added, '≤ 8 µs', 8),
    );
  }
  await client.close();
  return rows;
}

/** What the method itself shows where there is nothing to see. */
async function controlInMemory(sdk: string, client: BenchClient): Promise<BenchRow> {
  const call = (): Promise<unknown> => client.callTool({ name: 'small', arguments: {} });
  const { added } = await measurePair(call, call, { rounds: 1_000, runs: 20 });
  return { what: `control: a bare call in memory, beside itself, ${sdk}: added`, unit: 'µs', ...added };
}

/** Both sides check the structured content: the client because it has listed the tools. */
async function typedInMemory({ name: sdk, inMemory }: Sdk): Promise<BenchRow> {
  const client = await inMemory();
  await client.listTools();
  const tools = withOutcomes(client, { logger: false });
  const { added } = await measurePair(
    () => client.callTool({ name: 'typed', arguments: {} }),
    () => tools.callTool({ name: 'typed', arguments: {} }),
    { rounds: 1_000, runs: 10 },
  );
  await client.close();
  return { what: `success with an output schema, in memory, ${sdk}: added`, unit: 'µs', ...added };
}

async function failureInMemory({ name: sdk, inMemory }: Sdk): Promise<BenchRow> {
  const client = await inMemory();
  let written = 0;
  const tools = withOutcomes(client, {
    logger: {
      warn: (record, message) => {
        written += JSON.stringify(record).length + message.length;
      },
    },
  });
  const { added } = await measurePair(
    () => client.callTool({ name: 'failed', arguments: {} }),
    () => tools.callTool({ name: 'failed', arguments: {} }),
    { rounds: 1_000, runs: 10 },
  );
  await client.close();
  if (written === 0) {
    throw new Error('nothing was logged');
  }
  return boundedRow(`failure in memory, logged to a sink, ${sdk}: added`, 'µs', added, '≤ 100 µs', 100);
}

export async function httpRows(): Promise<readonly BenchRow[]> {
  const peer = await startHttpPeer();
  const rows: BenchRow[] = [];
  for (const { name: sdk, overHttp } of sdks) {
    const client = await overHttp(peer.url);
    const tools = withOutcomes(client, { logger: false });
    const bareCall = (): Promise<unknown> => client.callTool({ name: 'small', arguments: {} });
    const control = await measurePair(bareCall, bareCall, httpRounds);
    const { bare, ratio } = await measurePair(
      bareCall,
      () => tools.callTool({ name: 'small', arguments: {} }),
      httpRounds,
    );
    rows.push(
      { what: `control: a bare call over HTTP, beside itself, ${sdk}`, unit: '×', ...control.ratio },
      { what: `a bare call over HTTP, 1 KB, ${sdk}`, unit: 'µs', ...bare },
      boundedRow(`success over HTTP, ${sdk}: of the bare call`, '×', ratio, '≤ 1.05 ×', 1.05),
    );
    await client.close();
  }
  peer.close();
  return rows;
}

/** With `observeFetch`, every call's `send` runs in an async scope of its own. */
export async function observedRows(): Promise<readonly BenchRow[]> {
  const peer = await startHttpPeer();
  const rows: BenchRow[] = [];
  for (const { name: sdk, overHttp } of sdks) {
    const bareClient = await overHttp(peer.url);
    const client = await overHttp(peer.url, observeFetch());
    const tools = withOutcomes(client, { logger: false });
    const { ratio } = await measurePair(
      () => bareClient.callTool({ name: 'small', arguments: {} }),
      () => tools.callTool({ name: 'small', arguments: {} }),
      httpRounds,
    );
    rows.push({ what: `success over HTTP with observeFetch, ${sdk}: of the bare call`, unit: '×', ...ratio });
    await client.close();
    await bareClient.close();
  }
  peer.close();
  return rows;
}
