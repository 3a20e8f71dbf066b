import { styleText } from 'node:util';
import { outcomeText, type ToolOutcome } from '../index.ts';
import { terminalText } from './terminal-text.ts';

type Fact = readonly [label: string, value: string | number | undefined];

/** An outcome for a person: its kind, what is known of it, and what a model would read. Ends with a line feed. */
export function renderText(outcome: ToolOutcome): string {
  const { kind, ok, server, tool } = outcome;
  const facts: readonly Fact[] = [...commonFacts(outcome), ...ownFacts(outcome)];
  const lines = facts.flatMap(([label, value]) =>
    value === undefined ? [] : [`  ${label.padEnd(15)}${terminalText(String(value)).replaceAll('\n', ' ')}`],
  );
  const head = `${styleText(ok ? 'green' : 'red', kind)}  ${terminalText(`${server}/${tool}`)}`;
  return `${[head, ...lines].join('\n')}\n\n${terminalText(outcomeText(outcome)).trimEnd()}\n`;
}

function commonFacts({ category, kind, delivery, durationMs, replaySafe }: ToolOutcome): readonly Fact[] {
  return [
    ['category', category === kind ? undefined : category],
    ['delivery', delivery],
    ['replay safe', replaySafe === undefined ? undefined : replaySafe ? 'yes' : 'no'],
    ['took', `${Math.round(durationMs)} ms`],
  ];
}

function ownFacts(outcome: ToolOutcome): readonly Fact[] {
  switch (outcome.kind) {
    case 'success':
      return outcome.warnings.map(({ code, reason }): Fact => ['warning', `${code}: ${reason}`]);
    case 'tool_error':
    case 'failure_body': {
      const { recognizer, tag, code } = outcome.failure ?? {};
      return [
        ['recognized by', recognizer],
        ['failure', [tag, code].filter((part) => part !== undefined).join(' ') || undefined],
      ];
    }
    case 'schema_mismatch':
      return [
        ['schema', outcome.schema],
        ...outcome.issues.map(({ path, message }): Fact => ['issue', `${path} ${message}`.trim()]),
      ];
    case 'call_failure': {
      const { reason, httpStatus, rpcCode, retryAfterMs, challenge, sessionExpired, taskId } = outcome;
      const { error, scope } = challenge ?? {};
      return [
        ['reason', reason],
        ['HTTP status', httpStatus],
        ['JSON-RPC code', rpcCode],
        ['retry after', retryAfterMs === undefined ? undefined : `${retryAfterMs} ms`],
        ['challenge', error],
        ['scope', scope],
        ['session', sessionExpired === undefined ? undefined : 'expired'],
        ['task', taskId],
      ];
    }
    case 'cancelled':
      return [];
  }
}
