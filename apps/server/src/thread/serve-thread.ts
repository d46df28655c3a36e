import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { stepBackInThread } from '../fairness/step-back.ts';
import type { ThreadAnswer, ThreadMessage, ThreadQuestion } from './run-in-thread.ts';

type ErrorClass = abstract new (...args: never[]) => Error;

function send(message: ThreadMessage | ThreadQuestion): void {
  parentPort?.postMessage(message);
}

/** Tells the starter of this thread something before the work is done. */
export function note(value: unknown): void {
  send({ kind: 'note', note: value });
}

const asked = new Map<number, (answer: unknown) => void>();
let questions = 0;

/** Asks the starter of this thread something; an answer that cannot be had ends the thread. */
export function ask(question: unknown): Promise<unknown> {
  if (questions === 0) {
    parentPort?.on('message', ({ id, answer }: ThreadAnswer) => {
      asked.get(id)?.(answer);
      asked.delete(id);
    });
  }
  questions += 1;
  const id = questions;
  return new Promise((resolve) => {
    asked.set(id, resolve);
    send({ kind: 'question', id, question });
  });
}

/**
 * Does the one piece of work this thread was started for. Errors of the classes in `refusals` are answers: their
 * messages are for the one who wrote the text. Any other error ends the thread.
 */
export async function serve<Request>(
  work: (request: Request) => unknown,
  refusals: readonly ErrorClass[],
): Promise<void> {
  stepBackInThread();
  try {
    const value = await work(workerData as Request);
    // The thread is ended as soon as it has answered.
    flushCompileCache();
    send({ kind: 'done', value });
  } catch (error) {
    if (!(error instanceof Error && refusals.some((known) => error instanceof known))) throw error;
    send({ kind: 'refused', message: error.message });
  }
}
