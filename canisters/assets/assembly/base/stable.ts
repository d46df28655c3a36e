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
export function ensureStable(end: u64): void {
  const present = stableSize();
  if (end <= present) return;
  const pages = (end - present + PAGE_SIZE - 1) / PAGE_SIZE;
  if (ic0.stable64_grow(pages) === -1) trap('out of stable memory: cannot grow by ' + pages.toString() + ' pages');
}
