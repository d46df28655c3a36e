import { recordAsset, recordChanges, restoreAsset, forgetAsset, sortedKeys, find } from '../content/assets';
import { Asset } from '../content/asset';
import { pendingChunks, recordBatches, restoreBatches } from '../content/batches';
import { ByteReader } from '../base/byte-reader';
import { Chunk } from '../content/content';
import * as journal from '../base/journal';
import { recordAllHolders, restoreHolders } from '../content/permissions';
import { recordRules, restoreRules } from '../content/rules';
import { recordSettings, restoreSettings } from '../content/settings';
import { restoreSpace } from '../base/stable';

/** Writes what this message changed to stable memory. Called at the end of every message. */
export function saveChanges(): void {
  recordChanges();
  if (journal.hasRecords() && !journal.addRecords()) saveAll();
}

/** Writes the whole index to stable memory. */
function saveAll(): void {
  journal.forgetRecords();
  const keys = sortedKeys();
  for (let i = 0; i < keys.length; i++) recordAsset(find(keys[i])!);
  recordBatches();
  recordAllHolders();
  recordSettings();
  recordRules();
  journal.replaceRecords();
}

/** Reads the index from stable memory. Traps if there is none. */
export function loadIndex(): void {
  const source = journal.readRecords();
  const reader = new ByteReader(source, 'asset index');
  while (reader.left > 0) restore(reader.u8(), reader);
  heap.free(source.pointer);
  restoreUsedSpace();
}

function restore(kind: u8, reader: ByteReader): void {
  if (restoreBatches(kind, reader)) return;
  switch (kind) {
    case journal.ASSET: restoreAsset(Asset.load(reader)); break;
    case journal.ASSET_GONE: forgetAsset(reader.text()); break;
    case journal.HOLDERS: restoreHolders(reader); break;
    case journal.SETTINGS: restoreSettings(reader); break;
    case journal.RULES: restoreRules(reader); break;
    default: reader.fail('unknown record ' + kind.toString());
  }
}

/** The unused space follows from what is in use. */
function restoreUsedSpace(): void {
  const offsets: Array<u64> = [journal.recordsOffset()];
  const sizes: Array<u64> = [journal.recordsRoom()];
  const keys = sortedKeys();
  for (let i = 0; i < keys.length; i++) {
    const encodings = find(keys[i])!.encodings;
    for (let j = 0; j < encodings.length; j++) addSpace(encodings[j].content.chunks, offsets, sizes);
  }
  addSpace(pendingChunks(), offsets, sizes);
  restoreSpace(offsets, sizes);
}

function addSpace(chunks: Array<Chunk>, offsets: Array<u64>, sizes: Array<u64>): void {
  for (let i = 0; i < chunks.length; i++) {
    offsets.push(chunks[i].offset);
    sizes.push(chunks[i].size);
  }
}
