import { createHash } from 'node:crypto';
import { Principal } from '@icp-sdk/core/principal';
import type { InstallRequest } from './ic-client.ts';
import type { ManagementMethod } from './management-idl.ts';

/** Calls a management method for a canister; answers the reply. */
export type ManagementCall = (
  method: ManagementMethod,
  value: unknown,
  canisterId: string,
) => Promise<Uint8Array>;

/** An ingress message holds 2 MiB with its envelope (interface specification, resource limits). */
const ONE_MESSAGE_BYTES = 1_900_000;
/** Most bytes of one chunk (interface specification, upload_chunk). */
const CHUNK_BYTES = 1024 * 1024;
/** Chunks on their way at the same time. */
const UPLOADS_AT_ONCE = 4;

/** Installs a module: in one message when it fits, else through the canister's chunk store. */
export async function installCode(call: ManagementCall, request: InstallRequest): Promise<void> {
  const { canisterId, wasm, arg } = request;
  const principal = Principal.fromText(canisterId);
  const mode = modeOf(request);
  if (wasm.length + arg.length <= ONE_MESSAGE_BYTES) {
    await call('install_code', { mode, canister_id: principal, wasm_module: wasm, arg }, canisterId);
    return;
  }
  await call('clear_chunk_store', { canister_id: principal }, canisterId);
  try {
    const chunks = Array.from({ length: Math.ceil(wasm.length / CHUNK_BYTES) }, (_, index) =>
      wasm.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
    );
    for (let first = 0; first < chunks.length; first += UPLOADS_AT_ONCE) {
      const batch = chunks.slice(first, first + UPLOADS_AT_ONCE);
      await Promise.all(
        batch.map((chunk) => call('upload_chunk', { canister_id: principal, chunk }, canisterId)),
      );
    }
    await call(
      'install_chunked_code',
      {
        mode,
        target_canister: principal,
        chunk_hashes_list: chunks.map((chunk) => ({ hash: sha256(chunk) })),
        wasm_module_hash: sha256(wasm),
        arg,
      },
      canisterId,
    );
  } finally {
    // Stored chunks cost the canister cycles; a failure to clear them must not hide the result of the installation.
    await call('clear_chunk_store', { canister_id: principal }, canisterId).catch(() => {});
  }
}

function modeOf({ mode, wasmMemoryPersistence, skipPreUpgrade }: InstallRequest): Record<string, unknown> {
  if (mode !== 'upgrade') return { [mode]: null };
  return {
    upgrade: [
      {
        skip_pre_upgrade: skipPreUpgrade === undefined ? [] : [skipPreUpgrade],
        wasm_memory_persistence:
          wasmMemoryPersistence === undefined ? [] : [{ [wasmMemoryPersistence]: null }],
      },
    ],
  };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
