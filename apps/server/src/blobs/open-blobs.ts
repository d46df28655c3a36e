import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { openBlobFolder } from './blob-folder.ts';
import type { BlobStore } from './blob-store.ts';

/**
 * The blob store that the settings name: a bucket, or else a folder of the data folder.
 * @param drafts the folder of what is coming, for a process beside the server, whose folder it must leave alone
 * @throws StartError when the bucket cannot be used
 */
export async function openBlobs(
  { dataDir, bucket }: Pick<Config, 'dataDir' | 'bucket'>,
  drafts = join(dataDir, 'blobs', 'incoming'),
): Promise<BlobStore> {
  if (bucket === undefined) return openBlobFolder(join(dataDir, 'blobs'), drafts);
  // Loaded only where it is used: the client is large.
  const { openBlobBucket } = await import('./blob-bucket.ts');
  return openBlobBucket(drafts, bucket);
}
