import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** How long an answer is waited for before the client is told to come back for it, in milliseconds. */
const SYNC_WAIT_MILLIS = 10_000;
/** Results that are kept for clients that come back. */
const MOST_KEPT = 1_000;

/** An operation that goes on; `GET /read_graph/<label>/<id>` has its result later. */
export interface Started {
  readonly label: string;
  readonly id: string;
}

interface Operation<Result> {
  /** Resolves when it has ended, well or not. */
  readonly ended: Promise<void>;
  /** There once it has ended; rejected where it failed. */
  result: Promise<Result> | undefined;
}

/** Operations of an instance that take longer than a client waits. */
export class Operations<Result> {
  readonly #waitMillis: number;
  readonly #label = randomUUID();
  readonly #started = new Map<string, Operation<Result>>();
  /** Ends when the operations before have ended: one is carried out at a time. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param waitMillis how long a client waits for an answer */
  constructor(waitMillis = SYNC_WAIT_MILLIS) {
    this.#waitMillis = waitMillis;
  }

  /**
   * Carries out `work` after what was asked for before, or beside it; resolves with its result, or early with where that
   * will be, unless it is waited for however long that takes.
   */
  async run(
    work: () => Promise<Result>,
    {
      isBeside = false,
      isWaitedFor = false,
    }: { readonly isBeside?: boolean; readonly isWaitedFor?: boolean },
  ): Promise<{ now: Result } | { later: Started }> {
    const result = isBeside ? work() : this.#last.then(work);
    if (!isBeside) this.#last = result.catch(() => undefined);
    if (isWaitedFor) return { now: await result };
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    const timer = new AbortController();
    const isLate = await Promise.race([
      ended.then(() => false),
      delay(this.#waitMillis, true, { signal: timer.signal }).catch(() => false),
    ]);
    timer.abort();
    if (!isLate) return { now: await result };
    const id = randomUUID();
    const operation: Operation<Result> = { ended, result: undefined };
    void ended.then(() => {
      operation.result = result;
    });
    this.#started.set(id, operation);
    this.#forget();
    return { later: { label: this.#label, id } };
  }

  /** The result of an operation, where it has ended; rejects as the operation did. Undefined where it is not known. */
  async find({ label, id }: Started): Promise<{ readonly result?: Result } | undefined> {
    const operation = label === this.#label ? this.#started.get(id) : undefined;
    if (!operation) return undefined;
    return operation.result ? { result: await operation.result } : {};
  }

  /** Keeps the result of an operation no longer; false where it is not known. */
  drop({ label, id }: Started): boolean {
    return label === this.#label && this.#started.delete(id);
  }

  #forget(): void {
    for (const id of this.#started.keys()) {
      if (this.#started.size <= MOST_KEPT) return;
      this.#started.delete(id);
    }
  }
}
