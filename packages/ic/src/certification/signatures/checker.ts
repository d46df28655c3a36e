import { Worker } from 'node:worker_threads';

/** A question to the checking thread, which answers whether the signature is good. */
export interface CheckRequest {
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/** This many signatures wait already that this one is not checked; the same may be asked again later. */
export class CheckerBusyError extends Error {
  override readonly name = 'CheckerBusyError';
}

/** Signatures that wait, of all and of one who asks; one takes about 6 ms, so the last of all waits less than half a second. */
export const MOST_WAITING = 64;
export const MOST_WAITING_OF_ONE = 16;

interface Job extends CheckRequest {
  readonly resolve: (isGood: boolean) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Checks signatures of the root key in a thread that does nothing else, and gives way to all others: what strangers have
 * checked never keeps a signature waiting that the network makes. Those who ask take turns. The thread starts with the first
 * question.
 */
export class Checker {
  readonly #publicKey: Uint8Array;
  /** Jobs by who asked; who comes first is next. */
  readonly #waiting = new Map<string, Job[]>();
  #count = 0;
  #worker: Worker | undefined;
  #running: Job | undefined;

  /** `publicKey`: 96 bytes, a point of G2. */
  constructor(publicKey: Uint8Array) {
    this.#publicKey = publicKey;
  }

  /** Whether the signature is one of the root key. Rejects with `CheckerBusyError` when too many of `asker` or of all wait. */
  check(request: CheckRequest, asker: string): Promise<boolean> {
    const own = this.#waiting.get(asker) ?? [];
    if (this.#count >= MOST_WAITING || own.length >= MOST_WAITING_OF_ONE) {
      return Promise.reject(new CheckerBusyError('Too many signatures by canisters wait to be checked.'));
    }
    return new Promise((resolve, reject) => {
      own.push({ ...request, resolve, reject });
      this.#waiting.set(asker, own);
      this.#count += 1;
      this.#next();
    });
  }

  /** Ends the thread; what waits is rejected. */
  async close(): Promise<void> {
    const jobs = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#count = 0;
    for (const { reject } of jobs) reject(new CheckerBusyError('The network is closing.'));
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#running) return;
    const [turn] = this.#waiting;
    if (!turn) return;
    const [asker, jobs] = turn;
    const job = jobs.shift();
    this.#waiting.delete(asker);
    if (jobs.length > 0) this.#waiting.set(asker, jobs);
    if (!job) return;
    this.#count -= 1;
    this.#running = job;
    this.#worker ??= this.#start();
    const { message, signature } = job;
    this.#worker.postMessage({ message, signature } satisfies CheckRequest);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checker-worker.ts', import.meta.url), {
      workerData: this.#publicKey,
    });
    worker.on('message', (isGood: boolean) => {
      const job = this.#running;
      this.#running = undefined;
      job?.resolve(isGood);
      this.#next();
    });
    // Its end follows, which is what counts.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      const job = this.#running;
      this.#worker = undefined;
      this.#running = undefined;
      job?.reject(new CheckerBusyError('The thread that checks signatures has ended.'));
      this.#next();
    });
    // Behind the listeners: one for messages would hold the process again.
    worker.unref();
    return worker;
  }
}
