import { ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { DEFAULT_LOADED_CANISTERS, WASM_PAGE_BYTES } from '@cannery/ic/limits';
import { type Canister, memoryIdentity } from '../../state/canister.ts';
import type { IdKey } from '../../state/canister-id.ts';
import { StableMemory } from '../../state/stable-memory.ts';
import { StoreDamagedError } from '@cannery/store/files/errors';
import { giveUpLargeUndoLog } from '@cannery/wasm/instance/undo-log';
import type { CompiledModule } from './loaded-code.ts';
import { LoadedCode } from './loaded-code.ts';
import { ModuleCache } from './module-cache.ts';

/** Where committed pages and modules come from. */
export interface PageStore {
  readSpace(space: string, into: (index: number, bytes: Uint8Array) => void): void;
  /** Consecutive pages in one array; pages never written are zeros. */
  readPages(space: string, first: number, count: number): Uint8Array;
  getBlob(hash: string): Uint8Array | undefined;
}

export interface CodeCacheOptions {
  /** Bytes of heap and stable memory to keep between messages. */
  readonly budgetBytes: number;
  /** Canisters to keep between messages: a process cannot hold more than about 16,300 WebAssembly memories. */
  readonly maxCanisters?: number;
  /** Bytes all loaded canisters may take during a message: growth beyond it answers -1. */
  readonly hardBytes?: () => number;
  /** Heap one canister may take, in bytes, where that is less than the Internet Computer allows. */
  readonly canisterBytes?: number;
  /** Hears, once, of a canister whose stored state is damaged. */
  readonly onDamage?: (canister: Canister, error: StoreDamagedError) => void;
}

/** Share of the budget a canister may hold without using it. */
const WASTED_SHARE = 1 / 8;

interface Loaded {
  readonly key: IdKey;
  readonly code: LoadedCode;
  /** As counted in the total. */
  bytes: number;
  maxPages: number;
}

/**
 * The canisters whose code is in memory. A canister is loaded from its committed state at first use, and forgotten
 * when the budget is exceeded or when an execution left it in a state that must not be kept.
 */
export class CodeCache {
  readonly modules: ModuleCache;
  readonly #store: PageStore;
  readonly #options: Required<CodeCacheOptions>;
  /** In order of last use, oldest first. */
  readonly #loaded = new Map<IdKey, Loaded>();
  /** Used since the last `trim`: only their size may have changed. */
  readonly #used = new Set<Loaded>();
  /** Canisters whose stored state is damaged: which state that is, and what their callers are told. */
  readonly #damaged = new Map<IdKey, { readonly identity: string; readonly error: ReplicaError }>();
  #bytes = 0;

  constructor(store: PageStore, modules: ModuleCache, options: CodeCacheOptions) {
    this.#store = store;
    this.modules = modules;
    this.#options = {
      maxCanisters: DEFAULT_LOADED_CANISTERS,
      hardBytes: () => Number.MAX_SAFE_INTEGER,
      canisterBytes: Number.MAX_SAFE_INTEGER,
      onDamage: () => undefined,
      ...options,
    };
  }

  /** Bytes the loaded canisters took when they were last counted. */
  get residentBytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#loaded.size;
  }

  /** The canister's code; throws `noWasmModule` when it has none, `stateDamaged`, and `SliceExceeded`. */
  get(canister: Canister): LoadedCode {
    if (this.#damaged.size > 0) this.#refuseDamaged(canister);
    // Others that the same message or query ran may have grown.
    for (const used of this.#used) this.#count(used);
    const loaded = this.#loaded.get(canister.key) ?? this.#admit(canister.key, this.#load(canister));
    this.#loaded.delete(canister.key);
    this.#loaded.set(canister.key, loaded);
    this.#used.add(loaded);
    this.#limit(loaded);
    return loaded.code;
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
    const hash = canister.record.code?.moduleHash;
    if (hash) this.modules.noteRunning(Buffer.from(hash).toString('hex'), code.compiled);
    this.forget(canister);
    this.#used.add(this.#admit(canister.key, code));
  }

  /** Takes a canister out of use until its state is replaced; returns what its callers are told. */
  setApart(canister: Canister, cause: StoreDamagedError): ReplicaError {
    const error = replicaErrors.stateDamaged(canister.id, cause.fault);
    const identity = memoryIdentity(canister.record);
    const isNews = this.#damaged.get(canister.key)?.identity !== identity;
    this.#damaged.set(canister.key, { identity, error });
    this.forget(canister);
    if (isNews) this.#options.onDamage(canister, cause);
    return error;
  }

  /** The next use loads the committed state again. */
  forget(canister: Pick<Canister, 'key'>): void {
    const loaded = this.#loaded.get(canister.key);
    if (loaded) this.#drop(canister.key, loaded);
  }

  /** A stable memory that shows the committed pages of the canister, or an empty one of a new generation. */
  stableMemory(canister: Canister, fresh?: { readonly generation: number }): StableMemory {
    const space = canister.stableSpace(fresh?.generation);
    return new StableMemory(fresh ? 0 : canister.record.stablePages, (first, count) =>
      this.#whole(canister, () => this.#store.readPages(space, first, count)),
    );
  }

  /** Instantiates a module; the memory it may take is bounded as for canisters that are loaded. See `LoadedCode.create`. */
  instantiate(...parameters: Parameters<typeof LoadedCode.create>): LoadedCode {
    const code = LoadedCode.create(...parameters);
    if (code.instance.memoryBytes() > this.#options.canisterBytes)
      throw replicaErrors.outOfMemory(parameters[0]);
    code.instance.setMaxPages(this.#maxPages(code));
    return code;
  }

  /**
   * Unloads the canisters used least recently until the rest fits the budget, and all of them where the undo log they
   * share has grown large; call between messages.
   */
  trim(): void {
    for (const loaded of this.#used) {
      loaded.code.stable.trim();
      this.#count(loaded);
      if (this.#isWasteful(loaded)) this.#drop(loaded.key, loaded);
    }
    this.#used.clear();
    if (giveUpLargeUndoLog()) for (const [key, loaded] of this.#loaded) this.#drop(key, loaded);
    const { budgetBytes, maxCanisters } = this.#options;
    for (const [key, loaded] of this.#loaded) {
      if (this.#bytes <= budgetBytes && this.#loaded.size <= maxCanisters) return;
      if (this.#loaded.size === 1) return;
      this.#drop(key, loaded);
    }
  }

  /** Memory whose growth was rolled back cannot be given back but with the whole instance. */
  #isWasteful({ code: { instance } }: Loaded): boolean {
    const unused = instance.memory.buffer.byteLength - instance.memoryBytes();
    return unused > this.#options.budgetBytes * WASTED_SHARE && unused > instance.memoryBytes();
  }

  #admit(key: IdKey, code: LoadedCode): Loaded {
    const loaded: Loaded = { key, code, bytes: 0, maxPages: -1 };
    this.#count(loaded);
    this.#loaded.set(key, loaded);
    return loaded;
  }

  #drop(key: IdKey, loaded: Loaded): void {
    this.#bytes -= loaded.bytes;
    this.#used.delete(loaded);
    this.#loaded.delete(key);
  }

  #count(loaded: Loaded): void {
    const bytes = loaded.code.residentBytes;
    this.#bytes += bytes - loaded.bytes;
    loaded.bytes = bytes;
  }

  #limit(loaded: Loaded): void {
    const pages = this.#maxPages(loaded.code);
    if (pages === loaded.maxPages) return;
    loaded.maxPages = pages;
    loaded.code.instance.setMaxPages(pages);
  }

  /** What the canister has by now, and what all canisters together have left. */
  #maxPages({ instance }: LoadedCode): number {
    const { canisterBytes, hardBytes } = this.#options;
    const cap = Math.floor(canisterBytes / WASM_PAGE_BYTES);
    const free = Math.max(0, Math.floor((hardBytes() - this.#bytes) / WASM_PAGE_BYTES));
    const physical = instance.memory.buffer.byteLength / WASM_PAGE_BYTES;
    return Math.min(cap, physical + free);
  }

  #load(canister: Canister): LoadedCode {
    const { code } = canister.record;
    if (!code) throw replicaErrors.noWasmModule(canister.id);
    const hash = Buffer.from(code.moduleHash).toString('hex');
    const compiled = this.#whole(canister, () => this.#compiled(canister, hash));
    this.modules.noteRunning(hash, compiled);
    const loaded = this.instantiate(canister.id, compiled, this.stableMemory(canister));
    try {
      loaded.instance.restore({
        pages: code.heapPages,
        globals: code.globals,
        readInto: (into) => this.#whole(canister, () => this.#store.readSpace(canister.heapSpace(), into)),
      });
    } catch (error) {
      if (error instanceof RangeError) throw replicaErrors.outOfMemory(canister.id);
      throw error;
    }
    return loaded;
  }

  #compiled(canister: Canister, hash: string): CompiledModule {
    const known = this.modules.get(hash);
    if (known) return known;
    const module = this.#store.getBlob(hash);
    if (!module) throw new StoreDamagedError(hash, 'the module is missing');
    return this.modules.compile(canister.id, hash, module);
  }

  /** What is read of the canister's stored state; throws `stateDamaged` where it is not as it was written. */
  #whole<T>(canister: Canister, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof StoreDamagedError) throw this.setApart(canister, error);
      throw error;
    }
  }

  #refuseDamaged(canister: Canister): void {
    const damaged = this.#damaged.get(canister.key);
    if (damaged?.identity === memoryIdentity(canister.record)) throw damaged.error;
    this.#damaged.delete(canister.key);
  }
}
