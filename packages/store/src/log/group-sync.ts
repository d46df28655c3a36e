import { fdatasync } from 'node:fs';
import { StoreFailedError } from '../files/errors.ts';
import type { RedoLog } from './redo-log.ts';

interface Waiter {
  readonly sequence: number;
  resolve(): void;
  reject(error: Error): void;
}

/** A log that takes no more records, and who waits for it to be on disk and out of use. */
interface Retired {
  readonly log: RedoLog;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Syncs the log off the thread and tells who waits for it. A sync starts as soon as none is running, so a lone record
 * waits for the disk only, and all records written during one sync share the next.
 */
export class GroupSync {
  #log: RedoLog;
  #retired: Retired[] = [];
  #written: number;
  #synced: number;
  #running = false;
  #planned = false;
  #failure: StoreFailedError | undefined;
  #waiters: Waiter[] = [];

  /** Everything up to `sequence` is on disk already. */
  constructor(log: RedoLog, sequence: number) {
    this.#log = log;
    this.#written = sequence;
    this.#synced = sequence;
  }

  get failure(): StoreFailedError | undefined {
    return this.#failure;
  }

  /** A record was appended. */
  noteWritten(sequence: number): void {
    this.#written = sequence;
    this.#plan();
  }

  /** Resolves once the record is on disk; rejects with `StoreFailedError` when it cannot be. */
  wait(sequence: number): Promise<void> {
    if (sequence <= this.#synced) return Promise.resolve();
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (sequence > this.#written)
      return Promise.reject(new RangeError(`No record ${sequence} was committed.`));
    return new Promise((resolve, reject) => this.#waiters.push({ sequence, resolve, reject }));
  }

  /** Goes on with another log. Resolves when the old one is on disk and no sync uses it any more. */
  switchTo(log: RedoLog): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const old = this.#log;
    this.#log = log;
    return new Promise((resolve, reject) => {
      this.#retired.push({ log: old, resolve, reject });
      this.#plan();
    });
  }

  /** Starts at the end of the turn, so that every record of one turn is in the first sync. */
  #plan(): void {
    if (this.#running || this.#planned) return;
    this.#planned = true;
    setImmediate(() => this.#start());
  }

  #start(): void {
    this.#planned = false;
    const isNothingNew = this.#synced >= this.#written && this.#retired.length === 0;
    if (this.#running || isNothingNew || this.#failure !== undefined) return;
    this.#running = true;
    const target = this.#written;
    const retired = this.#retired;
    this.#retired = [];
    this.#syncAll([...retired.map(({ log }) => log), this.#log], (error) => {
      this.#running = false;
      if (error !== null) return this.#fail(error, retired);
      this.#settle(target);
      for (const { resolve } of retired) resolve();
      this.#start();
    });
  }

  /** One after the other: what is in a later log must not be on disk before what is in an earlier one. */
  #syncAll([first, ...rest]: readonly RedoLog[], done: (error: Error | null) => void): void {
    if (first === undefined) return done(null);
    fdatasync(first.fd, (error) => (error === null ? this.#syncAll(rest, done) : done(error)));
  }

  #settle(sequence: number): void {
    if (sequence <= this.#synced) return;
    this.#synced = sequence;
    // Before anybody hears of it, so that a bad record that somebody was told of is known as damage.
    this.#log.mark(sequence);
    const done = this.#waiters.filter((waiter) => waiter.sequence <= sequence);
    this.#waiters = this.#waiters.filter((waiter) => waiter.sequence > sequence);
    for (const waiter of done) waiter.resolve();
  }

  /** After a failed sync the kernel may have thrown the data away: trying again would prove nothing. */
  #fail(cause: Error, retired: readonly Retired[]): void {
    this.#failure = new StoreFailedError(
      `The redo log ${this.#log.path} could not be synced to disk: ${cause.message}`,
      { cause },
    );
    for (const waiter of [...this.#waiters, ...retired, ...this.#retired]) waiter.reject(this.#failure);
    this.#waiters = [];
    this.#retired = [];
  }
}
