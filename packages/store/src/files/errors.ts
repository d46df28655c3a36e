import { basename } from 'node:path';

/** Another process, or another store in this one, owns the directory. */
export class StoreLockedError extends Error {
  override readonly name = 'StoreLockedError';
}

/** The disk refused a write or a sync. What was acknowledged before is on disk; nothing more can be committed. */
export class StoreFailedError extends Error {
  override readonly name = 'StoreFailedError';
}

/** What is on disk is not what was written. Nothing of it is served; the message names the file. */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError';
  readonly path: string;
  readonly what: string;

  /** `what` says what is wrong with the file at `path`. */
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(
      `The file ${path} is damaged: ${what}. Nothing was changed. Check the disk, then restore the latest backup, or reset the data folder to start from nothing.`,
      options,
    );
    this.path = path;
    this.what = what;
  }

  /** File and fault in short, without where the file stands. */
  get fault(): string {
    return `${basename(this.path)}: ${this.what}`;
  }
}

/** The directory was written by a version of this program with another format. */
export class StoreFormatError extends Error {
  override readonly name = 'StoreFormatError';
}

/** A backup cannot be written or read as asked. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
