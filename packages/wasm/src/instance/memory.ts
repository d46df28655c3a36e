import { MAX_PAGES_32, MAX_PAGES_64, WASM_PAGE } from '../module/layout.ts';

/** TypeScript's library does not know memories with 64-bit addresses yet. */
interface Memory64Descriptor {
  readonly address: 'i64';
  readonly initial: bigint;
  readonly maximum: bigint;
}

/** A memory with 64-bit addresses. Sizes in 64 KiB pages. */
export function createMemory64(initial: number, maximum: number): WebAssembly.Memory {
  const descriptor: Memory64Descriptor = {
    address: 'i64',
    initial: BigInt(initial),
    maximum: BigInt(maximum),
  };
  return new WebAssembly.Memory(descriptor as unknown as WebAssembly.MemoryDescriptor);
}

/** A memory for canister code, as large as its address type lets it grow. `pages`: its size in 64 KiB pages. */
export function createHeap(memory64: boolean, pages: number): WebAssembly.Memory {
  return memory64
    ? createMemory64(pages, MAX_PAGES_64)
    : new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES_32 });
}

/** `memory.grow` takes a BigInt when addresses have 64 bits. */
export function growMemory(memory: WebAssembly.Memory, pages: number, memory64: boolean): void {
  const grow: (delta: number | bigint) => unknown = memory.grow.bind(memory) as (
    delta: number | bigint,
  ) => unknown;
  grow(memory64 ? BigInt(pages) : pages);
}

/** 64 KiB pages a memory really has, which may be more than the canister is shown. */
export function physicalPages(memory: WebAssembly.Memory): number {
  return memory.buffer.byteLength / WASM_PAGE;
}

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
