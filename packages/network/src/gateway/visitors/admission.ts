import type { ClientAddress } from '../../http/transport/client-address.ts';

/** Whom a page is for: both are counted. */
export interface Visitor {
  readonly address: ClientAddress;
  readonly canister: string;
}

/** What may be in flight: for all, for one address and for one canister. */
interface Shares {
  readonly all: number;
  readonly address: number;
  readonly canister: number;
}

/** Limits of the gateway; see `ADMISSION`. */
export interface AdmissionLimits {
  /** Questions to canisters whose answers are not read yet; each answer has up to 3 MB (`MAX_QUERY_REPLY_BYTES`). */
  readonly questions: Shares;
  /** Questions that wait for their turn. */
  readonly waiting: Shares;
  /** Bytes of bodies that clients have not taken yet. */
  readonly bytes: Shares;
  /** Bytes that each question in flight counts for its canister: so long may its answer be. */
  readonly answerBytes: number;
  /** Update calls that canisters have not answered; see `Admission.update`. */
  readonly updates: Shares;
  readonly waitMillis: number;
  /** A client that takes its body for longer than this gives way when others wait for its room. */
  readonly takeMillis: number;
}

/** A file of a site is answered in a millisecond or two, so that few questions at a time keep the engine busy. */
export const ADMISSION: AdmissionLimits = {
  questions: { all: 48, address: 32, canister: 16 },
  waiting: { all: 2_048, address: 1_024, canister: 512 },
  bytes: { all: 48 * 1024 ** 2, address: 24 * 1024 ** 2, canister: 24 * 1024 ** 2 },
  // As long as the pieces that asset canisters make of large files.
  answerBytes: 2 * 1024 ** 2,
  updates: { all: 4_096, address: 128, canister: 512 },
  waitMillis: 20_000,
  takeMillis: 15_000,
};

/** Too much is in flight; the message says for whom. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
}

interface Waiting {
  readonly visitor: Visitor;
  readonly isKept: boolean;
  readonly start: () => void;
}

/** Bytes that a client has not taken yet. */
interface Held {
  readonly visitor: Visitor;
  readonly since: number;
  /** Ends the connection of the client. */
  readonly drop: () => void;
}

