import {
  COUNT_OFFSET,
  LIST_OFFSET,
  MARKED_PAGES_MAX,
  MARKS_MEMORY_PAGES,
  MOST_OFFSET,
  PAGE,
  UNDO_MAX_PAGES,
  UNDO_STEP_PAGES,
} from '../module/layout.ts';
import { createMemory64, growMemory } from './memory.ts';
import { WasmTrap } from './trap.ts';

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
  readonly #most = new Uint32Array(this.marks.buffer, MOST_OFFSET, 1);
  #owner: WebAssembly.Memory | undefined;

  get #length(): number {
    return this.#count[0] ?? 0;
  }

  /**
   * Claims the log for messages on one memory. Two instances may share the log while they share the memory, as an
   * upgrade that keeps the heap does. A message that changes more than `mostPages` ends as if its instructions were
   * used up. Throws when another memory has changes that were neither kept nor undone.
   */
  claim(memory: WebAssembly.Memory, mostPages = MARKED_PAGES_MAX): void {
    if (this.#length > 0 && this.#owner !== memory) {
      throw new Error('Another canister has changes that were neither committed nor rolled back.');
    }
    this.#owner = memory;
    this.#most[0] = mostPages;
  }

  /**
   * Before the host writes: logs every page of the range, given in 4 KiB page numbers, that is not logged yet. Throws
   * `WasmTrap` when the message may not change this many.
   */
  touch(heap: Uint8Array, firstPage: number, lastPage: number): void {
    for (let page = firstPage; page <= lastPage; page++) {
      if (this.#marks[page] === 1) continue;
      const position = this.#length;
      if (position >= (this.#most[0] ?? 0)) throw new WasmTrap('instruction-limit');
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

let shared: UndoLog | undefined;

/** The log of this thread, made on first use. */
export function threadUndoLog(): UndoLog {
  shared ??= new UndoLog();
  return shared;
}

/** 128 MiB: more than this does not stay in a thread's undo memory after a message. */
const MAX_KEPT_UNDO_BYTES = 128 * 1024 * 1024;

/**
 * Between messages: gives a log up that grew large, as memories do not shrink. True when it did: its memory goes with
 * the instances that use it, and those made from now on share a new one.
 */
export function giveUpLargeUndoLog(): boolean {
  if (shared === undefined || shared.undo.buffer.byteLength <= MAX_KEPT_UNDO_BYTES) return false;
  shared = undefined;
  return true;
}
