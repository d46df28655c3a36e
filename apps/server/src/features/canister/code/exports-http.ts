import { HTTP_METHOD } from '../core/serves-http.ts';
import { unpackWasm } from './unpack-wasm.ts';
import { exportedFunctions } from './wasm-sections.ts';

const EXPORTS: ReadonlySet<string> = new Set([
  `canister_query ${HTTP_METHOD}`,
  `canister_composite_query ${HTTP_METHOD}`,
]);

/** Whether a module answers HTTP, by what it exports. @param wasm packed or not @throws AppError as `unpackWasm` */
export async function exportsHttp(wasm: Uint8Array): Promise<boolean> {
  return exportedFunctions(await unpackWasm(wasm)).some((name) => EXPORTS.has(name));
}
