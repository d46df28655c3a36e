import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PAGE_BYTES } from '../files/batch.ts';
import { pageSum } from '../files/checksum.ts';
import {
  CHECK_BYTES,
  checkOffset,
  copyPages,
  fileBytes,
  GROUP_PAGES,
  hasNoPages,
  leftInGroup,
  pageOffset,
  readCheck,
  RUN_PAGES,
  runs,
  wholePages,
  writeCheck,
  writeLost,
} from './page-layout.ts';
import { readFully, syncDirectory, writeFully } from '../files/directory.ts';
import { StoreDamagedError } from '../files/errors.ts';

const SUFFIX = '.pages';
export function pageFileName(file: number): string {
  return `${file}${SUFFIX}`;
}

/** Written at most before the disk has to follow, so that syncs of the log do not wait behind a gigabyte. */
const SYNC_PAGES = 8_192;

const NO_SUMS = new Uint32Array(0);

/** A page as the log holds it, with the sum it was written with. */
export interface SummedPage {
  readonly index: number;
  readonly sum: number;
  readonly bytes: Uint8Array;
}

/** What brings a page file up to date. */
export interface FileUpdate {
  readonly file: number;
  /** The file to take the kept pages from, where it is another one; `file` must be new then. */
  readonly from?: number;
  /** Pages from the start that stay as they are. */
  readonly keep: number;
  /** Size in pages in the end. */
  readonly size: number;
  /** In ascending order. */
  readonly pages: Iterable<SummedPage>;
}

/** The files behind the spaces; `page-layout.ts` says what is in them. */
export class PageFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  path(file: number): string {
    return join(this.#directory, pageFileName(file));
  }

  /**
   * Calls `into` with those of `count` pages from `first` that are not zeros and not in `skip`; the bytes are valid
   * during the call. Throws `StoreDamagedError` for a page that is not as it was written, or a file that is too short.
   */
  read(
    file: number,
    [first, count]: readonly [first: number, count: number],
    skip: (index: number) => boolean,
    into: (index: number, bytes: Uint8Array) => void,
  ): void {
    if (count <= 0) return;
    const fd = this.#open(file);
    try {
      const buffer = Buffer.allocUnsafe(Math.min(count, RUN_PAGES) * PAGE_BYTES);
      for (let at = first; at < first + count; ) {
        const inGroup = Math.min(leftInGroup(at), first + count - at);
        const sums = this.#sums(fd, file, [at, inGroup], skip) ?? NO_SUMS;
        for (const [start, length] of runs(sums)) {
          this.#readRun(fd, file, at + start, buffer.subarray(0, length * PAGE_BYTES), (index, page) => {
            const sum = sums[index - at];
            if (sum === 0) return;
            if (pageSum(page) !== sum) throw this.#damaged(file, index);
            into(index, page);
          });
        }
        at += inGroup;
      }
    } finally {
      closeSync(fd);
    }
  }

  /**
   * Brings a file up to date and to disk. Kept pages that are missing from it count as damaged from then on, so that other
   * spaces get their checkpoint all the same.
   */
  update({ file, from, keep, size, pages }: FileUpdate): void {
    const path = this.path(file);
    const isNew = !existsSync(path);
    const fd = openSync(path, isNew ? 'w+' : 'r+');
    try {
      const whole = from === undefined ? wholePages(fstatSync(fd).size, keep) : this.#copy(from, fd, keep);
      markLost(fd, whole, keep);
      cut(fd, keep);
      let sinceSync = 0;
      for (const run of runsOf(pages)) {
        writeRun(fd, run);
        sinceSync += run.length;
        if (sinceSync < SYNC_PAGES) continue;
        fdatasyncSync(fd);
        sinceSync = 0;
      }
      ftruncateSync(fd, fileBytes(size));
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (isNew) syncDirectory(this.#directory);
  }

  /** Checks every page of a file with that many pages. Throws `StoreDamagedError`. */
  verify(file: number, pages: number): void {
    this.read(
      file,
      [0, pages],
      () => false,
      () => undefined,
    );
  }

  async delete(file: number): Promise<void> {
    await rm(this.path(file), { force: true });
  }

  /** Removes files that no space refers to, as an interrupted checkpoint leaves them. */
  deleteAllBut(files: ReadonlySet<number>): void {
    for (const name of readdirSync(this.#directory)) {
      if (files.has(Number.parseInt(name, 10)) || !name.endsWith(SUFFIX)) continue;
      rmSync(join(this.#directory, name), { force: true });
    }
  }

  #open(file: number): number {
    try {
      return openSync(this.path(file), 'r');
    } catch (error) {
      throw new StoreDamagedError(this.path(file), 'it cannot be opened', { cause: error });
    }
  }

  #damaged(file: number, page: number): StoreDamagedError {
    return new StoreDamagedError(this.path(file), `page ${page} is not as it was written`);
  }

  /** The sums of pages in one group; 0 for what need not be read, and none where nothing does. */
  #sums(
    fd: number,
    file: number,
    [first, count]: readonly [first: number, count: number],
    skip: (index: number) => boolean,
  ): Uint32Array | undefined {
    const checks = Buffer.allocUnsafe(count * CHECK_BYTES);
    if (readFully(fd, checks, checkOffset(first)) < checks.length)
      throw new StoreDamagedError(this.path(file), 'it is too short');
    if (hasNoPages(checks)) return undefined;
    return Uint32Array.from({ length: count }, (_, at) => {
      if (skip(first + at)) return 0;
      const sum = readCheck(checks, at);
      if (sum === undefined) throw this.#damaged(file, first + at);
      return sum;
    });
  }

  #readRun(
    fd: number,
    file: number,
    first: number,
    buffer: Buffer,
    visit: (index: number, page: Buffer) => void,
  ): void {
    if (readFully(fd, buffer, pageOffset(first)) < buffer.length)
      throw new StoreDamagedError(this.path(file), 'it is too short');
    for (let at = 0; at < buffer.length; at += PAGE_BYTES)
      visit(first + at / PAGE_BYTES, buffer.subarray(at, at + PAGE_BYTES));
  }

  /** Makes `fd`, a new file, start as another; returns how many of the pages to keep the other has. */
  #copy(from: number, fd: number, keep: number): number {
    if (!existsSync(this.path(from))) return 0;
    const source = this.#open(from);
    try {
      const whole = copyPages(source, fd, keep, () => fdatasyncSync(fd));
      ftruncateSync(fd, fileBytes(keep));
      return whole;
    } finally {
      closeSync(source);
    }
  }
}

