import { Worker } from 'node:worker_threads';
import { handOver } from '@cannery/replica/engine/hand-over';
import { type Answer, errorFrom, type ReadError, type Reading } from './read-answer.ts';

/** What the thread tells; `heapBytes` is what it keeps for objects. */
export type WorkerReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly reading: Reading; readonly heapBytes: number }
  | { readonly kind: 'failed'; readonly error: ReadError; readonly heapBytes: number };

/** An answer took more time or memory than a thread has for it, or the thread broke. */
export class ReaderError extends Error {
  override readonly name = 'ReaderError';
}

/** What a thread runs, and its bounds. */
export interface ReaderSettings {
  readonly module: URL;
  /** Memory for objects and for the stack, in MB; bytes of answers are bounded by their budget. */
  readonly memory: Readonly<
    Record<'maxOldGenerationSizeMb' | 'maxYoungGenerationSizeMb' | 'stackSizeMb', number>
  >;
  /** The largest answer takes a tenth of that on an idle machine. */
  readonly answerMillis: number;
}

export const READER: ReaderSettings = {
  module: new URL('./reader-worker.ts', import.meta.url),
  memory: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  answerMillis: 3_000,
};
const START_MILLIS = 20_000;
/** What a thread may keep for objects when it has nothing to do, in bytes. Pages of a site leave 10 MB, a million texts 60. */
const KEPT_BYTES = 24 * 1024 * 1024;

/** A thread that reads one answer at a time. At a bound it ends, and with it the reading of that one answer. */
export class ReaderThread {
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  readonly #answerMillis: number;
  #current: PromiseWithResolvers<Reading> | undefined;
  #ended: ReaderError | undefined;
  #heapBytes = 0;

  constructor({ module, memory, answerMillis }: ReaderSettings = READER) {
    this.#answerMillis = answerMillis;
    this.#worker = new Worker(module, { resourceLimits: memory, env: {} });
    this.#worker.on('message', (report: WorkerReport) => this.#hear(report));
    this.#worker.on('error', (error) => {
      const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#end(isMemory ? 'it takes too much memory to read' : 'its reader failed');
    });
    this.#worker.on('exit', () => this.#end('its reader has ended'));
    // Behind the listeners: one for messages would hold the process again.
    this.#worker.unref();
    // Who waits hears of it.
    this.#ready.promise.catch(() => undefined);
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** An answer has made it grow; it would keep what it has, since V8 collects while something is done only. */
  get hasGrown(): boolean {
    return this.#heapBytes > KEPT_BYTES;
  }

  /** Reads an answer when the one before is read; throws what reading it throws, or `ReaderError`. */
  async read(answer: Answer): Promise<Reading> {
    await this.#inTime(this.#ready.promise, START_MILLIS);
    if (this.#ended) throw this.#ended;
    const current = Promise.withResolvers<Reading>();
    this.#current = current;
    const { message, buffers } = packed(answer);
    this.#worker.postMessage(message, buffers);
    return this.#inTime(current.promise, this.#answerMillis);
  }

  async close(): Promise<void> {
    this.#end('the network is closing');
    await this.#worker.terminate();
  }

  async #inTime<T>(work: Promise<T>, millis: number): Promise<T> {
    const timer = setTimeout(() => {
      this.#end('it takes too long to read');
      void this.#worker.terminate();
    }, millis);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  #hear(report: WorkerReport): void {
    if (report.kind === 'ready') return this.#ready.resolve();
    const current = this.#current;
    this.#current = undefined;
    this.#heapBytes = report.heapBytes;
    if (report.kind === 'read') current?.resolve(report.reading);
    else current?.reject(errorFrom(report.error));
  }

  #end(reason: string): void {
    this.#ended ??= new ReaderError(reason);
    this.#ready.reject(this.#ended);
    this.#current?.reject(this.#ended);
    this.#current = undefined;
  }
}

/** The reply changes hands; its buffer may hold replies to others as well. */
function packed(answer: Answer): { message: Answer; buffers: ArrayBuffer[] } {
  if (answer.kind === 'whole') return { message: answer, buffers: [] };
  const reply = handOver(answer.reply);
  return { message: { ...answer, reply }, buffers: [reply.buffer] };
}
