import { MessageChannel, Worker } from 'node:worker_threads';
import type { Print } from '../../messages.ts';
import type { IdKey } from '../../state/canister-id.ts';
import type {
  HeavyAnswer,
  HeavyConfiguration,
  HeavyJob,
  HeavyRequest,
  HeavyResult,
  ReadAnswer,
  ReadRequest,
} from './heavy-protocol.ts';
import type { ReadView, ViewedStore } from './read-view.ts';
import { serveChannel } from './sync-channel.ts';

/** Why a job has no result: it took longer than allowed, or its thread ended. */
export type Loss =
  | { readonly type: 'too-long' }
  | { readonly type: 'out-of-memory' }
  | { readonly type: 'died'; readonly reason: string };

export interface HeavyWorkerOptions {
  readonly configuration: Omit<HeavyConfiguration, 'answers'>;
  /** Size of the thread's JavaScript heap in MiB; a thread that needs more ends. */
  readonly heapMb: number;
  /** As large as the engine thread's: the depth of recursion must not depend on the thread. */
  readonly stackMb: number;
  /** Answers what the worker asks; `view` lasts as long as the job. */
  readonly serve: (request: ReadRequest, view: ReadView) => ReadAnswer;
  readonly store: ViewedStore;
  readonly print: (print: Print) => void;
}

interface Running {
  readonly view: ReadView;
  readonly resolve: (result: HeavyResult | Loss) => void;
  readonly wallMs: number;
  /** Bytes the worker's canisters may take meanwhile. */
  readonly hardBytes: number;
  /** Runs once the thread does. */
  timer: NodeJS.Timeout | undefined;
}

/** A thread for jobs that take long, one at a time. It is of no use any more after a job was lost. */
export class HeavyWorker {
  readonly #worker: Worker;
  readonly #store: ViewedStore;
  #running: Running | undefined;
  #ready = false;
  #usable = true;
  #residentBytes = 0;

  constructor({ configuration, heapMb, stackMb, serve, store, print }: HeavyWorkerOptions) {
    this.#store = store;
    const answers = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const { port1, port2 } = new MessageChannel();
    serveChannel(port1, answers, (request) =>
      this.#running ? serve(request, this.#running.view) : { type: 'torn' },
    );
    this.#worker = new Worker(new URL('./heavy-thread.ts', import.meta.url), {
      workerData: { ...configuration, answers, reads: port2 },
      transferList: [port2],
      resourceLimits: { stackSizeMb: stackMb, maxOldGenerationSizeMb: heapMb },
    });
    this.#worker.on('message', (answer: HeavyAnswer) => {
      if (answer.type === 'ready') this.#start();
      else if (answer.type === 'print') print(answer.print);
      else if (answer.type === 'failed') this.#lose({ type: 'died', reason: answer.reason });
      else {
        this.#residentBytes = answer.residentBytes;
        this.#settle(answer.result);
      }
    });
    this.#worker.on('error', (error) => {
      const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#lose(isFull ? { type: 'out-of-memory' } : { type: 'died', reason: String(error) });
    });
    this.#worker.on('exit', () => {
      port1.close();
      this.#lose({ type: 'died', reason: 'the thread has ended' });
    });
  }

  /** False once a job was lost. */
  get usable(): boolean {
    return this.#usable;
  }

  /** Bytes the worker's canisters took after its last job; while it does one, what they may come to take. */
  get residentBytes(): number {
    if (!this.#usable) return 0;
    return Math.max(this.#residentBytes, this.#running?.hardBytes ?? 0);
  }

  /** Carries out a job; ends the thread when it takes longer than `wallMs` milliseconds. Never rejects. */
  run(job: HeavyJob, wallMs: number): Promise<HeavyResult | Loss> {
    return new Promise((resolve) => {
      const { hardBytes } = job;
      this.#running = { resolve, wallMs, hardBytes, timer: undefined, view: this.#store.openView() };
      if (this.#ready) this.#watch();
      this.#post({ type: 'job', job });
    });
  }

  kept(canister: IdKey, identity: string): void {
    this.#post({ type: 'kept', canister, identity });
  }

  async end(): Promise<void> {
    this.#usable = false;
    await this.#worker.terminate();
  }

  #start(): void {
    this.#ready = true;
    this.#watch();
  }

  /** Ends the thread when the job at hand takes too long. */
  #watch(): void {
    const running = this.#running;
    if (running) running.timer = setTimeout(() => this.#lose({ type: 'too-long' }), running.wallMs);
  }

  #post(request: HeavyRequest): void {
    this.#worker.postMessage(request);
  }

  #settle(result: HeavyResult | Loss): void {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    clearTimeout(running.timer);
    this.#store.closeView(running.view);
    running.resolve(result);
  }

  #lose(loss: Loss): void {
    if (this.#usable) void this.end();
    this.#settle(loss);
  }
}
