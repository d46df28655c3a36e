import { eachOf } from '../fairness/each-of.ts';
import type { Logger } from '../log/logger.ts';
import { hashesIn, openBlobFolder } from './blob-folder.ts';
import { type BlobStore, DamagedBlobError } from './blob-store.ts';

/** Blobs on their way at the same time. */
const AT_ONCE = 8;
/** Blobs between two lines of the log. */
const TOLD_EVERY = 1000;

/**
 * Puts every blob of a folder into a bucket that does not have it. It may be ended at any time and begun again: a blob is in the
 * bucket whole or not at all, and the folder stays as it is.
 * @throws AppError storage_unavailable; what the disk throws
 */
export async function moveIntoBucket({
  folder,
  bucket,
  log,
}: {
  folder: string;
  bucket: BlobStore;
  log: Pick<Logger, 'info' | 'error'>;
}): Promise<void> {
  const hashes = hashesIn(folder);
  const first = await hashes.next();
  if (first.done) return;
  const source = await openBlobFolder(folder);
  let moved = 0;

  async function move(hash: string): Promise<void> {
    if (await bucket.has(hash)) return;
    try {
      const incoming = await bucket.receive(source.read(hash));
      try {
        await incoming.keep();
      } finally {
        await incoming.discard();
      }
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      // It is of no use where it lies either.
      log.error({ err: error }, 'a damaged upload was not put into the bucket');
    }
    moved += 1;
    if (moved % TOLD_EVERY === 0) log.info({ moved }, 'uploads are being put into the bucket');
  }

  await move(first.value);
  await eachOf(hashes, AT_ONCE, move);
  log.info({ folder, moved }, 'uploads are in the bucket; the folder of before is not used any more');
}
