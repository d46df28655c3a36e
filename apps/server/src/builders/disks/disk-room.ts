import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { BuildError } from '../build-error.ts';

const MIB = 1024 ** 2;
/** Bytes that stay free for the rest of the server: as much as the look at the disk wants, and a step begins with. */
const MARGIN = 512 * MIB;
/** The least that a build begins with, in bytes, and what it rather waits for while others run. */
const LEAST = 256 * MIB;
const WORTH_WAITING = 1024 * MIB;
/** Pause before the disk is looked at again when nothing was given back, in milliseconds. */
const LOOK_MS = 1_000;

/** Room on the disk that belongs to one build. */
export interface RoomShare {
  /** Bytes that the build may write. */
  readonly bytes: number;
  /** Says how to find out how much of it has been written. */
  measureBy(written: () => Promise<number>): void;
  giveBack(): void;
}

/** What somebody does who waits for room. */
export interface Waiting {
  readonly signal: AbortSignal;
  /** Called once, when there is a reason to wait. */
  onWait(): void;
}

interface Taken {
  readonly bytes: number;
  written: () => Promise<number>;
}

/**
 * The room on the disk that builds share. What running builds may still write is set aside, so that the disk holds all of it: a
 * build that comes gets what is left, waits for it, or does not begin.
 */
export class DiskRoom {
  readonly #folder: string;
  readonly #taken = new Set<Taken>();
  #freed = Promise.withResolvers<void>();
  /** Who came first is first. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param folder a folder on the disk */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Takes room for a build.
   * @param most bytes that it may write at most
   * @throws BuildError when there is too little and nobody who gives some back; the reason of the signal
   */
  reserve(most: number, waiting: Waiting): Promise<RoomShare> {
    const reserved = this.#turn.then(() => this.#inTurn(most, waiting));
    this.#turn = reserved.catch(() => undefined);
    return reserved;
  }

  async #inTurn(most: number, { signal, onWait }: Waiting): Promise<RoomShare> {
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      const bytes = Math.min(most, await this.#left());
      const isAlone = this.#taken.size === 0;
      if (bytes >= Math.min(most, isAlone ? LEAST : WORTH_WAITING)) return this.#give(bytes);
      if (isAlone)
        throw new BuildError(
          `The disk of the server has ${Math.floor((bytes + MARGIN) / MIB)} MB free, and a build begins with ${(LEAST + MARGIN) / MIB} MB or more. Try again later, or tell the operator.`,
        );
      if (isFirst) onWait();
      await Promise.race([this.#freed.promise, delay(LOOK_MS, undefined, { signal, ref: false })]).catch(
        () => undefined,
      );
    }
  }

  /** Bytes that nobody has. */
  async #left(): Promise<number> {
    // First what was written: what is written meanwhile counts twice rather than never.
    const open = await Promise.all(
      [...this.#taken].map(async ({ bytes, written }) =>
        Math.max(0, bytes - (await written().catch(() => 0))),
      ),
    );
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize - MARGIN - open.reduce((sum, one) => sum + one, 0);
  }

  #give(bytes: number): RoomShare {
    const taken: Taken = { bytes, written: async () => 0 };
    this.#taken.add(taken);
    return {
      bytes,
      measureBy: (written) => {
        taken.written = written;
      },
      giveBack: () => {
        if (!this.#taken.delete(taken)) return;
        this.#freed.resolve();
        this.#freed = Promise.withResolvers();
      },
    };
  }
}
