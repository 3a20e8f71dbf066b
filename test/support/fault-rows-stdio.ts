/**
 * A stdio child that misbehaves (family I). A dead child is `connection_closed`: whether it ran the tool before it died
 * is not known. A child that lives but does not answer, or whose answer the SDK cannot read, leaves the call to its
 * timer: over stdio nothing else ends it.
 */
import { type FaultRow, noAnswer, type Right, success } from './fault-row.ts';
import type { ChildScript, ChildStep } from './fault-script.ts';

const stdio = ['stdio'] as const;
const fine = '{"content":[{"type":"text","text":"fine"}]}';
const ok = `{"jsonrpc":"2.0","id":"$id","result":${fine}}`;

const died = 'the connection is gone, and nothing answered the call before';
const unread = 'the SDK cannot read the line, drops it, and goes on waiting';
const silent = 'the child lives and says nothing';
const answered = 'the answer came before anything else happened';

function write(text: string): ChildStep {
  return { do: 'write', text };
}

function exit(code: number): ChildStep {
  return { do: 'exit', code };
}

const closed: Right = noAnswer('connection_closed');
const lost: Right = noAnswer('timeout');
/** The child may be gone, or too busy, before it lists its tools, so whether the success carries a warning is open. */
const { warnings: _, ...listless } = success;

interface Rest {
  readonly child?: ChildScript;
  readonly notUsable?: true;
  readonly run?: NonNullable<FaultRow['play']['run']>;
}

function row(
  id: string,
  what: string,
  child: readonly ChildStep[],
  right: Right,
  why: string,
  rest: Rest = {},
): FaultRow {
  const script = { calls: { fault: { child } }, ...(rest.child ? { child: rest.child } : {}) };
  const play = { script, ...(rest.run ? { run: rest.run } : {}) };
  return { id, what, transports: stdio, play, right, why, ...(rest.notUsable ? { notUsable: true } : {}) };
}

const gone = { notUsable: true } as const;

