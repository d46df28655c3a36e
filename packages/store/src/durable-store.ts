import { mkdirSync } from 'node:fs';
import { type Batch, PAGE_BYTES } from './files/batch.ts';
import { Blobs } from './files/blobs.ts';
import { CheckpointIndex } from './pages/checkpoint-index.ts';
import type { Frozen } from './pages/frozen.ts';
import { Derived } from './files/derived.ts';
import { DiskSpace, namingFullDisk } from './files/disk-space.ts';
import { StoreFailedError } from './files/errors.ts';
import { GroupSync } from './log/group-sync.ts';
import { storePaths } from './files/layout.ts';
import { LogFiles } from './log/log-files.ts';
import { Ownership } from './files/owner.ts';
import { PageFiles } from './pages/page-files.ts';
import { PendingEntries, writeCheckpoint, type WrittenCheckpoint } from './pages/write-checkpoint.ts';
import type { RecordContent } from './log/record.ts';
import type { RedoLog } from './log/redo-log.ts';
import { Spaces } from './pages/spaces.ts';
import type { BackupMoment } from './backup/backup-moment.ts';
import { DEFAULTS, type DurableStoreOptions, type Options } from './store-options.ts';
import { backupInThread, checkpointInThread } from './store-thread.ts';

export type { CheckpointStep } from './pages/write-checkpoint.ts';
export type { DurableStoreOptions } from './store-options.ts';

/** How long after a start the checkpoint goes on that a crash interrupted. */
const RESUME_MILLISECONDS = 1_000;
/** A log of this size is written out sooner than a thread starts. */
const SMALL_LOG_BYTES = 256 * 1024;

/** What must be closed when the store cannot be opened. */
interface Held {
  readonly ownership: Ownership;
  readonly index: CheckpointIndex;
}

/**
 * Keys, spaces of pages and blobs in one directory with one owner. A commit is one record of the redo log: after a
 * crash it is there whole or not at all, and it is there if `commit` had returned (process killed) or `durable` had
 * resolved (machine lost power). Checkpoints freeze the log, go on with a new one, and move the old one's content to
 * page files and SQLite in another thread. What is read is checked: `StoreDamagedError` instead of changed bytes.
 */
export class DurableStore {
  readonly #directory: string;
  readonly #options: Options;
  readonly #ownership: Ownership;
  readonly #index: CheckpointIndex;
  readonly #blobs: Blobs;
  readonly #derived: Derived;
  readonly #logs: LogFiles;
  readonly #files: PageFiles;
  readonly #spaces: Spaces;
  readonly #disk: DiskSpace;
  readonly #sync: GroupSync;
  readonly #idle: NodeJS.Timeout;
  #log: RedoLog;
  #entries: PendingEntries;
  #frozen: Frozen | undefined;
  #sequence: number;
  #checkpoint: Promise<void> | undefined;
  #nextCheckpointBytes: number;
  #checkpointFailure: Error | undefined;
  #checkpoints = 0;
  /** Blobs to delete when the backup at work is done. */
  #heldDeletes: Set<string> | undefined;
  #closed = false;

  private constructor(directory: string, held: Held, options: Options) {
    this.#directory = directory;
    this.#options = options;
    this.#ownership = held.ownership;
    this.#index = held.index;
    this.#blobs = new Blobs(storePaths.blobs(directory));
    this.#derived = new Derived(storePaths.derived(directory), this.#blobs);
    this.#files = new PageFiles(storePaths.pages(directory));
    this.#disk = new DiskSpace(directory, options.reserveBytes);
    const { sequence: checkpointed, log } = this.#index.row;
    const rows = this.#index.spaces();
    this.#files.deleteAllBut(new Set(rows.map(({ file }) => file)));
    this.#spaces = new Spaces(rows, this.#files);
    this.#logs = new LogFiles(storePaths.logs(directory), log);
    let entries: PendingEntries | undefined;
    let frozen: Frozen | undefined;
    let through = checkpointed;
    const recovered = this.#logs.recover(
      checkpointed,
      (content, position, own) => {
        entries ??= new PendingEntries(own);
        entries.apply(content, position);
        this.#spaces.apply(content, position);
        through = content.sequence;
      },
      (own) => {
        frozen = {
          log: own,
          entries: entries ?? new PendingEntries(own),
          layers: this.#spaces.freeze(own),
          through,
        };
        entries = undefined;
      },
    );
    this.#log = recovered.active;
    this.#entries = entries ?? new PendingEntries(recovered.active);
    this.#frozen = frozen;
    this.#sequence = recovered.sequence;
    this.#sync = new GroupSync(this.#log, this.#sequence);
    this.#nextCheckpointBytes = options.checkpointBytes;
    this.#idle = setTimeout(() => this.#checkpointByItself(), options.idleMilliseconds).unref();
    // Not now: whoever opens the store waits for it.
    const isUnfinished = frozen !== undefined || this.#log.bytes >= this.#nextCheckpointBytes;
    if (isUnfinished) setTimeout(() => this.#checkpointByItself(), RESUME_MILLISECONDS).unref();
  }

