/** What the engine needs of the durable store (`packages/store`): one atomic, ordered log of commits. */
export interface StateBatch {
  readonly puts: readonly (readonly [key: string, value: Uint8Array])[];
  readonly deletes: readonly string[];
  readonly pages: readonly { readonly space: string; readonly index: number; readonly bytes: Uint8Array }[];
  readonly sizes: readonly { readonly space: string; readonly pages: number }[];
  /** Copied before anything else of the batch applies; the copies are new spaces. */
  readonly copySpaces: readonly { readonly from: string; readonly to: string }[];
  readonly dropSpaces: readonly string[];
}

export interface StateStore {
  get(key: string): Uint8Array | undefined;
  keys(prefix: string): Iterable<string>;
  getBlob(hash: string): Uint8Array | undefined;
  putBlob(bytes: Uint8Array): string;
  /** Consecutive pages (4 KiB) in one array; pages never written are zeros. */
  readPages(space: string, first: number, count: number): Uint8Array;
  commit(batch: StateBatch): number;
}
