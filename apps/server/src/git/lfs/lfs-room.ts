import { AppError } from '../../errors.ts';
import { roomOfObjects } from './lfs-store.ts';

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
  readonly moved: AbortController;
}

/** Repositories that are remembered, about 300 bytes each, besides those for which something is under way. */
const REMEMBERED = 20_000;

/**
 * Bytes that objects of Git LFS take in repositories, those under way included. The folder of a repository is read once, while
 * nothing is under way for it; from then on the number is kept along with what happens.
 */
export class LfsRoom {
  readonly #entries = new Map<string, Entry>();

  /** Bytes of a repository that is looked at within a turn of its owner. */
  async inTurn(gitDir: string): Promise<number> {
    return sumOf(await this.#entry(gitDir));
  }

  /** Bytes of a repository, for a message. */
  async about(gitDir: string): Promise<number> {
    const entry = this.#entries.get(gitDir);
    return entry === undefined ? roomOfObjects(gitDir) : sumOf(entry);
  }

  /** Sets room aside, within a turn of the owner in which it was seen to be there. */
  async setAside(gitDir: string, bytes: number): Promise<RoomAside> {
    const entry = await this.#entry(gitDir);
    const { signal } = entry.moved;
    entry.aside += bytes;
    let isOver = false;
    return {
      signal,
      check: () => signal.throwIfAborted(),
      end(isStored) {
        if (isOver) return;
        isOver = true;
        entry.aside -= bytes;
        if (isStored) entry.stored += bytes;
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
    const entry = { stored: await roomOfObjects(gitDir), aside: 0, moved: new AbortController() };
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
