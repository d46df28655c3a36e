import {
  type CommittedState,
  type HostFunctions,
  type InstanceExports,
  instantiate,
  type WasmCommit,
  type WasmInstanceOptions,
} from './instance-exports.ts';
import { MAX_PAGES_32, MAX_PAGES_64, PAGE, WASM_PAGE } from '../module/layout.ts';
import { createHeap, growMemory, physicalPages } from './memory.ts';
import { compileModule, type PreparedModule } from '../rewrite/prepare.ts';
import { HeapRangeTrap, trapOf, WasmTrap } from './trap.ts';
import { threadUndoLog } from './undo-log.ts';

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
    this.memory = options.memory ?? createHeap(prepared.memory64, prepared.minPages);
    const kept = options.memory === undefined ? 0 : (options.memoryPages ?? physicalPages(options.memory));
    const pages = Math.max(kept, prepared.minPages);
    this.#growPhysically(pages);
    this.#needsInitialData = options.memory === undefined;
    this.#exports = instantiate(prepared, this.#module, this.#imports, this.memory, this.#log);
    this.#exports.size.value = this.#address(pages);
    this.#exports.save();
    this.#heap = new Uint8Array(this.memory.buffer);
    this.setMaxPages(options.maxPages ?? Infinity);
  }

  /** Throws `InvalidModuleError` when the module does not fit the memory or the imports. */
  static create(prepared: PreparedModule, options: WasmInstanceOptions): WasmInstance {
    return new WasmInstance(prepared, options);
  }

  /** Loads a state that was committed before; only on a new instance that made its own memory. */
  restore(state: CommittedState): void {
    this.#growPhysically(state.pages);
    this.#exports.size.value = this.#address(state.pages);
    this.#setGlobals(state.globals);
    this.#exports.restore();
    const heap = this.#view();
    state.readInto((index, bytes) => heap.set(bytes, index * PAGE));
    this.#needsInitialData = false;
  }

  /**
   * Starts a message with this many instructions to spend, and this many 4 KiB pages to change. Throws when the last one
   * was neither kept nor undone.
   */
  begin(instructionLimit: bigint, mostPages?: number): void {
    if (this.#running) throw new Error('The last message was neither committed nor rolled back.');
    this.#log.claim(this.memory, mostPages);
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

  /** Calls an exported function without parameters for what it returns; undefined for nothing. Throws as `call`. */
  result(exportName: string): unknown {
    const target = this.#exports.canisterFunction(exportName);
    if (target === undefined) throw new Error(`The module exports no function named '${exportName}'.`);
    return this.#run(target);
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

  /** A copy of a range of the memory. Throws `HeapRangeTrap` beyond its size. */
  read(ptr: number | bigint, length: number | bigint): Uint8Array {
    const [start, end] = this.#range(ptr, length);
    return this.#view().slice(start, end);
  }

  /** Writes to the memory as part of the message. Throws `HeapRangeTrap` beyond its size. */
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
    const commit = this.#changes();
    this.#log.keep();
    this.#endMessage();
    return commit;
  }

  /** What the message changed so far; it goes on. */
  changes(): WasmCommit {
    this.#mustBeRunning();
    const committed = this.#globals();
    this.#exports.save();
    const changes = this.#changes();
    this.#setGlobals(committed);
    return changes;
  }

  /** Does what the message did on another instance with the same state; `pages` holds the dirty pages in order. */
  adopt(changes: Omit<WasmCommit, 'page'>, pages: Uint8Array): void {
    this.#mustBeRunning();
    this.#growPhysically(changes.logicalPages);
    this.#exports.size.value = this.#address(changes.logicalPages);
    for (const [position, index] of changes.dirtyPages.entries())
      this.write(index * PAGE, pages.subarray(position * PAGE, (position + 1) * PAGE));
    const committed = this.#globals();
    this.#setGlobals(changes.globals);
    this.#exports.restore();
    this.#setGlobals(committed);
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

  #changes(): WasmCommit {
    return {
      dirtyPages: this.#log.pages(),
      page: (index) => this.#view().subarray(index * PAGE, (index + 1) * PAGE),
      logicalPages: this.memoryPages(),
      globals: this.#globals(),
    };
  }

  /** The globals as last saved. */
  #globals(): (number | bigint)[] {
    return this.#exports.shadows.map((shadow) => shadow.value);
  }

  #setGlobals(values: readonly (number | bigint)[]): void {
    this.#exports.shadows.forEach((shadow, position) => {
      shadow.value = values[position] ?? shadow.value;
    });
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
    this.#setGlobals(old.shadows.map((shadow) => shadow.value));
    this.#exports.restore();
  }

  #run(target: (...parameters: (number | bigint)[]) => unknown, ...parameters: (number | bigint)[]): unknown {
    this.#mustBeRunning();
    try {
      return target(...parameters);
    } catch (error) {
      throw trapOf(error, this.#exports.counter.value < 0n) ?? error;
    }
  }

  #address(value: number | bigint): number | bigint {
    return this.#prepared.memory64 ? BigInt(value) : Number(value);
  }

  #range(ptr: number | bigint, length: number | bigint): [start: number, end: number] {
    const start = unsigned(ptr);
    const count = unsigned(length);
    const size = this.memoryBytes();
    if (start + count > size) throw new HeapRangeTrap(start, count, size);
    return [start, start + count];
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
