import { createHash } from 'node:crypto';
import { replicaErrors } from '../../errors.ts';
import { MAX_CHUNK_BYTES, MAX_CHUNKS } from '../../limits.ts';
import { canisterOf, managementMethod } from '../method/method.ts';
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
