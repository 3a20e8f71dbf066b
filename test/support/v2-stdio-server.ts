/** The tools of `v2-server.ts` on standard input and output. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createTools } from './v2-server.ts';

serveStdio(() => createTools());