/**
 * Bounds what the gateway holds for strangers at a time. Who asks beyond a share waits; then those come first whose
 * canister has the fewest questions in flight, so that a slow canister keeps others waiting no longer than one answer.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #questions: Tally;
  readonly #queued: Tally;
  readonly #bytes: Tally;
  readonly #updates: Tally;
  readonly #waiting = new Set<Waiting>();
  /** The oldest first. */
  readonly #held = new Set<Held>();

  constructor(limits: AdmissionLimits = ADMISSION) {
    this.#limits = limits;
    this.#questions = new Tally(limits.questions);
    this.#queued = new Tally(limits.waiting);
    this.#bytes = new Tally(limits.bytes);
    this.#updates = new Tally(limits.updates);
  }

  /** What is in flight at the moment. */
  get inFlight(): { readonly questions: number; readonly waiting: number; readonly bytes: number } {
    return { questions: this.#questions.all, waiting: this.#queued.all, bytes: this.#bytes.all };
  }

  /**
   * Asks a canister when there is room for the question and its answer. Throws `BusyError`, or the reason of `signal`,
   * before it asks.
   * @param isKept whether the answer is kept for the client; else bytes that are kept do not matter
   */
  async ask<T>(visitor: Visitor, signal: AbortSignal, question: () => Promise<T>, isKept = true): Promise<T> {
    signal.throwIfAborted();
    // Where there is room for it there was none for those that wait: they would have been let in.
    const mustWait = !this.#hasRoom(visitor, isKept) || this.#queued.ofCanister(visitor) > 0;
    if (mustWait) await this.#turn(visitor, signal, isKept);
    else this.#questions.add(visitor, 1);
    try {
      return await question();
    } finally {
      this.#questions.add(visitor, -1);
      this.#next();
    }
  }

  /**
   * Makes an update call, which a canister may take minutes to answer, or never answer. Throws `BusyError` at once where too many are
   * under way. A call counts to its end, also when its client has gone: it goes on in the canister.
   */
  async update<T>(visitor: Visitor, call: () => Promise<T>): Promise<T> {
    if (!this.#updates.hasRoom(visitor))
      throw new BusyError('Too many update calls of this site are under way.');
    this.#updates.add(visitor, 1);
    try {
      return await call();
    } finally {
      this.#updates.add(visitor, -1);
    }
  }

  /**
   * Counts bytes that are kept for a client until what this returns is called. `drop` is called where the client takes
   * very long and others wait.
   */
  hold(visitor: Visitor, bytes: number, drop: () => void): () => void {
    const held = { visitor, since: performance.now(), drop };
    this.#bytes.add(visitor, bytes);
    this.#held.add(held);
    return () => {
      if (!this.#held.delete(held)) return;
      this.#bytes.add(visitor, -bytes);
      this.#next();
    };
  }

  /** Waits in line, and has the place of a question when it resolves. */
  async #turn(visitor: Visitor, signal: AbortSignal, isKept: boolean): Promise<void> {
    if (!this.#queued.hasRoom(visitor)) throw new BusyError('Too many requests for this site are waiting.');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { visitor, isKept, start: resolve };
    const giveUp = (reason: unknown): void => {
      this.#waiting.delete(waiting);
      reject(reason);
    };
    this.#waiting.add(waiting);
    this.#queued.add(visitor, 1);
    // An error is made only where it is needed: to look where it comes from takes longer than the rest of this.
    const tooLong = (): void => giveUp(new BusyError('Requests before this one take too long.'));
    const timer = setTimeout(tooLong, this.#limits.waitMillis);
    const look = setInterval(() => this.#makeRoom(visitor), this.#limits.takeMillis / 10);
    const onAbort = (): void => giveUp(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#makeRoom(visitor);
    this.#next();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      clearInterval(look);
      signal.removeEventListener('abort', onAbort);
      this.#queued.add(visitor, -1);
    }
  }

  /** Ends the oldest connection that keeps a share full and has had its time. */
  #makeRoom(visitor: Visitor): void {
    if (this.#bytes.hasRoom(visitor)) return;
    const latest = performance.now() - this.#limits.takeMillis;
    for (const held of this.#held) {
      if (held.since > latest) return;
      if (this.#bytes.isInTheWay(held.visitor, visitor)) return held.drop();
    }
  }

  /** Lets those start for whom there is room. */
  #next(): void {
    while (this.#waiting.size > 0 && this.#questions.all < this.#limits.questions.all) {
      let best: Waiting | undefined;
      let fewest = Number.POSITIVE_INFINITY;
      for (const each of this.#waiting) {
        const own = this.#questions.ofCanister(each.visitor);
        if (own < fewest && this.#hasRoom(each.visitor, each.isKept)) [best, fewest] = [each, own];
        if (fewest === 0) break;
      }
      if (!best) return;
      this.#waiting.delete(best);
      this.#questions.add(best.visitor, 1);
      best.start();
    }
  }

  #hasRoom(visitor: Visitor, isKept: boolean): boolean {
    if (!this.#questions.hasRoom(visitor)) return false;
    if (!isKept) return true;
    const { answerBytes, bytes } = this.#limits;
    const expected = this.#questions.ofCanister(visitor) * answerBytes;
    return this.#bytes.hasRoom(visitor) && this.#bytes.ofCanister(visitor) + expected < bytes.canister;
  }
}

/** Counts by address and by canister; who has nothing in flight takes no memory. */
class Tally {
  readonly #limits: Shares;
  readonly #addresses = new Map<string, number>();
  readonly #canisters = new Map<string, number>();
  all = 0;

  constructor(limits: Shares) {
    this.#limits = limits;
  }

  hasRoom({ address, canister }: Visitor): boolean {
    const { all, address: ofAddress, canister: ofCanister } = this.#limits;
    return (
      this.all < all &&
      (this.#addresses.get(address) ?? 0) < ofAddress &&
      (this.#canisters.get(canister) ?? 0) < ofCanister
    );
  }

  /** Whether less for `holder` would be more room for `visitor`, who has none. */
  isInTheWay(holder: Visitor, { address, canister }: Visitor): boolean {
    const { all, address: ofAddress, canister: ofCanister } = this.#limits;
    if (this.all >= all) return true;
    if (holder.address === address && (this.#addresses.get(address) ?? 0) >= ofAddress) return true;
    return holder.canister === canister && (this.#canisters.get(canister) ?? 0) >= ofCanister;
  }

  ofCanister({ canister }: Visitor): number {
    return this.#canisters.get(canister) ?? 0;
  }

  add({ address, canister }: Visitor, count: number): void {
    this.all += count;
    change(this.#addresses, address, count);
    change(this.#canisters, canister, count);
  }
}

function change(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
