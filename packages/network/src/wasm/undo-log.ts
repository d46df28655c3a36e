import {
  COUNT_OFFSET,
  LIST_OFFSET,
  MARKS_MEMORY_PAGES,
  PAGE,
  UNDO_MAX_PAGES,
  UNDO_STEP_PAGES,
  WASM_PAGE,
} from './layout.ts';

/** TypeScript's library does not know memories with 64-bit addresses yet. */
interface Memory64Descriptor {
  readonly address: 'i64';
  readonly initial: bigint;
  readonly maximum: bigint;
}

/** A memory with 64-bit addresses. Sizes in 64 KiB pages. */
export function createMemory64(initial: number, maximum: number): WebAssembly.Memory {
  const descriptor: Memory64Descriptor = {
    address: 'i64',
    initial: BigInt(initial),
    maximum: BigInt(maximum),
  };
  return new WebAssembly.Memory(descriptor as unknown as WebAssembly.MemoryDescriptor);
}

/** `memory.grow` takes a BigInt when addresses have 64 bits. */
export function growMemory(memory: WebAssembly.Memory, pages: number, memory64: boolean): void {
  const grow: (delta: number | bigint) => unknown = memory.grow.bind(memory) as (
    delta: number | bigint,
  ) => unknown;
  grow(memory64 ? BigInt(pages) : pages);
}

/**
 * First-write log of one message: which 4 KiB pages of a canister's memory changed and what they held before.
 * Canister code writes it through two extra memories; all instances of a thread share them, as only one message
 * runs at a time.
 */
export class UndoLog {
  readonly marks = new WebAssembly.Memory({ initial: MARKS_MEMORY_PAGES, maximum: MARKS_MEMORY_PAGES });
  readonly undo = createMemory64(UNDO_STEP_PAGES, UNDO_MAX_PAGES);
  readonly #marks = new Uint8Array(this.marks.buffer, 0, LIST_OFFSET);
  readonly #list = new Uint32Array(this.marks.buffer, LIST_OFFSET, (COUNT_OFFSET - LIST_OFFSET) / 4);
  readonly #count = new Uint32Array(this.marks.buffer, COUNT_OFFSET, 1);
  #owner: WebAssembly.Memory | undefined;

  get #length(): number {
    return this.#count[0] ?? 0;
  }

  /**
   * Claims the log for messages on one memory. Two instances may share the log while they share the memory, as an
   * upgrade that keeps the heap does. Throws when another memory has changes that were neither kept nor undone.
   */
  claim(memory: WebAssembly.Memory): void {
    if (this.#length > 0 && this.#owner !== memory) {
      throw new Error('Another canister has changes that were neither committed nor rolled back.');
    }
    this.#owner = memory;
  }

  /** Before the host writes: logs every page of the range, given in 4 KiB page numbers, that is not logged yet. */
  touch(heap: Uint8Array, firstPage: number, lastPage: number): void {
    for (let page = firstPage; page <= lastPage; page++) {
      if (this.#marks[page] === 1) continue;
      const position = this.#length;
      if ((position + 1) * PAGE > this.undo.buffer.byteLength) growMemory(this.undo, UNDO_STEP_PAGES, true);
      new Uint8Array(this.undo.buffer, position * PAGE, PAGE).set(
        heap.subarray(page * PAGE, (page + 1) * PAGE),
      );
      this.#list[position] = page;
      this.#marks[page] = 1;
      this.#count[0] = position + 1;
    }
  }

  /** Numbers of the logged pages. */
  pages(): Uint32Array {
    return this.#list.slice(0, this.#length);
  }

  /** Forgets what the pages held before and returns their numbers. */
  keep(): Uint32Array {
    const pages = this.pages();
    for (const page of pages) this.#marks[page] = 0;
    this.#count[0] = 0;
    return pages;
  }

  /** Gives every logged page its former content back. */
  undoInto(heap: Uint8Array): void {
    const pages = this.keep();
    const saved = new Uint8Array(this.undo.buffer);
    for (const [position, page] of pages.entries()) {
      heap.set(saved.subarray(position * PAGE, (position + 1) * PAGE), page * PAGE);
    }
  }
}

/** 64 KiB pages a memory really has, which may be more than the canister is shown. */
export function physicalPages(memory: WebAssembly.Memory): number {
  return memory.buffer.byteLength / WASM_PAGE;
}

let shared: UndoLog | undefined;

/** The log of this thread, made on first use. */
export function threadUndoLog(): UndoLog {
  shared ??= new UndoLog();
  return shared;
}
