import { type HostFunctions, type InstanceExports, instantiate } from './instance-exports.ts';
import { MAX_PAGES_32, MAX_PAGES_64, PAGE, WASM_PAGE } from './layout.ts';
import { compileModule, type PreparedModule } from './prepare.ts';
import { trapOf, WasmTrap } from './trap.ts';
import { createMemory64, growMemory, physicalPages, threadUndoLog } from './undo-log.ts';

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

function unsigned(value: number | bigint): number {
  if (typeof value === 'bigint') return Number(BigInt.asUintN(64, value));
  return value < 0 ? value + 2 ** 32 : value;
}

/**
 * One canister's code on its memory. Each message is `begin`, any number of calls, then `commit` or `rollback`;
 * a rollback undoes memory, memory size, globals and tables. As on the Internet Computer, tables and dropped
 * segments do not outlive a message: the next one finds them as the module declares them.
 * A load between the size and the former size of a memory whose growth was rolled back reads zeros and does not trap.
 */
export class WasmInstance {
  readonly memory: WebAssembly.Memory;
  readonly #prepared: PreparedModule;
  readonly #module: WebAssembly.Module;
  readonly #imports: HostFunctions;
  readonly #log = threadUndoLog();
  #exports: InstanceExports;
  #heap: Uint8Array;
  #instructionLimit = 0n;
  #sizeAtBegin: number | bigint = 0;
  #running = false;
  /** The module's initial data is written by the first message, so that it is committed like any other write. */
  #needsInitialData: boolean;
  #wroteInitialData = false;

  private constructor(prepared: PreparedModule, options: WasmInstanceOptions) {
    this.#prepared = prepared;
    this.#module = options.module ?? compileModule(prepared);
    this.#imports = options.imports;
    const cap = prepared.memory64 ? MAX_PAGES_64 : MAX_PAGES_32;
    this.memory =
      options.memory ??
      (prepared.memory64
        ? createMemory64(prepared.minPages, cap)
        : new WebAssembly.Memory({ initial: prepared.minPages, maximum: cap }));
    const kept = options.memory === undefined ? 0 : (options.memoryPages ?? physicalPages(options.memory));
    const pages = Math.max(kept, prepared.minPages);
    this.#growPhysically(pages);
    this.#needsInitialData = options.memory === undefined;
    this.#exports = instantiate(prepared, this.#module, this.#imports, this.memory, this.#log);
    this.#exports.size.value = this.#address(pages);
    this.#exports.save();
    this.#heap = new Uint8Array(this.memory.buffer);
    this.setMaxPages(options.maxPages ?? cap);
  }

  /** Throws `InvalidModuleError` when the module does not fit the memory or the imports. */
  static create(prepared: PreparedModule, options: WasmInstanceOptions): WasmInstance {
    return new WasmInstance(prepared, options);
  }

