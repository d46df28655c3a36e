/**
 * A page file is groups of one page of check values and 512 pages of content. A check value is the page's sum and its
 * complement (u32 little-endian each), or eight zeros for a page of zeros, so that holes need no writing.
 */
import { PAGE_BYTES } from './batch.ts';

export const CHECK_BYTES = 8;
export const GROUP_PAGES = PAGE_BYTES / CHECK_BYTES;
const GROUP_BYTES = (GROUP_PAGES + 1) * PAGE_BYTES;

const groupOf = (page: number): number => Math.floor(page / GROUP_PAGES);

/** Where a page stands in the file. */
export function pageOffset(page: number): number {
  return groupOf(page) * GROUP_BYTES + (1 + (page % GROUP_PAGES)) * PAGE_BYTES;
}

/** Where the check value of a page stands in the file. */
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
