import { PAGE_BYTES } from './batch.ts';
import type { SpaceRow } from './checkpoint-index.ts';
import type { PageFiles } from './page-files.ts';
import type { RecordContent } from './record.ts';
import { Space } from './space.ts';

const ZEROS = Buffer.alloc(PAGE_BYTES);

export type ReadLog = (position: number, length: number) => Uint8Array;

/** All spaces of a store: which exist, how large they are, and where each page is to be read. */
export class Spaces {
  readonly #files: PageFiles;
  readonly #readLog: ReadLog;
  readonly #spaces = new Map<string, Space>();
  /** Spaces with a row in the checkpoint that have been dropped since, with their files. */
  #dropped = new Map<number, string>();
  #lastFile: number;

  constructor(rows: readonly SpaceRow[], files: PageFiles, readLog: ReadLog) {
    this.#files = files;
    this.#readLog = readLog;
    for (const { name, file, pages } of rows) this.#spaces.set(name, new Space(file, pages));
    this.#lastFile = Math.max(0, ...rows.map(({ file }) => file));
    files.deleteAllBut(new Set(rows.map(({ file }) => file)));
  }

  size(name: string): number {
    return this.#spaces.get(name)?.size ?? 0;
  }

  apply(content: RecordContent, logPosition: number): void {
    for (const name of content.dropSpaces) {
      const file = this.#spaces.get(name)?.file;
      if (file !== undefined) this.#dropped.set(file, name);
      this.#spaces.delete(name);
    }
    for (const { space, pages } of content.sizes) this.#ensure(space).resize(pages);
    for (const { space, index, position } of content.pages)
      this.#ensure(space).write(index, logPosition + position);
  }

  #ensure(name: string): Space {
    const known = this.#spaces.get(name);
    if (known !== undefined) return known;
    const created = new Space(undefined, 0);
    this.#spaces.set(name, created);
    return created;
  }

  /** Calls `into` with each page that is not all zeros; the bytes are valid during the call. */
  forEachPage(name: string, into: (index: number, bytes: Uint8Array) => void): void {
    const space = this.#spaces.get(name);
    if (space === undefined) return;
    if (space.file !== undefined) {
      this.#files.scan(space.file, 0, space.filePages, (first, pages) => {
        for (let at = 0; at < pages.length; at += PAGE_BYTES) {
          const page = pages.subarray(at, at + PAGE_BYTES);
          const index = first + at / PAGE_BYTES;
          if (!space.logged.has(index) && !ZEROS.equals(page)) into(index, page);
        }
      });
    }
    for (const [index, position] of space.logged) into(index, this.#readLog(position, PAGE_BYTES));
  }

  /** Consecutive pages in one array; pages never written, or beyond the size, are zeros. */
  pages(name: string, first: number, count: number): Uint8Array {
    const result = new Uint8Array(count * PAGE_BYTES);
    const space = this.#spaces.get(name);
    if (space === undefined) return result;
    if (space.file !== undefined) {
      const fromFile = Math.min(count, space.filePages - first);
      this.#files.scan(space.file, first, fromFile, (index, pages) =>
        result.set(pages, (index - first) * PAGE_BYTES),
      );
    }
    for (let index = first; index < first + count; index++) {
      const position = space.logged.get(index);
      if (position !== undefined)
        result.set(this.#readLog(position, PAGE_BYTES), (index - first) * PAGE_BYTES);
    }
    return result;
  }

  /** Writes every change to the page files. Nothing counts until the returned rows are in the checkpoint. */
  writeFiles(): SpaceRow[] {
    const rows: SpaceRow[] = [];
    for (const [name, space] of this.#spaces) {
      if (!space.changed) continue;
      this.#lastFile = Math.max(this.#lastFile, space.file ?? 0);
      const file = space.file ?? ++this.#lastFile;
      const logged = [...space.logged].toSorted(([left], [right]) => left - right);
      const readLog = this.#readLog;
      this.#files.update(
        file,
        space.filePages,
        space.size,
        (function* () {
          for (const [index, position] of logged) yield [index, readLog(position, PAGE_BYTES)] as const;
        })(),
      );
      rows.push({ name, file, pages: space.size });
    }
    return rows;
  }

  /** Names with a row in the checkpoint that no longer exist. */
  droppedNames(): string[] {
    return [...new Set(this.#dropped.values())].filter((name) => !this.#spaces.has(name));
  }

  /** The rows are in the checkpoint: forgets the log and deletes the files of dropped spaces. */
  checkpointed(rows: readonly SpaceRow[]): void {
    for (const { name, file, pages } of rows) this.#spaces.set(name, new Space(file, pages));
    for (const file of this.#dropped.keys()) this.#files.delete(file);
    this.#dropped = new Map();
  }
}
