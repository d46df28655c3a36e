import { PAGE_BYTES } from '../files/batch.ts';
import type { SpaceRow } from './checkpoint-index.ts';
import { type Layer, Space } from './space.ts';
import { readLogged } from './logged-pages.ts';
import type { PageFiles } from './page-files.ts';
import type { RecordContent } from '../log/record.ts';
import type { RedoLog } from '../log/redo-log.ts';

const byPosition = ([, left]: readonly [number, number], [, right]: readonly [number, number]): number =>
  left - right;
const byIndex = ([left]: readonly [number, number], [right]: readonly [number, number]): number =>
  left - right;

/** All spaces of a store: which exist, how large they are, and where each page is to be read. */
export class Spaces {
  readonly #files: PageFiles;
  readonly #spaces = new Map<string, Space>();

  constructor(rows: Iterable<SpaceRow>, files: PageFiles) {
    this.#files = files;
    for (const { name, file, pages } of rows) this.#spaces.set(name, Space.stored(file, pages));
  }

  names(): Iterable<string> {
    return this.#spaces.keys();
  }

  has(name: string): boolean {
    return this.#spaces.has(name);
  }

  size(name: string): number {
    return this.#spaces.get(name)?.size ?? 0;
  }

  /** Takes over a record; its pages are in the active log from `logPosition`. */
  apply(content: RecordContent, logPosition: number): void {
    const copies = content.copySpaces.map(({ from, to }) => ({ to, copy: this.#spaces.get(from)?.copy() }));
    for (const { to, copy } of copies) {
      if (copy) this.#spaces.set(to, copy);
      else this.#spaces.delete(to);
    }
    for (const name of content.dropSpaces) this.#spaces.delete(name);
    for (const { space, pages } of content.sizes) this.#ensure(space).resize(pages);
    for (const { space, index, position } of content.pages)
      this.#ensure(space).write(index, logPosition + position);
  }

  #ensure(name: string): Space {
    const known = this.#spaces.get(name);
    if (known !== undefined) return known;
    const created = Space.empty();
    this.#spaces.set(name, created);
    return created;
  }

  /** Calls `into` with each page that is not all zeros; the bytes are valid during the call. */
  forEachPage(name: string, log: RedoLog, into: (index: number, bytes: Uint8Array) => void): void {
    const space = this.#spaces.get(name);
    if (space === undefined) return;
    const { layer, logged, shown } = space;
    this.#readFile(space, 0, layer.filePages, into);
    if (layer.log) {
      const frozen = [...layer.pages].filter(([index]) => index < shown && !logged.has(index));
      for (const { index, bytes } of readLogged(layer.log, frozen.toSorted(byPosition))) into(index, bytes);
    }
    for (const { index, bytes } of readLogged(log, [...logged].toSorted(byPosition))) into(index, bytes);
  }

  /** Consecutive pages in one array; pages never written, or beyond the size, are zeros. */
  pages(name: string, log: RedoLog, first: number, count: number): Uint8Array {
    const result = new Uint8Array(count * PAGE_BYTES);
    const space = this.#spaces.get(name);
    if (space === undefined) return result;
    const put = (index: number, bytes: Uint8Array): void => result.set(bytes, (index - first) * PAGE_BYTES);
    this.#readFile(space, first, count, put);
    const { layer, logged, shown } = space;
    const frozen: [number, number][] = [];
    const active: [number, number][] = [];
    for (let index = first; index < first + count; index++) {
      const newest = logged.get(index);
      const older = index < shown ? layer.pages.get(index) : undefined;
      if (newest !== undefined) active.push([index, newest]);
      else if (older !== undefined) frozen.push([index, older]);
    }
    if (layer.log) for (const { index, bytes } of readLogged(layer.log, frozen)) put(index, bytes);
    for (const { index, bytes } of readLogged(log, active)) put(index, bytes);
    return result;
  }

  /** A checkpoint of `log` begins. Returns the layers it has to write, by name of the space. */
  freeze(log: RedoLog): Map<string, Layer> {
    const layers = new Map<string, Layer>();
    for (const [name, space] of this.#spaces) {
      const layer = space.freeze(log);
      if (layer) layers.set(name, layer);
    }
    return layers;
  }

  /**
   * Writes every change to the page files and returns the rows that changed. Nothing counts until they are in the
   * checkpoint, and until then no page that an older row shows is touched unless the log holds it too.
   */
  writeFiles(log: RedoLog, lastFile: number): SpaceRow[] {
    const users = new Map<number, number>();
    for (const { layer } of this.#spaces.values()) {
      if (layer.file !== undefined) users.set(layer.file, (users.get(layer.file) ?? 0) + 1);
    }
    const rows: SpaceRow[] = [];
    let newest = lastFile;
    for (const [name, space] of this.#spaces) {
      const { layer, size, logged, shown } = space;
      if (!space.isChanged && layer.file !== undefined) {
        if (!space.isStored) rows.push({ name, file: layer.file, pages: size });
        continue;
      }
      const isShared = layer.file !== undefined && (users.get(layer.file) ?? 0) > 1;
      const file = layer.file === undefined || isShared ? ++newest : layer.file;
      const keep = Math.min(layer.filePages, shown);
      const pages = readLogged(log, [...logged].toSorted(byIndex));
      this.#files.update({ file, keep, size, pages, ...(isShared && { from: layer.file }) });
      rows.push({ name, file, pages: size });
    }
    return rows;
  }

  /** What the file of a space's layer shows of `count` pages from `first`. */
  #readFile(
    { layer, logged, shown }: Space,
    first: number,
    count: number,
    into: (index: number, bytes: Uint8Array) => void,
  ): void {
    if (layer.file === undefined) return;
    const end = Math.min(first + count, layer.filePages, shown);
    const isNewer = (index: number): boolean => logged.has(index) || layer.pages.has(index);
    this.#files.read(layer.file, [first, end - first], isNewer, into);
  }
}
