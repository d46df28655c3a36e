import type { Queue } from '../../../jobs/job-queue.ts';

/**
 * Runs of deploys. A run whose worker dies is started again by another one; stops of the server in good order end a run
 * as well, so that the queue itself allows more starts than there will be.
 */
export const deployQueue: Queue<{ instanceId: string }> = { name: 'deploy-instance', retries: 100 };

/** A run that was cut off this often by the end of its server may be the cause, and is not started again. */
export const MAX_CRASHES = 2;
