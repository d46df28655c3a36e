import type { Queue } from '../../jobs/job-queue.ts';

/** Runs of deploys. A run whose worker dies is started again by another one. */
export const deployQueue: Queue<{ instanceId: string }> = { name: 'deploy-instance', retries: 2 };

/** A run that has been started this often is not started again. */
export const MAX_ATTEMPTS = deployQueue.retries + 1;
