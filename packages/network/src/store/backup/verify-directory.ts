import { existsSync } from 'node:fs';
import { Blobs } from '../files/blobs.ts';
import { CheckpointIndex } from '../pages/checkpoint-index.ts';
import { BackupError } from '../files/errors.ts';
import { storePaths } from '../files/layout.ts';
import { PageFiles } from '../pages/page-files.ts';

/**
 * Reads everything in the checkpoint of a directory that nobody has open. Throws `StoreDamagedError` for what is not
 * as it was written, and `BackupError` when there is no store.
 */
export function verifyDirectory(directory: string): void {
  const path = storePaths.index(directory);
  if (!existsSync(path))
    throw new BackupError(`${directory} is not a backup of a network: it has no ${path}.`);
  const index = CheckpointIndex.open(path);
  try {
    index.inMemory(() => undefined);
    const files = new PageFiles(storePaths.pages(directory));
    for (const { file, pages } of index.spaces()) files.verify(file, pages);
  } finally {
    index.close();
  }
  const blobs = new Blobs(storePaths.blobs(directory));
  for (const hash of blobs.list()) blobs.get(hash);
}
