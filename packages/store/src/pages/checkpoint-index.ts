import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { entrySum } from '../files/checksum.ts';
import { StoreDamagedError, StoreFormatError } from '../files/errors.ts';
import { SortedKeys } from './sorted-keys.ts';

const FORMAT = 2;
const SCHEMA = `
  CREATE TABLE entries (key TEXT PRIMARY KEY, value BLOB NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE spaces (
    name TEXT PRIMARY KEY, file INTEGER NOT NULL, pages INTEGER NOT NULL, sum INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE checkpoint (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    sequence INTEGER NOT NULL, log INTEGER NOT NULL, entries INTEGER NOT NULL, spaces INTEGER NOT NULL,
    sum INTEGER NOT NULL
  );
`;
/** Values above this size are not held in memory by `inMemory`. */
const LARGE_BYTES = 16_384;
/** How long one connection waits for another of this process. */
const BUSY_MILLISECONDS = 30_000;

export interface SpaceRow {
  readonly name: string;
  readonly file: number;
  readonly pages: number;
}

export interface CheckpointRow {
  /** Number of the last commit the checkpoint holds. */
  readonly sequence: number;
  /** Number of the log that continues it. */
  readonly log: number;
}

/** What one checkpoint writes. A value of `undefined` removes the key. */
export interface CheckpointChanges extends CheckpointRow {
  readonly entries: Iterable<readonly [key: string, value: Uint8Array | undefined]>;
  readonly spaces: readonly SpaceRow[];
  readonly droppedSpaces: readonly string[];
}

const encoder = new TextEncoder();
const spaceSum = ({ name, file, pages }: SpaceRow): number =>
  entrySum(name, encoder.encode(`${file} ${pages}`));

interface Counts extends CheckpointRow {
  readonly entries: number;
  readonly spaces: number;
}
const countsSum = (row: Counts): number =>
  entrySum('checkpoint', encoder.encode(`${row.sequence} ${row.log} ${row.entries} ${row.spaces}`));

/**
 * Keys, values and the table of spaces as of the last checkpoint, in SQLite. The engine reads through one connection
 * while a checkpoint writes through another; a reader sees the old checkpoint or the new one. Every row carries a
 * check value, and the rows are counted: whatever differs from what was written is a `StoreDamagedError`.
 */
