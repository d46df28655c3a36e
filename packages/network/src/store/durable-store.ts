import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Batch, PAGE_BYTES } from './batch.ts';
import { Blobs } from './blobs.ts';
import type { CheckpointIndex } from './checkpoint-index.ts';
import { GroupSync } from './group-sync.ts';
import { LogFiles } from './log-files.ts';
import { giveUpOwnership, takeOwnership } from './owner.ts';
import { PageFiles } from './page-files.ts';
import { PendingEntries } from './pending-entries.ts';
import type { RecordContent } from './record.ts';
import type { RedoLog } from './redo-log.ts';
import { Spaces } from './spaces.ts';

/** The points of a checkpoint where a crash could leave two truths side by side. */
export type CheckpointStep =
  | 'log-synced'
  | 'pages-written'
  | 'index-written'
  | 'new-log-made'
  | 'old-log-deleted';

export interface DurableStoreOptions {
  /** Size of the log in bytes that starts a checkpoint. */
  readonly checkpointBytes?: number;
  /** Time without a commit that starts a checkpoint. */
  readonly idleMilliseconds?: number;
  /** Called after each step of a checkpoint. */
  readonly onCheckpointStep?: (step: CheckpointStep) => void;
}

const DEFAULTS = {
  checkpointBytes: 256 * 1024 * 1024,
  idleMilliseconds: 30_000,
  onCheckpointStep: () => undefined,
} as const satisfies Required<DurableStoreOptions>;

/**
 * Keys, spaces of pages and blobs in one directory with one owner. A commit is one record of the redo log: after a
 * crash it is there whole or not at all, and it is there if `commit` had returned (process killed) or `durable` had
 * resolved (machine lost power). Checkpoints move the log's content to page files and SQLite and start a new log.
 */
export class DurableStore {
  readonly #directory: string;
  readonly #options: Required<DurableStoreOptions>;
  readonly #index: CheckpointIndex;
  readonly #blobs: Blobs;
  readonly #logs: LogFiles;
  readonly #entries: PendingEntries;
  readonly #spaces: Spaces;
  readonly #sync: GroupSync;
  #log: RedoLog;
  #sequence: number;
  readonly #idle: NodeJS.Timeout;
  #nextCheckpointBytes: number;
  #checkpointFailure: Error | undefined;
  #closed = false;

