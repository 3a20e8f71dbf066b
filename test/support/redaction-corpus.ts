/** The redaction corpus (test/fixtures/redaction.json) with its fragments joined; the file says how it is built. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const pieceSchema = v.union([
  v.string(),
  v.strictObject({ s: v.number() }),
  v.strictObject({ rep: v.tuple([v.string(), v.number()]) }),
]);
const textSchema = v.union([v.string(), v.array(pieceSchema)]);
const unitSchema = v.union([v.string(), v.array(v.string())]);
const caseSchema = v.looseObject({
  id: v.string(),
  cat: v.string(),
  mode: v.picklist(['text', 'value', 'bounded']),
  tier: v.optional(v.number(), 1),
  limit: v.optional(v.number(), 0),
  secrets: v.optional(
    v.array(v.object({ parts: v.array(v.string()), prefix: v.optional(v.number(), 0) })),
    [],
  ),
  text: v.optional(textSchema),
  value: v.optional(v.unknown()),
  keep: v.optional(v.array(v.string()), []),
  known: v.optional(
    v.array(v.union([v.strictObject({ s: v.number() }), v.strictObject({ raw: v.array(v.string()) })])),
    [],
  ),
});
const corpusSchema = v.looseObject({
  positives: v.array(caseSchema),
  negatives: v.array(caseSchema),
  perf: v.array(
    v.object({
      id: v.string(),
      head: v.optional(unitSchema, ''),
      unit: unitSchema,
      tail: v.optional(unitSchema, ''),
    }),
  ),
});

type RawCase = v.InferOutput<typeof caseSchema>;
type Piece = v.InferOutput<typeof pieceSchema>;

export interface CorpusSecret {
  readonly value: string;
  /** So many leading units may stay visible. */
  readonly prefix: number;
}

export interface CorpusCase {
  readonly name: string;
  readonly mode: 'text' | 'value' | 'bounded';
  readonly tier: number;
  readonly limit: number;
  readonly secrets: readonly CorpusSecret[];
  /** A string for the modes `text` and `bounded`. */
  readonly input: unknown;
  readonly keep: readonly string[];
  readonly known: readonly string[];
}

/** A hostile text is `head`, then `unit` as often as wanted, then `tail`. */
export interface HostileText {
  readonly name: string;
  readonly head: string;
  readonly unit: string;
  readonly tail: string;
}

export interface Corpus {
  readonly positives: readonly CorpusCase[];
  readonly negatives: readonly CorpusCase[];
  readonly hostile: readonly HostileText[];
}

export function loadRedactionCorpus(): Corpus {
  const file = join(import.meta.dirname, '..', 'fixtures', 'redaction.json');
  const raw = v.parse(corpusSchema, JSON.parse(readFileSync(file, 'utf8')));
  return {
    positives: raw.positives.map(expandCase),
    negatives: raw.negatives.map(expandCase),
    hostile: raw.perf.map((row) => ({
      name: row.id,
      head: joined(row.head),
      unit: joined(row.unit),
      tail: joined(row.tail),
    })),
  };
}

export function hostileText(row: HostileText, size: number): string {
  return row.head + row.unit.repeat(Math.ceil(size / row.unit.length)) + row.tail;
}

function joined(unit: string | readonly string[]): string {
  return typeof unit === 'string' ? unit : unit.join('');
}

function expandCase(raw: RawCase): CorpusCase {
  const secrets = raw.secrets.map((secret) => ({ value: secret.parts.join(''), prefix: secret.prefix }));
  const piece = (part: Piece): string => {
    if (typeof part === 'string') {
      return part;
    }
    return 's' in part ? (secrets[part.s]?.value ?? '') : part.rep[0].repeat(part.rep[1]);
  };
  const text = (pieces: string | readonly Piece[]): string =>
    typeof pieces === 'string' ? pieces : pieces.map(piece).join('');
  return {
    name: `${raw.id} ${raw.cat}`,
    mode: raw.mode,
    tier: raw.tier,
    limit: raw.limit,
    secrets,
    input: raw.text === undefined ? expandValue(raw.value, text) : text(raw.text),
    keep: raw.keep,
    known: raw.known.map((known) => ('s' in known ? (secrets[known.s]?.value ?? '') : known.raw.join(''))),
  };
}

const textNode = v.strictObject({ $t: textSchema });
const numberNode = v.strictObject({ $n: v.number() });

function expandValue(value: unknown, text: (pieces: string | readonly Piece[]) => string): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => expandValue(item, text));
  }
  if (v.is(textNode, value)) {
    return text(value.$t);
  }
  if (v.is(numberNode, value)) {
    return value.$n;
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expandValue(member, text)]))
    : value;
}