export class CheckpointIndex {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #get: StatementSync;
  #table:
    | { readonly values: ReadonlyMap<string, Uint8Array | 'large'>; readonly keys: SortedKeys }
    | undefined;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
    this.#get = database.prepare('SELECT value, sum FROM entries WHERE key = ?');
  }

  /** Opens or creates an index. Throws `StoreDamagedError` or `StoreFormatError`. */
  static open(path: string): CheckpointIndex {
    const database = new DatabaseSync(path, { timeout: BUSY_MILLISECONDS });
    try {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      const format = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
      const isNew = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables'] === 0;
      if (isNew) {
        const sum = countsSum({ sequence: 0, log: 1, entries: 0, spaces: 0 });
        database.exec(
          `BEGIN; ${SCHEMA} INSERT INTO checkpoint VALUES (1, 0, 1, 0, 0, ${sum}); PRAGMA user_version = ${FORMAT}; COMMIT;`,
        );
      } else if (format !== FORMAT) {
        throw new StoreFormatError(
          `${path} has format ${format}, this version reads ${FORMAT}; reset the data folder.`,
        );
      }
      return new CheckpointIndex(path, database);
    } catch (error) {
      database.close();
      throw error instanceof StoreFormatError ? error : damaged(path, error);
    }
  }

  get row(): CheckpointRow {
    return this.#guarded(() => this.#counts());
  }

  spaces(): SpaceRow[] {
    return this.#guarded(() => {
      // One statement, so that the count is of the same checkpoint as the rows.
      const rows = this.#database
        .prepare('SELECT name, file, pages, s.sum AS sum, spaces AS total FROM checkpoint LEFT JOIN spaces s')
        .all();
      const spaces = rows
        .filter(({ name }) => name !== null)
        .map((row) => {
          const space = {
            name: String(row['name']),
            file: Number(row['file']),
            pages: Number(row['pages']),
          };
          if (spaceSum(space) !== row['sum']) throw this.#damage(`the row of space ${space.name}`);
          return space;
        });
      if (spaces.length !== rows[0]?.['total']) throw this.#damage('spaces are missing');
      return spaces;
    });
  }

  get(key: string): Uint8Array | undefined {
    const known = this.#table?.values.get(key);
    if (this.#table && known !== 'large') return known;
    const row = this.#guarded(() => this.#get.get(key));
    return row && this.#checked(key, row['value'], row['sum']);
  }

  /** Keys with a prefix in ascending order. */
  keys(prefix: string): readonly string[] {
    return this.#table?.keys.withPrefix(prefix) ?? [...this.entries(prefix)].map(([key]) => key);
  }

  /** Answers `get` and `keys` from memory during `action`, which must change nothing. Checks the whole table. */
  inMemory<T>(action: () => T): T {
    const values = new Map<string, Uint8Array | 'large'>();
    for (const [key, value] of this.entries(''))
      values.set(key, value.length > LARGE_BYTES ? 'large' : value);
    this.#table = { values, keys: new SortedKeys(values.keys()) };
    try {
      return action();
    } finally {
      this.#table = undefined;
    }
  }

  /**
   * Keys with a prefix and their values, in ascending order. A pass over all (an empty prefix) that comes to its end
   * has checked the whole table.
   */
  *entries(prefix: string): Generator<readonly [key: string, value: Uint8Array]> {
    const statement = this.#database.prepare(
      'SELECT key, value, e.sum, entries FROM checkpoint LEFT JOIN entries e ON key >= ? ORDER BY key',
    );
    statement.setReturnArrays(true);
    const rows = this.#guarded(() => statement.iterate(prefix));
    let count = 0;
    let total: unknown;
    try {
      for (;;) {
        const next = this.#guarded(() => rows.next());
        if (next.done === true) break;
        // The types know rows as objects only.
        const [key, value, sum, entries] = next.value as unknown as readonly unknown[];
        total = entries;
        if (typeof key !== 'string' || !key.startsWith(prefix)) break;
        count += 1;
        yield [key, this.#checked(key, value, sum)];
      }
    } finally {
      rows.return?.();
    }
    if (prefix === '' && count !== total) throw this.#damage('entries are missing');
  }

  /** Takes over a checkpoint's changes, all or nothing. */
  apply(changes: CheckpointChanges): void {
    const database = this.#database;
    database.exec('BEGIN IMMEDIATE');
    try {
      const put = database.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?, ?)');
      const remove = database.prepare('DELETE FROM entries WHERE key = ?');
      const known = database.prepare('SELECT 1 FROM entries WHERE key = ?');
      let { entries } = this.#counts();
      for (const [key, value] of changes.entries) {
        const existed = known.get(key) !== undefined;
        entries += Number(value !== undefined) - Number(existed);
        if (value !== undefined) put.run(key, value, entrySum(key, value));
        else if (existed) remove.run(key);
      }
      const drop = database.prepare('DELETE FROM spaces WHERE name = ?');
      for (const name of changes.droppedSpaces) drop.run(name);
      const keep = database.prepare('INSERT OR REPLACE INTO spaces VALUES (?, ?, ?, ?)');
      for (const row of changes.spaces) keep.run(row.name, row.file, row.pages, spaceSum(row));
      const spaces = Number(database.prepare('SELECT count(*) AS count FROM spaces').get()?.['count']);
      const { sequence, log } = changes;
      database
        .prepare('UPDATE checkpoint SET sequence = ?, log = ?, entries = ?, spaces = ?, sum = ?')
        .run(sequence, log, entries, spaces, countsSum({ sequence, log, entries, spaces }));
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * Empties SQLite's own log. A crash makes SQLite forget that it has copied it back, so that with one checkpoint in each
   * life it would only grow, and every start reads all of it. Where the disk refuses, it stays as it is: nothing is lost.
   */
  trim(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!(error instanceof Error && 'errcode' in error)) throw error;
    }
  }

  /** Writes a copy of the whole index to a new file. */
  copyTo(path: string): void {
    this.#database.prepare('VACUUM INTO ?').run(path);
  }

  close(): void {
    this.#database.close();
  }

  #counts(): Counts {
    const row = this.#database.prepare('SELECT sequence, log, entries, spaces, sum FROM checkpoint').get();
    const counts = {
      sequence: Number(row?.['sequence']),
      log: Number(row?.['log']),
      entries: Number(row?.['entries']),
      spaces: Number(row?.['spaces']),
    };
    if (row?.['sum'] !== countsSum(counts)) throw this.#damage('the checkpoint row');
    return counts;
  }

  #checked(key: string, value: unknown, sum: unknown): Uint8Array {
    if (value instanceof Uint8Array && entrySum(key, value) === sum) return value;
    throw this.#damage(`the entry ${key}`);
  }

  #damage(what: string): StoreDamagedError {
    return new StoreDamagedError(this.#path, `${what} (not as written)`);
  }

  /** What SQLite itself finds wrong is damage too. */
  #guarded<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw damaged(this.#path, error);
    }
  }
}

/** PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN: not the fault of the content. */
const OUTSIDE_ERRORS: ReadonlySet<number> = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14]);

function damaged(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error)) return error;
  if (OUTSIDE_ERRORS.has(Number(error.errcode) & 0xff)) return error;
  return new StoreDamagedError(path, `SQLite cannot read it (${error.message})`, { cause: error });
}
