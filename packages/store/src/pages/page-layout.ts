/**
 * A page file is groups of one page of check values and 512 pages of content. A check value is the page's sum and its
 * complement (u32 little-endian each), or eight zeros for a page of zeros, so that holes need no writing.
 */
import { closeSync, constants, copyFileSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { PAGE_BYTES } from '../files/batch.ts';
import { readFully, writeFully } from '../files/directory.ts';

export const CHECK_BYTES = 8;
export const GROUP_PAGES = PAGE_BYTES / CHECK_BYTES;
/** Pages read or written at a time. */
export const RUN_PAGES = 256;
const GROUP_BYTES = (GROUP_PAGES + 1) * PAGE_BYTES;

const groupOf = (page: number): number => Math.floor(page / GROUP_PAGES);

/** Where a page is in the file. */
export function pageOffset(page: number): number {
  return groupOf(page) * GROUP_BYTES + (1 + (page % GROUP_PAGES)) * PAGE_BYTES;
}

/** Where the check value of a page is in the file. */
export function checkOffset(page: number): number {
  return groupOf(page) * GROUP_BYTES + (page % GROUP_PAGES) * CHECK_BYTES;
}

/** Bytes of a file with that many pages. */
export function fileBytes(pages: number): number {
  return pages === 0 ? 0 : pageOffset(pages - 1) + PAGE_BYTES;
}

/** Pages from `page` to the end of its group. */
export function leftInGroup(page: number): number {
  return GROUP_PAGES - (page % GROUP_PAGES);
}

export function writeCheck(checks: Buffer, at: number, sum: number): void {
  checks.writeUInt32LE(sum, at * CHECK_BYTES);
  checks.writeUInt32LE(sum === 0 ? 0 : ~sum >>> 0, at * CHECK_BYTES + 4);
}

/** A check value that no page fits: what stood there is lost, and must not be taken for zeros. */
export function writeLost(checks: Buffer, at: number): void {
  checks.fill(0xff, at * CHECK_BYTES, (at + 1) * CHECK_BYTES);
}

/** How many of the first `pages` pages a file of that many bytes has whole. */
export function wholePages(bytes: number, pages: number): number {
  const groups = Math.floor(bytes / GROUP_BYTES);
  const rest = Math.max(0, Math.floor((bytes % GROUP_BYTES) / PAGE_BYTES) - 1);
  return Math.min(pages, groups * GROUP_PAGES + rest);
}

/** The sum in a check value; nothing when the check value itself is broken. */
export function readCheck(checks: Buffer, at: number): number | undefined {
  const sum = checks.readUInt32LE(at * CHECK_BYTES);
  const complement = checks.readUInt32LE(at * CHECK_BYTES + 4);
  return complement === (sum === 0 ? 0 : ~sum >>> 0) ? sum : undefined;
}

const NO_CHECKS = Buffer.alloc(GROUP_PAGES * CHECK_BYTES);

/** Whether check values of one group are all of pages of zeros, as in a hole; far faster than to read each. */
export function hasNoPages(checks: Buffer): boolean {
  return checks.equals(NO_CHECKS.subarray(0, checks.length));
}

/** Stretches of pages to read at once. */
export function* runs(sums: Uint32Array): Generator<readonly [start: number, length: number]> {
  for (let at = 0; at < sums.length; at++) {
    if (sums[at] === 0) continue;
    const start = at;
    while (at < sums.length && sums[at] !== 0 && at - start < RUN_PAGES) at++;
    yield [start, at - start];
    at -= 1;
  }
}

/**
 * Copies those of the first `pages` pages of a page file that are not zeros to another, which is new: sums and pages as
 * they are, so that damage is found by who reads the copy. Returns how many of the pages the source has.
 */
export function copyPages(source: number, target: number, pages: number, afterGroup?: () => void): number {
  const { size } = fstatSync(source);
  const whole = wholePages(size, pages);
  const buffer = Buffer.allocUnsafe(RUN_PAGES * PAGE_BYTES);
  const checks = Buffer.allocUnsafe(PAGE_BYTES);
  // The sums of pages that the source has lost are copied too, so that these do not pass for zeros.
  for (let at = 0; at < pages && checkOffset(at) < size; at += GROUP_PAGES) {
    const count = Math.min(GROUP_PAGES, pages - at);
    const held = readFully(source, checks.subarray(0, count * CHECK_BYTES), checkOffset(at));
    if (hasNoPages(checks.subarray(0, held))) continue;
    writeFully(target, checks.subarray(0, held), checkOffset(at));
    const there = Math.max(0, Math.min(count, whole - at));
    const sums = Uint32Array.from({ length: there }, (_, index) => readCheck(checks, index) ?? 1);
    for (const [start, length] of runs(sums)) {
      const run = buffer.subarray(0, length * PAGE_BYTES);
      const read = readFully(source, run, pageOffset(at + start));
      writeFully(target, run.subarray(0, read), pageOffset(at + start));
    }
    afterGroup?.();
  }
  return whole;
}

/**
 * Copies a page file to one that is not there yet. It shares the blocks where the file system can; elsewhere zeros stay
 * holes, since a canister may have 500 GiB of them.
 */
export function copyPageFile(from: string, to: string): void {
  if (sharesBlocks(from, to)) return;
  const source = openSync(from, 'r');
  try {
    const target = openSync(to, 'wx');
    try {
      copyPages(source, target, Number.MAX_SAFE_INTEGER);
      ftruncateSync(target, fstatSync(source).size);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

function sharesBlocks(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  }
}
