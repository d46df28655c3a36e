import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { openBlobFolder } from './blob-folder.ts';
import type { BlobStore } from './blob-store.ts';
import { observeBlobs } from './observe-blobs.ts';

/**
 * The blob store that the settings name: a bucket, or else a folder of the data folder.
 * @throws StartError when the bucket cannot be used
 */
export async function openBlobs({ dataDir, bucket }: Pick<Config, 'dataDir' | 'bucket'>): Promise<BlobStore> {
  const folder = join(dataDir, 'blobs');
  if (bucket === undefined) return observeBlobs(await openBlobFolder(folder));
  // Loaded only where it is used: the client is large.
  const { openBlobBucket } = await import('./blob-bucket.ts');
  return observeBlobs(await openBlobBucket(join(folder, 'incoming'), bucket));
}
