/** The fault table: every row, by family, and what cannot be played. */
import type { FaultRow } from './fault-row.ts';
import { authRows } from './fault-rows-auth.ts';
import { bodyRows } from './fault-rows-bodies.ts';
import { envelopeRows } from './fault-rows-envelope.ts';
import { httpStatusRows } from './fault-rows-http-status.ts';
import { lifecycleRows } from './fault-rows-lifecycle.ts';
import { redirectRows } from './fault-rows-redirects.ts';
import { resultRows } from './fault-rows-results.ts';
import { schemaRows } from './fault-rows-schemas.ts';
import { socketRows } from './fault-rows-sockets.ts';
import { sseStreamRows } from './fault-rows-sse-streams.ts';
import { stdioRows } from './fault-rows-stdio.ts';

export const faultFamilies: Readonly<Record<string, readonly FaultRow[]>> = {
  'HTTP status': httpStatusRows,
  redirects: redirectRows,
  'bad bodies': bodyRows,
  'SSE streams': sseStreamRows,
  sockets: socketRows,
  auth: authRows,
  'JSON-RPC envelope': envelopeRows,
  results: resultRows,
  'schemas and listing': schemaRows,
  stdio: stdioRows,
  lifecycle: lifecycleRows,
};

export interface UnplayableFault {
  readonly ids: readonly string[];
  readonly why: string;
}

export const unplayableFaults: readonly UnplayableFault[] = [
  {
    ids: [
      'connect-econnrefused',
      'connect-tls-to-http',
      'connect-enotfound',
      'connect-401',
      'connect-403',
      'connect-404',
      'connect-429',
      'connect-500',
      'connect-503',
      'connect-sse-403',
      'connect-sse-401',
      'connect-sse-html',
      'io-enoent',
      'io-eacces',
      'io-badcwd',
      'io-start-exit',
    ],
    why: 'it fails at connect, before there is a call',
  },
];
