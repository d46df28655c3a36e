import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { markOfFolder, openBlobFolder } from './blob-folder.ts';
import type { BlobStore, PlaceMark } from './blob-store.ts';

/** Where this server keeps blobs when it has no bucket, and where a bucket's content is received. */
export function blobFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'blobs');
}
import { observeBlobs } from './observe-blobs.ts';

/**
 * The blob store that the settings name: a bucket, or else a folder of the data folder.
 * @throws StartError when the bucket cannot be used
 */
export async function openBlobs(
  config: Pick<Config, 'dataDir' | 'bucket'>,
): Promise<BlobStore & { readonly mark: PlaceMark }> {
  const folder = blobFolder(config);
  if (config.bucket === undefined) return { ...observeBlobs(await openBlobFolder(folder)), mark: markOfFolder(folder) };
  // Loaded only where it is used: the client is large.
  const { openBlobBucket } = await import('./blob-bucket.ts');
  const bucket = await openBlobBucket(join(folder, 'incoming'), config.bucket);
  return { ...observeBlobs(bucket), mark: bucket.mark };
}
