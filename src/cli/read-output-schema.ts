import { readJsonFile } from './read-json.ts';
import { terminalLine } from './terminal-text.ts';
import { UsageError } from './usage-error.ts';

const longestReason = 300;

/** Reads the file of `--output-schema`. A schema of the user's own that nothing can be held against is bad input. */
export async function readOutputSchema(path: string | undefined): Promise<object | undefined> {
  if (path === undefined) {
    return undefined;
  }
  const outputSchema = await readJsonFile('Option --output-schema', path);
  const problem = await findProblem(outputSchema);
  if (problem !== undefined) {
    const where = terminalLine(path, longestReason);
    throw new UsageError(
      `Option --output-schema, ${where}: expected a JSON Schema that can be used, got none: ${terminalLine(problem, longestReason)}.`,
    );
  }
  return outputSchema;
}

/** Why the package would not use the schema: it says so of any result with structured content. */
async function findProblem(outputSchema: object): Promise<string | undefined> {
  // Loaded only now: it takes longer than all else that is done before a call.
  const { classifyResult } = await import('../index.ts');
  const outcome = classifyResult(
    { content: [], structuredContent: {} },
    { server: 'mcp', tool: 'any', outputSchema },
  );
  return outcome.ok
    ? outcome.warnings.find(({ code }) => code === 'output_schema_unusable')?.reason
    : undefined;
}
