import { type Metadata, readMetadata } from '../module/sections.ts';
import { InvalidModuleError } from '../module/reader.ts';
import { HOST_EXPORTS } from '../module/layout.ts';
import { parseModule } from '../module/parse-module.ts';
import { createRewriteContext } from './rewrite-context.ts';
import { rewriteModule } from './rewrite-module.ts';
import { checkSize, validateModule } from '../check/validate.ts';
import { type NumericType, numericTypeName, valueTypeName } from '../module/value-types.ts';

/** A mutable global. `exportName` names its shadow: the export that holds its bits as an i32 or i64. */
interface MutableGlobal {
  readonly exportName: string;
  readonly type: NumericType;
}

/** Bytes an active data segment puts into a new memory. */
interface InitialData {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A function a module imports, with the types as the text format names them. */
export interface ImportedFunction {
  readonly module: string;
  readonly name: string;
  readonly params: readonly string[];
  readonly results: readonly string[];
}

/** A canister module made ready to run under metering and rollback. Survives a structured clone. */
export interface PreparedModule {
  /** The instrumented module. */
  readonly code: Uint8Array;
  readonly hasMemory: boolean;
  readonly memory64: boolean;
  /** Initial size of the memory in 64 KiB pages; 0 without a memory. */
  readonly minPages: number;
  /** The maximum the module itself declares. */
  readonly maxPages: number | undefined;
  readonly initialData: readonly InitialData[];
  /** Whether table 0 exists and holds functions: without it there are no callbacks. */
  readonly hasTable: boolean;
  readonly table64: boolean;
  readonly globals: readonly MutableGlobal[];
  /** Functions the canister exports under its own names. */
  readonly exportedFunctions: readonly string[];
  readonly imports: readonly ImportedFunction[];
  readonly metadata: readonly Metadata[];
  /** Whether there is a start function, to be run by `WasmInstance.start` when the code is installed. */
  readonly hasStart: boolean;
}

/**
 * Checks and instruments a module (raw bytes, not compressed). Throws `InvalidModuleError` when the bytes are not a
 * WebAssembly module, use a feature no canister may use, or exceed a limit.
 */
export function prepareModule(bytes: Uint8Array): PreparedModule {
  checkSize(bytes);
  if (!WebAssembly.validate(bytes as Uint8Array<ArrayBuffer>)) {
    throw new InvalidModuleError(`Failed to validate wasm module: ${engineComplaint(bytes)}`);
  }
  // A Buffer's `slice` would keep views of the caller's bytes.
  const source = parseModule(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  validateModule(source);
  const context = createRewriteContext(source);
  return {
    code: rewriteModule(context),
    hasMemory: source.memory !== undefined,
    memory64: context.memory64,
    minPages: source.memory?.min ?? 0,
    maxPages: source.memory?.max,
    initialData: source.data.flatMap(({ offset, bytes: content }) =>
      offset === undefined || content.length === 0
        ? []
        : [{ offset: Number(offset), bytes: content.slice() }],
    ),
    hasTable: context.callbackTable !== undefined,
    table64: context.callbackTable?.table64 ?? false,
    globals: context.shadows.map(({ type }, position) => ({
      exportName: HOST_EXPORTS.global(position),
      type: numericTypeName(type) ?? 'i64',
    })),
    exportedFunctions: source.exports.flatMap(({ name, kind }) => (kind === 'function' ? [name] : [])),
    imports: source.imports.map(({ module, name, typeIndex }) => ({
      module,
      name,
      params: (source.types[typeIndex]?.params ?? []).map(valueTypeName),
      results: (source.types[typeIndex]?.results ?? []).map(valueTypeName),
    })),
    metadata: readMetadata(source.custom),
    hasStart: source.start !== undefined,
  };
}

/** Why the engine does not take the bytes. */
function engineComplaint(bytes: Uint8Array): string {
  try {
    new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>);
  } catch (error) {
    if (error instanceof WebAssembly.CompileError)
      return error.message.replace(/^WebAssembly\.Module\(\): /, '');
  }
  return 'not a valid WebAssembly module';
}

/** Compiles an instrumented module; compile each module once and share the result between its canisters. */
export function compileModule(prepared: PreparedModule): WebAssembly.Module {
  try {
    return new WebAssembly.Module(prepared.code as Uint8Array<ArrayBuffer>);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new InvalidModuleError(`Wasm module is too complex to be instrumented: ${error.message}`);
  }
}
