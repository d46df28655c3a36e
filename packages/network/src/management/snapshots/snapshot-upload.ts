import { replicaErrors } from '../../errors.ts';
import { MAX_CHUNK_BYTES, SNAPSHOT_DATA_BASELINE_INSTRUCTIONS, STORE_PAGE_BYTES } from '../../limits.ts';
import type { Canister } from '../../state/canister.ts';
import { snapshotSpace } from '../../state/snapshot.ts';
import type { IcMethods } from '../generated/ic-interface.ts';
import { checkChunk } from '../canisters/chunk-store.ts';
import { canisterOf, type ManagementCall, managementMethod } from '../method/method.ts';
import { payForWork } from '../method/pay-for-work.ts';
import { ownSnapshot } from './snapshot-access.ts';
import { checkSlice, pagesOf, type Slice } from './snapshot-data.ts';

type Place = { readonly area: Slice['area']; readonly offset: bigint } | { readonly area: 'chunk' };

function placeOf(kind: IcMethods['upload_canister_snapshot_data']['arg']['kind']): Place {
  if ('wasm_module' in kind) return { area: 'module', ...kind.wasm_module };
  if ('wasm_memory' in kind) return { area: 'heap', ...kind.wasm_memory };
  if ('stable_memory' in kind) return { area: 'stable', ...kind.stable_memory };
  return { area: 'chunk' };
}

/** Writes the bytes over what the pages around them hold. */
function writeSlice(
  call: ManagementCall,
  { key }: Canister,
  local: number,
  slice: Slice,
  bytes: Uint8Array,
): void {
  const space = snapshotSpace(key, local, slice.area);
  const { first, count, skip } = pagesOf(slice);
  const pages = call.env.store.readPages(space, first, count);
  pages.set(bytes, skip);
  for (let page = 0; page < count; page++) {
    const start = page * STORE_PAGE_BYTES;
    call.tx.writePage(space, first + page, pages.subarray(start, start + STORE_PAGE_BYTES));
  }
}

export const uploadCanisterSnapshotData = managementMethod({
  name: 'upload_canister_snapshot_data',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, { canister_id, snapshot_id, kind, chunk }) {
    const { env, tx } = call;
    const canister = canisterOf(env, canister_id);
    const snapshot = ownSnapshot(env, canister, snapshot_id);
    if (snapshot.source !== 'uploaded') throw replicaErrors.snapshotImmutable();
    const place = placeOf(kind);
    const instructions = SNAPSHOT_DATA_BASELINE_INSTRUCTIONS + BigInt(chunk.length);
    if (place.area === 'chunk') {
      const { name, isNew } = checkChunk(snapshot.chunks, chunk);
      payForWork(call, canister, { instructions, grownBytes: isNew ? MAX_CHUNK_BYTES : 0 });
      if (isNew) {
        env.store.putBlob(chunk);
        tx.saveSnapshot(canister, { ...snapshot, chunks: [...snapshot.chunks, name] });
      }
    } else {
      const slice = checkSlice(snapshot, place.area, place.offset, BigInt(chunk.length));
      payForWork(call, canister, { instructions });
      writeSlice(call, canister, snapshot.local, slice, chunk);
    }
    tx.saveProgress(canister);
  },
});
