import { importFault } from './system-api/imports.ts';
import { InvalidModuleError } from '@cannery/wasm/module/reader';
import { prepareModule } from '@cannery/wasm/rewrite/prepare';

export { InvalidModuleError } from '@cannery/wasm/module/reader';

/** What a module says of itself, as far as the network looks at it. */
export interface CheckedModule {
  /** Names of the exported functions. */
  readonly exports: readonly string[];
  /** Metadata by name. */
  readonly metadata: ReadonlyMap<string, Uint8Array>;
}

/**
 * Checks a module as an installation does, without installing it: its work and memory grow with the module.
 * @param bytes unpacked
 * @throws InvalidModuleError with the reason that an installation would give
 */
export function checkModule(bytes: Uint8Array): CheckedModule {
  const { imports, memory64, exportedFunctions, metadata } = prepareModule(bytes);
  const fault = importFault(imports, memory64);
  if (fault !== undefined) throw new InvalidModuleError(fault);
  return {
    exports: exportedFunctions,
    metadata: new Map(metadata.map(({ name, content }) => [name, content])),
  };
}
