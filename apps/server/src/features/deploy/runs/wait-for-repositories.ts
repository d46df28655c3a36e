import { setTimeout as delay } from 'node:timers/promises';
import { RepositoriesAwayError } from '../../../git/remote/homes.ts';
import type { InstanceLog } from '../../../jobs/instance-log.ts';

/** How long a run waits for the process that keeps its repository: another one takes over within 20 s, a machine starts in a minute. */
const PATIENCE_MS = 90_000;
const AGAIN_MS = 1_000;

/**
 * Reads a repository for a run, as soon as a process serves it: nobody waits for a run as for an answer, so that a git role which is started
 * again fails none.
 * @param read is tried again while its process is away and it has not begun to work on what it reads
 * @throws what `read` throws; the reason of the signal
 */
export async function whenServed<T>(
  run: { readonly log: Pick<InstanceLog, 'say'>; readonly signal: AbortSignal },
  read: (begin: () => void) => Promise<T>,
): Promise<T> {
  const start = performance.now();
  let hasBegun = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await read(() => {
        hasBegun = true;
      });
    } catch (error) {
      const isLate = performance.now() - start > PATIENCE_MS;
      if (!(error instanceof RepositoriesAwayError) || hasBegun || isLate) throw error;
      if (tries === 1)
        run.log.say('Waiting for the server that keeps the repository: it cannot be reached at the moment.');
      await delay(AGAIN_MS, undefined, { signal: run.signal }).catch(() => {
        throw run.signal.reason;
      });
    }
  }
}