/** Keeps pages that the file has lost from passing for zeros. */
function markLost(fd: number, first: number, end: number): void {
  for (let at = first; at < end; at += leftInGroup(at)) {
    const count = Math.min(leftInGroup(at), end - at);
    const checks = Buffer.alloc(count * CHECK_BYTES);
    for (let index = 0; index < count; index++) writeLost(checks, index);
    writeFully(fd, checks, checkOffset(at));
  }
  if (first < end && fstatSync(fd).size < fileBytes(end)) ftruncateSync(fd, fileBytes(end));
}

/** Leaves the first `keep` pages of a file; a file that grows again has holes there. */
function cut(fd: number, keep: number): void {
  if (fstatSync(fd).size <= fileBytes(keep)) return;
  ftruncateSync(fd, fileBytes(keep));
  if (keep % GROUP_PAGES === 0) return;
  writeFully(fd, Buffer.alloc(leftInGroup(keep) * CHECK_BYTES), checkOffset(keep));
}

/** Pages that stand next to each other in one group. */
function* runsOf(pages: Iterable<SummedPage>): Generator<readonly SummedPage[]> {
  let run: SummedPage[] = [];
  for (const page of pages) {
    const last = run.at(-1);
    const continues =
      last !== undefined &&
      page.index === last.index + 1 &&
      page.index % GROUP_PAGES !== 0 &&
      run.length < RUN_PAGES;
    if (!continues && run.length > 0) {
      yield run;
      run = [];
    }
    run.push(page);
  }
  if (run.length > 0) yield run;
}

function writeRun(fd: number, run: readonly SummedPage[]): void {
  const [first] = run;
  if (!first) return;
  const checks = Buffer.allocUnsafe(run.length * CHECK_BYTES);
  run.forEach(({ sum }, at) => writeCheck(checks, at, sum));
  writeFully(fd, Buffer.concat(run.map(({ bytes }) => bytes)), pageOffset(first.index));
  writeFully(fd, checks, checkOffset(first.index));
}
