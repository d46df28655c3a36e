import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { markOfFolder, openBlobFolder } from './blob-folder.ts';
import type { BlobStore, PlaceMark } from './blob-store.ts';
import { observeBlobs } from './observe-blobs.ts';

/** Where this server keeps blobs when it has no bucket, and where a bucket's content is received. */
export function blobFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'blobs');
}

/**
 * The blob store that the settings name: a bucket, or else a folder of the data folder.
 * @param drafts the folder of what is coming, for a process beside the server, whose folder it must leave alone
 * @throws StartError when the bucket cannot be used
 */
export async function openBlobs(
  config: Pick<Config, 'dataDir' | 'bucket'>,
  drafts = join(blobFolder(config), 'incoming'),
): Promise<BlobStore & { readonly mark: PlaceMark }> {
  const folder = blobFolder(config);
  if (config.bucket === undefined)
    return { ...observeBlobs(await openBlobFolder(folder, drafts)), mark: markOfFolder(folder) };
  // Loaded only where it is used: the client is large.
  const { openBlobBucket } = await import('./blob-bucket.ts');
  const bucket = await openBlobBucket(drafts, config.bucket);
  return { ...observeBlobs(bucket), mark: bucket.mark };
}
