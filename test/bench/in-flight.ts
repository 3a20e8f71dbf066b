/** Many calls at once: every outcome has to be the one of its own call. */
import { withOutcomes } from 'mcp-outcome';
import { sdks } from './clients.ts';
import { type Spread, spreadOf } from './measure.ts';
import { startHttpPeer } from './peer.ts';
import type { BenchRow } from './rows.ts';

const inFlight = 1_000;

export async function inFlightRows(): Promise<readonly BenchRow[]> {
  const peer = await startHttpPeer();
  const rows: BenchRow[] = [];
  for (const { name: sdk, inMemory, overHttp } of sdks) {
    rows.push(
      await inFlightRow(`${inFlight} calls at once in memory, ${sdk}`, await inMemory(), 20),
      await inFlightRow(`${inFlight} calls at once over HTTP, ${sdk}`, await overHttp(peer.url), 2),
    );
  }
  peer.close();
  return rows;
}

type Client = Awaited<ReturnType<(typeof sdks)[number]['inMemory']>>;

/** Two kinds of calls, mixed: each has to come back as what its tool answers. */
const expected = [
  ['small', 'success', 1_024],
  ['failed', 'tool_error', 21],
] as const;

async function inFlightRow(what: string, client: Client, rounds: number): Promise<BenchRow> {
  const tools = withOutcomes(client, { logger: false });
  const times: number[] = [];
  let strangers = 0;
  for (let round = 0; round < rounds; round += 1) {
    const start = process.hrtime.bigint();
    const calls = Array.from({ length: inFlight }, async (_, index) => {
      const [name, kind, length] = expected[index % 2 === 0 ? 0 : 1];
      const callId = `call-${round}-${index}`;
      const outcome = await tools.callTool({ name, arguments: { index } }, { callId });
      const text = 'result' in outcome ? JSON.stringify(outcome.result).match(/"text":"([^"]*)"/)?.[1] : '';
      const own = outcome.kind === kind && outcome.callId === callId && text?.length === length;
      strangers += own ? 0 : 1;
    });
    await Promise.all(calls);
    times.push(Number(process.hrtime.bigint() - start) / 1_000 / inFlight);
  }
  await client.close();
  const wall: Spread = spreadOf(times);
  return {
    what: `${what}, per call; ${strangers} of ${inFlight * rounds} wrong`,
    unit: 'µs',
    wall,
    bound: 'none wrong',
    met: strangers === 0,
  };
}
