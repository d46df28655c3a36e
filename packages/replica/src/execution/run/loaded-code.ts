import { replicaErrors } from '@cannery/ic/errors';
import { WASM_PAGE_BYTES } from '@cannery/ic/limits';
import type { InstalledCode } from '../../state/canister.ts';
import type { StableMemory } from '../../state/stable-memory.ts';
import { systemImports } from '../../system-api/imports.ts';
import type { MessageContext } from '../../system-api/message-context.ts';
import type { Invocation } from '../../system-api/system-function.ts';
import { InvalidModuleError } from '@cannery/wasm/module/reader';
import { WasmInstance } from '@cannery/wasm/instance/instance';
import { type KeptMemory, memoryFor } from '@cannery/wasm/instance/memory';
import type { PreparedModule } from '@cannery/wasm/rewrite/prepare';

/** A module that can be instantiated, shared by all canisters that run it. */
export interface CompiledModule {
  readonly prepared: PreparedModule;
  readonly module: WebAssembly.Module;
}

/** The code of one canister, instantiated on its heap and its stable memory. */
export class LoadedCode implements Invocation {
  readonly stable: StableMemory;
  readonly memory64: boolean;
  readonly compiled: CompiledModule;
  readonly instance: WasmInstance;
  #context: MessageContext | undefined;

  private constructor(compiled: CompiledModule, stable: StableMemory, kept?: KeptMemory) {
    this.compiled = compiled;
    this.stable = stable;
    this.memory64 = compiled.prepared.memory64;
    this.instance = WasmInstance.create(compiled.prepared, {
      module: compiled.module,
      imports: systemImports(this),
      ...(kept && { memory: memoryFor(kept, this.memory64), memoryPages: kept.pages }),
    });
  }

  /** Throws `ReplicaError` where the module does not fit its memory or its imports, or there is no memory left. */
  static create(
    id: Uint8Array,
    compiled: CompiledModule,
    stable: StableMemory,
    kept?: KeptMemory,
  ): LoadedCode {
    try {
      return new LoadedCode(compiled, stable, kept);
    } catch (error) {
      if (error instanceof InvalidModuleError) throw replicaErrors.invalidWasm(id, error.message);
      if (error instanceof RangeError) throw replicaErrors.outOfMemory(id);
      throw error;
    }
  }

  get context(): MessageContext {
    if (this.#context) return this.#context;
    throw new Error('Canister code called the system API outside a message.');
  }

  /** Memory this canister holds now, for the budget of loaded canisters. */
  get residentBytes(): number {
    return this.instance.memory.buffer.byteLength + this.stable.residentBytes;
  }

  /** Runs `action` with `context` as the message at hand. */
  within<T>(context: MessageContext, action: () => T): T {
    this.#context = context;
    try {
      return action();
    } finally {
      this.#context = undefined;
    }
  }

  /** Undoes everything since the last commit, in heap and stable memory. */
  rollback(): void {
    this.instance.rollback();
    this.stable.rollback();
  }

  heapBytes(): number {
    return this.instance.memoryBytes();
  }

  read(pointer: number, length: number): Uint8Array {
    return this.instance.read(pointer, length);
  }

  write(pointer: number, bytes: Uint8Array): void {
    this.instance.write(pointer, bytes);
  }

  grownBytes(): number {
    const { code, stablePages } = this.context.canister;
    const pages = this.instance.memoryPages() + this.stable.pages - stablePages - (code?.heapPages ?? 0);
    return pages * WASM_PAGE_BYTES;
  }

  charge(instructions: number): void {
    this.instance.charge(instructions);
  }

  instructionsUsed(): bigint {
    return this.instance.instructionsUsed();
  }
}

/** What a canister's record says of its code: what the module tells, and what it was `given` at its installation. */
export function installedCode(
  { metadata, memory64, exportedFunctions }: PreparedModule,
  given: Omit<InstalledCode, 'customSectionBytes' | 'memory64' | 'exports'>,
): InstalledCode {
  return {
    ...given,
    customSectionBytes: metadata.reduce((sum, { name, content }) => sum + name.length + content.length, 0),
    memory64,
    exports: scheduledExports(exportedFunctions),
  };
}

/** Exports that decide how a canister is scheduled. */
function scheduledExports(exportedFunctions: PreparedModule['exportedFunctions']): InstalledCode['exports'] {
  const has = (name: string): boolean => exportedFunctions.includes(name);
  return {
    heartbeat: has('canister_heartbeat'),
    globalTimer: has('canister_global_timer'),
    onLowWasmMemory: has('canister_on_low_wasm_memory'),
  };
}
