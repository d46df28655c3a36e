import type { HostFunctions } from './instance-exports.ts';

export interface WasmInstanceOptions {
  /** The result of `compileModule`, to compile a module once for all its canisters. */
  readonly module?: WebAssembly.Module;
  /** The functions of `ic0`. */
  readonly imports: HostFunctions;
  /** A memory to go on with, as an upgrade that keeps the heap does; the module's initial data is then not written. */
  readonly memory?: WebAssembly.Memory;
  /** Size of `memory` as its last owner saw it, in 64 KiB pages: `memoryPages` of that instance. */
  readonly memoryPages?: number;
  /** Growth beyond this many 64 KiB pages answers -1, on top of the module's own maximum and 4 or 6 GiB. */
  readonly maxPages?: number;
}

/** What the store keeps of a canister's execution state. */
export interface CommittedState {
  /** 64 KiB pages. */
  readonly pages: number;
  /** As `WasmCommit.globals`. */
  readonly globals: readonly (number | bigint)[];
  /** Calls back with every stored 4 KiB page; pages that were never written or hold zeros may be left out. */
  readInto(into: (index: number, bytes: Uint8Array) => void): void;
}

export interface WasmCommit {
  /** Numbers of the 4 KiB pages that may have changed. */
  readonly dirtyPages: Uint32Array;
  /** A view of one 4 KiB page, valid until the next message. */
  page(index: number): Uint8Array;
  /** Size of the memory in 64 KiB pages. */
  readonly logicalPages: number;
  /** Bits of the mutable globals in the order of `PreparedModule.globals`: numbers for i32 and f32, BigInts else. */
  readonly globals: (number | bigint)[];
}
