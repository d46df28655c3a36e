import { closeSync } from 'node:fs';
import { entrySum } from '../files/checksum.ts';
import { StoreDamagedError } from '../files/errors.ts';
import { storePaths } from '../files/layout.ts';
import { LogFiles } from '../log/log-files.ts';
import type { RecordContent } from '../log/record.ts';
import { RedoLog } from '../log/redo-log.ts';
import { CheckpointIndex, type SpaceRow } from './checkpoint-index.ts';
import { PageFiles } from './page-files.ts';
import { SortedKeys } from './sorted-keys.ts';
import { Spaces } from './spaces.ts';

/** Values up to this size stay in memory until the checkpoint; larger ones are read from the log when asked for. */
const INLINE_BYTES = 1_024;

interface LogSlice {
  readonly position: number;
  readonly length: number;
  readonly sum: number;
}

type Pending = Uint8Array | LogSlice | 'deleted';

/** The keys that one log changed. */
export class PendingEntries {
  readonly #pending = new Map<string, Pending>();
  readonly #log: RedoLog;
  #sorted: SortedKeys | undefined;

  constructor(log: RedoLog) {
    this.#log = log;
  }

  /** Takes over a record that stands at `logPosition`. */
  apply(content: RecordContent, logPosition: number): void {
    this.#sorted = undefined;
    for (const key of content.deletes) this.#pending.set(key, 'deleted');
    for (const { key, value, position } of content.puts) this.#put(key, value, logPosition + position);
  }

  #put(key: string, value: Uint8Array, logPosition: number): void {
    const small = value.length <= INLINE_BYTES;
    this.#pending.set(
      key,
      small
        ? new Uint8Array(value)
        : { position: logPosition, length: value.length, sum: entrySum(key, value) },
    );
  }

  has(key: string): boolean {
    return this.#pending.has(key);
  }

  /** The new value, or nothing when the key was deleted or did not change. Throws `StoreDamagedError`. */
  get(key: string): Uint8Array | undefined {
    const pending = this.#pending.get(key);
    if (pending === undefined || pending === 'deleted') return undefined;
    if (pending instanceof Uint8Array) return new Uint8Array(pending);
    const value = new Uint8Array(this.#log.read(pending.position, pending.length));
    if (entrySum(key, value) === pending.sum) return value;
    throw new StoreDamagedError(this.#log.path, `the entry ${key} in it is broken`);
  }

  /** Every changed key; deleted ones come without a value. */
  *entries(): Generator<readonly [key: string, value: Uint8Array | undefined]> {
    for (const key of this.#pending.keys()) yield [key, this.get(key)];
  }

  /** Changed keys under a prefix and whether they still exist. */
  *keys(prefix: string): Generator<readonly [key: string, exists: boolean]> {
    this.#sorted ??= new SortedKeys(this.#pending.keys());
    for (const key of this.#sorted.withPrefix(prefix)) yield [key, this.#pending.get(key) !== 'deleted'];
  }
}

/** The points of a checkpoint where a crash could leave two truths side by side. */
export type CheckpointStep = 'new-log-made' | 'pages-written' | 'index-written' | 'old-log-deleted';

export interface WrittenCheckpoint {
  /** Spaces whose row changed. */
  readonly rows: readonly SpaceRow[];
  /** Page files that no row refers to any more. */
  readonly obsolete: readonly number[];
}

/**
 * Writes the log that continues the last checkpoint of a directory, up to commit `through`, into page files and index.
 * Needs nothing from memory, so another thread can do it: the log must be on disk, take no more records, and have a
 * successor. Throws `StoreDamagedError` when the log is not as it was written.
 */
export function writeCheckpoint(
  directory: string,
  through: number,
  onStep?: (step: CheckpointStep) => void,
): WrittenCheckpoint {
  const index = CheckpointIndex.open(storePaths.index(directory));
  try {
    const { sequence: checkpointed, log: number } = index.row;
    const before = index.spaces();
    const spaces = new Spaces(before, new PageFiles(storePaths.pages(directory)));
    let entries: PendingEntries | undefined;
    const { log, scan } = RedoLog.open(
      new LogFiles(storePaths.logs(directory), number).path(number),
      checkpointed,
      (content, position, own) => {
        if (content.sequence <= checkpointed) return;
        entries ??= new PendingEntries(own);
        entries.apply(content, position);
        spaces.apply(content, position);
      },
    );
    try {
      if (scan.last !== through)
        throw new StoreDamagedError(log.path, `commit ${scan.last + 1}, which was on disk, is broken`);
      const lastFile = before.reduce((last, { file }) => Math.max(last, file), 0);
      const rows = spaces.writeFiles(log, lastFile);
      onStep?.('pages-written');
      index.apply({
        sequence: through,
        log: number + 1,
        entries: entries?.entries() ?? [],
        spaces: rows,
        droppedSpaces: before.map(({ name }) => name).filter((name) => !spaces.has(name)),
      });
      onStep?.('index-written');
      index.trim();
      const used = new Set(index.spaces().map(({ file }) => file));
      const obsolete = new Set(before.map(({ file }) => file).filter((file) => !used.has(file)));
      return { rows, obsolete: [...obsolete] };
    } finally {
      closeSync(log.fd);
    }
  } finally {
    index.close();
  }
}
