/** Bytes of a page: the unit in which spaces are written. */
export const PAGE_BYTES = 4_096;

/** One page of a space. `index` counts from 0; `bytes` are exactly `PAGE_BYTES`. */
interface PageWrite {
  readonly space: string;
  readonly index: number;
  readonly bytes: Uint8Array;
}

/**
 * Changes that become durable together or not at all. They apply in the order of the fields below; a page beyond
 * the size of its space makes the space larger.
 */
export interface Batch {
  /**
   * Makes `to` a copy of what `from` was before this batch, in place of what `to` was. Cheap whatever the size: both
   * read the same file until a checkpoint finds one of them changed.
   */
  readonly copySpaces?: readonly { readonly from: string; readonly to: string }[];
  readonly dropSpaces: readonly string[];
  /** Sizes in pages of `PAGE_BYTES`. What lies beyond a smaller size is gone, and zero if the space grows again. */
  readonly sizes: readonly { readonly space: string; readonly pages: number }[];
  readonly pages: readonly PageWrite[];
  readonly deletes: readonly string[];
  readonly puts: readonly (readonly [key: string, value: Uint8Array])[];
}
