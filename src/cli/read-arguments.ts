import { parseJsonObject, readJsonFile, readJsonInput } from './read-json.ts';

const subject = 'Arguments';

/** The arguments of a tool: a JSON object as text, `@FILE`, `-` for stdin, or nothing for `{}`. */
export async function readArguments(source: string | undefined): Promise<Readonly<Record<string, unknown>>> {
  if (source === undefined) {
    return {};
  }
  if (source === '-') {
    return readJsonInput(subject);
  }
  return source.startsWith('@') ? readJsonFile(subject, source.slice(1)) : parseJsonObject(subject, source);
}