export const stdioRows: readonly FaultRow[] = [
  row('io-exit0', 'child exits 0 mid-call', [exit(0)], closed, died, gone),
  row('io-exit1', 'child exits 1 mid-call', [exit(1)], closed, died, gone),
  row(
    'io-sigkill',
    'child is killed (SIGKILL)',
    [{ do: 'kill-self', signal: 'SIGKILL' }],
    closed,
    died,
    gone,
  ),
  row('io-sigsegv', 'child dies of SIGSEGV', [{ do: 'kill-self', signal: 'SIGSEGV' }], closed, died, gone),
  row('io-garbage', 'garbage line, then nothing', [write('BODYMARK garbage\n')], lost, unread),
  row(
    'io-garbage-ok',
    'garbage line, then the response',
    [write('BODYMARK garbage\n'), write(`${ok}\n`)],
    success,
    'a line that is not JSON is none; the answer after it counts',
  ),
  row('io-same-line', 'log text and response on one line', [write(`log: ${ok}\n`)], lost, unread),
  row('io-two', 'two messages on one line', [write(`${ok}${ok}\n`)], lost, unread),
  row('io-crlf', 'response with CRLF', [write(`${ok}\r\n`)], success, 'the SDK takes both line ends'),
  row('io-bom', 'response with BOM', [write(`\uFEFF${ok}\n`)], lost, unread),
  row('io-batch', 'batch array [response]', [write(`[${ok}]\n`)], lost, unread),
  row(
    'io-wrongid',
    'response with wrong id',
    [write(`{"jsonrpc":"2.0","id":999,"result":${fine}}\n`)],
    lost,
    'an answer to another call',
  ),
  row(
    'io-partial-exit',
    'half a response, then exit 1',
    [write('{"jsonrpc":"2.0","id":"$id","resul'), exit(1)],
    closed,
    died,
    gone,
  ),
  row(
    'io-nonl-exit',
    'whole response without newline, then exit 0',
    [write(ok), exit(0)],
    closed,
    'a message ends with its newline, so this one never arrived',
    gone,
  ),
  row('io-ok-exit', 'response, then exit 1', [write(`${ok}\n`), exit(1)], listless, answered, gone),
  row(
    'io-close-stdout',
    'child closes stdout, stays alive',
    [{ do: 'close-stdout' }],
    lost,
    'the SDK takes no notice of the end of stdout',
    gone,
  ),
  row(
    'io-close-stdin',
    'child closes its stdin, stays alive, no answer',
    [{ do: 'close-stdin' }],
    lost,
    silent,
    gone,
  ),
  row(
    'io-close-stdin-reply',
    'child closes its stdin, answers; next call hits EPIPE',
    [{ do: 'close-stdin' }, write(`${ok}\n`)],
    listless,
    answered,
    gone,
  ),
  row('io-hang', 'child hangs', [], lost, silent),
  row('io-hang-ignoreterm', 'child hangs and ignores EOF + SIGTERM', [], lost, silent, {
    child: { atStart: [{ do: 'ignore-sigterm' }] },
  }),
  row(
    'io-late',
    'the response comes after the timeout',
    [{ do: 'await-cancel' }, write(`${ok}\n`)],
    lost,
    'a late answer does not count',
  ),
  {
    ...row(
      'io-oversize',
      'response of 11 MiB (buffer limit 10 MiB)',
      [{ do: 'write-large-result', bytes: 11 * 1024 * 1024 }],
      closed,
      'the SDK closes a connection whose line outgrows its buffer',
      gone,
    ),
    by: {
      'v1-oldest': { right: listless, why: 'the oldest SDK knows no such limit' },
    },
  },
  row(
    'io-utf8',
    'invalid UTF-8 inside the text',
    [
      {
        do: 'write-base64',
        base64: Buffer.from(`${ok.replace('fine', '\u00ff\u00fe\u00fd')}\n`, 'latin1').toString('base64'),
      },
    ],
    success,
    'the broken bytes become replacement characters inside a well-formed answer',
  ),
  row(
    'io-grandchild',
    'child exits 1; a grandchild keeps stdout open',
    [{ do: 'grandchild-holds-stdout' }, exit(1)],
    lost,
    'the SDK hears of the death only when stdout closes',
    gone,
  ),
  row(
    'io-stderr-flood',
    'child writes 2 MiB to a piped stderr nobody reads',
    [{ do: 'flood-stderr', bytes: 2 * 1024 * 1024 }, write(`${ok}\n`)],
    lost,
    'the child blocks on its stderr before it can answer',
    { child: { unreadStderr: true }, ...gone },
  ),
  row(
    'io-epipe',
    'child killed from outside, call made at once',
    [],
    closed,
    'the death is noticed after the call was written',
    {
      run: (stage) => {
        stage.connection.child?.kill();
        return stage.call();
      },
      ...gone,
    },
  ),
  row(
    'io-epipe2',
    'child closed its stdin earlier (EPIPE on write)',
    [],
    lost,
    'the SDK reports a failed write as an event and lets the call wait',
    { child: { atInitialized: [{ do: 'close-stdin' }] }, ...gone },
  ),
  row(
    'io-after-exit',
    'call after the child exited',
    [],
    { ...noAnswer('not_connected'), delivery: 'not_sent' },
    'the client holds no transport any more',
    {
      run: async (stage) => {
        stage.connection.child?.kill();
        await stage.connection.child?.gone;
        return stage.call();
      },
      ...gone,
    },
  ),
  row(
    'io-bigwrite',
    'child never reads; 8 MiB of arguments (write returns false)',
    [],
    lost,
    'the write waits for a reader; whether any of it was read is not known',
    {
      child: { atInitialized: [{ do: 'stop-reading' }] },
      run: (stage) => stage.call({ name: 'fault', arguments: { large: 'x'.repeat(8 * 1024 * 1024) } }),
      ...gone,
    },
  ),
  row(
    'io-start-garbage',
    'banner on stdout before the handshake',
    [write(`${ok}\n`)],
    success,
    'the banner is no JSON and is dropped',
    { child: { atStart: [write('BODYMARK server starting\n')] } },
  ),
];