  private constructor(directory: string, index: CheckpointIndex, options: Required<DurableStoreOptions>) {
    this.#directory = directory;
    this.#options = options;
    this.#index = index;
    this.#blobs = new Blobs(join(directory, 'blobs'));
    this.#logs = new LogFiles(join(directory, 'log'));
    const readLog = (position: number, length: number): Uint8Array =>
      new Uint8Array(this.#log.read(position, length));
    this.#entries = new PendingEntries(readLog);
    this.#spaces = new Spaces(index.spaces(), new PageFiles(join(directory, 'pages')), readLog);
    const checkpointed = index.sequence;
    this.#sequence = checkpointed;
    this.#log = this.#logs.recover((content, position) => {
      if (content.sequence > checkpointed) this.#apply(content, position);
    });
    this.#sync = new GroupSync(this.#log.fd, this.#sequence);
    this.#nextCheckpointBytes = options.checkpointBytes;
    this.#idle = setTimeout(() => this.#checkpointByItself(), options.idleMilliseconds).unref();
  }

  /** Opens or creates a store and recovers what a crash left. Throws `StoreLockedError` while it has another owner. */
  static open(directory: string, options: DurableStoreOptions = {}): DurableStore {
    mkdirSync(directory, { recursive: true });
    const index = takeOwnership(directory);
    try {
      return new DurableStore(directory, index, { ...DEFAULTS, ...options });
    } catch (error) {
      giveUpOwnership(directory, index);
      throw error;
    }
  }

  /** Sequence number of the last commit; 0 in a new store. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Why the last automatic checkpoint failed, for the operator; it is tried again as the log grows. */
  get checkpointFailure(): Error | undefined {
    return this.#checkpointFailure;
  }

  get(key: string): Uint8Array | undefined {
    return this.#entries.has(key) ? this.#entries.get(key) : this.#index.get(key);
  }

  /** All keys with a prefix, in ascending order of their UTF-16 code units. */
  keys(prefix: string): Iterable<string> {
    const found = new Set(this.#index.keys(prefix));
    for (const [key, exists] of this.#entries.keys(prefix)) {
      if (exists) found.add(key);
      else found.delete(key);
    }
    return [...found].toSorted();
  }

  /** Size of a space in pages; 0 when it does not exist. */
  spaceSize(space: string): number {
    return this.#spaces.size(space);
  }

  /** Calls `into` with each page that is not all zeros, in no order; the bytes are valid during the call. */
  readSpace(space: string, into: (index: number, bytes: Uint8Array) => void): void {
    this.#spaces.forEachPage(space, into);
  }

  /** Consecutive pages in one array; pages never written, or beyond the size, are zeros. */
  readPages(space: string, first: number, count: number): Uint8Array {
    return this.#spaces.pages(space, first, count);
  }

  /** Stores bytes under their SHA-256 (hexadecimal) and returns it; they are on disk by then. */
  putBlob(bytes: Uint8Array): string {
    return this.#blobs.put(bytes);
  }

  getBlob(hash: string): Uint8Array | undefined {
    return this.#blobs.get(hash);
  }

  /** SHA-256 (hexadecimal) of every stored blob. */
  blobs(): readonly string[] {
    return this.#blobs.list();
  }

  deleteBlob(hash: string): void {
    this.#blobs.delete(hash);
  }

  /**
   * Appends the batch to the log as one record, makes it visible and returns its sequence number. Throws
   * `StoreFailedError`, with nothing changed, when the disk refuses.
   */
  commit(batch: Batch): number {
    if (this.#sync.failure !== undefined) throw this.#sync.failure;
    for (const { bytes, index } of batch.pages) {
      if (bytes.length !== PAGE_BYTES) throw new RangeError(`Page ${index} has ${bytes.length} bytes.`);
    }
    const { content, position } = this.#log.append(batch, this.#sequence + 1);
    this.#apply(content, position);
    this.#sync.noteWritten(this.#sequence);
    this.#idle.refresh();
    if (this.#log.bytes >= this.#nextCheckpointBytes) this.#checkpointByItself();
    return this.#sequence;
  }

  /** Resolves once the commit would survive a power failure; rejects with `StoreFailedError` when it cannot. */
  durable(sequence: number): Promise<void> {
    return this.#sync.wait(sequence);
  }

  /** Moves everything from the log to the page files and the index. */
  checkpoint(): void {
    if (this.#log.isEmpty) return;
    const step = this.#options.onCheckpointStep;
    // The page files must never hold what the log could still lose.
    this.#log.sync();
    this.#sync.noteSynced();
    step('log-synced');
    const rows = this.#spaces.writeFiles();
    step('pages-written');
    this.#index.apply({
      sequence: this.#sequence,
      entries: this.#entries.entries(),
      spaces: rows,
      droppedSpaces: this.#spaces.droppedNames(),
    });
    step('index-written');
    const next = this.#logs.next();
    step('new-log-made');
    this.#logs.delete(this.#log);
    this.#log = next;
    this.#sync.switchTo(next.fd);
    step('old-log-deleted');
    this.#entries.clear();
    this.#spaces.checkpointed(rows);
  }

  /** Writes a checkpoint and gives the directory up. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#idle);
    this.checkpoint();
    this.#sync.close();
    giveUpOwnership(this.#directory, this.#index);
  }

  #apply(content: RecordContent, position: number): void {
    this.#sequence = content.sequence;
    this.#spaces.apply(content, position);
    for (const key of content.deletes) this.#entries.delete(key);
    for (const put of content.puts) this.#entries.put(put.key, put.value, position + put.position);
  }

  /** A checkpoint nobody asked for must not fail the commit it follows: the log still holds everything. */
  #checkpointByItself(): void {
    try {
      this.checkpoint();
      this.#nextCheckpointBytes = this.#options.checkpointBytes;
      this.#checkpointFailure = undefined;
    } catch (error) {
      this.#nextCheckpointBytes = this.#log.bytes + this.#options.checkpointBytes / 4;
      this.#checkpointFailure = error instanceof Error ? error : new Error(String(error));
    }
  }
}
