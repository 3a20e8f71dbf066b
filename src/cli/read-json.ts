import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from './usage-error.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a JSON object from a file. `subject` names the option or argument, as `Option --config`. */
export async function readJsonFile(subject: string, path: string): Promise<JsonObject> {
  const json = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(subject, error);
  });
  return parseJsonObject(subject, json);
}

/** Reads a JSON object from stdin. */
export async function readJsonInput(subject: string): Promise<JsonObject> {
  return parseJsonObject(subject, await text(process.stdin));
}

/** The text as a JSON object; an error has the place of the mistake, never the text. */
export function parseJsonObject(subject: string, json: string): JsonObject {
  const value = parseJson(subject, json.replace(/^\uFEFF/, ''));
  if (!isJsonObject(value)) {
    const got = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    throw new UsageError(`${subject}: expected a JSON object, got ${got}.`);
  }
  return value;
}

function parseJson(subject: string, json: string): unknown {
  if (json.trim() === '') {
    throw new UsageError(`${subject}: expected a JSON object, got nothing.`);
  }
  try {
    return JSON.parse(json);
  } catch (cause) {
    // The engine's own message quotes the text. Most of its messages have a position, some do not.
    const position = /at position (\d+)/.exec(String(cause))?.[1];
    const place = position === undefined ? '' : ` (it breaks at character ${Number(position) + 1})`;
    throw new UsageError(`${subject}: expected a JSON object, got what is not JSON${place}.`, { cause });
  }
}

/** An error for a file or folder that cannot be read. */
export function unreadable(subject: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  return new UsageError(`${subject}: expected a file that can be read, got none${code}.`, { cause: error });
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
