import * as v from 'valibot';
import { contentParts, partsText } from './content.ts';
import { isRecord } from './json.ts';

/** Members that any content block may have, as far as every MCP client takes them. */
interface BlockExtras {
  readonly annotations?: {
    readonly audience?: ('user' | 'assistant')[];
    readonly priority?: number;
    readonly lastModified?: string;
  };
  readonly _meta?: { [key: string]: unknown };
}

interface TextBlock extends BlockExtras {
  readonly type: 'text';
  readonly text: string;
}

interface ImageBlock extends BlockExtras {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}

interface AudioBlock extends BlockExtras {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}

interface ResourceBlock extends BlockExtras {
  readonly type: 'resource';
  readonly resource:
    | { readonly uri: string; readonly text: string; readonly mimeType?: string }
    | { readonly uri: string; readonly blob: string; readonly mimeType?: string };
}

interface ResourceLinkBlock extends BlockExtras {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

/** A content block that a client of any protocol version takes. */
export type CallToolResultBlock = TextBlock | ImageBlock | AudioBlock | ResourceBlock | ResourceLinkBlock;

const text = v.string();
const optionalText = v.exactOptional(text);
const base64 = v.pipe(text, v.check(isBase64));
const record = v.custom<{ [key: string]: unknown }>(isRecord);

/** SDK v1's `ContentBlockSchema`, at least as strict: it refuses a whole result for one odd annotation. */
const extras = {
  annotations: v.exactOptional(
    v.looseObject({
      audience: v.exactOptional(v.array(v.picklist(['user', 'assistant']))),
      priority: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
      lastModified: v.exactOptional(v.pipe(text, v.check(isUtcTimestamp))),
    }),
  ),
  _meta: v.exactOptional(record),
};

const icons = v.array(
  v.looseObject({
    src: text,
    mimeType: optionalText,
    sizes: v.exactOptional(v.array(text)),
    theme: v.exactOptional(v.picklist(['light', 'dark'])),
  }),
);

const resourceExtras = { mimeType: optionalText, _meta: v.exactOptional(record) };

const fullBlock = v.variant('type', [
  v.looseObject({ type: v.literal('text'), text, ...extras }),
  v.looseObject({ type: v.literal('image'), data: base64, mimeType: text, ...extras }),
  v.looseObject({ type: v.literal('audio'), data: base64, mimeType: text, ...extras }),
  v.looseObject({
    type: v.literal('resource'),
    resource: v.union([
      v.looseObject({ uri: text, text, ...resourceExtras }),
      v.looseObject({ uri: text, blob: base64, ...resourceExtras }),
    ]),
    ...extras,
  }),
  v.looseObject({
    type: v.literal('resource_link'),
    uri: text,
    name: text,
    title: optionalText,
    description: optionalText,
    mimeType: optionalText,
    size: v.exactOptional(v.pipe(v.number(), v.finite())),
    icons: v.exactOptional(icons),
    ...extras,
  }),
]);

/** The payload alone: what is left of a block whose other members a client would refuse. */
const bareBlock = v.variant('type', [
  v.object({ type: v.literal('text'), text }),
  v.object({ type: v.literal('image'), data: base64, mimeType: text }),
  v.object({ type: v.literal('audio'), data: base64, mimeType: text }),
  v.object({
    type: v.literal('resource'),
    resource: v.union([
      v.object({ uri: text, text, mimeType: optionalText }),
      v.object({ uri: text, blob: base64, mimeType: optionalText }),
    ]),
  }),
  v.object({ type: v.literal('resource_link'), uri: text, name: text, mimeType: optionalText }),
]);

/** The block itself when every client takes it; else its payload; else the text or the marker that stands for it. */
export function toWireBlock(block: unknown): CallToolResultBlock {
  try {
    if (v.is(fullBlock, block)) {
      return block;
    }
    const bare = v.safeParse(bareBlock, block);
    if (bare.success) {
      return bare.output;
    }
  } catch {
    // A member that throws when it is read. What stands for it is made with care.
  }
  return { type: 'text', text: partsText(contentParts({ content: [block] })) };
}

function isBase64(data: string): boolean {
  try {
    atob(data);
    return true;
  } catch {
    return false;
  }
}

function isUtcTimestamp(timestamp: string): boolean {
  try {
    // Clients check the calendar too; `Date` turns 30 February into 2 March.
    return (
      /^[\d-]{10}T[\d:]{8}(\.\d+)?Z$/.test(timestamp) &&
      new Date(timestamp).toISOString().startsWith(timestamp.slice(0, 19))
    );
  } catch {
    return false;
  }
}
