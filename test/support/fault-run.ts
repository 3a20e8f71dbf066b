/**
 * Plays the fault table with one SDK's client: each row over its transports with the wrapper around the client, and over
 * HTTP a second time with an observed fetch.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { observeFetch, type ToolOutcome, withOutcomes } from '../../src/index.ts';
import { judge, judgeCallCount, judgeLog, judgeObservation, judgeVerbatim } from './fault-judge.ts';
import { type FaultRow, needsTimer, rightFor, rowFor } from './fault-row.ts';
import type { FaultTransport } from './fault-script.ts';
import type { FaultSdk } from './fault-sdk.ts';
import { connect } from './fault-stage.ts';
import { faultFamilies } from './faults.ts';

/** Calls that only the client's timer can end get little time, all others more than a busy machine needs. */
const shortTimeoutMs = 300;
const patientTimeoutMs = 20_000;
/** The second that the contract allows after the timeout, and one for a busy machine. */
const settleGraceMs = 2_000;
const rowsAtOnce = 16;

const httpTransports: ReadonlySet<FaultTransport> = new Set(['http-json', 'http-sse', 'sse']);

interface Played {
  readonly outcome: ToolOutcome;
  readonly problems: readonly string[];
}

async function play(
  sdk: FaultSdk,
  row: FaultRow,
  transport: FaultTransport,
  observed: boolean,
): Promise<Played> {
  const timeout = needsTimer(row, transport, observed) ? shortTimeoutMs : patientTimeoutMs;
  const records: object[] = [];
  const connection = await connect(sdk, row.play, transport, observed ? observeFetch : undefined);
  try {
    const caller = withOutcomes(connection.client, {
      server: 'faults',
      timeout,
      logger: { warn: (record) => records.push(record) },
    });
    const stage = {
      connection,
      transport,
      call: (params = { name: 'fault', arguments: {} }, options = {}) => caller.callTool(params, options),
    };
    const outcome = await settled(row.play.run?.(stage) ?? stage.call(), timeout + settleGraceMs);
    const problems = [
      ...judge(rightFor(row, transport, observed), outcome),
      ...judgeLog(records, outcome),
      ...judgeVerbatim(row.play.script, outcome, sdk.name === 'v2-2026'),
      ...judgeCallCount(row, connection.peer.callCount()),
    ];
    if (!row.notUsable) {
      connection.provider?.setArmed(false);
      const next = await caller.callTool({ name: 'healthy' }, { timeout: patientTimeoutMs });
      if (!next.ok) problems.push(`the next call: right success, got ${next.kind} (${next.message})`);
    }
    return { outcome, problems };
  } finally {
    await connection.close();
  }
}

async function settled(call: Promise<ToolOutcome>, limitMs: number): Promise<ToolOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the call did not settle within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([call, overdue]).finally(() => clearTimeout(timer));
}

async function playBothWays(
  sdk: FaultSdk,
  row: FaultRow,
  transport: FaultTransport,
): Promise<readonly string[]> {
  const over = `${row.id} over ${transport}`;
  const bare = await play(sdk, row, transport, false);
  const problems = bare.problems.map((problem) => `${over}: ${problem}`);
  if (!httpTransports.has(transport)) return problems;
  const observed = await play(sdk, row, transport, true);
  const changed = judgeObservation(bare.outcome, observed.outcome);
  return [
    ...problems,
    ...observed.problems.map((problem) => `${over}, fetch observed: ${problem}`),
    ...changed.map((problem) => `${over}: an observed fetch changed ${problem}`),
  ];
}

/** Makes one test of each row that this client can play; `choose` says over which of its transports. */
export function playTable(sdk: FaultSdk, choose: (row: FaultRow) => readonly FaultTransport[]): void {
  const unhandled: unknown[] = [];
  process.on('unhandledRejection', (reason) => unhandled.push(reason));
  const handlesAtStart = openHandles().length;

  for (const [family, rows] of Object.entries(faultFamilies)) {
    describe(family, { concurrency: rowsAtOnce }, () => {
      for (const row of rows.map((candidate) => rowFor(candidate, sdk.name))) {
        const transports = choose(row);
        if (transports.length === 0 || row.clients?.includes(sdk.name) === false) continue;
        test(`${row.id}: ${row.what}`, async () => {
          const problems: string[] = [];
          for (const transport of transports) problems.push(...(await playBothWays(sdk, row, transport)));
          assert.ok(problems.length === 0, [...problems, `right because: ${row.why}`].join('\n'));
        });
      }
    });
  }

  after(async () => {
    // Sockets that a peer destroyed are still being closed on the client's side.
    const deadline = performance.now() + 5_000;
    while (openHandles().length > handlesAtStart && performance.now() < deadline) await setImmediate();
    assert.equal(openHandles().length, handlesAtStart, `left open: ${openHandles().join(', ')}`);
    assert.deepEqual(unhandled, []);
  });
}

/** What a row that did not clean up would leave behind. */
const leakable = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap'];

function openHandles(): readonly string[] {
  return process.getActiveResourcesInfo().filter((resource) => leakable.includes(resource));
}
