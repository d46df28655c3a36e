import { closeSync, fdatasync } from 'node:fs';
import { StoreFailedError } from './errors.ts';

interface Waiter {
  readonly sequence: number;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Syncs the log off the thread and tells who waits for it. A sync starts as soon as none is running, so a lone record
 * waits for the disk only, and all records written during one sync share the next.
 */
export class GroupSync {
  #fd: number;
  #written: number;
  #synced: number;
  #running = false;
  #planned: NodeJS.Immediate | undefined;
  #retired: number[] = [];
  #failure: StoreFailedError | undefined;
  #waiters: Waiter[] = [];

  constructor(fd: number, sequence: number) {
    this.#fd = fd;
    this.#written = sequence;
    this.#synced = sequence;
  }

  get failure(): StoreFailedError | undefined {
    return this.#failure;
  }

  /** A record was appended. */
  noteWritten(sequence: number): void {
    this.#written = sequence;
    // At the end of the turn, so that every record of one turn is in the first sync.
    if (!this.#running) this.#planned ??= setImmediate(() => this.#start());
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
    this.#clearPlan();
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
    this.#clearPlan();
    this.switchTo(-1);
  }

  #start(): void {
    this.#clearPlan();
    if (this.#running || this.#synced >= this.#written || this.#failure !== undefined) return;
    this.#running = true;
    const target = this.#written;
    fdatasync(this.#fd, (error) => {
      this.#running = false;
      for (const fd of this.#retired) closeSync(fd);
      this.#retired = [];
      if (error !== null) return this.#fail(error);
      this.#settle(target);
      this.#start();
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

  #clearPlan(): void {
    clearImmediate(this.#planned);
    this.#planned = undefined;
  }
}
