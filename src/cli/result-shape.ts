type Members = Readonly<Record<string, unknown>>;

/** What only a tool result has, before what only other results have, which a tool result may have beside it. */
const shapes: readonly {
  readonly ofTool: boolean;
  readonly fits: (result: Members) => boolean;
}[] = [
  { ofTool: true, fits: ({ structuredContent }) => structuredContent !== undefined },
  { ofTool: true, fits: ({ isError }) => isError !== undefined },
  // sampling/createMessage, whose content may be a list too.
  { ofTool: false, fits: ({ role, model }) => typeof role === 'string' && typeof model === 'string' },
  // elicitation/create
  { ofTool: false, fits: ({ action }) => typeof action === 'string' },
  // roots/list
  { ofTool: false, fits: ({ roots }) => Array.isArray(roots) },
  // ping
  { ofTool: false, fits: (result) => Object.keys(result).every((key) => key === '_meta') },
  { ofTool: true, fits: ({ content }) => Array.isArray(content) },
];

/** Whether a result looks like one of a tool, like one of the other requests, or `undefined`: like neither. */
export function looksLikeToolResult(result: unknown): boolean | undefined {
  return isObject(result) ? shapes.find(({ fits }) => fits(result))?.ofTool : undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