  /**
   * Opens or creates a store and recovers what a crash left. Throws `StoreLockedError` while it has another owner,
   * `StoreDamagedError` where what is on disk is not what was written, `StoreFormatError` for that of other versions,
   * and `StoreFailedError` when the disk is full.
   */
  static open(directory: string, options: DurableStoreOptions = {}): DurableStore {
    return namingFullDisk(directory, () => {
      mkdirSync(directory, { recursive: true });
      const ownership = Ownership.take(directory);
      let index: CheckpointIndex | undefined;
      try {
        index = CheckpointIndex.open(storePaths.index(directory));
        return new DurableStore(directory, { ownership, index }, { ...DEFAULTS, ...options });
      } catch (error) {
        index?.close();
        ownership.giveUp();
        throw error;
      }
    });
  }

  /** Sequence number of the last commit; 0 in a new store. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Why the last automatic checkpoint failed, for the operator; it is tried again as the log grows. */
  get checkpointFailure(): Error | undefined {
    return this.#checkpointFailure;
  }

  /** Whether so little of the disk is free that new work should be refused, so that what was begun can end. */
  get isDiskLow(): boolean {
    return this.#disk.isLow;
  }

  /** Checkpoints written since it was opened, and bytes of the logs that the next one writes out. */
  get progress(): { readonly checkpoints: number; readonly logBytes: number } {
    const logBytes = this.#log.bytes + (this.#frozen?.log.bytes ?? 0);
    return { checkpoints: this.#checkpoints, logBytes };
  }

  get(key: string): Uint8Array | undefined {
    for (const pending of this.#pending()) if (pending.has(key)) return pending.get(key);
    return this.#index.get(key);
  }

  /** All keys with a prefix, in ascending order of their UTF-16 code units. */
  keys(prefix: string): Iterable<string> {
    const found = new Set(this.#index.keys(prefix));
    for (const pending of this.#pending().toReversed()) {
      for (const [key, exists] of pending.keys(prefix)) {
        if (exists) found.add(key);
        else found.delete(key);
      }
    }
    return [...found].toSorted();
  }

  /**
   * Makes `get` and `keys` fast during `action`, which reads most keys, as a start does. Throws `StoreDamagedError`
   * when any key is not as it was written. No checkpoint may be at work.
   */
  inBulk<T>(action: () => T): T {
    return this.#index.inMemory(action);
  }

  /** Size of a space in pages; 0 when it does not exist. */
  spaceSize(space: string): number {
    return this.#spaces.size(space);
  }

  /** Calls `into` with each page that is not all zeros, in no order; the bytes are valid during the call. */
  readSpace(space: string, into: (index: number, bytes: Uint8Array) => void): void {
    this.#spaces.forEachPage(space, this.#log, into);
  }

  /** Consecutive pages in one array; pages never written, or beyond the size, are zeros. */
  readPages(space: string, first: number, count: number): Uint8Array {
    return this.#spaces.pages(space, this.#log, first, count);
  }

  /** Stores bytes under their SHA-256 (hexadecimal) and returns it; they are on disk by then. */
  putBlob(bytes: Uint8Array): string {
    const hash = this.#blobs.put(bytes);
    this.#heldDeletes?.delete(hash);
    return hash;
  }

  getBlob(hash: string): Uint8Array | undefined {
    return this.#blobs.get(hash);
  }

  /** SHA-256 (hexadecimal) of every stored blob. */
  blobs(): readonly string[] {
    return this.#blobs.list();
  }

  deleteBlob(hash: string): void {
    this.#derived.delete(hash);
    if (this.#heldDeletes) this.#heldDeletes.add(hash);
    else this.#blobs.delete(hash);
  }

  hasDerived(hash: string, version: string): boolean {
    return this.#derived.has(hash, version);
  }

  /** What `putDerived` kept of a blob in this version, unless it got lost. */
  getDerived(hash: string, version: string): Uint8Array | undefined {
    return this.#derived.get(hash, version);
  }

  /** Keeps something that can be worked out from a blob again; no commit waits for it. */
  putDerived(hash: string, version: string, bytes: Uint8Array): void {
    this.#derived.put(hash, version, bytes);
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

  /** Moves everything committed so far from the log to the page files and the index. Commits go on meanwhile. */
  async checkpoint(): Promise<void> {
    // One at work may have begun before the last commit.
    await this.#checkpoint?.catch(() => undefined);
    if (this.#frozen) await this.#startCheckpoint();
    if (!this.#log.isEmpty) await this.#startCheckpoint();
  }

  /**
   * Writes a checkpoint and copies it, with the other files of the directory, to a new folder that can be opened as a
   * data folder. Commits go on meanwhile. Throws `BackupError` when the folder exists, and what `moment.ready` throws.
   * @param moment asked before the moment that the backup is of, and told when it is over
   */
  async backup(to: string, moment?: BackupMoment): Promise<void> {
    if (this.#heldDeletes) throw new StoreFailedError('Another backup is running.');
    this.#heldDeletes = new Set();
    try {
      await this.checkpoint();
      if (moment !== undefined) {
        await moment.ready();
        // What was committed since is little, so that whoever waits for the moment does not wait long.
        await this.checkpoint();
      }
      await this.#exclusively(() => {
        moment?.taken();
        return backupInThread(this.#directory, to);
      });
    } finally {
      const held = this.#heldDeletes;
      this.#heldDeletes = undefined;
      for (const hash of held) this.#blobs.delete(hash);
    }
  }

  /** Writes a checkpoint and gives the directory up. Rejects when the checkpoint fails; the log then holds it all. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#idle);
    try {
      await this.checkpoint();
    } finally {
      await this.#sync.wait(this.#sequence).catch(() => undefined);
      this.#frozen?.log.close();
      this.#log.close();
      this.#index.close();
      this.#ownership.giveUp();
    }
  }

  /** What the logs changed, newest first. */
  #pending(): PendingEntries[] {
    return this.#frozen ? [this.#entries, this.#frozen.entries] : [this.#entries];
  }

  #apply(content: RecordContent, position: number): void {
    this.#sequence = content.sequence;
    this.#spaces.apply(content, position);
    this.#entries.apply(content, position);
  }

  /** A checkpoint nobody asked for must not fail the commit it follows: the log still holds everything. */
  #checkpointByItself(): void {
    if (this.#checkpoint || this.#closed || (this.#log.isEmpty && !this.#frozen)) return;
    const bytes = this.#options.checkpointBytes;
    this.#startCheckpoint().then(
      () => {
        this.#nextCheckpointBytes = bytes;
        this.#checkpointFailure = undefined;
        // The log may have grown beyond its size meanwhile.
        if (this.#log.bytes >= bytes) this.#checkpointByItself();
      },
      (error: unknown) => {
        this.#nextCheckpointBytes = this.#log.bytes + bytes / 4;
        this.#checkpointFailure = error instanceof Error ? error : new Error(String(error));
        process.emitWarning(
          `The checkpoint failed and will be tried again: ${this.#checkpointFailure.message}`,
        );
      },
    );
  }

  #startCheckpoint(): Promise<void> {
    return this.#exclusively(() => this.#writeCheckpoint());
  }

  /** Runs `action` when no checkpoint or backup is at work, and keeps others from starting. */
  async #exclusively(action: () => Promise<void>): Promise<void> {
    while (this.#checkpoint) await this.#checkpoint.catch(() => undefined);
    this.#checkpoint = action().finally(() => {
      this.#checkpoint = undefined;
    });
    return this.#checkpoint;
  }

  async #writeCheckpoint(): Promise<void> {
    if (this.#sync.failure !== undefined) throw this.#sync.failure;
    const step = this.#options.onCheckpointStep;
    const frozen = (this.#frozen ??= await this.#freeze(await this.#logs.prepareNext()));
    step?.('new-log-made');
    const isHere = step !== undefined || this.#closed || frozen.log.bytes <= SMALL_LOG_BYTES;
    const written = isHere
      ? writeCheckpoint(this.#directory, frozen.through, step)
      : await checkpointInThread(this.#directory, frozen.through);
    await this.#settle(frozen, written);
    this.#checkpoints += 1;
    step?.('old-log-deleted');
  }

  /** Goes on with the next log and resolves when the old one is on disk. */
  async #freeze(next: RedoLog): Promise<Frozen> {
    const log = this.#log;
    const frozen = {
      log,
      entries: this.#entries,
      layers: this.#spaces.freeze(log),
      through: this.#sequence,
    };
    this.#frozen = frozen;
    this.#log = next;
    this.#entries = new PendingEntries(next);
    await this.#sync.switchTo(next);
    return frozen;
  }

  async #settle(frozen: Frozen, { rows, obsolete }: WrittenCheckpoint): Promise<void> {
    for (const { name, file } of rows) frozen.layers.get(name)?.settle(file);
    this.#frozen = undefined;
    frozen.log.close();
    await this.#logs.delete(frozen.log);
    await Promise.all(obsolete.map((file) => this.#files.delete(file)));
  }
}
