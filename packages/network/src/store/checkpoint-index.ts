import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StoreLockedError } from './errors.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS spaces (name TEXT PRIMARY KEY, file INTEGER NOT NULL, pages INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS checkpoint (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL);
  INSERT OR IGNORE INTO checkpoint VALUES (1, 0);
`;
const SQLITE_BUSY = 5;

export interface SpaceRow {
  readonly name: string;
  readonly file: number;
  readonly pages: number;
}

/** What one checkpoint writes. A value of `undefined` removes the key. */
export interface CheckpointChanges {
  readonly sequence: number;
  readonly entries: Iterable<readonly [key: string, value: Uint8Array | undefined]>;
  readonly spaces: readonly SpaceRow[];
  readonly droppedSpaces: readonly string[];
}

/**
 * Keys, values and the table of spaces as of the last checkpoint, in SQLite. Its exclusive lock, which the kernel
 * frees when the process dies however it dies, is also what makes a directory have one owner.
 */
export class CheckpointIndex {
  readonly #database: DatabaseSync;
  readonly #get: StatementSync;
  readonly #keysFrom: StatementSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
    this.#get = database.prepare('SELECT value FROM entries WHERE key = ?');
    this.#keysFrom = database.prepare('SELECT key FROM entries WHERE key >= ? ORDER BY key');
  }

  /** Throws `StoreLockedError` while somebody else has it open. */
  static open(path: string): CheckpointIndex {
    const database = new DatabaseSync(path);
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      database.exec(`BEGIN EXCLUSIVE; ${SCHEMA} COMMIT;`);
      return new CheckpointIndex(database);
    } catch (error) {
      database.close();
      if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
        throw new StoreLockedError('The directory is in use.', { cause: error });
      }
      throw error;
    }
  }

  get sequence(): number {
    const row = this.#database.prepare('SELECT sequence FROM checkpoint').get();
    return Number(row?.['sequence'] ?? 0);
  }

  spaces(): SpaceRow[] {
    const rows = this.#database.prepare('SELECT name, file, pages FROM spaces').all();
    return rows.map((row) => ({
      name: String(row['name']),
      file: Number(row['file']),
      pages: Number(row['pages']),
    }));
  }

  get(key: string): Uint8Array | undefined {
    const value = this.#get.get(key)?.['value'];
    return value instanceof Uint8Array ? value : undefined;
  }

  keys(prefix: string): string[] {
    const found: string[] = [];
    for (const row of this.#keysFrom.iterate(prefix)) {
      const key = String(row['key']);
      if (!key.startsWith(prefix)) break;
      found.push(key);
    }
    return found;
  }

  /** Takes over a checkpoint's changes, all or nothing. */
  apply(changes: CheckpointChanges): void {
    const database = this.#database;
    database.exec('BEGIN IMMEDIATE');
    try {
      const put = database.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?)');
      const remove = database.prepare('DELETE FROM entries WHERE key = ?');
      for (const [key, value] of changes.entries) {
        if (value === undefined) remove.run(key);
        else put.run(key, value);
      }
      const drop = database.prepare('DELETE FROM spaces WHERE name = ?');
      for (const name of changes.droppedSpaces) drop.run(name);
      const keep = database.prepare('INSERT OR REPLACE INTO spaces VALUES (?, ?, ?)');
      for (const { name, file, pages } of changes.spaces) keep.run(name, file, pages);
      database.prepare('UPDATE checkpoint SET sequence = ?').run(changes.sequence);
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}
