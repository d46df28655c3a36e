import { find, restore, sortedKeys } from './assets';
import { Asset } from './asset';
import { loadBatches, pendingChunks, saveBatches } from './batches';
import { ByteReader } from './byte-reader';
import { ByteWriter } from './byte-writer';
import { Slice } from './bytes';
import { Chunk } from './content';
import { loadPermissions, savePermissions } from './permissions';
import { endOfSpace, restoreSpace } from './space';
import { ensureStable, readStable, stableSize, writeStable } from './stable';
import { trap } from './system';

/** Stable memory begins with: magic, format version, offset and length of the index, 8 bytes each. */
const HEADER_SIZE: i32 = 32;
/** `CASSETS1` */
const MAGIC: u64 = 0x3153544553534143;
const FORMAT: u64 = 1;

/** Writes the index behind the content, which is in stable memory already. */
export function saveIndex(): void {
  const writer = new ByteWriter(65536);
  const keys = sortedKeys();
  writer.u32(keys.length);
  for (let i = 0; i < keys.length; i++) find(keys[i])!.save(writer);
  saveBatches(writer);
  savePermissions(writer);

  const offset = endOfSpace();
  ensureStable(offset + writer.length);
  writeStable(offset, writer.pointer, writer.length);
  const header = new ByteWriter(HEADER_SIZE);
  header.u64(MAGIC);
  header.u64(FORMAT);
  header.u64(offset);
  header.u64(writer.length);
  writeStable(0, header.pointer, HEADER_SIZE);
}

export function loadIndex(): void {
  const header = new ByteWriter(HEADER_SIZE);
  if (stableSize() === 0) trap('stable memory is empty: there is no asset index to upgrade from');
  readStable(header.reserve(HEADER_SIZE), 0, HEADER_SIZE);
  const fields = new ByteReader(new Slice(header.pointer, HEADER_SIZE), 'asset index header');
  if (fields.u64() !== MAGIC) trap('stable memory holds no asset index of this canister: reinstall instead of upgrading');
  const format = fields.u64();
  if (format !== FORMAT) trap('unknown format of the asset index: ' + format.toString());
  const offset = fields.u64();
  const length = <i32>fields.u64();

  const index = heap.alloc(length);
  readStable(index, offset, length);
  const reader = new ByteReader(new Slice(index, length), 'asset index');
  const chunks = readIndex(reader);
  heap.free(index);
  const offsets: Array<u64> = [];
  const sizes: Array<u64> = [];
  for (let i = 0; i < chunks.length; i++) {
    offsets.push(chunks[i].offset);
    sizes.push(chunks[i].size);
  }
  restoreSpace(offsets, sizes);
  forgetSavedIndex();
}

/** New content may overwrite the saved index, so an upgrade that skips `pre_upgrade` must not find it. */
function forgetSavedIndex(): void {
  const header = new ByteWriter(HEADER_SIZE);
  memory.fill(header.reserve(HEADER_SIZE), 0, HEADER_SIZE);
  writeStable(0, header.pointer, HEADER_SIZE);
}

/** Reads the index and gives all chunks in use, from which the unused space follows. */
function readIndex(reader: ByteReader): Array<Chunk> {
  const chunks: Array<Chunk> = [];
  for (let left = reader.u32(); left > 0; left--) {
    const asset = Asset.load(reader);
    for (let i = 0; i < asset.encodings.length; i++) {
      const own = asset.encodings[i].content.chunks;
      for (let j = 0; j < own.length; j++) chunks.push(own[j]);
    }
    restore(asset);
  }
  loadBatches(reader);
  loadPermissions(reader);
  return chunks.concat(pendingChunks());
}
