/**
 * What the rewritten module and the host agree on: names, page sizes, limits and the layout of the memory that
 * holds the marks and the page list of the undo log.
 */

export const WASM_PAGE = 65_536;
export const WASM_PAGE_BITS = 16;
/** Unit of change tracking; the page size of the store. */
export const PAGE = 4_096;
export const PAGE_BITS = 12;

/** 4 GiB: all a 32-bit address reaches. */
export const MAX_PAGES_32 = 65_536;
/** 6 GiB: the heap limit of 64-bit canisters on the Internet Computer. */
export const MAX_PAGES_64 = 98_304;

/** Module name of everything the rewriter adds to the imports. A canister may import from `ic0` only. */
export const HOST_MODULE = 'cannery';
export const HOST_IMPORTS = { memory: 'memory', marks: 'marks', undo: 'undo' } as const;

/** Prefix of every export the rewriter adds; a canister that exports such a name is refused. */
export const HOST_EXPORT_PREFIX = 'cannery:';
export const HOST_EXPORTS = {
  counter: 'cannery:counter',
  size: 'cannery:size',
  limit: 'cannery:limit',
  /** 1 once the message dropped a segment: state that lives in the instance alone. */
  tainted: 'cannery:tainted',
  save: 'cannery:save',
  restore: 'cannery:restore',
  callback: 'cannery:callback',
  start: 'cannery:start',
  global: (position: number): string => `cannery:global ${position}`,
} as const;

/** Memory indices inside the rewritten module. */
export const HEAP_MEMORY = 0;
export const MARKS_MEMORY = 1;
export const UNDO_MEMORY = 2;

/**
 * One mark a page for 8 GiB, then the numbers of the marked pages (u32 each), then their count (u32), then how many a
 * message may mark (u32).
 */
export const MARKED_PAGES_MAX = 2 * 1024 * 1024;
export const LIST_OFFSET = MARKED_PAGES_MAX;
export const COUNT_OFFSET = LIST_OFFSET + 4 * MARKED_PAGES_MAX;
export const MOST_OFFSET = COUNT_OFFSET + 4;
export const MARKS_MEMORY_PAGES = COUNT_OFFSET / WASM_PAGE + 1;

/** 16 MiB: first size and growth step of the undo memory; its maximum is a multiple of it. */
export const UNDO_STEP_PAGES = 256;
export const UNDO_MAX_PAGES = MAX_PAGES_64;
