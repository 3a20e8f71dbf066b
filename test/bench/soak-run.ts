/** Makes very many calls, always with the same number of them in flight, and holds every outcome against its call. */
import {
  type OutcomeLogger,
  type ToolCaller,
  type ToolCallingClient,
  type ToolOutcome,
  withOutcomes,
} from 'mcp-outcome';
import { faultOf, type SoakFault } from './soak-faults.ts';
import { type Arrivals, type Counts, count } from './soak-peers.ts';

export interface SoakSetting {
  readonly name: string;
  readonly calls: number;
  readonly inFlight: number;
  /** The clients that share the calls until the next rest. */
  readonly open: () => Promise<OpenClients>;
  readonly faults: readonly SoakFault[];
  readonly arrivals: Arrivals;
  /** Milliseconds for the calls that nobody answers: long enough to reach the server. */
  readonly shortTimeout: number;
}

export interface OpenClients {
  readonly clients: readonly ToolCallingClient[];
  readonly close: () => Promise<void>;
}

/** What is left when nothing is in flight. */
interface Rest {
  readonly heapMb: number;
  /** Timers, sockets and the like, by type. */
  readonly resources: string;
}

export interface SoakReport {
  readonly name: string;
  readonly calls: number;
  readonly seconds: number;
  readonly got: ReadonlyMap<string, number>;
  readonly heapMb: readonly number[];
  readonly problems: readonly string[];
}

/** Rests in a run; the first two are warm-up. */
const segments = 12;
const warmUp = 2;

export async function soak(setting: SoakSetting): Promise<SoakReport> {
  const { name, calls, arrivals, faults } = setting;
  const started = performance.now();
  const state: State = { got: new Map(), problems: [], warnings: 0 };
  const logger: OutcomeLogger = {
    warn: () => {
      state.warnings += 1;
    },
  };
  const rests: Rest[] = [];
  for (let segment = 0; segment < segments; segment += 1) {
    const { clients, close } = await setting.open();
    const callers = clients.map((client) => withOutcomes(client, { logger }));
    const from = Math.floor((calls * segment) / segments);
    await runCalls(setting, callers, state, from, Math.floor((calls * (segment + 1)) / segments));
    await close();
    rests.push(await rest());
  }
  const problems = [
    ...state.problems,
    ...differences(state.got, expectedOutcomes(faults, arrivals.sent)),
    ...warningProblems(state),
    ...leaks(rests.slice(warmUp)),
  ];
  const seconds = (performance.now() - started) / 1_000;
  return { name, calls, seconds, got: state.got, heapMb: rests.map(({ heapMb }) => heapMb), problems };
}

interface State {
  readonly got: Counts;
  readonly problems: string[];
  warnings: number;
}

async function runCalls(
  setting: SoakSetting,
  callers: readonly ToolCaller[],
  state: State,
  from: number,
  to: number,
): Promise<void> {
  let next = from;
  const worker = async (_: unknown, index: number): Promise<void> => {
    const caller = callers[index % callers.length];
    while (caller !== undefined && next < to) {
      const call = next;
      next += 1;
      await oneCall(setting, caller, state, call);
    }
  };
  await Promise.all(Array.from({ length: setting.inFlight }, worker));
}

async function oneCall(setting: SoakSetting, caller: ToolCaller, state: State, call: number): Promise<void> {
  const fault = faultOf(setting.faults, call);
  const callId = `call ${call}`;
  const controller = fault.caller === 'aborts' ? new AbortController() : undefined;
  if (controller !== undefined) {
    setting.arrivals.waiting.set(call, () => controller.abort());
  }
  const outcome = await caller.callTool(
    { name: 'soak', arguments: { call } },
    {
      callId,
      ...(controller === undefined ? {} : { signal: controller.signal }),
      ...(fault.caller === 'has no time' ? { timeout: setting.shortTimeout } : {}),
    },
  );
  const got = nameOf(outcome);
  count(state.got, got);
  if (got !== fault.outcome || outcome.callId !== callId || !echoes(outcome, fault, callId)) {
    note(state, `${callId} (${fault.name}): expected ${fault.outcome}, got ${got}: ${outcome.message}`);
  }
}

function nameOf(outcome: ToolOutcome): string {
  return outcome.kind === 'call_failure' ? `call_failure ${outcome.reason}` : outcome.kind;
}

/** An outcome that names another call holds another call's answer. */
function echoes(outcome: ToolOutcome, { echo }: SoakFault, callId: string): boolean {
  const said = 'result' in outcome ? JSON.stringify(outcome.result) : outcome.message;
  const named = said.match(/call \d+/g) ?? [];
  return echo === 'nowhere' ? named.length === 0 : named.length > 0 && named.every((name) => name === callId);
}

const mostProblems = 20;

function note(state: State, problem: string): void {
  if (state.problems.length < mostProblems) {
    state.problems.push(problem);
  }
}

function expectedOutcomes(faults: readonly SoakFault[], sent: Counts): Counts {
  const expected: Counts = new Map();
  for (const { name, outcome } of faults) {
    expected.set(outcome, (expected.get(outcome) ?? 0) + (sent.get(name) ?? 0));
  }
  return expected;
}

function differences(got: Counts, expected: Counts): readonly string[] {
  return [...new Set([...got.keys(), ...expected.keys()])]
    .filter((name) => (got.get(name) ?? 0) !== (expected.get(name) ?? 0))
    .map(
      (name) => `${name}: the server sent ${expected.get(name) ?? 0}, the caller got ${got.get(name) ?? 0}`,
    );
}

/** One warning for each failed call. */
function warningProblems({ got, warnings }: State): readonly string[] {
  const failed = [...got].filter(([name]) => name !== 'success' && name !== 'cancelled');
  const expected = failed.reduce((sum, [, times]) => sum + times, 0);
  return warnings === expected ? [] : [`${expected} failed calls, ${warnings} warnings`];
}

/** Waits until what the last calls left is gone, and collects garbage. */
async function rest(): Promise<Rest> {
  await new Promise((resolve) => setTimeout(resolve, 200));
  const { gc } = globalThis;
  if (gc === undefined) {
    throw new Error('node --expose-gc is needed to tell a leak from garbage');
  }
  for (let round = 0; round < 3; round += 1) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { heapMb: process.memoryUsage().heapUsed / 1_048_576, resources: resourcesInUse() };
}

/** Sockets come and go with the pool of `fetch`, which is not ours; timers and the rest do not. */
function resourcesInUse(): string {
  const types = process.getActiveResourcesInfo().filter((type) => !type.startsWith('TCP'));
  return types.toSorted().join(', ');
}

const toleratedShare = 1.05;
const toleratedMb = 2;

function leaks(rests: readonly Rest[]): readonly string[] {
  const half = Math.floor(rests.length / 2);
  const highest = (part: readonly Rest[]): number => Math.max(...part.map(({ heapMb }) => heapMb));
  const before = highest(rests.slice(0, half));
  const after = highest(rests.slice(half));
  const [first, last] = [rests[0]?.resources, rests.at(-1)?.resources];
  return [
    ...(after > before * toleratedShare + toleratedMb
      ? [`the heap grew from ${before.toFixed(1)} MB to ${after.toFixed(1)} MB`]
      : []),
    ...(first === last ? [] : [`resources in use: first ${first}, at last ${last}`]),
  ];
}
