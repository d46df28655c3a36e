import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Blobs } from '../files/blobs.ts';
import { BackupError } from '../files/errors.ts';
import { storePaths } from '../files/layout.ts';
import { CheckpointIndex } from '../pages/checkpoint-index.ts';
import { copyPageFile } from '../pages/page-layout.ts';
import { PageFiles } from '../pages/page-files.ts';

/**
 * Reads everything in the checkpoint of a directory that nobody has open. Throws `StoreDamagedError` for what is not
 * as it was written, and `BackupError` when there is no store.
 */
function verifyDirectory(directory: string): void {
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

/**
 * Makes a data folder of a backup, which stays as it is. Nothing appears under the new name until every byte of the
 * copy was checked. Throws `BackupError` when the folder holds something or `backup` is none, `StoreDamagedError` when
 * the backup is damaged.
 */
export function restoreBackup(backup: string, to: string): void {
  const source = resolve(backup);
  const target = resolve(to);
  if (!existsSync(source)) throw new BackupError(`There is no backup at ${source}.`);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new BackupError(`${target} is not empty; reset it first or name another folder.`);
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = join(dirname(target), `.${basename(target)}.incomplete`);
  rmSync(unfinished, { recursive: true, force: true });
  try {
    const pages = storePaths.pages(source);
    cpSync(source, unfinished, { recursive: true, filter: (each) => dirname(each) !== pages });
    for (const name of existsSync(pages) ? readdirSync(pages) : [])
      copyPageFile(join(pages, name), join(storePaths.pages(unfinished), name));
    verifyDirectory(unfinished);
    if (existsSync(target)) rmdirSync(target);
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}
