import type { MethodFigures, MethodKind, MethodTotals } from '../messages.ts';
import type { IdKey } from '../state/canister-id.ts';
import type { Message } from '../state/message.ts';

/** Methods that are counted one by one; of more, those that used least are counted together. */
const MOST_METHODS = 2_000;
/** Longest name that is kept, in characters; names that begin with the same ones are counted together. */
const MOST_NAME = 100;
/** Methods that are told of. */
const TOLD = 50;
/** For how long what was told is told again, in milliseconds: to sort the table is a millisecond of the engine thread. */
const TOLD_AGAIN_MS = 1_000;

interface Use {
  readonly canister: IdKey;
  readonly kind: MethodKind;
  readonly name: string;
  calls: number;
  instructions: number;
  cycles: bigint;
}

/** What methods have used since the start of the thread. Its size does not depend on what canisters and callers come up with. */
export class MethodUse {
  readonly #now: () => number;
  readonly #byCanister = new Map<IdKey, Map<string, Use>>();
  readonly #others = { methods: 0, calls: 0, instructions: 0, cycles: 0n };
  #size = 0;
  #told: { readonly at: number; readonly totals: MethodTotals } | undefined;

  /** `now`: a clock in milliseconds that runs evenly. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A message was carried out. */
  noteMessage(canister: IdKey, message: Message, instructions: bigint, cycles: bigint): void {
    if (message.kind === 'request') this.#add(canister, 'update', message.method, instructions, cycles);
    else if (message.kind === 'response') this.#add(canister, 'response', '', instructions, cycles);
    else this.#add(canister, 'task', message.task, instructions, cycles);
  }

  /** A query was answered. */
  noteQuery(canister: IdKey, method: string, instructions: bigint): void {
    this.#add(canister, 'query', method, instructions, 0n);
  }

  /** Those that used the most instructions, and all others together; up to a second old. */
  get totals(): MethodTotals {
    const at = this.#now();
    if (this.#told && at - this.#told.at < TOLD_AGAIN_MS) return this.#told.totals;
    const all = this.#sorted();
    const others = { ...this.#others };
    for (const use of all.slice(TOLD)) addTo(others, use);
    const methods = all.slice(0, TOLD).map((use): MethodFigures => ({ ...use }));
    this.#told = { at, totals: { methods, others } };
    return this.#told.totals;
  }

  #add(canister: IdKey, kind: MethodKind, method: string, instructions: bigint, cycles: bigint): void {
    const name = method.length > MOST_NAME ? method.slice(0, MOST_NAME) : method;
    const use = this.#find(canister, kind, name);
    use.calls += 1;
    use.instructions += Number(instructions);
    use.cycles += cycles;
  }

  #find(canister: IdKey, kind: MethodKind, name: string): Use {
    // Updates and queries may have one name.
    const key = `${kind}:${name}`;
    const known = this.#byCanister.get(canister)?.get(key);
    if (known) return known;
    if (this.#size >= MOST_METHODS) this.#foldHalf();
    // Taken from the key, which is short: a part of a long name would hold on to the whole of it.
    const use = { canister, kind, name: key.slice(kind.length + 1), calls: 0, instructions: 0, cycles: 0n };
    const methods = this.#byCanister.get(canister);
    if (methods) methods.set(key, use);
    else this.#byCanister.set(canister, new Map([[key, use]]));
    this.#size += 1;
    return use;
  }

  /** Happens once for a thousand new methods. */
  #foldHalf(): void {
    const kept = this.#sorted();
    for (const use of kept.splice(MOST_METHODS / 2)) {
      addTo(this.#others, use);
      const methods = this.#byCanister.get(use.canister);
      methods?.delete(`${use.kind}:${use.name}`);
      if (methods?.size === 0) this.#byCanister.delete(use.canister);
    }
    this.#size = kept.length;
  }

  #sorted(): Use[] {
    const all = [...this.#byCanister.values()].flatMap((methods) => [...methods.values()]);
    return all.sort((a, b) => b.instructions - a.instructions);
  }
}

function addTo(
  others: { -readonly [K in keyof MethodTotals['others']]: MethodTotals['others'][K] },
  use: Use,
): void {
  others.methods += 1;
  others.calls += use.calls;
  others.instructions += use.instructions;
  others.cycles += use.cycles;
}
