/** All scanners over one text, and over what its encodings hide. */
import { decodedViews } from './decoded-views.ts';
import type { ExtraKeys } from './key-names.ts';
import { findKeyedValues } from './keyed-values.ts';
import { findKnownValues, type KnownForm } from './known-values.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findProseSecrets } from './prose-secrets.ts';
import { findQuotedInputs } from './quoted-inputs.ts';
import type { Span } from './spans.ts';
import { findSpokenPasswords } from './spoken-passwords.ts';
import { findUserinfo } from './url-userinfo.ts';
import { findVendorTokens } from './vendor-tokens.ts';

export interface SecretRules {
  readonly marker: string;
  readonly extraKeys: ExtraKeys;
  /** Every form of every known value, longest first. */
  readonly knownForms: readonly KnownForm[];
}

/** Encodings within encodings: JSON in a form in a URL. */
const deepestView = 3;

export function findSecrets(text: string, rules: SecretRules): readonly Span[] {
  return findAtDepth(text, rules, 0);
}

function findAtDepth(text: string, rules: SecretRules, depth: number): Span[] {
  const spans: Span[] = [];
  const scan = { text, marker: rules.marker, extraKeys: rules.extraKeys, spans };
  findKnownValues(text, rules.knownForms, spans);
  findPrivateKeys(text, spans);
  findVendorTokens(text, spans);
  findUserinfo(text, rules.marker, spans);
  findQuotedInputs(text, rules.marker, spans);
  findProseSecrets(scan);
  findSpokenPasswords(scan);
  findKeyedValues(scan);
  if (depth < deepestView) {
    for (const view of decodedViews(text)) {
      for (const span of findAtDepth(view.text, rules, depth + 1)) {
        spans.push(view.toSource(span));
      }
    }
  }
  return spans;
}
