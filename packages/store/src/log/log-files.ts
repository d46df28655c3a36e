import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreDamagedError } from '../files/errors.ts';
import type { RecordContent } from './record.ts';
import { RedoLog } from './redo-log.ts';

const NAME = /^(\d{8})\.log$/;

/** Called with each record that is not in the checkpoint yet. */
export type Replay = (content: RecordContent, position: number, log: RedoLog) => void;

export interface RecoveredLogs {
  /** A log that a checkpoint was writing out when the process ended. */
  readonly frozen: RedoLog | undefined;
  /** The log that takes the next commit. */
  readonly active: RedoLog;
  readonly sequence: number;
}

/** The directory of the redo log. There is one log, and while a checkpoint writes it out also its successor. */
export class LogFiles {
  readonly #directory: string;
  #number: number;

  /** `number`: the log that continues the checkpoint. */
  constructor(directory: string, number: number) {
    this.#directory = directory;
    this.#number = number;
    mkdirSync(directory, { recursive: true });
  }

  /** Number of the newest log. */
  get number(): number {
    return this.#number;
  }

  path(number: number): string {
    return join(this.#directory, `${String(number).padStart(8, '0')}.log`);
  }

  /**
   * Opens the logs behind a checkpoint that holds everything up to `checkpointed`, replays what it does not hold and
   * cuts what a crash left unfinished. `onSuccessor` is called before the records of a second log. Throws
   * `StoreDamagedError`, with nothing changed, where a commit is missing that was on disk.
   */
  recover(checkpointed: number, replay: Replay, onSuccessor: (frozen: RedoLog) => void): RecoveredLogs {
    const first = this.#number;
    const numbers = this.#existing();
    for (const number of numbers) if (number < first) rmSync(this.path(number));
    if (!numbers.includes(first)) {
      if (checkpointed > 0 || numbers.some((number) => number > first))
        throw new StoreDamagedError(this.path(first), 'it is missing');
      return { frozen: undefined, active: RedoLog.create(this.path(first)), sequence: 0 };
    }
    const newer: Replay = (content, position, log) => {
      if (content.sequence > checkpointed) replay(content, position, log);
    };
    const own = RedoLog.open(this.path(first), checkpointed, newer);
    const hasSuccessor = numbers.includes(first + 1);
    if (hasSuccessor) onSuccessor(own.log);
    const next = hasSuccessor ? RedoLog.open(this.path(first + 1), own.scan.last, newer) : undefined;
    const sequence = next?.scan.last ?? own.scan.last;
    if (Math.max(own.scan.synced, next?.scan.synced ?? 0) > sequence) {
      const { path } = next && !own.scan.broken ? next.log : own.log;
      throw new StoreDamagedError(path, `commit ${sequence + 1}, which was on disk, is broken`);
    }
    own.log.truncate();
    if (!next) return { frozen: undefined, active: own.log, sequence };
    next.log.truncate();
    this.#number = first + 1;
    return { frozen: own.log, active: next.log, sequence };
  }

  /** Makes the successor of the newest log. */
  async prepareNext(): Promise<RedoLog> {
    const log = await RedoLog.prepare(this.path(this.#number + 1));
    this.#number += 1;
    return log;
  }

  async delete(log: RedoLog): Promise<void> {
    await rm(log.path);
  }

  #existing(): number[] {
    return readdirSync(this.#directory).flatMap((name) => {
      const digits = NAME.exec(name)?.[1];
      if (digits === undefined) rmSync(join(this.#directory, name), { recursive: true, force: true });
      return digits === undefined ? [] : [Number(digits)];
    });
  }
}
