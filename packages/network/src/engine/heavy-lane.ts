import type { IdKey } from '../state/canister-id.ts';
import type { HeavyJob, HeavyResult } from './heavy-protocol.ts';
import type { HeavyWorker, Loss } from './heavy-worker.ts';

/** A job in its place in the line. */
export interface LaneTask {
  /** Whose turn it is: tasks of canisters that used the lane least of late go first. */
  readonly canister: IdKey;
  readonly wallMs: number;
  /** Makes the job when its turn has come. */
  readonly start: () => HeavyJob;
  readonly done: (result: HeavyResult | Loss, worker: HeavyWorker) => void;
}

interface Usage {
  /** Milliseconds as of `at`; halves every `HALF_LIFE_MS`. */
  milliseconds: number;
  at: number;
}

const HALF_LIFE_MS = 60_000;
const MOST_USAGES = 10_000;
/** A worker with nothing to do for so long is ended. */
const IDLE_MS = 60_000;

/** Workers that share a line of jobs. They are made at the first use and ended when nothing happens. */
export class HeavyLane {
  readonly #size: number;
  readonly #make: () => HeavyWorker;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting: LaneTask[] = [];
  readonly #idle: { readonly worker: HeavyWorker; readonly timer: NodeJS.Timeout }[] = [];
  readonly #busy = new Set<HeavyWorker>();
  readonly #usage = new Map<IdKey, Usage>();

  /** `size`: workers at most. `onFailure` hears what `done` of a task throws. */
  constructor(size: number, make: () => HeavyWorker, onFailure: (error: unknown) => void) {
    this.#size = size;
    this.#make = make;
    this.#onFailure = onFailure;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Bytes of heap and stable memory the workers hold. */
  get residentBytes(): number {
    let total = 0;
    for (const worker of this.#busy) total += worker.residentBytes;
    for (const { worker } of this.#idle) total += worker.residentBytes;
    return total;
  }

  waitingFor(canister: IdKey): number {
    return this.#waiting.reduce((count, task) => count + (task.canister === canister ? 1 : 0), 0);
  }

  submit(task: LaneTask): void {
    this.#waiting.push(task);
    this.#next();
  }

  async end(): Promise<void> {
    this.#waiting.length = 0;
    const workers = [...this.#busy, ...this.#idle.map(({ worker }) => worker)];
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    await Promise.all(workers.map((worker) => worker.end()));
  }

  #next(): void {
    if (this.#waiting.length === 0) return;
    const worker = this.#freeWorker();
    if (!worker) return;
    const task = this.#takeTask();
    if (!task) return;
    this.#busy.add(worker);
    const began = performance.now();
    worker
      .run(task.start(), task.wallMs)
      .then((result) => {
        this.#busy.delete(worker);
        this.#note(task.canister, performance.now() - began);
        task.done(result, worker);
        if (worker.usable) this.#rest(worker);
        this.#next();
      })
      .catch(this.#onFailure);
  }

  #freeWorker(): HeavyWorker | undefined {
    const idle = this.#idle.pop();
    if (idle) {
      clearTimeout(idle.timer);
      return idle.worker;
    }
    return this.#busy.size < this.#size ? this.#make() : undefined;
  }

  #rest(worker: HeavyWorker): void {
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((each) => each.worker === worker),
        1,
      );
      void worker.end();
    }, IDLE_MS);
    this.#idle.push({ worker, timer: timer.unref() });
  }

  #takeTask(): LaneTask | undefined {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (const [index, { canister }] of this.#waiting.entries()) {
      const used = this.#used(canister);
      if (used >= least) continue;
      best = index;
      least = used;
    }
    return this.#waiting.splice(best, 1)[0];
  }

  #used(canister: IdKey): number {
    const usage = this.#usage.get(canister);
    return usage ? usage.milliseconds * 0.5 ** ((performance.now() - usage.at) / HALF_LIFE_MS) : 0;
  }

  #note(canister: IdKey, milliseconds: number): void {
    const total = this.#used(canister) + milliseconds;
    this.#usage.delete(canister);
    this.#usage.set(canister, { milliseconds: total, at: performance.now() });
    const [oldest] = this.#usage.keys();
    if (this.#usage.size > MOST_USAGES && oldest !== undefined) this.#usage.delete(oldest);
  }
}
