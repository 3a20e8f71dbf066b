/**
 * `npm run soak`: 1,000,000 calls in memory and 100,000 over HTTP, 1,000 in flight, with every kind of fault mixed in;
 * half of them by each SDK's client.
 * `npm run soak -- 0.1`, or `SOAK_SHARE=0.1`, makes a tenth of the calls. Exits with 1 when something is off.
 */
import { setMaxListeners } from 'node:events';
import Table from 'cli-table3';
import { observeFetch } from 'mcp-outcome';
import { type BenchClient, sdks } from './clients.ts';
import {
  createArrivals,
  httpSoakFaults,
  memorySoakFaults,
  soakInMemoryPeer,
  startSoakServer,
} from './soak-peers.ts';
import { type SoakReport, soak } from './soak-run.ts';

// `fetch` hangs a listener for each request on the one signal of an SDK transport, and Node.js takes that for a leak.
setMaxListeners(0);

const share = Number(process.argv[2] ?? process.env.SOAK_SHARE ?? 1);
if (!(share > 0 && share <= 1)) {
  process.stderr.write('The share of the calls to make has to be a number above 0, up to 1.\n');
  process.exit(2);
}

const inFlight = 1_000;

async function soakInMemory(): Promise<SoakReport> {
  const arrivals = createArrivals();
  const clients = await Promise.all(
    sdks.map(({ inMemory }) => inMemory((end) => soakInMemoryPeer(end, arrivals))),
  );
  const report = await soak({
    name: 'in memory',
    calls: Math.round(1_000_000 * share),
    inFlight,
    // One client and one transport of each SDK for all of them.
    open: async () => ({ clients, close: async () => {} }),
    faults: memorySoakFaults,
    arrivals,
    shortTimeout: 20,
  });
  await closeAll(clients);
  return report;
}

/**
 * Several clients share the calls: among the listeners on a transport's signal, one for each request in flight, Node.js
 * searches one by one. New ones after each rest: SDK v1 keeps something of every call whose POST failed until its
 * client is closed.
 */
async function soakOverHttp(): Promise<SoakReport> {
  const arrivals = createArrivals();
  const server = await startSoakServer(arrivals);
  const report = await soak({
    name: 'over Streamable HTTP',
    calls: Math.round(100_000 * share),
    inFlight,
    open: async () => {
      const ten = Array.from({ length: 10 });
      const clients = await Promise.all(
        sdks.flatMap(({ overHttp }) => ten.map(() => overHttp(server.url, observeFetch()))),
      );
      return { clients, close: () => closeAll(clients) };
    },
    faults: httpSoakFaults,
    arrivals,
    shortTimeout: 5_000,
  });
  server.close();
  return report;
}

async function closeAll(clients: readonly BenchClient[]): Promise<void> {
  await Promise.all(clients.map((client) => client.close()));
}

function show({ name, calls, seconds, got, heapMb, problems }: SoakReport): void {
  const table = new Table({ head: [name, 'calls'], style: { head: [], border: [] } });
  table.push(...[...got].toSorted().map(([outcome, times]) => [outcome, times]));
  const heap = heapMb.map((megabytes) => megabytes.toFixed(1)).join(' ');
  const verdict = problems.length === 0 ? 'nothing is off' : problems.join('\n');
  process.stdout.write(
    `${table.toString()}\n${calls} calls in ${seconds.toFixed(0)} s; heap at rest, in MB: ${heap}\n${verdict}\n\n`,
  );
}

const reports = [await soakInMemory(), await soakOverHttp()];
for (const report of reports) {
  show(report);
}
process.exitCode = reports.every(({ problems }) => problems.length === 0) ? 0 : 1;
