import { checkOutputSchema, type OutputSchemaVerdict } from '../../src/classify/output-schema.ts';
import { hostileCases } from './hostile-schemas.ts';

/** Runs the hostile cases named as arguments; prints what happened in each as one line of JSON. */

/** What one check answered, for how long the event loop stood still, and how much of that was the check. */
interface Blocked {
  readonly verdict: string;
  readonly reason: string;
  readonly blockedMs: number;
  readonly checkMs: number;
}

// Loading ajv is the client's own cost, paid once per process.
checkOutputSchema({ type: 'object', properties: { a: { type: 'string' } } }, {});

for (const name of process.argv.slice(2)) {
  const hostile = hostileCases.find((row) => row.name === name);
  if (hostile === undefined) {
    throw new Error(`no hostile case is named ${name}`);
  }
  const schema = hostile.schema();
  const content = hostile.content();
  const first = await blocked(() => checkOutputSchema(schema, content));
  const second = await blocked(() => checkOutputSchema(schema, content));
  process.stdout.write(`${JSON.stringify({ name, first, second })}\n`);
}

async function blocked(check: () => OutputSchemaVerdict): Promise<Blocked> {
  let last = performance.now();
  let longest = 0;
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  await turn();
  const before = process.cpuUsage();
  const start = performance.now();
  const checked = check();
  const checkMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  await turn();
  tick();
  clearInterval(timer);
  // On a busy machine the clock also counts the time of others.
  const blockedMs = Math.min(longest, (user + system) / 1_000);
  return { verdict: checked.verdict, reason: 'reason' in checked ? checked.reason : '', blockedMs, checkMs };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 3));
}
