import { createHash } from 'node:crypto';
import type { InstallMode } from '@cannery/contract';
import { Principal } from '@icp-sdk/core/principal';
import type { SignedCall } from '../replies/call-outcome.ts';
import type { ManagementMethod } from './management-idl.ts';

export interface InstallRequest {
  readonly canisterId: string;
  /** Raw or gzip; sent in chunks when it does not fit one message. */
  readonly wasm: Uint8Array;
  readonly arg: Uint8Array;
  readonly mode: InstallMode;
  /** Only for upgrades of modules that keep their main memory (Motoko with enhanced orthogonal persistence). */
  readonly wasmMemoryPersistence?: 'keep' | 'replace';
  readonly skipPreUpgrade?: boolean;
  /** Called each time some chunks of a large module have reached the canister. */
  readonly onUploaded?: () => void;
}

/** Does something with a management call for a canister: carries it out, or only signs it. */
export type OnManagementCall<T> = (
  method: ManagementMethod,
  value: unknown,
  canisterId: string,
) => Promise<T>;

/** Calls a management method for a canister; answers the reply. */
export type ManagementCall = OnManagementCall<Uint8Array>;

/** An ingress message holds 2 MiB with its envelope (interface specification, resource limits). */
const ONE_MESSAGE_BYTES = 1_900_000;
/** Most bytes of one chunk (interface specification, upload_chunk). */
const CHUNK_BYTES = 1024 * 1024;
/** Chunks on their way at the same time. */
const UPLOADS_AT_ONCE = 4;

/** Whether a module goes through the canister's chunk store, which is to be cleared afterwards. */
export function isChunked({ wasm, arg }: Pick<InstallRequest, 'wasm' | 'arg'>): boolean {
  return wasm.length + arg.length > ONE_MESSAGE_BYTES;
}

/**
 * Signs the call that installs a module, and nothing else: the module itself where it fits a message, else one that
 * names the chunks, which are uploaded before.
 */
export async function signInstall(
  network: { call: ManagementCall; sign: OnManagementCall<SignedCall> },
  request: InstallRequest,
): Promise<SignedCall> {
  const { canisterId, wasm, arg } = request;
  const principal = Principal.fromText(canisterId);
  const mode = modeOf(request);
  if (!isChunked(request)) {
    const whole = { mode, canister_id: principal, wasm_module: wasm, arg };
    return network.sign('install_code', whole, canisterId);
  }
  await clearChunks(network.call, canisterId);
  try {
    const hashes = await uploadChunks(network.call, request);
    const value = {
      mode,
      target_canister: principal,
      chunk_hashes_list: hashes.map((hash) => ({ hash })),
      wasm_module_hash: sha256(wasm),
      arg,
    };
    return await network.sign('install_chunked_code', value, canisterId);
  } catch (error) {
    // Stored chunks cost the canister cycles; a failure to clear them must not hide why the upload failed.
    await clearChunks(network.call, canisterId).catch(() => {});
    throw error;
  }
}

/** Answers the hashes of the chunks in the order of the module. */
async function uploadChunks(call: ManagementCall, request: InstallRequest): Promise<Uint8Array[]> {
  const { canisterId, wasm } = request;
  const principal = Principal.fromText(canisterId);
  const chunks = Array.from({ length: Math.ceil(wasm.length / CHUNK_BYTES) }, (_, index) =>
    wasm.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  );
  for (let first = 0; first < chunks.length; first += UPLOADS_AT_ONCE) {
    const batch = chunks.slice(first, first + UPLOADS_AT_ONCE);
    await Promise.all(
      batch.map((chunk) => call('upload_chunk', { canister_id: principal, chunk }, canisterId)),
    );
    request.onUploaded?.();
  }
  return chunks.map(sha256);
}

/** Empties the chunk store of a canister. */
export async function clearChunks(call: ManagementCall, canisterId: string): Promise<void> {
  await call('clear_chunk_store', { canister_id: Principal.fromText(canisterId) }, canisterId);
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
