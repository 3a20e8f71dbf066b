import type { OutputSchemaCheck } from './evidence.ts';
import { checkOutputSchema } from './output-schema.ts';

/** What a result is held against when its tool advertises `schema`. */
export function toOutputSchemaCheck(schema: unknown): OutputSchemaCheck {
  return (structuredContent) => {
    const checked = checkOutputSchema(schema, structuredContent);
    switch (checked.verdict) {
      case 'valid':
        return { issues: [], warnings: [] };
      case 'invalid':
        return { issues: checked.issues, warnings: [] };
      case 'unusable':
        return { issues: [], warnings: [{ code: 'output_schema_unusable', reason: checked.reason }] };
      case 'unchecked':
        return { issues: [], warnings: [{ code: 'output_schema_unchecked', reason: checked.reason }] };
    }
  };
}
