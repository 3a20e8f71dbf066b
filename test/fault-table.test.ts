/**
 * The fault table: everything that a server, a network or a caller can do to a `tools/call`, played against a real SDK
 * v1 client with the wrapper around it, and over HTTP a second time with an observed fetch. The rows are in
 * `support/faults.ts`. One row alone: `--test-name-pattern='^io-hang:'`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { observeFetch, type ToolOutcome, withOutcomes } from '../src/index.ts';
import { judge, judgeCallCount, judgeLog, judgeObservation, judgeVerbatim } from './support/fault-judge.ts';
import { type FaultRow, needsTimer, rightFor } from './support/fault-row.ts';
import type { FaultTransport } from './support/fault-script.ts';
import { connect } from './support/fault-stage.ts';
import { faultFamilies, unplayableFaults } from './support/faults.ts';

/** Calls that only the client's timer can end get little time, all others more than a busy machine needs. */
const shortTimeoutMs = 300;
const patientTimeoutMs = 20_000;
/** The second that the contract allows after the timeout, and one for a busy machine. */
const settleGraceMs = 2_000;
const rowsAtOnce = 16;

const httpTransports: ReadonlySet<FaultTransport> = new Set(['http-json', 'http-sse', 'sse']);

const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

interface Played {
  readonly outcome: ToolOutcome;
  readonly problems: readonly string[];
}

async function play(row: FaultRow, transport: FaultTransport, observed: boolean): Promise<Played> {
  const timeout = needsTimer(row, transport, observed) ? shortTimeoutMs : patientTimeoutMs;
  const records: object[] = [];
  const connection = await connect(row.play, transport, observed ? observeFetch : undefined);
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
      ...judgeVerbatim(row.play.script.calls?.fault?.frames, outcome),
      ...judgeCallCount(row.play, connection.peer.callCount()),
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

async function playBothWays(row: FaultRow, transport: FaultTransport): Promise<readonly string[]> {
  const over = `${row.id} over ${transport}`;
  const bare = await play(row, transport, false);
  const problems = bare.problems.map((problem) => `${over}: ${problem}`);
  if (!httpTransports.has(transport)) return problems;
  const observed = await play(row, transport, true);
  const changed = judgeObservation(bare.outcome, observed.outcome);
  return [
    ...problems,
    ...observed.problems.map((problem) => `${over}, fetch observed: ${problem}`),
    ...changed.map((problem) => `${over}: an observed fetch changed ${problem}`),
  ];
}

for (const [family, rows] of Object.entries(faultFamilies)) {
  describe(family, { concurrency: rowsAtOnce }, () => {
    for (const row of rows) {
      test(`${row.id}: ${row.what}`, async () => {
        const problems: string[] = [];
        for (const transport of row.transports) problems.push(...(await playBothWays(row, transport)));
        assert.ok(problems.length === 0, [...problems, `right because: ${row.why}`].join('\n'));
      });
    }
  });
}

interface PublishedRow {
  readonly id: string;
  readonly transports: readonly FaultTransport[];
  readonly right: Readonly<Record<string, unknown>>;
}

describe('the table', () => {
  const rows = Object.values(faultFamilies).flat();
  const fixture = new URL('fixtures/faults.json', import.meta.url);
  const published: readonly PublishedRow[] = JSON.parse(readFileSync(fixture, 'utf8'));

  test('has every published row, over its transports, with the same verdict', () => {
    const problems = published.flatMap(({ id, transports, right }) => {
      const row = rows.find((candidate) => candidate.id === id);
      if (!row) return [`${id}: no row`];
      return transports.flatMap((transport) => {
        if (!row.transports.includes(transport)) return [`${id}: not played over ${transport}`];
        const own = rightFor(row, transport, false);
        const fields: Readonly<Record<string, unknown>> = { ...own, ok: own.kind === 'success' };
        return Object.entries(right)
          .filter(([field, value]) => fields[field] !== value)
          .map(([field, value]) => `${id} over ${transport}: ${field}: ${value}, here ${fields[field]}`);
      });
    });
    assert.deepEqual(problems, []);
  });

  test('names no row twice', () => {
    const ids = [...rows.map(({ id }) => id), ...unplayableFaults.flatMap(({ ids }) => ids)];
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
  });

  test('says what it cannot play', (t) => {
    for (const { ids, why } of unplayableFaults) t.diagnostic(`not played, ${why}: ${ids.join(', ')}`);
  });
});

/** What a row that did not clean up would leave behind. */
const leakable = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap'];

function openHandles(): readonly string[] {
  return process.getActiveResourcesInfo().filter((resource) => leakable.includes(resource));
}

const handlesAtStart = openHandles().length;

after(async () => {
  // Sockets that a peer destroyed are still being closed on the client's side.
  const deadline = performance.now() + 5_000;
  while (openHandles().length > handlesAtStart && performance.now() < deadline) await setImmediate();
  assert.equal(openHandles().length, handlesAtStart, `left open: ${openHandles().join(', ')}`);
  assert.deepEqual(unhandled, []);
});
