/** A numbered row of pages: the content of a flat file with the changes of the redo log laid over it. */
export class Space {
  /** Number of the page file, once a checkpoint has made one. */
  readonly file: number | undefined;
  #size: number;
  /** Pages of the file that still count: a space that shrank does not get its old pages back by growing. */
  #filePages: number;
  readonly #logged = new Map<number, number>();
  #changed: boolean;

  constructor(file: number | undefined, size: number) {
    this.file = file;
    this.#size = size;
    this.#filePages = file === undefined ? 0 : size;
    this.#changed = file === undefined;
  }

  get size(): number {
    return this.#size;
  }

  get filePages(): number {
    return this.#filePages;
  }

  /** Whether a checkpoint has anything to write. */
  get changed(): boolean {
    return this.#changed;
  }

  /** Position in the log of each page that is newer than the file's. */
  get logged(): ReadonlyMap<number, number> {
    return this.#logged;
  }

  resize(pages: number): void {
    if (pages === this.#size) return;
    this.#changed = true;
    if (pages < this.#size) {
      this.#filePages = Math.min(this.#filePages, pages);
      for (const index of this.#logged.keys()) if (index >= pages) this.#logged.delete(index);
    }
    this.#size = pages;
  }

  write(index: number, logPosition: number): void {
    this.#changed = true;
    this.#size = Math.max(this.#size, index + 1);
    this.#logged.set(index, logPosition);
  }
}
