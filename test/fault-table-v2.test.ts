/** The fault table with a client of SDK v2 as it is by default: a server of the 2025-11-25 era. */
import { representative } from './support/fault-row.ts';
import { playTable } from './support/fault-run.ts';
import { sdkV2 } from './support/fault-sdk-v2.ts';

playTable(sdkV2, representative);
