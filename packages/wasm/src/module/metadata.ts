/** What a module says of itself to whoever asks about its canister: a section named `icp:public <name>` or `icp:private <name>`. */
export interface Metadata {
  readonly name: string;
  readonly visibility: 'public' | 'private';
  readonly content: Uint8Array;
}
