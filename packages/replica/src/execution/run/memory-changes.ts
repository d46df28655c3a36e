import { STORE_PAGE_BYTES } from '@cannery/ic/limits';
import type { LoadedCode } from './loaded-code.ts';

/** What one execution did to heap and stable memory; survives a structured clone. */
export interface MemoryChanges {
  /** Size of the heap in Wasm pages (64 KiB). */
  readonly heapPages: number;
  readonly globals: readonly (number | bigint)[];
  /** Numbers of the changed pages (4 KiB), and their content one after the other. */
  readonly heapIndices: Uint32Array;
  readonly heapBytes: Uint8Array<ArrayBuffer>;
  /** Size of the stable memory in Wasm pages (64 KiB). */
  readonly stablePages: number;
  readonly stableIndices: readonly number[];
  readonly stableBytes: Uint8Array<ArrayBuffer>;
}

/** What the execution at hand changed, which is neither kept nor undone yet. Throws `RangeError` without the memory for it. */
export function changesOf({ instance, stable }: LoadedCode): MemoryChanges {
  const heap = instance.changes();
  const stableIndices = stable.dirtyPages();
  return {
    heapPages: heap.logicalPages,
    globals: heap.globals,
    heapIndices: heap.dirtyPages,
    heapBytes: joined([...heap.dirtyPages], (index) => heap.page(index)),
    stablePages: stable.pages,
    stableIndices,
    stableBytes: joined(stableIndices, (index) => stable.page(index)),
  };
}

/** Brings an execution about that ran in another thread on the same state; the caller keeps or undoes it as usual. */
export function adoptChanges({ instance, stable }: LoadedCode, changes: MemoryChanges): void {
  instance.adopt(
    {
      dirtyPages: changes.heapIndices,
      logicalPages: changes.heapPages,
      globals: [...changes.globals],
    },
    changes.heapBytes,
  );
  stable.grow(changes.stablePages - stable.pages, changes.stablePages);
  for (const [position, index] of changes.stableIndices.entries()) {
    const start = position * STORE_PAGE_BYTES;
    stable.write(index * STORE_PAGE_BYTES, changes.stableBytes.subarray(start, start + STORE_PAGE_BYTES));
  }
}

function joined(indices: readonly number[], page: (index: number) => Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(indices.length * STORE_PAGE_BYTES);
  for (const [position, index] of indices.entries()) bytes.set(page(index), position * STORE_PAGE_BYTES);
  return bytes;
}
