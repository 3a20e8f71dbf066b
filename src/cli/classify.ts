import { createReadStream } from 'node:fs';
import type { ToolOutcome } from '../index.ts';
import { createLogClassifier, type LogClassifier, type LogContext } from './classify-log.ts';
import { type Complaints, createComplaints } from './complaints.ts';
import { createOutputLines, type OutputLines } from './output-lines.ts';
import { createDocumentReader } from './read-documents.ts';
import { unreadable } from './read-json.ts';
import { readLines } from './read-lines.ts';
import { readName, readOptions } from './read-options.ts';
import { readOutputSchema } from './read-output-schema.ts';
import { isReaderGone, print, say } from './streams.ts';
import { createSummary, type Summary } from './summary.ts';
import { UsageError } from './usage-error.ts';

const help = `Usage: mcp-outcome classify [FILE | -] [options]

Reads captured tool results or JSON-RPC responses, as NDJSON, as JSON documents or as an event stream, and prints the
outcome of each as a line of JSON. A summary goes to stderr. Without FILE it reads stdin. Memory does not grow with the
input.

A JSON-RPC request in the input names the tool of the response with its id. Requests, notifications and responses to
other requests are skipped and counted. A line that holds no JSON, or is longer than 64 MiB, is reported with its
number and skipped.

Options:
  --server NAME         The server's name in the outcomes. Default: mcp
  --tool NAME           The tool's name in the outcomes, where no request tells it. Default: (unknown)
  --output-schema FILE  The JSON Schema of the structured content.
  --help                Prints this text.

Exit codes: 0 every outcome is a success, 1 one is not, 2 bad usage, or nothing could be read.

Examples:
  mcp-outcome classify captured.ndjson > outcomes.ndjson
  mcp-outcome classify result.json --tool get-weather --output-schema weather.schema.json
  tail -f traffic.ndjson | mcp-outcome classify
`;

const options = {
  server: { type: 'string' },
  tool: { type: 'string' },
  'output-schema': { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** The longest line, and the longest value over several lines, in bytes. */
const longestDocument = 64 * 1024 * 1024;

/** `mcp-outcome classify`: resolves with the exit code. */
export async function classify(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options);
  if (values.help === true) {
    await print(help);
    return 0;
  }
  const [file = '-', ...rest] = positionals;
  if (rest.length > 0) {
    throw new UsageError('Input: expected one file, got more.');
  }
  if (positionals.length === 0 && process.stdin.isTTY) {
    throw new UsageError('Input: expected a file, or something on stdin, got neither.');
  }
  return classifyInput(openInput(file), {
    server: readName('server', values.server ?? 'mcp'),
    tool: readName('tool', values.tool ?? '(unknown)'),
    outputSchema: await readOutputSchema(values['output-schema']),
  });
}

async function* openInput(file: string): AsyncGenerator<Buffer> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1024 * 1024 });
  } catch (error) {
    throw unreadable('Input', error);
  }
}

/** One run over one input. */
interface Run {
  readonly log: LogClassifier;
  readonly summary: Summary;
  readonly complaints: Complaints;
  readonly output: OutputLines;
  schemaProblem: string | undefined;
}

async function classifyInput(input: AsyncIterable<Buffer>, context: LogContext): Promise<number> {
  const run: Run = {
    log: createLogClassifier(context),
    summary: createSummary(),
    complaints: createComplaints(say),
    output: createOutputLines(),
    schemaProblem: undefined,
  };
  const reader = createDocumentReader(
    {
      onDocument: (line, value) => {
        for (const outcome of run.log.classify(line, value)) {
          addOutcome(run, line, outcome);
        }
      },
      onUnreadable: run.complaints.add,
    },
    longestDocument,
  );
  for await (const lines of readLines(input, longestDocument)) {
    for (const line of lines) {
      reader.push(line);
    }
    await run.output.flush();
    if (isReaderGone()) {
      return exitCode(run);
    }
  }
  reader.end();
  await run.output.flush();
  conclude(run);
  return exitCode(run);
}

function addOutcome(run: Run, line: number, outcome: ToolOutcome): void {
  const json = toJson(outcome);
  if (json === undefined) {
    run.complaints.add(line, 'nested too deep to be printed');
    return;
  }
  run.output.add(json);
  run.summary.add(line, outcome);
  if (outcome.ok) {
    run.schemaProblem ??= outcome.warnings.find(({ code }) => code === 'output_schema_unusable')?.reason;
  }
}

/**
 * As `serializeOutcome` has it, without the copy that a log of gigabytes has no time for: what came from JSON goes back
 * into JSON, unless it is nested deeper than the engine can follow.
 */
function toJson(outcome: ToolOutcome): string | undefined {
  try {
    if (outcome.kind !== 'success' || outcome.value === undefined) {
      return JSON.stringify(outcome);
    }
    const { value: _structuredContent, ...members } = outcome;
    return JSON.stringify(members);
  } catch {
    return undefined;
  }
}

function conclude({ log, summary, complaints, schemaProblem }: Run): void {
  complaints.flush();
  if (schemaProblem !== undefined) {
    say(`mcp-outcome: Option --output-schema: it was not used: ${schemaProblem}.`);
  }
  const skipped = [
    ['requests and notifications', log.requests()],
    ['responses to other requests', log.otherResponses()],
    ['unreadable lines', complaints.lines()],
  ] as const;
  const counts = skipped.flatMap(([what, count]) => (count === 0 ? [] : [`${what}: ${count}`]));
  const note = counts.length === 0 ? '' : `Skipped ${counts.join(', ')}.`;
  if (summary.outcomes() === 0) {
    throw new UsageError(`Input: expected a result or a response, got none. ${note}`.trimEnd());
  }
  say(summary.toText(process.stderr.columns || 120));
  if (note !== '') {
    say(note);
  }
}

function exitCode({ summary }: Run): number {
  return summary.failed() > 0 ? 1 : 0;
}
