import { InvalidModuleError } from '../module/reader.ts';
import { HOST_EXPORTS, HOST_IMPORTS, HOST_MODULE } from '../module/layout.ts';
import type { PreparedModule } from '../rewrite/prepare.ts';
import type { UndoLog } from './undo-log.ts';

/** A function the host offers to canister code. i64 parameters and results are BigInts. */
type HostFunction = (...parameters: never[]) => number | bigint | void;
export type HostFunctions = Readonly<Record<string, HostFunction>>;

type AnyFunction = (...parameters: (number | bigint)[]) => unknown;
type ValueGlobal = WebAssembly.Global & { value: number | bigint };

/** The exports of one instance of an instrumented module, looked up and typed once. */
export interface InstanceExports {
  readonly counter: WebAssembly.Global & { value: bigint };
  readonly size: ValueGlobal;
  readonly limit: ValueGlobal;
  readonly tainted: WebAssembly.Global & { value: number };
  /** Bits of the mutable globals as of the last `save`. */
  readonly shadows: readonly ValueGlobal[];
  readonly save: AnyFunction;
  readonly restore: AnyFunction;
  readonly callback: AnyFunction | undefined;
  readonly start: AnyFunction | undefined;
  canisterFunction(name: string): AnyFunction | undefined;
}

/** Makes an instance on the given memory. Throws `InvalidModuleError` when the module does not fit the imports. */
export function instantiate(
  prepared: PreparedModule,
  module: WebAssembly.Module,
  imports: HostFunctions,
  memory: WebAssembly.Memory,
  log: UndoLog,
): InstanceExports {
  const { exports } = link(module, {
    ic0: imports as WebAssembly.ModuleImports,
    [HOST_MODULE]: {
      [HOST_IMPORTS.memory]: memory,
      [HOST_IMPORTS.marks]: log.marks,
      [HOST_IMPORTS.undo]: log.undo,
    },
  });
  const exportedFunctions = new Set(prepared.exportedFunctions);
  return {
    counter: exports[HOST_EXPORTS.counter] as InstanceExports['counter'],
    size: exports[HOST_EXPORTS.size] as ValueGlobal,
    limit: exports[HOST_EXPORTS.limit] as ValueGlobal,
    tainted: exports[HOST_EXPORTS.tainted] as InstanceExports['tainted'],
    shadows: prepared.globals.map(({ exportName }) => exports[exportName] as ValueGlobal),
    save: exports[HOST_EXPORTS.save] as AnyFunction,
    restore: exports[HOST_EXPORTS.restore] as AnyFunction,
    callback: exports[HOST_EXPORTS.callback] as AnyFunction | undefined,
    start: exports[HOST_EXPORTS.start] as AnyFunction | undefined,
    canisterFunction: (name) => (exportedFunctions.has(name) ? (exports[name] as AnyFunction) : undefined),
  };
}

function link(module: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance {
  try {
    return new WebAssembly.Instance(module, imports);
  } catch (error) {
    if (error instanceof WebAssembly.LinkError || error instanceof TypeError) {
      throw new InvalidModuleError(`Wasm module cannot be linked: ${error.message}`);
    }
    // Element segments are applied while linking.
    if (error instanceof WebAssembly.RuntimeError) {
      throw new InvalidModuleError(`Wasm module cannot be instantiated: ${error.message}`);
    }
    throw error;
  }
}

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
