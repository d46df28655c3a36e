import { gunzipSync } from 'node:zlib';
import { ReplicaError, replicaErrors } from '../errors.ts';
import { MAX_WASM_MODULE_BYTES } from '../limits.ts';
import type { Canister } from '../state/canister.ts';
import type { IdKey } from '../state/canister-id.ts';
import { StableMemory } from '../state/stable-memory.ts';
import { InvalidModuleError } from '../wasm/invalid-module-error.ts';
import { compileModule, prepareModule } from '../wasm/prepare.ts';
import type { CompiledModule } from './loaded-code.ts';
import { LoadedCode } from './loaded-code.ts';

/** Where committed pages and modules come from. */
export interface PageStore {
  readSpace(space: string, into: (index: number, bytes: Uint8Array) => void): void;
  /** Consecutive pages in one array; pages never written are zeros. */
  readPages(space: string, first: number, count: number): Uint8Array;
  getBlob(hash: string): Uint8Array | undefined;
}

/** Compiled modules kept although no loaded canister runs them. */
const IDLE_MODULES = 8;

/**
 * The canisters whose code is in memory. A canister is loaded from its committed state at first use, and forgotten
 * when the budget is exceeded or when an execution left it in a state that must not be kept.
 */
export class CodeCache {
  readonly #store: PageStore;
  readonly #budgetBytes: number;
  /** In order of last use, oldest first. */
  readonly #loaded = new Map<IdKey, LoadedCode>();
  readonly #modules = new Map<string, CompiledModule>();

  constructor(store: PageStore, budgetBytes: number) {
    this.#store = store;
    this.#budgetBytes = budgetBytes;
  }

  /** The canister's code; throws `noWasmModule` when it has none. */
  get(canister: Canister): LoadedCode {
    const known = this.#loaded.get(canister.key);
    const code = known ?? this.#load(canister);
    this.#loaded.delete(canister.key);
    this.#loaded.set(canister.key, code);
    return code;
  }

  /** As `get`, with the error as a value: a canister that cannot be loaded fails its messages, not the network. */
  load(canister: Canister): LoadedCode | ReplicaError {
    try {
      return this.get(canister);
    } catch (error) {
      if (error instanceof ReplicaError) return error;
      throw error;
    }
  }

  put(canister: Canister, code: LoadedCode): void {
    this.forget(canister);
    this.#loaded.set(canister.key, code);
  }

  /** The next use loads the committed state again. */
  forget(canister: Canister): void {
    this.#loaded.delete(canister.key);
  }

  /** A stable memory that shows the committed pages of the canister, or an empty one of a new generation. */
  stableMemory(canister: Canister, fresh?: { readonly generation: number }): StableMemory {
    const space = canister.stableSpace(fresh?.generation);
    return new StableMemory(fresh ? 0 : canister.record.stablePages, (first, count) =>
      this.#store.readPages(space, first, count),
    );
  }

  /** Unpacks, checks, instruments and compiles a module as it was sent. Throws `ReplicaError` naming `id`. */
  compile(id: Uint8Array, hash: string, bytes: Uint8Array): CompiledModule {
    const known = this.#modules.get(hash);
    if (known) return known;
    try {
      const prepared = prepareModule(unpack(bytes));
      const compiled = { prepared, module: compileModule(prepared) };
      this.#modules.set(hash, compiled);
      this.#dropIdleModules();
      return compiled;
    } catch (error) {
      if (error instanceof InvalidModuleError) throw replicaErrors.invalidWasm(id, error.message);
      throw error;
    }
  }

  /** Unloads the canisters used least recently until the rest fits the budget; call between messages. */
  trim(): void {
    let total = 0;
    for (const code of this.#loaded.values()) {
      code.stable.trim();
      total += code.residentBytes;
    }
    for (const [key, code] of this.#loaded) {
      if (total <= this.#budgetBytes || this.#loaded.size === 1) return;
      this.#loaded.delete(key);
      total -= code.residentBytes;
    }
  }

  #load(canister: Canister): LoadedCode {
    const { code } = canister.record;
    if (!code) throw replicaErrors.noWasmModule(canister.id);
    const hash = Buffer.from(code.moduleHash).toString('hex');
    const bytes = this.#modules.has(hash) ? undefined : this.#store.getBlob(hash);
    const compiled = this.compile(canister.id, hash, bytes ?? new Uint8Array(0));
    const loaded = LoadedCode.create(canister.id, compiled, this.stableMemory(canister));
    try {
      loaded.instance.restore({
        pages: code.heapPages,
        globals: code.globals,
        readInto: (into) => this.#store.readSpace(canister.heapSpace(), into),
      });
    } catch (error) {
      if (error instanceof RangeError) throw replicaErrors.outOfMemory(canister.id);
      throw error;
    }
    return loaded;
  }

  #dropIdleModules(): void {
    const used = new Set([...this.#loaded.values()].map(({ compiled }) => compiled));
    const idle = [...this.#modules].filter(([, compiled]) => !used.has(compiled));
    for (const [hash] of idle.slice(0, Math.max(0, idle.length - IDLE_MODULES))) this.#modules.delete(hash);
  }
}

/** Raw module bytes; gzip is recognised by its magic number. Throws `InvalidModuleError`. */
function unpack(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 0x08) return bytes;
  try {
    return new Uint8Array(gunzipSync(bytes, { maxOutputLength: MAX_WASM_MODULE_BYTES }));
  } catch (error) {
    throw new InvalidModuleError(
      `Failed to decode wasm module: the gzip stream is broken or larger than ${MAX_WASM_MODULE_BYTES} bytes (${String(error)})`,
    );
  }
}
