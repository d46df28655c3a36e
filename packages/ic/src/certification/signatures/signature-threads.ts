import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  LONGEST_MESSAGE,
  PLACES,
  PUBLIC_KEY_BYTES,
  SECRET_KEY_BYTES,
  SIGNATURE_BYTES,
  type SignatureJob,
  SignatureJobs,
  type SignatureResult,
} from './signature-jobs.ts';
import type { Sodium } from './sodium.ts';

/** More would have nothing to do: all else about a query takes the thread that serves half as long as its signatures. */
const MOST_THREADS = 2;
/** Jobs that this thread does in a turn: with fewer, more turns are made, and fewer queries go to the engine together. */
const JOBS_A_TURN = 4;
/** Jobs that lie open together from which on a thread is worth its start. */
const ENOUGH_FOR_THREAD = 8;

/**
 * Signs and checks in other threads, too, when there is more to do than one signature at a time. The first of a turn
 * of the event loop is done at once, as without threads: who is alone waits for nobody. The others lie open for all
 * threads; this one takes some in each turn, and has time for its connections between turns. Threads start when many
 * jobs lie open, never more than the machine has cores for, and do not keep the process running. When one of them ends,
 * for lack of memory for example, this thread does all the work from then on.
 */
export class SignatureThreads {
  readonly #library: Sodium;
  readonly #jobs: SignatureJobs;
  #most: number;
  readonly #threads: Worker[] = [];
  /** What the library writes into; see `sha256`. */
  readonly #written = new Uint8Array(SIGNATURE_BYTES);
  readonly #waiting: ((result: SignatureResult) => void)[] = [];
  /** Numbers of the job whose result is next, and of the next job. */
  #first = 0;
  #end = 0;
  #isInTurn = false;
  #isWaiting = false;

  constructor(library: Sodium, mostThreads = Math.min(MOST_THREADS, availableParallelism() - 1)) {
    this.#library = library;
    this.#jobs = new SignatureJobs(library);
    this.#most = mostThreads;
  }

  /** The secret key of 64 bytes to a seed of 32 bytes (RFC 8032: the private key). */
  secretKey(seed: Uint8Array): Uint8Array {
    const secret = new Uint8Array(SECRET_KEY_BYTES);
    this.#library.crypto_sign_seed_keypair(new Uint8Array(PUBLIC_KEY_BYTES), secret, seed);
    return secret;
  }

  /** The 64-byte signature over `message` with a secret key of 64 bytes. */
  async sign(message: Uint8Array, key: Uint8Array): Promise<Uint8Array> {
    if (this.#isForOthers(message)) return (await this.#ask({ message, key })) as Uint8Array;
    this.#library.crypto_sign_detached(this.#written, message, key);
    return this.#written.slice();
  }

  /** Whether a 64-byte signature over `message` is one of the owner of `key`, a public key of 32 bytes. */
  async verify(message: Uint8Array, signature: Uint8Array, key: Uint8Array): Promise<boolean> {
    if (this.#isForOthers(message)) return (await this.#ask({ message, key, signature })) === true;
    return this.#library.crypto_sign_verify_detached(signature, message, key);
  }

  #isForOthers({ length }: Uint8Array): boolean {
    if (this.#most === 0) return false;
    const isFirst = !this.#isInTurn;
    if (isFirst) this.#turn();
    return !isFirst && length <= LONGEST_MESSAGE && this.#waiting.length < PLACES;
  }

  #ask(job: SignatureJob): Promise<SignatureResult> {
    this.#jobs.put(this.#end, job);
    this.#end += 1;
    const { open } = this.#jobs;
    if (open >= ENOUGH_FOR_THREAD && this.#threads.length < this.#most) this.#startThread();
    if (open > 1) this.#jobs.wake();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Plans the end of this turn. */
  #turn(): void {
    this.#isInTurn = true;
    setImmediate(() => {
      this.#isInTurn = false;
      this.#work();
    });
  }

  #work(): void {
    const { done } = this.#jobs;
    let own = 0;
    while (own < JOBS_A_TURN && this.#jobs.workOnce()) own += 1;
    this.#collect();
    if (this.#waiting.length === 0 || this.#isInTurn) return;
    if (own > 0) this.#turn();
    else if (!this.#isWaiting) this.#waitForThreads(done);
  }

  /** All jobs are taken: goes on when more than `done` are done. */
  #waitForThreads(done: number): void {
    this.#isWaiting = true;
    this.#jobs.doneAfter(done, () => {
      this.#isWaiting = false;
      this.#work();
    });
  }

  #collect(): void {
    for (;;) {
      const result = this.#waiting.length > 0 ? this.#jobs.result(this.#first) : undefined;
      if (result === undefined) return;
      this.#first += 1;
      this.#waiting.shift()?.(result);
    }
  }

  #startThread(): void {
    const thread = new Worker(new URL('./signature-worker.ts', import.meta.url), {
      workerData: this.#jobs.buffer,
    });
    thread.unref();
    this.#threads.push(thread);
    // Its end follows, which is what counts.
    thread.on('error', () => undefined);
    thread.once('exit', () => void this.#goOnAlone());
  }

  /** Does what the threads had taken and will not do; a thread still at work could write into a place used again. */
  async #goOnAlone(): Promise<void> {
    if (this.#most === 0) return;
    this.#most = 0;
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
    while (this.#jobs.workOnce());
    for (let number = this.#first; number < this.#end; number += 1) this.#jobs.workAgain(number);
    this.#collect();
  }
}
