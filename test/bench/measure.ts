/** Measuring: the same work again and again, in turns with what it is compared to, so that a busy machine slows both. */

/** The median of many rounds, and the round at a tenth and at nine tenths of them. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Wall clock, and the time that this process's threads were on a processor. `quiet` is the wall clock of the fastest tenth
 * of the rounds: other programs on the machine change the first figure most and this one least.
 */
export interface Timing {
  readonly wall: Spread;
  readonly cpu: Spread;
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
  const quietBare = spreadOf(pairs.map(([one]) => one.wall)).low;
  const quietOther = spreadOf(pairs.map(([, two]) => two.wall)).low;
  const timing = (figure: (bare: number, other: number) => number): Timing => ({
    wall: spreadOf(pairs.map(([one, two]) => figure(one.wall, two.wall))),
    cpu: spreadOf(pairs.map(([one, two]) => figure(one.cpu, two.cpu))),
    quiet: figure(quietBare, quietOther),
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
  const wall = spreadOf(times.map((time) => time.wall));
  return { wall, cpu: spreadOf(times.map(({ cpu }) => cpu)), quiet: wall.low };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.1), high: at(0.9) };
}
