import { closeSync, fdatasync } from 'node:fs';
import { StoreFailedError } from './errors.ts';

export interface GroupSyncOptions {
  /** Longest time a record waits for its sync to start. */
  readonly milliseconds: number;
  /** Records that start a sync at once. */
  readonly records: number;
}

interface Waiter {
  readonly sequence: number;
  resolve(): void;
  reject(error: Error): void;
}

/** Syncs the log for many records at a time, off the thread, and tells who waits for them. */
export class GroupSync {
  readonly #options: GroupSyncOptions;
  #fd: number;
  #written: number;
  #synced: number;
  #running = false;
  #timer: NodeJS.Timeout | undefined;
  #retired: number[] = [];
  #failure: StoreFailedError | undefined;
  #waiters: Waiter[] = [];

  constructor(fd: number, sequence: number, options: GroupSyncOptions) {
    this.#fd = fd;
    this.#written = sequence;
    this.#synced = sequence;
    this.#options = options;
  }

  get failure(): StoreFailedError | undefined {
    return this.#failure;
  }

  /** A record was appended. */
  noteWritten(sequence: number): void {
    this.#written = sequence;
    if (sequence - this.#synced >= this.#options.records) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), this.#options.milliseconds);
  }

  /** Resolves once the record is on disk; rejects with `StoreFailedError` when it cannot be. */
  wait(sequence: number): Promise<void> {
    if (sequence <= this.#synced) return Promise.resolve();
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (sequence > this.#written)
      return Promise.reject(new RangeError(`No record ${sequence} was committed.`));
    return new Promise((resolve, reject) => this.#waiters.push({ sequence, resolve, reject }));
  }

  /** Everything written so far was synced by other means. */
  noteSynced(): void {
    this.#clearTimer();
    this.#settle(this.#written);
  }

  /** Goes on with another file; the old one is closed as soon as no sync uses it. */
  switchTo(fd: number): void {
    if (this.#running) this.#retired.push(this.#fd);
    else closeSync(this.#fd);
    this.#fd = fd;
  }

  /** Closes the file. Call `noteSynced` before. */
  close(): void {
    this.#clearTimer();
    this.switchTo(-1);
  }

  #start(): void {
    this.#clearTimer();
    if (this.#running || this.#synced >= this.#written || this.#failure !== undefined) return;
    this.#running = true;
    const target = this.#written;
    fdatasync(this.#fd, (error) => {
      this.#running = false;
      for (const fd of this.#retired) closeSync(fd);
      this.#retired = [];
      if (error !== null) return this.#fail(error);
      this.#settle(target);
      if (this.#synced < this.#written) this.noteWritten(this.#written);
    });
  }

  #settle(sequence: number): void {
    this.#synced = Math.max(this.#synced, sequence);
    const done = this.#waiters.filter((waiter) => waiter.sequence <= this.#synced);
    this.#waiters = this.#waiters.filter((waiter) => waiter.sequence > this.#synced);
    for (const waiter of done) waiter.resolve();
  }

  /** After a failed sync the kernel may have thrown the data away: trying again would prove nothing. */
  #fail(cause: Error): void {
    this.#failure = new StoreFailedError('The redo log could not be synced to disk.', { cause });
    for (const waiter of this.#waiters) waiter.reject(this.#failure);
    this.#waiters = [];
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
