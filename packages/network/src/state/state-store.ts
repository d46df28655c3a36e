/** What the engine needs of the durable store (`store/`): one atomic, ordered log of commits. */
export interface StateBatch {
  readonly puts: readonly (readonly [key: string, value: Uint8Array])[];
  readonly deletes: readonly string[];
  readonly pages: readonly { readonly space: string; readonly index: number; readonly bytes: Uint8Array }[];
  readonly sizes: readonly { readonly space: string; readonly pages: number }[];
  readonly dropSpaces: readonly string[];
}

export interface StateStore {
  get(key: string): Uint8Array | undefined;
  keys(prefix: string): Iterable<string>;
  getBlob(hash: string): Uint8Array | undefined;
  putBlob(bytes: Uint8Array): string;
  commit(batch: StateBatch): number;
}
