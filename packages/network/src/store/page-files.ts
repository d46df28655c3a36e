import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { PAGE_BYTES } from './batch.ts';
import { syncDirectory, writeFully } from './directory.ts';

const SUFFIX = '.pages';

/** The flat files behind the spaces: page `n` of a space stands at `n` times 4096. */
export class PageFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  #path(file: number): string {
    return join(this.#directory, `${file}${SUFFIX}`);
  }

  /** Calls `visit` with consecutive pages, as many at a time as are cheap to hold. Pages past the end are left out. */
  scan(file: number, first: number, count: number, visit: (index: number, pages: Uint8Array) => void): void {
    if (!existsSync(this.#path(file))) return;
    const fd = openSync(this.#path(file), 'r');
    try {
      const buffer = Buffer.allocUnsafe(Math.min(count, 256) * PAGE_BYTES);
      const end = Math.min(first + count, Math.floor(fstatSync(fd).size / PAGE_BYTES));
      for (let index = first; index < end; ) {
        const wanted = Math.min(buffer.length, (end - index) * PAGE_BYTES);
        const read = readSync(fd, buffer, 0, wanted, index * PAGE_BYTES);
        const pages = Math.floor(read / PAGE_BYTES);
        if (pages === 0) break;
        visit(index, buffer.subarray(0, pages * PAGE_BYTES));
        index += pages;
      }
    } finally {
      closeSync(fd);
    }
  }

  /** Brings a file up to date and to disk: keeps its first `keep` pages, writes `pages`, ends with `size` pages. */
  update(
    file: number,
    keep: number,
    size: number,
    pages: Iterable<readonly [index: number, bytes: Uint8Array]>,
  ): void {
    const path = this.#path(file);
    const isNew = !existsSync(path);
    const fd = openSync(path, isNew ? 'w+' : 'r+');
    try {
      if (fstatSync(fd).size > keep * PAGE_BYTES) ftruncateSync(fd, keep * PAGE_BYTES);
      for (const [index, bytes] of pages) writeFully(fd, bytes, index * PAGE_BYTES);
      ftruncateSync(fd, size * PAGE_BYTES);
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (isNew) syncDirectory(this.#directory);
  }

  delete(file: number): void {
    rmSync(this.#path(file), { force: true });
  }

  /** Removes files that no space refers to, as an interrupted checkpoint leaves them. */
  deleteAllBut(files: ReadonlySet<number>): void {
    for (const name of readdirSync(this.#directory)) {
      const file = Number.parseInt(name, 10);
      if (name.endsWith(SUFFIX) && !files.has(file)) this.delete(file);
    }
  }
}
