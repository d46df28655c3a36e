import type { BucketConfig } from '../config/config.ts';
import type { Logger } from '../log/logger.ts';
import { openCopiesFolder } from './removed-repositories.ts';
import { RepositoryCopies } from './repository-copies.ts';

/**
 * Begins to keep copies of all repositories of a folder in a bucket.
 * @param options.root the folder of repositories
 * @param options.folder its id
 * @param options.holds whether the folder still is this process's
 * @param options.soonMs between a change and the look at what it was, in milliseconds, where it is not a second
 */
export async function openCopies(options: {
  root: string;
  folder: string;
  bucket: BucketConfig;
  holds: () => boolean;
  log: Pick<Logger, 'warn'>;
  soonMs?: number;
}): Promise<RepositoryCopies> {
  const { root, folder, bucket, holds, log, soonMs } = options;
  const drafts = await openCopiesFolder(root);
  // Loaded only where it is used: the client is large.
  const { openBucketObjects } = await import('../blobs/bucket-objects.ts');
  const objects = openBucketObjects(bucket);
  const name = `${bucket.url}/${bucket.bucket}/${folder}`;
  const copies = new RepositoryCopies(root, { objects, folder, name, drafts, holds }, log, soonMs);
  copies.start();
  return copies;
}
