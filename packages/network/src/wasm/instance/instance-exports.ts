import { InvalidModuleError } from '../module/invalid-module-error.ts';
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
