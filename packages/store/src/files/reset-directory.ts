import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BackupError } from './errors.ts';
import { STORE_NAMES, storePaths } from './layout.ts';
import { Ownership } from './owner.ts';

/**
 * Deletes the store in a directory and `others`, files beside it; whatever else is there stays. Throws
 * `StoreLockedError` while the directory is in use, and `BackupError` when it holds no store.
 */
export function resetDirectory(directory: string, others: readonly string[]): void {
  if (!existsSync(storePaths.index(directory)))
    throw new BackupError(`${directory} is not the data folder of a network; nothing was deleted.`);
  const ownership = Ownership.take(directory);
  // The index last: until it is gone, the folder is known as one that can be reset.
  const names = readdirSync(directory).filter((name) => STORE_NAMES.test(name) || others.includes(name));
  const [index, rest] = [names.filter(isIndex), names.filter((name) => !isIndex(name))];
  try {
    for (const name of rest.filter((each) => !isLock(each)))
      rmSync(join(directory, name), { recursive: true });
    for (const name of index) rmSync(join(directory, name));
  } finally {
    ownership.giveUp();
  }
  for (const name of rest.filter(isLock)) rmSync(join(directory, name), { force: true });
}

const isIndex = (name: string): boolean => name.startsWith('index.');
const isLock = (name: string): boolean => name.startsWith('owner.');
