/** Measuring: the same work again and again, in turns with what it is compared to, so that a busy machine slows both. */

/** The median of many rounds, and the round at a tenth and at nine tenths of them. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/**
 * `wall` is the wall clock. `quiet` is that of the fastest tenth of the rounds: other programs on the machine change it
 * least. `cpu` is the mean time that this process's threads were on a processor: garbage collection falls into few rounds,
 * so that a median leaves it out.
 */
export interface Timing {
  readonly wall: Spread;
  readonly cpu: number;
  readonly quiet: number;
}

export interface Rounds {
  readonly rounds: number;
  /** Runs in one round of one side. */
  readonly runs: number;
}

/** Microseconds per run of both sides, of the difference and of the quotient, each taken round by round. */
export interface Pair {
  readonly bare: Timing;
  readonly added: Timing;
  readonly ratio: Timing;
}

interface Round {
  readonly wall: number;
  readonly cpu: number;
}

const warmUpRounds = 60;

/** Short rounds, so that the two of a pair meet the machine in the same state. */
export async function measurePair(
  bare: () => Promise<unknown>,
  other: () => Promise<unknown>,
  { rounds, runs }: Rounds,
): Promise<Pair> {
  await timeRuns(bare, runs * warmUpRounds);
  await timeRuns(other, runs * warmUpRounds);
  const pairs: (readonly [bare: Round, other: Round])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      pairs.push([await timeRuns(bare, runs), await timeRuns(other, runs)]);
    } else {
      const second = await timeRuns(other, runs);
      pairs.push([await timeRuns(bare, runs), second]);
    }
  }
  const [first, second] = [toTiming(pairs.map(([one]) => one)), toTiming(pairs.map(([, two]) => two))];
  const timing = (figure: (bare: number, other: number) => number): Timing => ({
    wall: spreadOf(pairs.map(([one, two]) => figure(one.wall, two.wall))),
    cpu: figure(first.cpu, second.cpu),
    quiet: figure(first.quiet, second.quiet),
  });
  return {
    bare: timing((one) => one),
    added: timing((one, two) => two - one),
    ratio: timing((one, two) => two / one),
  };
}

async function timeRuns(work: () => Promise<unknown>, runs: number): Promise<Round> {
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  for (let run = 0; run < runs; run += 1) {
    await work();
  }
  return toRound(start, cpu, runs);
}

function toRound(start: bigint, cpu: NodeJS.CpuUsage, runs: number): Round {
  const wall = Number(process.hrtime.bigint() - start) / 1_000 / runs;
  const { user, system } = process.cpuUsage(cpu);
  return { wall, cpu: (user + system) / runs };
}

/** Microseconds per run of synchronous work. */
export function measureSync(work: () => unknown, { rounds, runs }: Rounds): Timing {
  const times: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const cpu = process.cpuUsage();
    const start = process.hrtime.bigint();
    for (let run = 0; run < runs; run += 1) {
      work();
    }
    times.push(toRound(start, cpu, runs));
  }
  return toTiming(times);
}

function toTiming(times: readonly Round[]): Timing {
  const wall = spreadOf(times.map((time) => time.wall));
  const cpu = times.reduce((sum, time) => sum + time.cpu, 0) / times.length;
  return { wall, cpu, quiet: wall.low };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.1), high: at(0.9) };
}
