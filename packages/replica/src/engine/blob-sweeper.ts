import type { SubnetState } from '../state/subnet-state.ts';
import type { DurableStore } from '@cannery/store/durable-store';

/**
 * Deletes modules and chunks nobody uses any more, and not before the commit that let go of them is on disk: after
 * a power failure an older state may be the last one, and it still needs them.
 */
export class BlobSweeper {
  readonly #state: SubnetState;
  readonly #store: DurableStore;
  #stopped = false;

  constructor(state: SubnetState, store: DurableStore) {
    this.#state = state;
    this.#store = store;
  }

  /** Deletes what a crash left: blobs written for a commit that was never made, or released by the last one. */
  sweepAll(): void {
    this.#sweep([...this.#store.blobs()]);
  }

  /** Deletes those of `hashes` that are unused once the commit is on disk. */
  afterCommit(sequence: number, hashes: readonly string[]): void {
    if (hashes.length === 0) return;
    const sweep = (): void => this.#sweep(hashes);
    // When the disk fails the whole engine ends; the next start sweeps.
    this.#store.durable(sequence).then(sweep, () => undefined);
  }

  stop(): void {
    this.#stopped = true;
  }

  #sweep(hashes: readonly string[]): void {
    if (this.#stopped || hashes.length === 0) return;
    const used = this.#state.usedBlobs();
    for (const hash of hashes) if (!used.has(hash)) this.#store.deleteBlob(hash);
  }
}
