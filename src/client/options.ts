import { pino } from 'pino';
import * as v from 'valibot';
import { recognizer } from '../classify/call-context.ts';
import { defaultFailureBodies, type Recognizer } from '../classify/failure-bodies.ts';
import { cutText } from '../redact/bounded-text.ts';
import { OptionsError, typeName } from '../redact/options-error.ts';
import { toOptionsError } from '../redact/options-issue.ts';
import { defaultRedactor, isOwnRedactor, type Redactor } from '../redact/redactor.ts';
import { readProperty } from '../redact/safe-read.ts';
import type { OutcomeLogger } from '../report/log.ts';

/** Options of `withOutcomes`. */
export interface OutcomeOptions {
  /** Stands on outcomes and in the log. Default: the server's own name, else `mcp`. */
  readonly server?: string | undefined;
  /** Gets one warning per failed call; `false` turns that off. Default: pino at level `warn`, to stderr. */
  readonly logger?: OutcomeLogger | false | undefined;
  readonly redactor?: Redactor | undefined;
  /** Replaces `defaultFailureBodies`. */
  readonly failureBodies?: readonly Recognizer[] | undefined;
  /** Whether a redacted excerpt of an HTTP error body stands on outcomes and in the log. Default: `include`. */
  readonly errorBodies?: 'include' | 'status-only' | undefined;
  /**
   * Where output schemas come from: `auto` lists the server's tools, beside the first call and when they change; `off`
   * checks none; a record holds them by the tool's name. Default: `auto`.
   */
  readonly outputSchemas?: 'auto' | 'off' | Readonly<Record<string, object>> | undefined;
  /** Milliseconds from a request to its answer. Default: 60,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for a call in all, with every round of input. Default: ten minutes, or `timeout` when that is longer. */
  readonly maxTotalTimeout?: number | undefined;
}

export interface Settings {
  readonly server: string | undefined;
  readonly logger: OutcomeLogger | false;
  readonly redactor: Redactor;
  readonly failureBodies: readonly Recognizer[];
  readonly errorBodies: 'include' | 'status-only';
  readonly outputSchemas: 'auto' | 'off' | Readonly<Record<string, object>>;
  readonly timeout: number;
  readonly maxTotalTimeout: number | undefined;
}

const defaultTimeout = 60_000;

export const milliseconds: v.GenericSchema<unknown, number> = v.pipe(
  v.number('a number of milliseconds above 0'),
  v.gtValue(0, 'a number of milliseconds above 0'),
);

export const nonEmptyText: v.GenericSchema<unknown, string> = v.pipe(
  v.string('a non-empty string'),
  v.nonEmpty('a non-empty string'),
);

export const outcomeLogger: v.GenericSchema<unknown, OutcomeLogger | false> = v.custom<OutcomeLogger | false>(
  (value) => value === false || typeof readProperty(value, 'warn') === 'function',
  'false or an object with a warn function',
);

const redactor = v.custom<Redactor>(
  (value) =>
    ['text', 'value', 'bounded'].every((method) => typeof readProperty(value, method) === 'function'),
  'a redactor, as createRedactor makes them',
);

const outputSchemas = v.custom<'auto' | 'off' | Readonly<Record<string, object>>>(
  (value) =>
    value === 'auto' ||
    value === 'off' ||
    (typeName(value) === 'object' &&
      Object.values(Object(value)).every((schema) => typeName(schema) === 'object')),
  '"auto", "off" or an object of JSON Schemas by tool name',
);

const entries = {
  server: v.optional(nonEmptyText),
  logger: v.optional(outcomeLogger),
  redactor: v.optional(redactor),
  failureBodies: v.optional(v.array(recognizer, 'an array of recognizers')),
  errorBodies: v.optional(v.picklist(['include', 'status-only'], '"include" or "status-only"')),
  outputSchemas: v.optional(outputSchemas),
  timeout: v.optional(milliseconds),
  maxTotalTimeout: v.optional(milliseconds),
};

const outcomeOptions = v.strictObject(entries, `one of ${Object.keys(entries).join(', ')}`);

/** Checks the options of `withOutcomes` and fills in the defaults. */
export function readOptions(options: unknown = {}): Settings {
  if (typeName(options) !== 'object') {
    throw new OptionsError('options', 'an object', typeName(options));
  }
  const output = parseOptions(options);
  return {
    server: output.server,
    logger: output.logger ?? defaultLogger,
    redactor: guardRedactor(output.redactor ?? defaultRedactor),
    failureBodies: output.failureBodies ?? defaultFailureBodies,
    errorBodies: output.errorBodies ?? 'include',
    outputSchemas: output.outputSchemas ?? 'auto',
    timeout: output.timeout ?? defaultTimeout,
    maxTotalTimeout: output.maxTotalTimeout,
  };
}

function parseOptions(options: unknown): v.InferOutput<typeof outcomeOptions> {
  try {
    const parsed = v.safeParse(outcomeOptions, options);
    if (parsed.success) {
      return parsed.output;
    }
    throw toOptionsError(parsed.issues[0], 'options');
  } catch (error) {
    throw OptionsError.isInstance(error)
      ? error
      : new OptionsError('options', 'an object that can be read', 'one that throws');
  }
}

/** The caller's own redactor may throw or answer with anything: then nothing of the text is shown. */
function guardRedactor(own: Redactor): Redactor {
  if (isOwnRedactor(own)) {
    return own;
  }
  const guard = (redact: () => unknown): string => {
    try {
      const text = redact();
      return typeof text === 'string' ? text : '[REDACTED]';
    } catch {
      return '[REDACTED]';
    }
  };
  const guardBounded = (text: string, limit: number): string => {
    const bounded = guard(() => own.bounded(text, limit));
    // A cut text is one longer, for its ellipsis.
    return bounded.length <= limit + 1 ? bounded : cutText(bounded, limit);
  };
  return {
    text: (text) => guard(() => own.text(text)),
    bounded: guardBounded,
    value: (value) => {
      try {
        return own.value(value);
      } catch {
        return '[REDACTED]';
      }
    },
  };
}

let stderrLogger: OutcomeLogger | undefined;

/** Made at the first warning: nobody who brings a logger pays for it. Written synchronously, so that an exit loses no line. */
const defaultLogger: OutcomeLogger = {
  warn(record, message) {
    stderrLogger ??= pino({ name: 'mcp-outcome', level: 'warn' }, pino.destination({ fd: 2, sync: true }));
    stderrLogger.warn(record, message);
  },
};
