import { AppError } from '../../errors.ts';
import { objectsOf } from './lfs-store.ts';

/** Room that is set aside for an object while it comes. */
export interface RoomAside {
  /** Aborts when the repository goes, or gets another name: what comes has no place any more. */
  readonly signal: AbortSignal;
  /**
   * Says that the object is about to get its place.
   * @throws AppError repository_not_found when the repository has gone or has another name
   */
  check(): void;
  /** Gives the room back, or keeps it as that of an object that is there now. */
  end(isStored: boolean): void;
}

interface Entry {
  stored: number;
  aside: number;
  /** Objects, those under way included. */
  files: number;
  readonly moved: AbortController;
}

/** Repositories that are remembered, about 300 bytes each, besides those for which something is under way. */
const REMEMBERED = 20_000;

/**
 * Most objects of one repository. Their names are read and sorted at each of its changes: of a quarter of a million, which the
 * quota has room for, that takes seconds on the thread that serves everybody. A build takes a quarter of this number.
 */
const MOST_FILES = 20_000;

/**
 * Bytes that objects of Git LFS take in repositories, those under way included. The folder of a repository is read once, while
 * nothing is under way for it; from then on the number is kept along with what happens.
 */
export class LfsRoom {
  readonly #entries = new Map<string, Entry>();
  readonly #mostFiles: number;

  constructor(mostFiles = MOST_FILES) {
    this.#mostFiles = mostFiles;
  }

  /** Bytes of a repository that is looked at within a turn of its owner. */
  async inTurn(gitDir: string): Promise<number> {
    return sumOf(await this.#entry(gitDir));
  }

  /** Bytes of a repository, for a message. */
  async about(gitDir: string): Promise<number> {
    const entry = this.#entries.get(gitDir);
    return entry === undefined ? (await objectsOf(gitDir)).bytes : sumOf(entry);
  }

  /**
   * Sets room aside, within a turn of the owner in which it was seen to be there.
   * @throws AppError quota_reached when the repository has as many objects as one may have
   */
  async setAside(gitDir: string, bytes: number): Promise<RoomAside> {
    const entry = await this.#entry(gitDir);
    if (entry.files >= this.#mostFiles)
      throw new AppError(
        'quota_reached',
        `The repository has ${entry.files} files of Git LFS, and one may have ${this.#mostFiles}.`,
      );
    const { signal } = entry.moved;
    entry.aside += bytes;
    entry.files += 1;
    let isOver = false;
    return {
      signal,
      check: () => signal.throwIfAborted(),
      end(isStored) {
        if (isOver) return;
        isOver = true;
        entry.aside -= bytes;
        if (isStored) entry.stored += bytes;
        else entry.files -= 1;
      },
    };
  }

  /** To be called within a turn when a repository is removed, or has another place. */
  forget(gitDir: string): void {
    const entry = this.#entries.get(gitDir);
    this.#entries.delete(gitDir);
    entry?.moved.abort(
      new AppError('repository_not_found', 'The repository has been deleted or renamed meanwhile.'),
    );
  }

  async #entry(gitDir: string): Promise<Entry> {
    const known = this.#entries.get(gitDir);
    if (known !== undefined) return known;
    const { bytes, files } = await objectsOf(gitDir);
    const entry = { stored: bytes, aside: 0, files, moved: new AbortController() };
    this.#entries.set(gitDir, entry);
    this.#forgetSome();
    return entry;
  }

  #forgetSome(): void {
    for (const [gitDir, { aside }] of this.#entries) {
      if (this.#entries.size <= REMEMBERED) return;
      if (aside === 0) this.#entries.delete(gitDir);
    }
  }
}

function sumOf({ stored, aside }: Entry): number {
  return stored + aside;
}
