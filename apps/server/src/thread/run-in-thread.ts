import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ThreadStartError } from '../errors.ts';
import { heapBounds } from './heap-bounds.ts';

/** A thread that was ended, or broke, before it had an answer. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
}

/** What the thread was asked for cannot be had; the message says why. */
export class ThreadRefusal extends Error {
  override readonly name = 'ThreadRefusal';
}

export interface ThreadTask {
  /** The module that the thread runs; it answers by `serve` of serve-thread.ts. */
  readonly module: URL;
  /** Handed over by structured clone. */
  readonly request: unknown;
  /** Memory for objects, in MB. */
  readonly heapMegabytes: number;
  /** For compilers, which recurse over their input; in MB. */
  readonly stackMegabytes?: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** What the thread tells on its way. */
  readonly onNote?: (note: unknown) => void;
  /** Answers what the thread asks on its way; where it throws, so does the work. */
  readonly answer?: (question: unknown) => Promise<unknown>;
}

/** Where Node keeps what it has made of its files, and nothing else of this process: compilers load faster. */
const { NODE_COMPILE_CACHE } = process.env;
const env = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

// A thread's heap begins small, and V8 collects often until it has grown: a seventh of the work of a compiler that lives for
// two seconds. Bounds on the memory of a thread stay what they are, also that on young objects.
setFlagsFromString('--min-semi-space-size=16');
setFlagsFromString('--initial-old-space-size=256');

/** Codes of a thread that could not be begun, or not load its modules: they come from Node, and from no text that a thread reads. */
const NOT_BEGUN: ReadonlySet<string> = new Set([
  'ERR_WORKER_INIT_FAILED',
  'ERR_INVALID_PACKAGE_CONFIG',
  'EMFILE',
  'ENFILE',
]);

/** What a thread's event 'error' says, for whoever asked it. @param heapMegabytes what it may have for objects */
export function brokenThread(error: NodeJS.ErrnoException, heapMegabytes: number): Error {
  if (NOT_BEGUN.has(error.code ?? '')) return new ThreadStartError(error.message);
  const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return new ThreadError(isMemory ? `it needed more than ${heapMegabytes} MB of memory` : error.message);
}

/** What a thread sends. */
export type ThreadMessage =
  | { readonly kind: 'note'; readonly note: unknown }
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly message: string };

/** What a thread asks on its way. */
export interface ThreadQuestion {
  readonly kind: 'question';
  readonly id: number;
  readonly question: unknown;
}

/** What a thread is answered. */
export interface ThreadAnswer {
  readonly id: number;
  readonly answer: unknown;
}

/**
 * Does a piece of work in a thread made for it, with bounds on its memory and time: the way every text of a tenant is
 * read whose work is not bounded by its length alone. The thread is gone when this returns, whatever it was doing.
 * @throws ThreadRefusal what the work refuses, ThreadError at a bound, ThreadStartError where none could be begun, or the reason of `signal`
 */
export async function runInThread<Result>(task: ThreadTask): Promise<Result> {
  task.signal?.throwIfAborted();
  const worker = new Worker(task.module, {
    workerData: task.request,
    env,
    resourceLimits: {
      ...heapBounds(task.heapMegabytes),
      ...(task.stackMegabytes === undefined ? {} : { stackSizeMb: task.stackMegabytes }),
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const seconds = Math.round(task.timeoutMs / 1000);
  const tooLong = new ThreadError(`it took longer than ${seconds} s`);
  const timer = setTimeout(() => reject(tooLong), task.timeoutMs);
  const onAbort = (): void => reject(task.signal?.reason);
  task.signal?.addEventListener('abort', onAbort, { once: true });
  const answerTo = async (id: number, question: unknown): Promise<void> => {
    const answer: ThreadAnswer = { id, answer: await task.answer?.(question) };
    worker.postMessage(answer);
  };
  worker.on('message', (message: ThreadMessage | ThreadQuestion) => {
    if (message.kind === 'note') task.onNote?.(message.note);
    else if (message.kind === 'question') answerTo(message.id, message.question).catch(reject);
    else if (message.kind === 'done') resolve(message.value as Result);
    else reject(new ThreadRefusal(message.message));
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    reject(brokenThread(error, task.heapMegabytes));
  });
  worker.on('exit', () => reject(new ThreadError('it ended without a result')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    task.signal?.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}
