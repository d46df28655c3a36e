import { deserialize, serialize } from 'node:v8';
import { gunzipSync } from 'node:zlib';
import { type ReplicaError, replicaErrors } from '@cannery/ic/errors';
import { MAX_WASM_MODULE_BYTES } from '@cannery/ic/limits';
import { InvalidModuleError } from '@cannery/wasm/module/reader';
import { compileModule, type PreparedModule, prepareModule } from '@cannery/wasm/rewrite/prepare';
import { instrumentationVersion } from '@cannery/wasm/rewrite/instrumentation-version';
import type { CompiledModule } from './loaded-code.ts';
import { SliceExceeded } from './run.ts';

interface ModuleCacheOptions {
  /** Size of the largest module, unpacked, that is prepared here; a larger one throws `SliceExceeded`. */
  readonly largestBytes?: number;
  /** Asked for a module that is not in the cache. */
  readonly elsewhere?: (hash: string) => CompiledModule | undefined;
  /** Told of every module somebody gets. */
  readonly onUsed?: (hash: string, compiled: CompiledModule) => void;
  /** Told of every module that a canister was loaded with. */
  readonly onRunning?: (hash: string, compiled: CompiledModule) => void;
  /** Told why a module cannot be prepared. */
  readonly onRefused?: (error: ReplicaError) => void;
}

/** Where modules come from that are not in a cache, and who hears of those that are used. */
export type ModuleShelf = Pick<ModuleCacheOptions, 'elsewhere' | 'onUsed' | 'onRunning'>;

/** Compiled modules kept although nobody was seen using them lately. */
const MOST_MODULES = 64;
/** Instrumented code kept that way, in bytes. */
const MOST_BYTES = 128 * 1024 * 1024;

/** Modules ready to be instantiated, by the SHA-256 (hexadecimal) of what was installed; the least recently used go first. */
export class ModuleCache {
  readonly #options: ModuleCacheOptions;
  readonly #modules = new Map<string, CompiledModule>();
  #bytes = 0;
  #refusal: ReplicaError | undefined;

  constructor(options: ModuleCacheOptions = {}) {
    this.#options = options;
  }

  get(hash: string): CompiledModule | undefined {
    const known = this.#modules.get(hash) ?? this.#options.elsewhere?.(hash);
    if (!known) return undefined;
    this.put(hash, known);
    this.#options.onUsed?.(hash, known);
    return known;
  }

  put(hash: string, compiled: CompiledModule): void {
    if (!this.#modules.delete(hash)) this.#bytes += compiled.prepared.code.length;
    this.#modules.set(hash, compiled);
    for (const [oldest, { prepared }] of this.#modules) {
      if (this.#modules.size <= MOST_MODULES && this.#bytes <= MOST_BYTES) return;
      if (oldest === hash) return;
      this.#modules.delete(oldest);
      this.#bytes -= prepared.code.length;
    }
  }

  /** A canister runs this module. */
  noteRunning(hash: string, compiled: CompiledModule): void {
    this.#options.onRunning?.(hash, compiled);
  }

  /** Unpacks, checks, instruments and compiles a module as it was sent. Throws `ReplicaError` naming `id`, and `SliceExceeded`. */
  compile(id: Uint8Array, hash: string, bytes: Uint8Array): CompiledModule {
    const known = this.get(hash);
    if (known) return known;
    const largest = this.#options.largestBytes ?? MAX_WASM_MODULE_BYTES;
    if (bytes.length > largest) throw this.#tooLarge();
    try {
      const prepared = prepareModule(this.#unpacked(bytes, largest));
      const compiled = { prepared, module: compileModule(prepared) };
      this.put(hash, compiled);
      this.#options.onUsed?.(hash, compiled);
      return compiled;
    } catch (error) {
      if (!(error instanceof InvalidModuleError)) throw error;
      const refusal = replicaErrors.invalidWasm(id, error.message);
      this.#options.onRefused?.(refusal);
      throw refusal;
    }
  }

  /** Runs `action`, in which a module that is too large to be prepared here fails with `error`. */
  refusing<T>(error: ReplicaError | undefined, action: () => T): T {
    this.#refusal = error;
    try {
      return action();
    } finally {
      this.#refusal = undefined;
    }
  }

  #tooLarge(): Error {
    return this.#refusal ?? new SliceExceeded();
  }

  /** Raw module bytes; gzip is recognised by its magic number. Throws `InvalidModuleError`, and as `#tooLarge`. */
  #unpacked(bytes: Uint8Array, largest: number): Uint8Array {
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 0x08) return bytes;
    try {
      return new Uint8Array(gunzipSync(bytes, { maxOutputLength: Math.max(1, largest) }));
    } catch (error) {
      const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      if (isTooLong && largest < MAX_WASM_MODULE_BYTES) throw this.#tooLarge();
      throw new InvalidModuleError(
        `Failed to decode wasm module: the gzip stream is broken or larger than ${MAX_WASM_MODULE_BYTES} bytes (${String(error)})`,
      );
    }
  }
}

/** Where prepared modules are kept between starts; it may lose them. */
export interface DerivedStore {
  hasDerived(hash: string, version: string): boolean;
  getDerived(hash: string, version: string): Uint8Array | undefined;
  putDerived(hash: string, version: string, bytes: Uint8Array): void;
}

/** Keeps modules that canisters run in their prepared form, so that waking a canister need not instrument again. */
export function preparedModules(
  store: DerivedStore,
): Required<Pick<ModuleCacheOptions, 'elsewhere' | 'onRunning'>> {
  const version = instrumentationVersion();
  const kept = new Set<string>();
  return {
    elsewhere(hash: string): CompiledModule | undefined {
      const bytes = store.getDerived(hash, version);
      if (!bytes) return undefined;
      const prepared = deserialize(bytes) as PreparedModule;
      return { prepared, module: compileModule(prepared) };
    },
    onRunning(hash: string, { prepared }: CompiledModule): void {
      if (kept.has(hash)) return;
      kept.add(hash);
      if (!store.hasDerived(hash, version)) store.putDerived(hash, version, serialize(prepared));
    },
  };
}
