import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CheckpointIndex } from '../pages/checkpoint-index.ts';
import { copyPageFile } from '../pages/page-layout.ts';
import { syncDirectory } from '../files/directory.ts';
import { BackupError } from '../files/errors.ts';
import { STORE_NAMES, storePaths } from '../files/layout.ts';
import { LogFiles } from '../log/log-files.ts';
import { pageFileName } from '../pages/page-files.ts';
import { RedoLog } from '../log/redo-log.ts';

/** Copies a file, sharing its blocks where the file system can. */
function copy(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
}

function copyAll(
  from: string,
  to: string,
  wanted: (name: string) => boolean,
  copyOne: (from: string, to: string) => void = copy,
): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (wanted(name) && statSync(join(from, name)).isFile()) copyOne(join(from, name), join(to, name));
  }
}

/**
 * Copies the last checkpoint of a directory, and the files beside the store, to a new folder, which is a complete
 * data folder and appears under its name only when it is. No checkpoint may begin and no blob may be deleted
 * meanwhile. Throws `BackupError` when `to` exists already.
 */
export function writeBackup(directory: string, to: string): void {
  const target = resolve(to);
  if (existsSync(target))
    throw new BackupError(`${target} exists already; name a new folder for the backup.`);
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = join(dirname(target), `.${basename(target)}.incomplete`);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  try {
    const index = CheckpointIndex.open(storePaths.index(directory));
    try {
      index.copyTo(storePaths.index(unfinished));
      const { log } = index.row;
      const logs = new LogFiles(storePaths.logs(unfinished), log);
      RedoLog.create(logs.path(log)).close();
      const files = new Set(index.spaces().map(({ file }) => pageFileName(file)));
      copyAll(
        storePaths.pages(directory),
        storePaths.pages(unfinished),
        (name) => files.has(name),
        copyPageFile,
      );
    } finally {
      index.close();
    }
    copyAll(storePaths.blobs(directory), storePaths.blobs(unfinished), () => true);
    copyAll(directory, unfinished, (name) => !STORE_NAMES.test(name));
    renameSync(unfinished, target);
    syncDirectory(dirname(target));
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}
