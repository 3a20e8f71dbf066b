/**
 * An MCP server on Effect 4.0.0-rc.115, over stdio. It starts as `node -e <source>`: the source of `serve` below, shipped as
 * text, because a child that had to load Effect through a TypeScript loader would take three times as long. So `serve`
 * uses nothing from outside itself.
 */
import { fileURLToPath } from 'node:url';

async function serve(): Promise<void> {
  const { Effect, Layer, Schema, Sink, Stdio, Stream } = await import('effect-rc');
  const { McpProtocol, McpServer, Tool, Toolkit } = await import('effect-rc/unstable/ai');

  /** As t3code declares it. */
  class OrchestratorMcpFailure extends Schema.TaggedError<OrchestratorMcpFailure>()(
    'OrchestratorMcpFailure',
    {
      code: Schema.String,
      message: Schema.String,
    },
  ) {}

  /** A `code` is the failure that the caller wants. */
  const shape = {
    parameters: Schema.Struct({ threadId: Schema.String, code: Schema.optionalKey(Schema.String) }),
    success: Schema.Struct({ title: Schema.String }),
    failure: OrchestratorMcpFailure,
  };
  const toolkit = Toolkit.make(
    Tool.make('returned', { ...shape, failureMode: 'return' }).annotate(Tool.Readonly, true),
    Tool.make('raised', { ...shape, failureMode: 'error' }),
    Tool.make('crashed', shape),
  );

  const readThread = ({ threadId, code }: { readonly threadId: string; readonly code?: string }) =>
    code === undefined
      ? Effect.succeed({ title: `Thread ${threadId}` })
      : Effect.fail(new OrchestratorMcpFailure({ code, message: `${code}: ${threadId}` }));
  const handlers = toolkit.toLayer({
    returned: readThread,
    raised: readThread,
    crashed: () => Effect.die(new Error('a defect')),
  });

  const print = (chunk: string | Uint8Array) => Effect.sync(() => process.stdout.write(chunk));
  /** Without Effect's own platform package, which brings a good deal more than two streams. */
  const stdio = Stdio.make({
    args: Effect.succeed([]),
    stdin: Stream.fromAsyncIterable<Uint8Array, never>(process.stdin, (error) => {
      throw error;
    }),
    stdout: () => Sink.forEach(print),
    stderr: () => Sink.drain,
  });

  const protocols = [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18] as const;
  const server = McpServer.toolkit(toolkit).pipe(
    Layer.provide(handlers),
    Layer.provide(McpServer.layerStdio({ name: 'effect-rc', version: '1.0.0', protocols })),
    Layer.provide(Layer.succeed(Stdio.Stdio, stdio)),
  );

  // A client that is gone leaves nothing to serve.
  process.stdin.on('end', () => process.exit());
  Effect.runFork(Layer.launch(server));
}

/** Parameters for `StdioClientTransport`. The packages are looked for from the working directory. */
export const effectRcServer: { command: string; args: string[]; cwd: string } = {
  command: process.execPath,
  // tsx wraps named functions in a helper that the child does not have.
  args: ['--input-type=module', '-e', `const __name = (value) => value; await (${serve})();`],
  cwd: fileURLToPath(new URL('.', import.meta.url)),
};
