import type { Scheduler } from '../scheduler/scheduler.ts';
import { idKey } from '../state/canister-id.ts';

/** A hold that nobody ends is over after this long. */
const LONGEST_MS = 500;

/** Keeps canisters still for the time it takes to certify their data and to run queries on it. */
export class Pauses {
  readonly #scheduler: Scheduler;
  /** Resolves once everything committed so far is published. */
  readonly #published: () => Promise<void>;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(scheduler: Scheduler, published: () => Promise<void>) {
    this.#scheduler = scheduler;
    this.#published = published;
  }

  /** See `Engine.hold`. */
  async begin(canisterId: Uint8Array): Promise<void> {
    const key = idKey(canisterId);
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => this.end(canisterId), LONGEST_MS),
    );
    this.#scheduler.hold(key);
    await this.#published();
  }

  /** See `Engine.release`. */
  end(canisterId: Uint8Array): void {
    const key = idKey(canisterId);
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#scheduler.release(key);
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
