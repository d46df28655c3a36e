import { WASM_PAGE } from '../module/layout.ts';
import { createHeap } from './memory.ts';

/** A memory that other code takes over: `pages` of 64 KiB of it are in use. */
export interface KeptMemory {
  readonly memory: WebAssembly.Memory;
  readonly pages: number;
  readonly memory64: boolean;
}

/**
 * The memory as code with the given pointer size can use it: the same one, or a copy where the size differs, as when a
 * canister goes from classical to enhanced orthogonal persistence. Throws `RangeError` where it does not fit.
 */
export function memoryFor(kept: KeptMemory, memory64: boolean): WebAssembly.Memory {
  const { memory, pages } = kept;
  if (kept.memory64 === memory64) return memory;
  const copy = createHeap(memory64, pages);
  new Uint8Array(copy.buffer).set(new Uint8Array(memory.buffer, 0, pages * WASM_PAGE));
  return copy;
}
