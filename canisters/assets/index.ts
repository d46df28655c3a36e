import { readFile } from 'node:fs/promises';
import { candidPath, outputPath, sourceStamp, stampPath } from './sources.ts';

let module: Promise<Uint8Array> | undefined;

/**
 * The WebAssembly module of the certified asset canister: what the last build left, or a new build when there is none
 * or the sources have changed since.
 * @throws AssetCanisterBuildError when the sources do not compile.
 */
export function assetCanisterWasm(): Promise<Uint8Array> {
  module ??= load().catch((error: unknown) => {
    module = undefined;
    throw error;
  });
  return module;
}

async function load(): Promise<Uint8Array> {
  const stamp = await readFile(stampPath, 'utf8').catch(() => undefined);
  if (stamp !== (await sourceStamp())) {
    // The compiler is large and only developers have it: it is loaded when it is needed.
    const { buildAssetCanister } = await import('./build.ts');
    return buildAssetCanister();
  }
  return new Uint8Array(await readFile(outputPath));
}

/** The canister's interface in Candid. */
export function assetCanisterDid(): Promise<string> {
  return readFile(candidPath, 'utf8');
}
