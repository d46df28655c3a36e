/**
 * A page file is groups of one page of check values and 512 pages of content. A check value is the page's sum and its
 * complement (u32 little-endian each), or eight zeros for a page of zeros, so that holes need no writing.
 */
import { PAGE_BYTES } from '../files/batch.ts';

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
