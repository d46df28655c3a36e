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

/** A numbered row of pages: a layer with the changes of the active log over it. */
export class Space {
  #layer: Layer;
  #size: number;
  /** Pages of the layer that still show: a space that shrank does not get its old pages back by growing. */
  #shown: number;
  #logged: Map<number, number>;
  #stored: boolean;

  private constructor(
    layer: Layer,
    size: number,
    shown: number,
    logged: Map<number, number>,
    stored: boolean,
  ) {
    this.#layer = layer;
    this.#size = size;
    this.#shown = shown;
    this.#logged = logged;
    this.#stored = stored;
  }

  /** A space as the checkpoint has it. */
  static stored(file: number, size: number): Space {
    return new Space(new Layer(file, size), size, size, new Map(), true);
  }

  static empty(): Space {
    return new Space(new Layer(undefined, 0), 0, 0, new Map(), false);
  }

  copy(): Space {
    return new Space(this.#layer, this.#size, this.#shown, new Map(this.#logged), false);
  }

  get layer(): Layer {
    return this.#layer;
  }

  get size(): number {
    return this.#size;
  }

  /** Pages of the layer below this number show unless the log has newer ones; the others are zeros. */
  get shown(): number {
    return this.#shown;
  }

  /** Position in the active log of each page that is newer than the layer's. */
  get logged(): ReadonlyMap<number, number> {
    return this.#logged;
  }

  /** Whether the checkpoint has this space under its name. */
  get isStored(): boolean {
    return this.#stored;
  }

  /** Whether the content differs from the layer's, or is in no file yet. */
  get isChanged(): boolean {
    const { size, file } = this.#layer;
    return this.#logged.size > 0 || this.#size !== size || this.#shown < size || file === undefined;
  }

  resize(pages: number): void {
    if (pages < this.#size) {
      this.#shown = Math.min(this.#shown, pages);
      for (const index of this.#logged.keys()) if (index >= pages) this.#logged.delete(index);
    }
    this.#size = pages;
  }

  write(index: number, logPosition: number): void {
    this.#size = Math.max(this.#size, index + 1);
    this.#logged.set(index, logPosition);
  }

  /**
   * A checkpoint of `log` begins: what is there becomes the layer, and new changes go to another log. Returns the new
   * layer, or nothing when the old one says it all. The last checkpoint must be over.
   */
  freeze(log: RedoLog): Layer | undefined {
    this.#stored = true;
    if (!this.isChanged) return undefined;
    this.#layer = Layer.over(this.#layer, this.#shown, this.#size, { log, pages: this.#logged });
    this.#shown = this.#size;
    this.#logged = new Map();
    return this.#layer;
  }
}
