/**
 * The never-leak proof: one secret in every place of a real failing call, over every transport, with and without an
 * observed `fetch`, and a search through every byte that comes out. What stays verbatim by contract has to stay.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createRedactor } from '../src/index.ts';
import { type Emission, emissionsOf } from './support/canary-emissions.ts';
import { type CanaryRow, type CanaryTransport, rowsOver } from './support/canary-rows.ts';
import { type Place, places, placesIn, secret } from './support/canary-secrets.ts';
import { type CanaryStage, openStage } from './support/canary-stage.ts';

interface Stage {
  readonly transport: CanaryTransport;
  readonly observed: boolean;
  /** Every secret is named to the redactor. */
  readonly named?: true;
}

const stages: readonly Stage[] = [
  { transport: 'http-json', observed: false },
  { transport: 'http-json', observed: true },
  { transport: 'http-sse', observed: false },
  { transport: 'http-sse', observed: true },
  { transport: 'sse', observed: false },
  { transport: 'sse', observed: true },
  { transport: 'stdio', observed: false },
  { transport: 'memory', observed: false },
  { transport: 'http-json', observed: true, named: true },
  { transport: 'sse', observed: false, named: true },
  { transport: 'memory', observed: false, named: true },
];

/** The legacy SSE transport sends its calls to another URL, which the query of the first one is not part of. */
const notInLegacyCalls: readonly Place[] = ['api_key in the URL', 'tenant in the URL'];

function expectedLeaks(row: CanaryRow, { transport, observed, named }: Stage): readonly Place[] {
  if (named === true) return [];
  const leaks = (observed ? row.leaks?.observed : row.leaks?.unobserved) ?? [];
  return transport === 'sse' ? leaks.filter((place) => !notInLegacyCalls.includes(place)) : leaks;
}

const everySecret = createRedactor({ values: places.map(secret) });

function titleOf({ transport, observed, named }: Stage): string {
  return `canaries over ${transport}${observed ? ', fetch observed' : ''}${named ? ', values named' : ''}`;
}

for (const setting of stages) {
  const { transport, observed, named } = setting;
  describe(titleOf(setting), () => {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    let stage: CanaryStage | undefined;

    before(async () => {
      stage = await openStage({
        transport,
        observed,
        outcomes: { logger, ...(named === true ? { redactor: everySecret } : {}) },
      });
    });

    after(() => stage?.close());

    for (const row of rowsOver(transport)) {
      test(row.name, async () => {
        lines.length = 0;
        const outcome = await stage?.play(row);
        assert.ok(outcome !== undefined);
        assert.equal(outcome.kind, row.kind, outcome.message);
        if (row.reason !== undefined) {
          assert.equal(outcome.kind === 'call_failure' && outcome.reason, row.reason, outcome.message);
        }
        assert.equal(lines.length, row.lines ?? 1);

        const { own, verbatim } = emissionsOf(outcome);
        const emitted = [...own, ...lines.map((text) => ({ where: 'log', text }))];
        const leaked = new Set(emitted.flatMap(({ text }) => [...placesIn(text)]));
        assert.deepEqual([...leaked].sort(), [...expectedLeaks(row, setting)].sort(), report(emitted));

        for (const [where, place] of row.verbatim ?? []) {
          const stays = verbatim.find((emission) => emission.where === where)?.text ?? '';
          assert.ok(placesIn(stays).has(place), `${place} has to stay in ${where}: ${stays}`);
        }
      });
    }
  });
}

/** Which secret came out where. */
function report(emitted: readonly Emission[]): string {
  const found = emitted.flatMap(({ where, text }) =>
    [...placesIn(text)].map((place) => `${place}: in ${where}`),
  );
  return `${found.join('\n')}\n${emitted.find(({ where }) => where === 'log')?.text ?? ''}`;
}

describe('the default logger', () => {
  test('on the stderr of a process of its own, with a child that writes there too', async () => {
    const file = fileURLToPath(new URL('support/canary-runner.ts', import.meta.url));
    const args = ['--conditions=mcp-outcome-source', '--import', 'tsx', file];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const lines = stderr.split('\n');
    const own = lines.filter((line) => line.startsWith('{"level":40,'));
    assert.equal(own.length, Number(stdout), stderr.slice(0, 2_000));
    assert.ok(own.length >= 100, String(own.length));
    for (const line of own) assert.deepEqual([...placesIn(line)], [], line);

    // What a child writes to a stderr that it inherits passes nobody.
    const value = secret('environment of the server');
    const others = lines.filter((line) => placesIn(line).size > 0);
    assert.deepEqual(others, [`CANARY_API_KEY=${value}`, `CANARY_TENANT=${value}`]);
  });
});
