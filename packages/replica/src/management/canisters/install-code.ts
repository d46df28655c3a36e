import { createHash } from 'node:crypto';
import { replicaErrors } from '@cannery/ic/errors';
import { installCode as install, type InstallMode } from '../../execution/install-code.ts';
import { MAX_CHUNK_BYTES, MAX_CHUNKS, MAX_WASM_MODULE_BYTES } from '@cannery/ic/limits';
import { includesId, sameId } from '../../state/canister-id.ts';
import type { IcMethods, IcTypes } from '@cannery/ic/generated/ic-interface';
import { canisterOf, changeOrigin, type ManagementCall, managementMethod } from '../method/method.ts';
import { payForWork } from '../method/pay-for-work.ts';

/** Charged for every chunk that is sent (dfinity/ic, `DEFAULT_UPLOAD_CHUNK_INSTRUCTIONS`). */
const UPLOAD_CHUNK_INSTRUCTIONS = 200_000_000n;

const hashOf = (name: string): { hash: Uint8Array } => ({ hash: new Uint8Array(Buffer.from(name, 'hex')) });

interface CheckedChunk {
  /** SHA-256 of the chunk in hexadecimal, its name in the store. */
  readonly name: string;
  readonly isNew: boolean;
}

/** What a chunk is called, and whether `stored` lacks it. Throws `chunkStore` when it is too long or there is no room. */
export function checkChunk(stored: readonly string[], chunk: Uint8Array): CheckedChunk {
  if (chunk.length > MAX_CHUNK_BYTES) {
    throw replicaErrors.chunkStore(
      `Wasm chunk size ${chunk.length} exceeds the maximum chunk size of ${MAX_CHUNK_BYTES}`,
    );
  }
  const name = createHash('sha256').update(chunk).digest('hex');
  const isNew = !stored.includes(name);
  if (isNew && stored.length >= MAX_CHUNKS) {
    throw replicaErrors.chunkStore(
      `Wasm chunk store has already reached maximum capacity of ${MAX_CHUNKS} chunks`,
    );
  }
  return { name, isNew };
}

export const uploadChunk = managementMethod({
  name: 'upload_chunk',
  callers: { kind: 'controllers-or-self' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    const { env, tx } = call;
    const canister = canisterOf(env, arg.canister_id);
    const { name, isNew } = checkChunk(canister.chunks, arg.chunk);
    payForWork(call, canister, {
      instructions: UPLOAD_CHUNK_INSTRUCTIONS,
      grownBytes: isNew ? MAX_CHUNK_BYTES : 0,
    });
    tx.saveProgress(canister);
    if (isNew) {
      env.store.putBlob(arg.chunk);
      tx.setChunks(canister, [...canister.chunks, name]);
    }
    return hashOf(name);
  },
});

export const storedChunks = managementMethod({
  name: 'stored_chunks',
  callers: { kind: 'controllers-or-self' },
  target: (arg) => arg.canister_id,
  run: ({ env }, arg) => canisterOf(env, arg.canister_id).chunks.map(hashOf),
});

export const clearChunkStore = managementMethod({
  name: 'clear_chunk_store',
  callers: { kind: 'controllers-or-self' },
  target: (arg) => arg.canister_id,
  run({ env, tx }, arg) {
    tx.setChunks(canisterOf(env, arg.canister_id), []);
  },
});

function modeOf(mode: IcTypes['canister_install_mode']): InstallMode {
  if ('install' in mode) return { kind: 'install' };
  if ('reinstall' in mode) return { kind: 'reinstall' };
  const [options] = mode.upgrade;
  const [persistence] = options?.wasm_memory_persistence ?? [];
  return {
    kind: 'upgrade',
    skipPreUpgrade: options?.skip_pre_upgrade[0] === true,
    wasmMemoryPersistence: persistence && ('keep' in persistence ? 'keep' : 'replace'),
  };
}

export const installCode = managementMethod({
  name: 'install_code',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    install(call.env, call.tx, canisterOf(call.env, arg.canister_id), {
      mode: modeOf(arg.mode),
      module: arg.wasm_module,
      arg: arg.arg,
      sender: call.sender,
      origin: changeOrigin(call, arg.sender_canister_version),
    });
  },
});

export const installChunkedCode = managementMethod({
  name: 'install_chunked_code',
  callers: { kind: 'controllers' },
  target: (arg) => arg.target_canister,
  run(call, arg) {
    install(call.env, call.tx, canisterOf(call.env, arg.target_canister), {
      mode: modeOf(arg.mode),
      module: assembled(call, arg),
      arg: arg.arg,
      sender: call.sender,
      origin: changeOrigin(call, arg.sender_canister_version),
    });
  },
});

/** The module put together from stored chunks; throws when a chunk is missing or the hash of the whole differs. */
function assembled(call: ManagementCall, arg: IcMethods['install_chunked_code']['arg']): Uint8Array {
  const store = canisterOf(call.env, arg.store_canister[0] ?? arg.target_canister);
  if (!includesId(store.record.controllers, call.sender) && !sameId(store.id, call.sender)) {
    throw replicaErrors.notController(store.id, 'install_chunked_code');
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const { hash } of arg.chunk_hashes_list) {
    const name = Buffer.from(hash).toString('hex');
    const chunk = store.chunks.includes(name) ? call.env.store.getBlob(name) : undefined;
    if (!chunk) throw replicaErrors.chunkStore(`Chunk hash ${name} was not found`);
    parts.push(chunk);
    size += chunk.length;
    // A list of one chunk many times over must not fill the memory before it is refused.
    if (size > MAX_WASM_MODULE_BYTES) {
      throw replicaErrors.chunkStore(
        `Wasm module size of at least ${size} exceeds the maximum allowed size of ${MAX_WASM_MODULE_BYTES}`,
      );
    }
  }
  const module = new Uint8Array(Buffer.concat(parts));
  const hash = createHash('sha256').update(module).digest('hex');
  const expected = Buffer.from(arg.wasm_module_hash).toString('hex');
  if (hash !== expected) {
    throw replicaErrors.chunkStore(`Expected hash ${expected} does not match computed hash ${hash}`);
  }
  return module;
}
