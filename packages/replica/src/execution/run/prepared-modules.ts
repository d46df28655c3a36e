import { deserialize, serialize } from 'node:v8';
import { instrumentationVersion } from '@cannery/wasm/rewrite/instrumentation-version';
import { compileModule, type PreparedModule } from '@cannery/wasm/rewrite/prepare';
import type { CompiledModule } from './loaded-code.ts';
import type { ModuleCacheOptions } from './module-cache.ts';

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
