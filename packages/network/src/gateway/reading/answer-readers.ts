import { availableParallelism } from 'node:os';
import { Budget } from '@cannery/ic/budget';
import { type Answer, PLAIN_BYTES, PLAIN_LIMITS, readAnswer, type Reading } from './read-answer.ts';
import { READER, ReaderError, type ReaderSettings, ReaderThread } from './reader-thread.ts';

const MOST_THREADS = Math.min(2, availableParallelism());
/** Answers that wait for a thread at most; admission lets no more through. */
const MOST_WAITING = 64;

interface Job {
  readonly canister: string;
  readonly answer: Answer;
  readonly result: PromiseWithResolvers<Reading>;
}

/**
 * Reads what canisters answer. Answers that are small and cheap are read at once; all others in threads, which start when
 * they are needed. One canister has one thread at most, and after each answer the others come first: an answer that is
 * made to take long keeps back that canister only.
 */
export class AnswerReaders {
  readonly #idle: ReaderThread[] = [];
  readonly #threads = new Set<ReaderThread>();
  readonly #busy = new Set<string>();
  #waiting: Job[] = [];
  readonly #settings: ReaderSettings;
  #isClosed = false;

  constructor(settings: ReaderSettings = READER) {
    this.#settings = settings;
  }

  /**
   * Reads an answer of `canister`. Throws `CandidError`, `VerificationError` or `BudgetError` as the answer is, and
   * `ReaderError` where it takes too much time or memory.
   */
  async read<Kind extends Answer['kind']>(
    canister: string,
    answer: Extract<Answer, { kind: Kind }>,
  ): Promise<Reading<Kind>> {
    return (readPlain(answer) ?? (await this.#inThread(canister, answer))) as Reading<Kind>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const error = new ReaderError('the network is closing');
    for (const { result } of this.#waiting) result.reject(error);
    this.#waiting = [];
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  #inThread(canister: string, answer: Answer): Promise<Reading> {
    if (this.#isClosed || this.#waiting.length >= MOST_WAITING) {
      return Promise.reject(new ReaderError('too many answers wait to be read'));
    }
    const job = { canister, answer, result: Promise.withResolvers<Reading>() };
    this.#waiting.push(job);
    this.#startNext();
    return job.result.promise;
  }

  #startNext(): void {
    const index = this.#waiting.findIndex(({ canister }) => !this.#busy.has(canister));
    if (index < 0) return;
    const thread = this.#idle.pop() ?? this.#newThread();
    const [job] = thread ? this.#waiting.splice(index, 1) : [];
    if (thread && job) void this.#work(thread, job);
  }

  #newThread(): ReaderThread | undefined {
    if (this.#threads.size >= MOST_THREADS) return undefined;
    const thread = new ReaderThread(this.#settings);
    this.#threads.add(thread);
    return thread;
  }

  async #work(thread: ReaderThread, { canister, answer, result }: Job): Promise<void> {
    this.#busy.add(canister);
    try {
      result.resolve(await thread.read(answer));
    } catch (error) {
      result.reject(error);
    }
    this.#busy.delete(canister);
    if (!thread.hasEnded && thread.hasGrown) void thread.close();
    if (thread.hasEnded) this.#threads.delete(thread);
    else this.#idle.push(thread);
    const isOther = (job: Job): boolean => job.canister !== canister;
    this.#waiting = [...this.#waiting.filter(isOther), ...this.#waiting.filter((job) => !isOther(job))];
    this.#startNext();
  }
}

/** The reading of an answer that takes little; undefined where that is not known before. */
function readPlain(answer: Answer): Reading | undefined {
  if (answer.kind === 'whole' || answer.reply.length > PLAIN_BYTES) return undefined;
  const budget = new Budget(PLAIN_LIMITS);
  try {
    const reading = readAnswer({ ...answer, reply: apart(answer.reply) }, budget);
    return 'claim' in reading && reading.claim?.unpacked ? undefined : reading;
  } catch (error) {
    if (budget.isExceeded) return undefined;
    throw error;
  }
}

/** A reply may be part of a buffer that holds the replies to many; its body would keep all of that. */
function apart(reply: Uint8Array): Uint8Array {
  return reply.buffer.byteLength > 2 * PLAIN_BYTES ? new Uint8Array(reply) : reply;
}
