import { closeSync, constants, copyFileSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { PAGE_BYTES } from '../files/batch.ts';
import { readFully, writeFully } from '../files/directory.ts';
import {
  CHECK_BYTES,
  checkOffset,
  GROUP_PAGES,
  hasNoPages,
  pageOffset,
  readCheck,
  runs,
  RUN_PAGES,
  wholePages,
} from './page-layout.ts';

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
