import { posix } from 'node:path';
import { isRootDirectory, type LikelyRootAnswer } from '@cannery/contract';
import type { LikelyRoot } from '../../../builders/source/likely-roots.ts';

/** Folders that may be meant, by their paths from the repository. @param root folder in which they were found */
export function rootsFrom(root: string, found: readonly LikelyRoot[]): LikelyRootAnswer[] {
  return found
    .map(({ folder, file }) => ({ folder: posix.join(root, folder), file }))
    .filter(({ folder }) => isRootDirectory(folder));
}
