/**
 * A scripted stdio child. It starts as `node -e <source> <script as JSON>`: the source of `runChild` below, shipped
 * as text, because a child that had to load a TypeScript loader would take four times as long to start. So
 * `runChild` uses nothing from outside itself but its parameters.
 *
 * Over stderr it says, a line each: `arrived` when a scripted call is there, `pid N` for a process that it started,
 * `ready` after its steps at `notifications/initialized`.
 */
import {
  answerNormally,
  type ChildStep,
  completeResults,
  type PeerMessage,
  type PeerScript,
} from './fault-script.ts';

/** Command and arguments for `StdioClientTransport`. */
export function faultChildCommand(script: PeerScript): { command: string; args: string[] } {
  // tsx wraps named functions in a call of `__name`, which the child does not have.
  const source = `const __name = (f) => f; ${completeResults}
(${runChild})(JSON.parse(process.argv[1]), ${answerNormally}, completeResults)`;
  return { command: process.execPath, args: ['-e', source, JSON.stringify(script)] };
}

function runChild(script: PeerScript, answer: typeof answerNormally, complete: typeof completeResults): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { closeSync, writeSync } = process.getBuiltinModule('node:fs');
  const cancelled: (() => void)[] = [];
  // A child whose input is closed must live on, and it must not outlive its parent by much.
  setTimeout(() => process.exit(9), 60_000);
  process.stdout.on('error', () => {});
  // `process.stderr` would buffer in the child what nobody reads; this blocks, as most programs do.
  const say = (line: string): void => void writeSync(2, `${line}\n`);

  const largeResult = (bytes: number): string =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: '$id',
      result: { content: [{ type: 'text', text: 'y'.repeat(bytes) }] },
    });

  async function perform(steps: readonly ChildStep[], call: PeerMessage): Promise<void> {
    const fill = (text: string): string =>
      complete(script, call, text.replaceAll('"$id"', JSON.stringify(call.id)));
    for (const step of steps) {
      switch (step.do) {
        case 'write':
          process.stdout.write(fill(step.text));
          break;
        case 'write-base64': {
          const text = Buffer.from(step.base64, 'base64').toString('latin1');
          process.stdout.write(Buffer.from(fill(text), 'latin1'));
          break;
        }
        case 'write-large-result':
          process.stdout.write(`${fill(largeResult(step.bytes))}\n`);
          break;
        case 'exit':
          process.exit(step.code);
          break;
        case 'kill-self':
          process.kill(process.pid, step.signal);
          break;
        case 'close-stdin':
          process.stdin.destroy();
          closeSync(0);
          break;
        case 'close-stdout':
          closeSync(1);
          break;
        case 'stop-reading':
          process.stdin.pause();
          break;
        case 'ignore-sigterm':
          process.on('SIGTERM', () => {});
          break;
        case 'await-cancel':
          await new Promise<void>((resolve) => cancelled.push(resolve));
          break;
        case 'grandchild-holds-stdout': {
          const grandchild = spawn('sleep', ['4'], { stdio: ['ignore', 1, 'ignore'] });
          say(`pid ${grandchild.pid}`);
          break;
        }
        case 'flood-stderr':
          say('e'.repeat(step.bytes));
          break;
      }
    }
  }

  async function receive(line: string): Promise<void> {
    const message: PeerMessage = JSON.parse(line);
    const name = message.params?.name;
    const fault =
      message.method === 'tools/call' && typeof name === 'string' ? script.calls?.[name] : undefined;
    if (message.method === 'notifications/cancelled') for (const resume of cancelled.splice(0)) resume();
    if (message.method === 'notifications/initialized') await initialized();
    if (fault) {
      say('arrived');
      const frames = (fault.frames ?? []).map((frame): ChildStep => ({ do: 'write', text: `${frame}\n` }));
      await perform(fault.child ?? frames, message);
      return;
    }
    const normal = answer(script, message);
    if (normal !== undefined) process.stdout.write(`${normal}\n`);
  }

  async function initialized(): Promise<void> {
    await perform(script.child?.atInitialized ?? [], {});
    say('ready');
  }

  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) void receive(line);
  });
  process.stdin.on('error', () => {});
  process.stdin.on('end', () => {
    if (!script.child?.atStart?.some((step) => step.do === 'ignore-sigterm')) process.exit(0);
  });
  void perform(script.child?.atStart ?? [], {});
  if (script.child?.startsReady) void initialized();
}
