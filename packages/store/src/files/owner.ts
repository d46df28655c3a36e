import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreLockedError } from './errors.ts';

const LOCK = 'owner.lock';
/** Tells people who holds the directory; the lock itself is the database's. */
const OWNER = 'owner.pid';
const SQLITE_BUSY = 5;

function ownerIn(directory: string): string {
  try {
    return `process ${readFileSync(join(directory, OWNER), 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}

/**
 * The right of one process to write a directory: the exclusive lock of an empty SQLite database, which the kernel
 * frees when the process dies however it dies.
 */
export class Ownership {
  readonly #directory: string;
  readonly #lock: DatabaseSync;

  private constructor(directory: string, lock: DatabaseSync) {
    this.#directory = directory;
    this.#lock = lock;
  }

  /** Throws `StoreLockedError` while the directory has an owner. */
  static take(directory: string): Ownership {
    const lock = new DatabaseSync(join(directory, LOCK));
    try {
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
    } catch (error) {
      lock.close();
      if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error;
      throw new StoreLockedError(`The directory ${directory} is in use by ${ownerIn(directory)}.`, {
        cause: error,
      });
    }
    const ownership = new Ownership(directory, lock);
    try {
      writeFileSync(join(directory, OWNER), `${process.pid}\n`);
      return ownership;
    } catch (error) {
      ownership.giveUp();
      throw error;
    }
  }

  giveUp(): void {
    rmSync(join(this.#directory, OWNER), { force: true });
    this.#lock.close();
  }
}
