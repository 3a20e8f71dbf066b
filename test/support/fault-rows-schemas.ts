/**
 * Output schemas and listings (family L). The wrapper keeps its own catalog, so what the SDK's listing forgets, mixes
 * up or throws away does not count. A schema that cannot be used is a warning on a success, never a failure. The
 * user's own `listTools` comes first where that is what breaks the SDK.
 */
import type { Play } from './fault-play.ts';
import { byV2, type FaultRow, noAnswer, outputMismatch, type Right, success } from './fault-row.ts';
import { type FaultTransport, healthyTool, type PeerScript, plainTool, resultFrame } from './fault-script.ts';

const local = ['http-json', 'mem'] as const;
const content = [{ type: 'text', text: 'fine' }];

const unusable: Right = { ...success, warnings: ['output_schema_unusable'] };
/** Judged as a success; whether it carries a warning is open. */
const { warnings: _, ...plainSuccess } = success;

const cannotCompile = 'the schema cannot be used, so the result is judged without it, and says so';
const fits = 'the result fits the schema';
const breaks = 'the result breaks the schema of the tool that was called';

interface Setup {
  readonly pages: PeerScript['pages'];
  readonly structuredContent: unknown;
  readonly list?: 'once' | 'page-by-page';
  readonly transports?: readonly FaultTransport[];
}

function row(id: string, what: string, setup: Setup, right: Right, why: string): FaultRow {
  const { pages, structuredContent, list } = setup;
  const frames = [resultFrame({ content, structuredContent })];
  const script: PeerScript = { ...(pages ? { pages } : {}), calls: { fault: { frames } } };
  const play: Play = { script, ...(list ? { list } : {}) };
  return { id, what, transports: setup.transports ?? local, play, right, why };
}

/** The tool `fault` with this output schema, listed by the user before the call. */
function oneSchema(
  id: string,
  what: string,
  outputSchema: unknown,
  structuredContent: unknown,
  right: Right,
  why: string,
): FaultRow {
  const pages = [[{ ...plainTool, outputSchema }, healthyTool]];
  return row(id, `outputSchema ${what}`, { pages, structuredContent, list: 'once' }, right, why);
}

const numberX = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
const numberY = { type: 'object', properties: { y: { type: 'number' } }, required: ['y'] };
const x = { x: 1 };
const tool = { ...plainTool, outputSchema: numberX };
const otherTool = { ...plainTool, name: 'other' };
const draft = 'http://json-schema.org';

function nested(depth: number): unknown {
  let schema: unknown = { type: 'object' };
  for (let level = 0; level < depth; level += 1) schema = { type: 'object', properties: { n: schema } };
  return schema;
}

function wide(properties: number): unknown {
  const names = Array.from({ length: properties }, (_unused, index) => `property${index}`);
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
}

const twoPages = [[tool, healthyTool], [otherTool]];
const secondPage = [[otherTool, healthyTool], [tool]];
const badX = { x: 'no' };

function taskTool(taskSupport: 'required' | 'optional'): readonly (readonly unknown[])[] {
  return [[{ ...plainTool, execution: { taskSupport } }, healthyTool]];
}

const taskRequired: Right = { ...noAnswer('task_required'), delivery: 'not_sent' };

const noTasks = byV2({
  right: success,
  why: 'SDK v2 has no tasks: it sends the call, and the server answers',
});

function taskRow(
  id: string,
  what: string,
  script: PeerScript,
  right: Right,
  why: string,
  by?: FaultRow['by'],
): FaultRow {
  return { id, what, transports: local, play: { script, list: 'once' }, right, why, ...(by ? { by } : {}) };
}

/** SDK v2 sends no call of a tool whose listed schema it cannot compile. */
const refusedSchemas = [
  'ls-badtype',
  'ls-badpattern',
  'ls-remoteref',
  'ls-localref-missing',
  'ls-draft04',
  'ls-unknown-dialect',
  'ls-dup-id',
  'ls-dup-id-bad',
];

/** Whether SDK v2 can compile it depends on how much stack a Node.js gives. */
const deepSchema = 'ls-deep';

function withRefusals(row: FaultRow): readonly FaultRow[] {
  const isDeep = row.id === deepSchema;
  if (!isDeep && !refusedSchemas.includes(row.id)) return [row];
  const again: Play['run'] = async (stage) => {
    await stage.call();
    await stage.call({ name: 'healthy' });
    return stage.call();
  };
  const first: FaultRow = {
    ...row,
    id: `${row.id}-unlisted`,
    what: `${row.what}; before the wrapper knows the list`,
    clients: ['v2', 'v2-2026'],
    right: { ...noAnswer('unknown_error'), delivery: 'not_sent' },
    why: 'SDK v2 does not send a call of a tool whose schema it cannot compile',
  };
  const by = byV2({
    play: { ...row.play, run: again },
    why: 'once the list is known, the client is shown the tool without the schema, and sends the call',
  });
  return isDeep ? [{ ...row, by }] : [{ ...row, by }, first];
}

