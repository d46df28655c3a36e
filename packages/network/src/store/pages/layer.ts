import type { RedoLog } from '../log/redo-log.ts';

/**
 * What a space was when its last checkpoint began: a page file, and until the checkpoint has written them the newer
 * pages in the log it writes out. Copies of a space share its layer, which never changes what it shows.
 */
export class Layer {
  /** Size in pages. */
  readonly size: number;
  #file: number | undefined;
  #filePages: number;
  #pages: ReadonlyMap<number, number>;
  #log: RedoLog | undefined;

  /** A layer that is all in a file, or empty. */
  constructor(file: number | undefined, size: number) {
    this.size = size;
    this.#file = file;
    this.#filePages = file === undefined ? 0 : size;
    this.#pages = new Map();
  }

  /** The first `filePages` pages of `below`'s file with `pages` of a log (by position) over them. */
  static over(
    below: Layer,
    filePages: number,
    size: number,
    logged: { readonly log: RedoLog; readonly pages: ReadonlyMap<number, number> },
  ): Layer {
    const layer = new Layer(below.file, size);
    layer.#filePages = Math.min(filePages, below.filePages);
    layer.#log = logged.log;
    layer.#pages = logged.pages;
    return layer;
  }

  get file(): number | undefined {
    return this.#file;
  }

  /** Pages of the file that count; the rest are zeros. */
  get filePages(): number {
    return this.#filePages;
  }

  get log(): RedoLog | undefined {
    return this.#log;
  }

  /** Positions in the log of the pages that are newer than the file's. */
  get pages(): ReadonlyMap<number, number> {
    return this.#pages;
  }

  /** The checkpoint has written everything into this file. */
  settle(file: number): void {
    this.#file = file;
    this.#filePages = this.size;
    this.#pages = new Map();
    this.#log = undefined;
  }
}
