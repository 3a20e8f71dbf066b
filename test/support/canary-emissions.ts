/** Everything that an outcome becomes: what this package says in its own words, and what it passes on verbatim. */
import { inspect } from 'node:util';
import {
  markToolMessage,
  outcomeSerializer,
  outcomeText,
  serializeOutcome,
  ToolCallError,
  type ToolOutcome,
  toAnthropicToolResult,
  toCallToolResult,
  toGeminiFunctionResponse,
  toLangChainToolMessage,
  toOpenAIToolMessage,
  toOtelAttributes,
  toReceipt,
  toStatusResult,
  unwrap,
} from '../../src/index.ts';

export interface Emission {
  readonly where: string;
  readonly text: string;
}

export interface Emissions {
  readonly own: readonly Emission[];
  readonly verbatim: readonly Emission[];
}

const verbatimMembers: readonly string[] = ['result', 'value', 'rpcData'];

export function emissionsOf(outcome: ToolOutcome): Emissions {
  const named = Object.entries(outcome);
  const members = named.map(([key, value]) => emission(key, value));
  const rendered = renderings(outcome);
  const isVerbatim = ({ where }: Emission): boolean => verbatimMembers.includes(where);
  return {
    own: [
      ...members.filter((member) => !isVerbatim(member)),
      ...(carriesServerData(outcome) ? [] : [emission('inspect', inspect(outcome, { depth: 9 }))]),
      ...rendered.own,
    ],
    verbatim: [
      ...members.filter(isVerbatim),
      ...('cause' in outcome ? [emission('cause', inspect(outcome.cause, { depth: 9 }))] : []),
      ...rendered.verbatim,
    ],
  };
}

function emission(where: string, value: unknown): Emission {
  return { where, text: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') };
}

/** Whether a member of the outcome is the server's own data. */
function carriesServerData(outcome: ToolOutcome): boolean {
  return verbatimMembers.some((member) => Object.hasOwn(outcome, member));
}

function renderings(outcome: ToolOutcome): Emissions {
  const { data, ...status } = toStatusResult(outcome);
  const always = [
    emission('outcomeSerializer', outcomeSerializer(outcome)),
    emission('toReceipt', toReceipt(outcome)),
    emission('toOtelAttributes', toOtelAttributes(outcome)),
    emission('toStatusResult', status),
    emission('markToolMessage', markToolMessage({ role: 'tool', content: '' }, outcome)),
    ...thrownBy(outcome),
  ];
  const statusData = emission('toStatusResult.data', data);
  const forModels = [
    emission('outcomeText', outcomeText(outcome)),
    emission('toCallToolResult', toCallToolResult(outcome)),
    emission('toAnthropicToolResult', toAnthropicToolResult(outcome, { toolUseId: 'use-1' })),
    emission('toOpenAIToolMessage', toOpenAIToolMessage(outcome, { toolCallId: 'call-1' })),
    emission('toGeminiFunctionResponse', toGeminiFunctionResponse(outcome)),
    emission('toLangChainToolMessage', toLangChainToolMessage(outcome, { toolCallId: 'call-1' })),
  ];
  const trace = emission('serializeOutcome', JSON.parse(serializeOutcome(outcome)));
  switch (outcome.kind) {
    case 'success':
    case 'tool_error':
    case 'failure_body':
      return { own: always, verbatim: [...forModels, trace, statusData] };
    case 'schema_mismatch': {
      const [sentence = ''] = outcomeText(outcome).split('\nThe tool answered:');
      return {
        own: [...always, emission('outcomeText', sentence)],
        verbatim: [...forModels, trace, statusData],
      };
    }
    case 'call_failure':
    case 'cancelled':
      return carriesServerData(outcome)
        ? { own: [...always, ...forModels], verbatim: [trace, statusData] }
        : { own: [...always, ...forModels, trace, statusData], verbatim: [] };
  }
}

/** For a call that the caller cancelled, `unwrap` throws the caller's own reason. */
function thrownBy(outcome: ToolOutcome): readonly Emission[] {
  try {
    unwrap(outcome);
  } catch (error) {
    return ToolCallError.isInstance(error)
      ? [emission('ToolCallError', `${error.stack} ${inspect(error, { depth: 9 })} ${JSON.stringify(error)}`)]
      : [];
  }
  return [];
}
