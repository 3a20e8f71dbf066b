import { checkOutputSchema } from './output-schema.ts';
import { type CompileAsSdkV1, loadSdkV1Reading } from './output-schema-compile.ts';
import { type RunStep, type TimeSpent, timeCheck } from './output-schema-timer.ts';

interface Reading {
  readonly spent: TimeSpent;
  /** `undefined` until it is compiled, `null` when it cannot be. */
  validate: ((content: unknown) => boolean) | null | undefined;
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
  const reading = readings.get(schema) ?? {
    spent: { slowMs: 0, since: performance.now() },
    validate: undefined,
  };
  readings.set(schema, reading);
  try {
    // Outside of the timed steps, as with every other library.
    const compile = loadSdkV1Reading();
    return timeCheck(reading.spent, (run) => validates(reading, schema, structuredContent, compile, run));
  } catch {
    return false;
  }
}

function validates(
  reading: Reading,
  schema: object,
  content: unknown,
  compile: CompileAsSdkV1,
  run: RunStep,
): boolean {
  if (reading.validate === undefined) {
    // Set first: what throws or runs out of time is not tried again.
    reading.validate = null;
    reading.validate = run(() => compile(JSON.parse(JSON.stringify(schema))))?.value ?? null;
  }
  const { validate } = reading;
  return validate !== null && run(() => validate(content))?.value === true;
}
