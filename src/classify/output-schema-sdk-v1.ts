import { checkOutputSchema } from './output-schema.ts';
import { loadSdkV1Reading } from './output-schema-compile.ts';
import { type TimeSpent, timeCheck } from './output-schema-timer.ts';

interface Reading {
  readonly spent: TimeSpent;
  /** Absent when it cannot be compiled, or not in time. */
  validate?: ((content: unknown) => boolean) | undefined;
}

const readings = new WeakMap<object, Reading>();

/**
 * Whether structured content is valid, and valid too for the clients of SDK v1, which read some keywords otherwise:
 * they throw a whole result away that is not, also a failure. `false` when in doubt. Never throws.
 */
export function fitsSdkV1(schema: object, structuredContent: unknown): boolean {
  if (checkOutputSchema(schema, structuredContent).verdict !== 'valid') {
    return false;
  }
  try {
    const { spent, validate } = readings.get(schema) ?? read(schema);
    return (
      validate !== undefined &&
      timeCheck(spent, (run) => run(() => validate(structuredContent))?.value === true)
    );
  } catch {
    return false;
  }
}

function read(schema: object): Reading {
  const reading: Reading = { spent: { slowMs: 0, since: performance.now() } };
  // Known before it is compiled: what throws or runs out of time is not tried again.
  readings.set(schema, reading);
  // Outside of the timed steps, as with every other library.
  const compile = loadSdkV1Reading();
  reading.validate = timeCheck(
    reading.spent,
    (run) => run(() => compile(JSON.parse(JSON.stringify(schema))))?.value,
  );
  return reading;
}
