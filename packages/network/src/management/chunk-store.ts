import { createHash } from 'node:crypto';
import { replicaErrors } from '../errors.ts';
import { chargeInstructions } from '../execution/spending.ts';
import { MAX_CHUNK_BYTES, MAX_CHUNKS } from '../limits.ts';
import {
  type CanisterIdArg,
  CanisterIdRecord,
  ChunkHash,
  ChunkHashes,
  type UploadChunk,
  UploadChunkArg,
} from './candid-types.ts';
import { canisterOf, managementMethod } from './method.ts';

/** Charged for a chunk that is new (dfinity/ic, `DEFAULT_UPLOAD_CHUNK_INSTRUCTIONS`). */
const UPLOAD_CHUNK_INSTRUCTIONS = 200_000_000n;

const hashOf = (name: string): { hash: Uint8Array } => ({ hash: new Uint8Array(Buffer.from(name, 'hex')) });

export const uploadChunk = managementMethod<UploadChunk>({
  name: 'upload_chunk',
  arg: UploadChunkArg,
  result: ChunkHash,
  callers: { kind: 'controllers-or-self' },
  target: (arg) => arg.canister_id,
  run({ env, tx }, arg) {
    const canister = canisterOf(env, arg.canister_id);
    if (arg.chunk.length > MAX_CHUNK_BYTES) {
      throw replicaErrors.chunkStore(
        `Wasm chunk size ${arg.chunk.length} exceeds the maximum chunk size of ${MAX_CHUNK_BYTES}`,
      );
    }
    const name = createHash('sha256').update(arg.chunk).digest('hex');
    if (canister.chunks.includes(name)) return hashOf(name);
    if (canister.chunks.length >= MAX_CHUNKS) {
      throw replicaErrors.chunkStore(
        `Wasm chunk store has already reached maximum capacity of ${MAX_CHUNKS} chunks`,
      );
    }
    chargeInstructions(env, canister, UPLOAD_CHUNK_INSTRUCTIONS);
    env.store.putBlob(arg.chunk);
    tx.setChunks(canister, [...canister.chunks, name]);
    tx.saveProgress(canister);
    return hashOf(name);
  },
});

export const storedChunks = managementMethod<CanisterIdArg>({
  name: 'stored_chunks',
  arg: CanisterIdRecord,
  result: ChunkHashes,
  callers: { kind: 'controllers-or-self' },
  target: (arg) => arg.canister_id,
  run: ({ env }, arg) => canisterOf(env, arg.canister_id).chunks.map(hashOf),
});

export const clearChunkStore = managementMethod<CanisterIdArg>({
  name: 'clear_chunk_store',
  arg: CanisterIdRecord,
  callers: { kind: 'controllers-or-self' },
  target: (arg) => arg.canister_id,
  run({ env, tx }, arg) {
    tx.setChunks(canisterOf(env, arg.canister_id), []);
  },
});
