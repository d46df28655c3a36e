import { createHash } from 'node:crypto';
import type { CompiledModule } from '../../execution/run/loaded-code.ts';
import { STORE_PAGE_BYTES } from '@cannery/ic/limits';
import type { StateStore } from '../../state/state-store.ts';
import { readBlob } from '@cannery/store/files/blobs';
import { StoreDamagedError } from '@cannery/store/files/errors';
import { storePaths } from '@cannery/store/files/layout';
import type { CanisterImage, ReadAnswer, ReadRequest } from './heavy-protocol.ts';
import type { SyncChannel } from './sync-channel.ts';

/** What is read was changed meanwhile and cannot be had as it was. */
export class TornRead extends Error {
  override readonly name = 'TornRead';
}

/** Pages of one request: 1 MiB, so that the engine thread is never long at it. */
const PAGES_AT_ONCE = 256;

/** The committed state as a heavy worker sees it: asked of the engine thread piece by piece, never changed. */
export class RemoteStore implements StateStore {
  readonly #channel: SyncChannel;
  readonly #blobs: string;

  constructor(channel: SyncChannel, dataDir: string) {
    this.#channel = channel;
    this.#blobs = storePaths.blobs(dataDir);
  }

  canister(key: string): CanisterImage | undefined {
    return this.#ask({ type: 'canister', key }, 'canister').image;
  }

  module(hash: string): CompiledModule | undefined {
    return this.#ask({ type: 'module', hash }, 'module').compiled;
  }

  get(key: string): Uint8Array | undefined {
    return this.#ask({ type: 'value', key }, 'value').bytes;
  }

  keys(prefix: string): Iterable<string> {
    return this.#ask({ type: 'keys', prefix }, 'keys').keys;
  }

  /** Blobs never change, so they are read without the engine thread. */
  getBlob(hash: string): Uint8Array | undefined {
    return readBlob(this.#blobs, hash);
  }

  /** The engine thread stores the bytes, when it commits. */
  putBlob(bytes: Uint8Array): string {
    return createHash('sha256').update(bytes).digest('hex');
  }

  readSpace(space: string, into: (index: number, bytes: Uint8Array) => void): void {
    const { pages } = this.#ask({ type: 'size', space }, 'size');
    for (let first = 0; first < pages; first += PAGES_AT_ONCE) {
      const bytes = this.#pages(space, first, Math.min(PAGES_AT_ONCE, pages - first));
      for (let at = 0; at < bytes.length; at += STORE_PAGE_BYTES)
        into(first + at / STORE_PAGE_BYTES, bytes.subarray(at, at + STORE_PAGE_BYTES));
    }
  }

  readPages(space: string, first: number, count: number): Uint8Array {
    if (count <= PAGES_AT_ONCE) return this.#pages(space, first, count);
    const all = new Uint8Array(count * STORE_PAGE_BYTES);
    for (let done = 0; done < count; done += PAGES_AT_ONCE)
      all.set(
        this.#pages(space, first + done, Math.min(PAGES_AT_ONCE, count - done)),
        done * STORE_PAGE_BYTES,
      );
    return all;
  }

  commit(): number {
    throw new Error('Only the engine thread commits.');
  }

  #pages(space: string, first: number, count: number): Uint8Array {
    return this.#ask({ type: 'pages', space, first, count }, 'pages').bytes;
  }

  #ask<T extends ReadAnswer['type']>(request: ReadRequest, type: T): Extract<ReadAnswer, { type: T }> {
    const answer = this.#channel.ask(request);
    if (answer.type === type) return answer as Extract<ReadAnswer, { type: T }>;
    if (answer.type === 'damaged') throw new StoreDamagedError(answer.path, answer.what);
    throw new TornRead();
  }
}
