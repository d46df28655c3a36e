import { Worker } from 'node:worker_threads';
import { heapBounds } from './heap-bounds.ts';
import { brokenThread, ThreadError, type ThreadMessage, ThreadRefusal } from './run-in-thread.ts';

/** Without work for this long a thread ends, and its memory with it; in milliseconds. */
const IDLE_MS = 30_000;

export interface ThreadBounds {
  /** The module that the thread runs; it answers by `serveRequests` of serve-requests.ts. */
  readonly module: URL;
  /** Memory for objects, in MB. */
  readonly heapMegabytes: number;
  /** For one piece of work. */
  readonly timeoutMs: number;
}

interface Asked {
  readonly signal?: AbortSignal | undefined;
  /** What the thread tells on its way. */
  readonly onNote?: (note: unknown) => void;
}

/**
 * A thread for small pieces of work that are too many for a thread each: it starts with the first, does one at a time, and
 * is ended with whatever it does when that breaks a bound. It keeps no process alive while it has nothing to do.
 */
export class LastingThread {
  readonly #bounds: ThreadBounds;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(bounds: ThreadBounds) {
    this.#bounds = bounds;
  }

  /**
   * Has the thread do a piece of work after those it was asked for before.
   * @throws ThreadRefusal what the work refuses, ThreadError at a bound, ThreadStartError where none could be begun, or the reason of `signal`
   */
  ask<Result>(request: unknown, asked: Asked = {}): Promise<Result> {
    const answer = this.#last.then(() => this.#do<Result>(request, asked));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #do<Result>(request: unknown, { signal, onNote }: Asked): Promise<Result> {
    signal?.throwIfAborted();
    const worker = this.#started();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const { timeoutMs, heapMegabytes } = this.#bounds;
    const timer = setTimeout(() => {
      reject(new ThreadError(`it took longer than ${Math.round(timeoutMs / 1000)} s`));
    }, timeoutMs);
    const listeners = {
      message: (message: ThreadMessage) => {
        if (message.kind === 'note') onNote?.(message.note);
        else if (message.kind === 'done') resolve(message.value as Result);
        else reject(new ThreadRefusal(message.message));
      },
      error: (error: NodeJS.ErrnoException) => {
        reject(brokenThread(error, heapMegabytes));
      },
      exit: () => reject(new ThreadError('it ended without a result')),
    };
    const onAbort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener);
    worker.postMessage(request);
    try {
      const result = await promise;
      this.#rest(worker);
      return result;
    } catch (error) {
      if (error instanceof ThreadRefusal) this.#rest(worker);
      else await this.#end(worker);
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      for (const [event, listener] of Object.entries(listeners)) worker.off(event, listener);
    }
  }

  #started(): Worker {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.ref();
    return this.#worker;
  }

  #start(): Worker {
    const { module, heapMegabytes } = this.#bounds;
    const worker = new Worker(module, { env: {}, resourceLimits: heapBounds(heapMegabytes) });
    // Also between two pieces of work, when nobody else listens: the next one starts another thread.
    worker.on('error', () => this.#forget(worker));
    worker.once('exit', () => this.#forget(worker));
    return worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => void this.#end(worker), IDLE_MS);
    this.#idle.unref();
  }

  async #end(worker: Worker): Promise<void> {
    this.#forget(worker);
    await worker.terminate();
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
  }
}
