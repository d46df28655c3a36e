/** Where the code of a canister came from, as it was when the code was put in. It is written down then, and never found out later. */
export type CodeOrigin =
  | {
      readonly kind: 'dapp';
      readonly dappId: string;
      /** The row of `dapp_versions`. */
      readonly versionId: string;
      readonly name: string;
      readonly version: string;
      /** Username of the uploader. */
      readonly publisher: string;
    }
  | {
      readonly kind: 'registry';
      readonly registryId: string;
      readonly name: string;
      readonly version: number;
    }
  /** A run of a deploy. */
  | { readonly kind: 'run'; readonly deployId: string; readonly runId: string; readonly name: string }
  /** A module that the user has uploaded. */
  | { readonly kind: 'file' }
  /** No code. */
  | { readonly kind: 'empty' }
  /** Nobody has said it when the code was put in. */
  | { readonly kind: 'unknown' };
