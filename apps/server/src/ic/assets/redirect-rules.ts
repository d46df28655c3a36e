import { createHash } from 'node:crypto';
import { IDL } from '@icp-sdk/core/candid';
import { type Header, HeaderField } from '../replies/listed-asset.ts';

/** Which paths a rule is for (RulePattern of assets.did). */
export type RulePattern =
  | { readonly Exact: string }
  | { readonly Subtree: string }
  | { readonly Pattern: string };

/** What the asset canister answers for paths without a file (RedirectRule of assets.did). */
export interface RedirectRule {
  readonly from: RulePattern;
  readonly to: string;
  readonly status: number;
  readonly headers: readonly Header[];
}

export const SetRedirectRules = IDL.Record({
  rules: IDL.Vec(
    IDL.Record({
      from: IDL.Variant({ Exact: IDL.Text, Subtree: IDL.Text, Pattern: IDL.Text }),
      to: IDL.Text,
      status: IDL.Nat16,
      headers: IDL.Vec(HeaderField),
    }),
  ),
});

/** In the order of the numbers that the canister has for them (content/rules.ts). */
const KINDS = ['Exact', 'Subtree', 'Pattern'];
/** The number of the operation that sets rules (methods/evidence.ts of the canister). */
const TAG = 10;

/** The path or pattern of a rule. */
export function pathOf(from: RulePattern): string {
  return Object.values(from)[0] ?? '';
}

/** The hash by which the asset canister tells its rules (hex); undefined without any. */
export function hashOfRules(rules: readonly RedirectRule[]): string | undefined {
  if (rules.length === 0) return undefined;
  const hash = createHash('sha256').update(Uint8Array.of(TAG));
  const add = (text: string): void => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(Buffer.byteLength(text));
    hash.update(size).update(text);
  };
  for (const { from, to, status, headers } of rules) {
    hash.update(Uint8Array.of(KINDS.indexOf(Object.keys(from)[0] ?? '')));
    for (const text of [pathOf(from), to, String(status), String(headers.length), ...headers.flat()])
      add(text);
  }
  return hash.digest('hex');
}
