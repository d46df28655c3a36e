import type { IdKey } from '../state/canister-id.ts';
import type { Message } from '../state/message.ts';

/** How long a method is taken for heavy after it was, in milliseconds. */
const MEMORY_MS = 60_000;
/** Heavy methods that make the whole canister count as heavy. */
const METHODS_OF_A_HEAVY_CANISTER = 4;
const MOST_CANISTERS = 10_000;

interface Habit {
  /** By method, the time it is taken for heavy until. */
  readonly methods: Map<string, number>;
}

/**
 * What needed another thread lately. It goes there at once next time, so that a flood of such calls does not take a
 * slice of the engine thread each.
 */
export class SlowMethodHistory {
  readonly #now: () => number;
  readonly #canisters = new Map<IdKey, Habit>();

  /** `now`: a clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  isHeavy(canister: IdKey, method: string): boolean {
    if (this.#canisters.size === 0) return false;
    const habit = this.#canisters.get(canister);
    if (!habit) return false;
    const now = this.#now();
    for (const [name, until] of habit.methods) if (until < now) habit.methods.delete(name);
    if (habit.methods.size === 0) this.#canisters.delete(canister);
    return habit.methods.size >= METHODS_OF_A_HEAVY_CANISTER || habit.methods.has(method);
  }

  /** The method needed more than a slice. */
  note(canister: IdKey, method: string): void {
    const habit = this.#canisters.get(canister) ?? { methods: new Map<string, number>() };
    this.#canisters.delete(canister);
    this.#canisters.set(canister, habit);
    habit.methods.set(method, this.#now() + MEMORY_MS);
    const [oldest] = this.#canisters.keys();
    if (this.#canisters.size > MOST_CANISTERS && oldest !== undefined) this.#canisters.delete(oldest);
  }
}

/** The name under which habits of a message are kept. */
export function habitOf(message: Message): string {
  if (message.kind === 'request') return `call ${message.method}`;
  return message.kind === 'response' ? 'response' : `task ${message.task}`;
}
