/** The fault table with a client of SDK v2 that is pinned to the 2026-07-28 era, which has no legacy SSE transport. */
import { representative } from './support/fault-row.ts';
import { playTable } from './support/fault-run.ts';
import { sdkV2Modern } from './support/fault-sdk-v2.ts';

playTable(sdkV2Modern, (row) => representative(row).filter((transport) => transport !== 'sse'));
