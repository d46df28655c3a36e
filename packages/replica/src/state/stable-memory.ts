import {
  MAX_DIRTY_STABLE_BYTES,
  MAX_STABLE_PAGES,
  STORE_PAGE_BYTES,
  WASM_PAGE_BYTES,
} from '@cannery/ic/limits';

/** Reads committed pages (4 KiB each) into one new array; pages never written are zeros. */
export type PageReader = (firstPage: number, count: number) => Uint8Array;

/** Memory is held in pieces of this size; a piece that was never touched takes no memory. */
const CHUNK_BYTES = 64 * 1024;
const PAGES_PER_CHUNK = CHUNK_BYTES / STORE_PAGE_BYTES;
/** Unchanged pieces kept in memory: 64 MiB a canister. */
const MAX_CLEAN_CHUNKS = 1024;
const MAX_DIRTY_CHUNKS = MAX_DIRTY_STABLE_BYTES / CHUNK_BYTES;

/**
 * The stable memory of one canister: sparse, loaded on demand, changed in place with a first-write undo log.
 * Offsets and lengths are bytes; the caller checks them against `bytes` before it reads or writes.
 */
export class StableMemory {
  readonly #read: PageReader;
  readonly #chunks = new Map<number, Uint8Array>();
  /** Pieces that hold changes not committed yet; only these must stay in memory. */
  readonly #dirty = new Set<number>();
  readonly #undo = new Map<number, Uint8Array>();
  #committedPages: number;
  #pages: number;

  /** `pages`: committed size in Wasm pages. */
  constructor(pages: number, read: PageReader) {
    this.#read = read;
    this.#pages = pages;
    this.#committedPages = pages;
  }

  /** Size in Wasm pages (64 KiB). */
  get pages(): number {
    return this.#pages;
  }

  get bytes(): number {
    return this.#pages * WASM_PAGE_BYTES;
  }

  /** Memory held right now. */
  get residentBytes(): number {
    return this.#chunks.size * CHUNK_BYTES;
  }

  /** The old size in Wasm pages, or -1 where the limit forbids to grow. */
  grow(pages: number, limit = MAX_STABLE_PAGES): number {
    const old = this.#pages;
    if (old + pages > limit) return -1;
    this.#pages = old + pages;
    return old;
  }

  read(offset: number, length: number): Uint8Array {
    const out = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const at = offset + done;
      const within = at % CHUNK_BYTES;
      const count = Math.min(CHUNK_BYTES - within, length - done);
      const chunk = this.#chunk(Math.floor(at / CHUNK_BYTES), false);
      if (chunk) out.set(chunk.subarray(within, within + count), done);
      done += count;
    }
    return out;
  }

  /** Whether a write stays within what one message may change; ask before each. */
  mayWrite(offset: number, length: number, mostChunks = MAX_DIRTY_CHUNKS): boolean {
    if (length === 0) return true;
    const first = Math.floor(offset / CHUNK_BYTES);
    const last = Math.floor((offset + length - 1) / CHUNK_BYTES);
    if (this.#dirty.size + (last - first + 1) <= mostChunks) return true;
    let total = this.#dirty.size;
    for (let chunk = first; chunk <= last && total <= mostChunks; chunk++)
      if (!this.#dirty.has(chunk)) total += 1;
    return total <= mostChunks;
  }

  /** Writes and returns how many pages (4 KiB) changed for the first time since the last commit. */
  write(offset: number, data: Uint8Array): number {
    let fresh = 0;
    let done = 0;
    while (done < data.length) {
      const at = offset + done;
      const page = Math.floor(at / STORE_PAGE_BYTES);
      const count = Math.min(STORE_PAGE_BYTES - (at % STORE_PAGE_BYTES), data.length - done);
      const index = Math.floor(page / PAGES_PER_CHUNK);
      const chunk = this.#chunk(index, true) as Uint8Array;
      const start = (page % PAGES_PER_CHUNK) * STORE_PAGE_BYTES;
      this.#dirty.add(index);
      if (!this.#undo.has(page)) {
        this.#undo.set(page, chunk.slice(start, start + STORE_PAGE_BYTES));
        fresh += 1;
      }
      chunk.set(data.subarray(done, done + count), at % CHUNK_BYTES);
      done += count;
    }
    return fresh;
  }

  /** Numbers of the pages (4 KiB) changed since the last commit or rollback. */
  dirtyPages(): number[] {
    return [...this.#undo.keys()];
  }

  /** Current content of one page; a view that later writes change. */
  page(index: number): Uint8Array {
    const chunk = this.#chunk(Math.floor(index / PAGES_PER_CHUNK), true) as Uint8Array;
    const start = (index % PAGES_PER_CHUNK) * STORE_PAGE_BYTES;
    return chunk.subarray(start, start + STORE_PAGE_BYTES);
  }

  /** Forgets the undo log: the changes are on their way to the store. */
  commit(): void {
    this.#undo.clear();
    this.#dirty.clear();
    this.#committedPages = this.#pages;
  }

  rollback(): void {
    for (const [page, image] of this.#undo) this.page(page).set(image);
    this.#undo.clear();
    this.#dirty.clear();
    this.#pages = this.#committedPages;
  }

  /** Drops unchanged pieces when there are many; what was committed must be in the store by then. */
  trim(): void {
    if (this.#chunks.size - this.#dirty.size <= MAX_CLEAN_CHUNKS) return;
    for (const index of this.#chunks.keys()) if (!this.#dirty.has(index)) this.#chunks.delete(index);
  }

  #chunk(index: number, create: boolean): Uint8Array | undefined {
    const loaded = this.#chunks.get(index);
    if (loaded) return loaded;
    const persisted = index * CHUNK_BYTES < this.#committedPages * WASM_PAGE_BYTES;
    if (!persisted && !create) return undefined;
    this.trim();
    const chunk = persisted
      ? this.#read(index * PAGES_PER_CHUNK, PAGES_PER_CHUNK)
      : new Uint8Array(CHUNK_BYTES);
    this.#chunks.set(index, chunk);
    return chunk;
  }
}
