import type { AppContext } from '../../../context.ts';
import { type Repeated, repeat } from '../../../jobs/repeat.ts';
import type { NetworkProcess } from '../../../network/network-process.ts';
import { servedNames } from '../store/site-names.ts';

/** A name that is claimed, let go or first filled with a website counts within this time; milliseconds. */
const PAUSE_MS = 2_000;

/**
 * Tells the embedded network by which names sites are served, whichever process has changed them: the database alone knows. One
 * short query each time, and a message only when something has changed.
 */
export function startTellingSiteNames(
  ctx: Pick<AppContext, 'db' | 'log'>,
  network: Pick<NetworkProcess, 'nameSites'>,
): Repeated {
  let failing = false;
  const tell = async (): Promise<void> => {
    network.nameSites(await servedNames(ctx.db));
    failing = false;
  };
  return repeat(tell, {
    pauseMs: PAUSE_MS,
    failed: (error) => {
      // Once for all the time that the database is away.
      if (!failing)
        ctx.log.warn({ err: error }, 'The names of sites could not be read; those that were read stay');
      failing = true;
    },
  });
}