const rows: readonly FaultRow[] = [
  oneSchema(
    'ls-badtype',
    '{type:"object", properties.x.type:"nope"}',
    { type: 'object', properties: { x: { type: 'nope' } } },
    x,
    unusable,
    cannotCompile,
  ),
  oneSchema(
    'ls-badpattern',
    'with an invalid regex',
    { type: 'object', properties: { x: { type: 'number' }, s: { type: 'string', pattern: '(' } } },
    x,
    unusable,
    cannotCompile,
  ),
  oneSchema(
    'ls-remoteref',
    'with remote $ref',
    { type: 'object', properties: { x: { $ref: 'http://nonexistent.invalid/schema.json' } } },
    x,
    unusable,
    'a remote reference is never fetched, so the schema cannot be used',
  ),
  oneSchema(
    'ls-localref-missing',
    'with dangling local $ref',
    { type: 'object', properties: { x: { $ref: '#/$defs/none' } } },
    x,
    unusable,
    cannotCompile,
  ),
  oneSchema(
    'ls-recursive',
    'recursive $ref "#"',
    { type: 'object', properties: { x: { type: 'number' }, child: { $ref: '#' } } },
    x,
    success,
    fits,
  ),
  oneSchema(
    'ls-draft04',
    '$schema draft-04',
    { $schema: `${draft}/draft-04/schema#`, ...numberX },
    x,
    unusable,
    'a dialect that is not supported',
  ),
  oneSchema(
    'ls-draft07',
    '$schema draft-07',
    { $schema: `${draft}/draft-07/schema#`, ...numberX },
    x,
    success,
    fits,
  ),
  oneSchema(
    'ls-2020',
    '$schema 2020-12',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', ...numberX },
    x,
    success,
    fits,
  ),
  oneSchema(
    'ls-unknown-dialect',
    '$schema unknown',
    { $schema: 'https://example.com/my-dialect', ...numberX },
    x,
    unusable,
    'a dialect that is not supported',
  ),
  oneSchema(
    'ls-arrayroot',
    'root type array',
    { type: 'array', items: { type: 'number' } },
    [1],
    success,
    'any JSON value may be structured content',
  ),
  oneSchema('ls-noroot', 'without type', { properties: { x: { type: 'number' } } }, x, success, fits),
  oneSchema('ls-true', 'true', true, x, plainSuccess, 'a schema that allows everything, or none at all'),
  oneSchema('ls-null', 'null', null, x, plainSuccess, 'no schema'),
  oneSchema('ls-string', '"x"', 'x', x, plainSuccess, 'no schema'),
  oneSchema('ls-empty', '{}', {}, x, success, fits),
  // The SDK's own listing would only print a warning here.
  row(
    'ls-format',
    'outputSchema with unknown format',
    {
      pages: [
        [
          {
            ...plainTool,
            outputSchema: {
              type: 'object',
              properties: { x: { type: 'string', format: 'no-such-format' } },
            },
          },
          healthyTool,
        ],
      ],
      structuredContent: { x: 'a' },
    },
    success,
    'format is an annotation',
  ),
  // The SDK itself would block the event loop for seconds in a listing of these two, so the user does not list.
  row(
    'ls-huge',
    'outputSchema with 20000 properties',
    { pages: [[{ ...plainTool, outputSchema: wide(20_000) }, healthyTool]], structuredContent: {} },
    unusable,
    'over 256 KiB',
  ),
  row(
    'ls-redos',
    'outputSchema with a catastrophic regex, 40 chars',
    {
      pages: [
        [
          {
            ...plainTool,
            outputSchema: {
              type: 'object',
              properties: { x: { type: 'string', pattern: '^(a+)+$' } },
            },
          },
          healthyTool,
        ],
      ],
      structuredContent: { x: `${'a'.repeat(40)}!` },
    },
    outputMismatch,
    'a linear engine says in no time that the text does not fit',
  ),
  row(
    deepSchema,
    'outputSchema nested 1000 levels',
    {
      pages: [[{ ...plainTool, outputSchema: nested(1_000) }, healthyTool]],
      structuredContent: {},
      list: 'once',
      transports: ['mem'],
    },
    plainSuccess,
    'compiled or given up, it must not fail the call',
  ),
  row(
    'ls-dup-id',
    'two tools with the same $id, different schema; result fits only the tool called',
    {
      pages: [
        [
          { ...otherTool, outputSchema: { $id: 'urn:same', ...numberY } },
          { ...plainTool, outputSchema: { $id: 'urn:same', ...numberX } },
          healthyTool,
        ],
      ],
      structuredContent: x,
      list: 'once',
    },
    success,
    fits,
  ),
  row(
    'ls-dup-id-bad',
    'same $id; result fits only the OTHER tool',
    {
      pages: [
        [
          { ...otherTool, outputSchema: { $id: 'urn:same', ...numberY } },
          { ...plainTool, outputSchema: { $id: 'urn:same', ...numberX } },
          healthyTool,
        ],
      ],
      structuredContent: { y: 1 },
      list: 'once',
    },
    outputMismatch,
    breaks,
  ),
  row(
    'ls-other-bad',
    'ANOTHER tool (listed first) has an uncompilable outputSchema; bad structuredContent for the tool called',
    {
      pages: [
        [
          { ...otherTool, outputSchema: { type: 'object', properties: { x: { type: 'nope' } } } },
          tool,
          healthyTool,
        ],
      ],
      structuredContent: badX,
      list: 'once',
    },
    outputMismatch,
    breaks,
  ),
  row(
    'ls-invalid-tool',
    'another tool lacks inputSchema',
    { pages: [[{ name: 'other' }, tool, healthyTool]], structuredContent: badX, list: 'once' },
    outputMismatch,
    breaks,
  ),
  row(
    'ls-same-name',
    'two tools of the same name, schemas differ',
    {
      pages: [[tool, { ...plainTool, outputSchema: numberY }, healthyTool]],
      structuredContent: x,
      list: 'once',
    },
    outputMismatch,
    'the last tool of a name counts, as in both SDKs, and the result fits the first only',
  ),
  row(
    'pg-manual-p1',
    'paginated list read page by page; bad structuredContent of a page-1 tool',
    { pages: twoPages, structuredContent: badX, list: 'page-by-page' },
    outputMismatch,
    breaks,
  ),
  row(
    'pg-manual-p2',
    'paginated list read page by page; bad structuredContent of a page-2 tool',
    { pages: secondPage, structuredContent: badX, list: 'page-by-page' },
    outputMismatch,
    breaks,
  ),
  row(
    'pg-auto-p1',
    'listTools() once (v1: page 1 only; v2: all pages); page-1 tool',
    { pages: twoPages, structuredContent: badX, list: 'once' },
    outputMismatch,
    breaks,
  ),
  row(
    'pg-auto-p2',
    'listTools() once; page-2 tool',
    { pages: secondPage, structuredContent: badX, list: 'once' },
    outputMismatch,
    breaks,
  ),
  {
    id: 'pg-endless',
    what: 'nextCursor never ends',
    transports: ['http-json'],
    play: {
      script: {
        endlessPages: true,
        calls: { fault: { frames: [resultFrame({ content, structuredContent: badX })] } },
      },
      list: 'once',
    },
    right: { ...success, warnings: ['output_schema_unchecked'] },
    why: 'the listing never ends, so the schema is not known in time, and the success says so',
  },
  taskRow(
    'ts-required',
    'execution.taskSupport required; server without tasks capability',
    { pages: taskTool('required') },
    taskRequired,
    'the SDK refuses the call of a listed task-only tool, and nothing is sent',
    noTasks,
  ),
  taskRow(
    'ts-required-caps',
    'execution.taskSupport required; server with tasks capability',
    {
      pages: taskTool('required'),
      capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
    },
    taskRequired,
    'the SDK refuses the call of a listed task-only tool, and nothing is sent',
    noTasks,
  ),
  taskRow(
    'ts-optional',
    'execution.taskSupport optional',
    { pages: taskTool('optional') },
    success,
    'a tool that may run as a task also runs without',
  ),
  {
    id: 'no-tools-cap',
    what: 'server did not advertise tools; callTool',
    transports: local,
    play: { script: { capabilities: {} } },
    right: plainSuccess,
    why: 'the server answers all the same',
  },
  {
    id: 'no-tools-cap-strict',
    what: 'server did not advertise tools; enforceStrictCapabilities',
    transports: local,
    play: { script: { capabilities: {} }, strictCapabilities: true },
    right: { ...noAnswer('unknown_error'), delivery: 'not_sent' },
    notUsable: true,
    why: 'a bare error of the SDK before anything was sent',
  },
];

export const schemaRows: readonly FaultRow[] = rows.flatMap(withRefusals);
