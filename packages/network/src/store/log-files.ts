import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordContent } from './record.ts';
import { RedoLog } from './redo-log.ts';

const NAME = /^(\d{8})\.log$/;

/** The directory of the redo log. There is one log, and for a moment at the end of a checkpoint its successor. */
export class LogFiles {
  readonly #directory: string;
  #number = 0;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  #path(number: number): string {
    return join(this.#directory, `${String(number).padStart(8, '0')}.log`);
  }

  /**
   * Opens the newest log, or makes the first one. An older log beside it holds nothing that is not in the
   * checkpoint: its successor is made only after that.
   */
  recover(replay: (content: RecordContent, position: number) => void): RedoLog {
    const numbers = readdirSync(this.#directory).flatMap((name) => {
      const digits = NAME.exec(name)?.[1];
      if (digits === undefined) rmSync(join(this.#directory, name), { recursive: true, force: true });
      return digits === undefined ? [] : [Number(digits)];
    });
    const newest = numbers.toSorted((left, right) => left - right).pop();
    for (const number of numbers) if (number !== newest) rmSync(this.#path(number));
    if (newest === undefined) return this.next();
    this.#number = newest;
    return RedoLog.recover(this.#path(newest), replay);
  }

  /** Makes the successor of the newest log. */
  next(): RedoLog {
    this.#number += 1;
    return RedoLog.create(this.#path(this.#number));
  }

  delete(log: RedoLog): void {
    rmSync(log.path);
  }
}
