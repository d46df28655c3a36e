import { parentPort } from 'node:worker_threads';
import { stepBackInThread } from '../fairness/step-back.ts';
import type { ThreadMessage } from './run-in-thread.ts';

type ErrorClass = abstract new (...args: never[]) => Error;

/**
 * Does one piece of work after the other, for a `LastingThread`. Errors of the classes in `refusals` are answers; any other
 * ends the thread.
 * @param work may tell something by `note` before it is done
 */
export function serveRequests<Request>(
  work: (request: Request, note: (value: unknown) => void) => unknown,
  refusals: readonly ErrorClass[],
): void {
  stepBackInThread();
  const send = (message: ThreadMessage): void => parentPort?.postMessage(message);
  parentPort?.on('message', (request: Request) => {
    try {
      const value = work(request, (note) => send({ kind: 'note', note }));
      send({ kind: 'done', value });
    } catch (error) {
      if (!(error instanceof Error && refusals.some((known) => error instanceof known))) throw error;
      send({ kind: 'refused', message: error.message });
    }
  });
}
