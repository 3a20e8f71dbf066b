/** The fault table with the oldest client of SDK v1 that is supported. */
import { representative } from './support/fault-row.ts';
import { playTable } from './support/fault-run.ts';
import { oldestSdk } from './support/fault-sdk-oldest.ts';

playTable(oldestSdk, representative);
