import type { IdKey } from '../../state/canister-id.ts';
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

export interface HeavyLaneOptions {
  /** Workers at most. */
  readonly size: number;
  readonly make: () => HeavyWorker;
  /** A worker with nothing to do for this many milliseconds is ended. */
  readonly idleMs: number;
  /** Hears what `done` of a task throws. */
  readonly onFailure: (error: unknown) => void;
}

/** Workers that share a line of jobs. They are made at the first use and ended when nothing happens. */
export class HeavyLane {
  readonly #options: HeavyLaneOptions;
  readonly #waiting: LaneTask[] = [];
  readonly #idle: { readonly worker: HeavyWorker; readonly timer: NodeJS.Timeout }[] = [];
  readonly #busy = new Set<HeavyWorker>();
  readonly #usage = new Map<IdKey, Usage>();

  constructor(options: HeavyLaneOptions) {
    this.#options = options;
  }

  /** Bytes of heap and stable memory the workers hold, or may come to hold in what they are doing. */
  get residentBytes(): number {
    let total = 0;
    for (const worker of this.#busy) total += worker.residentBytes;
    for (const { worker } of this.#idle) total += worker.residentBytes;
    return total;
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
        this.#note(task.canister, performance.now() - began);
        task.done(result, worker);
        this.#busy.delete(worker);
        if (worker.usable) this.#rest(worker);
        this.#next();
      })
      .catch(this.#options.onFailure);
  }

  #freeWorker(): HeavyWorker | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (idle.worker.usable) return idle.worker;
    }
    const { size, make } = this.#options;
    return this.#busy.size < size ? make() : undefined;
  }

  #rest(worker: HeavyWorker): void {
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((each) => each.worker === worker),
        1,
      );
      void worker.end();
    }, this.#options.idleMs);
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