  /** Loads a state that was committed before; only on a new instance that made its own memory. */
  restore(state: CommittedState): void {
    this.#growPhysically(state.pages);
    this.#exports.size.value = this.#address(state.pages);
    this.#exports.shadows.forEach((shadow, position) => {
      shadow.value = state.globals[position] ?? shadow.value;
    });
    this.#exports.restore();
    const heap = this.#view();
    state.readInto((index, bytes) => heap.set(bytes, index * PAGE));
    this.#needsInitialData = false;
  }

  /** Starts a message with so many instructions to spend. Throws when the last one was neither kept nor undone. */
  begin(instructionLimit: bigint): void {
    if (this.#running) throw new Error('The last message was neither committed nor rolled back.');
    this.#log.claim(this.memory);
    this.#running = true;
    this.#instructionLimit = instructionLimit;
    this.#exports.counter.value = instructionLimit;
    this.#sizeAtBegin = this.#exports.size.value;
    if (!this.#needsInitialData) return;
    for (const { offset, bytes } of this.#prepared.initialData) this.write(offset, bytes);
    this.#needsInitialData = false;
    this.#wroteInitialData = true;
  }

  /** Whether a message was begun and neither kept nor undone. */
  get running(): boolean {
    return this.#running;
  }

  hasExport(name: string): boolean {
    return this.#exports.canisterFunction(name) !== undefined;
  }

  /**
   * Calls an exported function without parameters. Throws `WasmTrap`; what an import throws passes unchanged.
   * The message goes on after a trap: the caller ends it with `rollback`.
   */
  call(exportName: string): void {
    const target = this.#exports.canisterFunction(exportName);
    if (target === undefined) throw new Error(`The module exports no function named '${exportName}'.`);
    this.#run(target);
  }

  /** Runs the module's start function; a module without one does nothing. Throws as `call`. */
  start(): void {
    if (this.#exports.start !== undefined) this.#run(this.#exports.start);
  }

  /** Calls entry `index` of table 0 with `env`, as the system does with callbacks. Throws as `call`. */
  callTable(index: number | bigint, env: number | bigint): void {
    const { callback } = this.#exports;
    if (callback === undefined) throw new WasmTrap('table-out-of-bounds');
    const entry = this.#prepared.table64 ? BigInt(index) : Number(index);
    this.#run(callback, entry, this.#address(env));
  }

  instructionsUsed(): bigint {
    const left = this.#exports.counter.value;
    return left < 0n ? this.#instructionLimit : this.#instructionLimit - left;
  }

  /** Takes instructions for work the host does. Throws `WasmTrap` when none are left. */
  charge(instructions: bigint | number): void {
    const left = this.#exports.counter.value - BigInt(instructions);
    this.#exports.counter.value = left;
    if (left < 0n) throw new WasmTrap('instruction-limit');
  }

  /** A copy of a range of the memory. Throws `WasmTrap` beyond its size. */
  read(ptr: number | bigint, length: number | bigint): Uint8Array {
    const [start, end] = this.#range(ptr, length);
    return this.#view().slice(start, end);
  }

  /** Writes to the memory as part of the message. Throws `WasmTrap` beyond its size. */
  write(ptr: number | bigint, bytes: Uint8Array): void {
    this.#mustBeRunning();
    const [start, end] = this.#range(ptr, bytes.length);
    if (start === end) return;
    const heap = this.#view();
    this.#log.touch(heap, Math.floor(start / PAGE), Math.floor((end - 1) / PAGE));
    heap.set(bytes, start);
  }

  /** Keeps what the message did and says what changed. */
  commit(): WasmCommit {
    this.#mustBeRunning();
    this.#exports.save();
    const globals = this.#exports.shadows.map((shadow) => shadow.value);
    const dirtyPages = this.#log.keep();
    this.#endMessage();
    return {
      dirtyPages,
      page: (index) => this.#view().subarray(index * PAGE, (index + 1) * PAGE),
      logicalPages: this.memoryPages(),
      globals,
    };
  }

  /** Undoes everything since `begin`. */
  rollback(): void {
    this.#mustBeRunning();
    this.#log.undoInto(this.#view());
    this.#exports.size.value = this.#sizeAtBegin;
    this.#exports.restore();
    if (this.#wroteInitialData) this.#needsInitialData = true;
    this.#endMessage();
  }

  /** Size of the memory in 64 KiB pages. */
  memoryPages(): number {
    return Number(this.#exports.size.value);
  }

  memoryBytes(): number {
    return this.memoryPages() * WASM_PAGE;
  }

  /** Changes the limit that `WasmInstanceOptions.maxPages` set. A memory that is larger already keeps its size. */
  setMaxPages(pages: number): void {
    const cap = this.#prepared.memory64 ? MAX_PAGES_64 : MAX_PAGES_32;
    this.#exports.limit.value = this.#address(Math.min(pages, cap, this.#prepared.maxPages ?? cap));
  }

  #mustBeRunning(): void {
    if (!this.#running) throw new Error('No message was begun.');
  }

  #endMessage(): void {
    if (this.#exports.tainted.value !== 0) this.#renew();
    this.#running = false;
    this.#wroteInitialData = false;
  }

  /** A fresh instance with the same globals, for the tables and segments that a message changed. */
  #renew(): void {
    const old = this.#exports;
    this.#exports = instantiate(this.#prepared, this.#module, this.#imports, this.memory, this.#log);
    this.#exports.size.value = old.size.value;
    this.#exports.limit.value = old.limit.value;
    this.#exports.counter.value = old.counter.value;
    this.#exports.shadows.forEach((shadow, position) => {
      shadow.value = old.shadows[position]?.value ?? shadow.value;
    });
    this.#exports.restore();
  }

  #run(target: (...parameters: (number | bigint)[]) => unknown, ...parameters: (number | bigint)[]): void {
    this.#mustBeRunning();
    try {
      target(...parameters);
    } catch (error) {
      throw trapOf(error, this.#exports.counter.value < 0n) ?? error;
    }
  }

  #address(value: number | bigint): number | bigint {
    return this.#prepared.memory64 ? BigInt(value) : Number(value);
  }

  #range(ptr: number | bigint, length: number | bigint): [start: number, end: number] {
    const start = unsigned(ptr);
    const end = start + unsigned(length);
    if (end > this.memoryBytes()) throw new WasmTrap('out-of-bounds');
    return [start, end];
  }

  #growPhysically(pages: number): void {
    const missing = pages - physicalPages(this.memory);
    if (missing > 0) growMemory(this.memory, missing, this.#prepared.memory64);
  }

  /** The memory's buffer is replaced whenever it grows. */
  #view(): Uint8Array {
    if (this.#heap.buffer !== this.memory.buffer) this.#heap = new Uint8Array(this.memory.buffer);
    return this.#heap;
  }
}
