/**
 * The fault table: everything that a server, a network or a caller can do to a `tools/call`, played against a real
 * client of SDK v1 with the wrapper around it, over every transport. The rows are in `support/faults.ts`. One row alone:
 * `--test-name-pattern='^io-hang:'`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { rightFor } from './support/fault-row.ts';
import { playTable } from './support/fault-run.ts';
import type { FaultTransport } from './support/fault-script.ts';
import { sdkV1 } from './support/fault-sdk-v1.ts';
import { faultFamilies, unplayableFaults } from './support/faults.ts';

playTable(sdkV1, (row) => row.transports);

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
