import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { copyPageFile } from '../pages/copy-pages.ts';
import { BackupError } from '../files/errors.ts';
import { storePaths } from '../files/layout.ts';
import { verifyDirectory } from './verify-directory.ts';

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
