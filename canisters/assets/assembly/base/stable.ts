import * as ic0 from './ic0';
import { trap } from './system';

const PAGE_SIZE: u64 = 65536;

/** Reads `size` bytes of stable memory into linear memory. Nothing is asked of the system for none. */
export function readStable(target: usize, offset: u64, size: i32): void {
  if (size > 0) ic0.stable64_read(target, offset, size);
}

export function writeStable(offset: u64, source: usize, size: i32): void {
  if (size > 0) ic0.stable64_write(offset, source, size);
}

export function stableSize(): u64 {
  return <u64>ic0.stable64_size() * PAGE_SIZE;
}

/** Makes sure that stable memory reaches to `end` (bytes). */
function ensureStable(end: u64): void {
  const present = stableSize();
  if (end <= present) return;
  const pages = (end - present + PAGE_SIZE - 1) / PAGE_SIZE;
  if (ic0.stable64_grow(pages) === -1) trap('out of stable memory: cannot grow by ' + pages.toString() + ' pages');
}

/** Where content starts: the first page of stable memory holds the header of the saved index. */
const CONTENT_START: u64 = 65536;
/** Space is given out in multiples of this many bytes. */
const GRAIN: u64 = 256;

/** Unused stretches of stable memory, in order and never touching; all above `end` is unused too. */
let freeOffsets: Array<u64> = [];
let freeSizes: Array<u64> = [];
let end: u64 = CONTENT_START;

function rounded(size: u64): u64 {
  return (size + GRAIN - 1) & ~(GRAIN - 1);
}

/** Takes space for `size` bytes: the smallest gap that fits, or fresh space at the end. */
export function allocate(size: u64): u64 {
  const wanted = rounded(size);
  if (wanted === 0) return CONTENT_START;
  let best = -1;
  for (let i = 0; i < freeSizes.length; i++) {
    if (freeSizes[i] >= wanted && (best < 0 || freeSizes[i] < freeSizes[best])) best = i;
  }
  if (best >= 0) return takeFrom(best, wanted);
  const offset = end;
  ensureStable(offset + wanted);
  end = offset + wanted;
  return offset;
}

function takeFrom(index: i32, wanted: u64): u64 {
  const offset = freeOffsets[index];
  if (freeSizes[index] === wanted) {
    freeOffsets.splice(index, 1);
    freeSizes.splice(index, 1);
  } else {
    freeOffsets[index] += wanted;
    freeSizes[index] -= wanted;
  }
  return offset;
}

/** Gives space back that `allocate` handed out for `size` bytes. */
export function release(offset: u64, size: u64): void {
  let length = rounded(size);
  if (length === 0) return;
  let start = offset;
  let index = firstFreeAbove(start);
  if (index < freeOffsets.length && freeOffsets[index] === start + length) {
    length += freeSizes[index];
    removeGap(index);
  }
  if (index > 0 && freeOffsets[index - 1] + freeSizes[index - 1] === start) {
    index--;
    start = freeOffsets[index];
    length += freeSizes[index];
    removeGap(index);
  }
  if (start + length === end) end = start;
  else insertGap(index, start, length);
}

function removeGap(index: i32): void {
  freeOffsets.splice(index, 1);
  freeSizes.splice(index, 1);
}

function insertGap(index: i32, offset: u64, size: u64): void {
  freeOffsets.push(0);
  freeSizes.push(0);
  for (let i = freeOffsets.length - 1; i > index; i--) {
    freeOffsets[i] = freeOffsets[i - 1];
    freeSizes[i] = freeSizes[i - 1];
  }
  freeOffsets[index] = offset;
  freeSizes[index] = size;
}

function firstFreeAbove(offset: u64): i32 {
  let low = 0;
  let high = freeOffsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (freeOffsets[middle] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sets the bookkeeping again from the stretches in use, given in any order as offset and size in bytes. */
export function restoreSpace(offsets: Array<u64>, sizes: Array<u64>): void {
  freeOffsets = [];
  freeSizes = [];
  end = CONTENT_START;
  const order = new Array<i32>(offsets.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  sortedBy = offsets;
  order.sort((a, b) => (sortedBy[a] < sortedBy[b] ? -1 : 1));
  for (let i = 0; i < order.length; i++) {
    const offset = offsets[order[i]];
    const size = rounded(sizes[order[i]]);
    if (size === 0) continue;
    if (offset > end) insertGap(freeOffsets.length, end, offset - end);
    end = offset + size;
  }
}

/** A comparator cannot capture, so what it compares by stands here. */
let sortedBy: Array<u64> = [];
