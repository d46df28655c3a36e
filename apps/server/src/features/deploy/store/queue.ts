import type { Queue } from '../../../jobs/job-queue.ts';

/**
 * Runs of deploys that build. A run whose worker dies is started again by another one; stops of the server in good order
 * end a run as well, so that the queue itself allows more starts than there will be.
 */
export const deployQueue: Queue<{ instanceId: string }> = { name: 'deploy-instance', retries: 100 };

/** Runs that publish what an earlier run has built. They take seconds, so they have a line apart from the builds. */
export const publishQueue: Queue<{ instanceId: string }> = { name: 'deploy-publish', retries: 100 };

/** All queues that a run can have its job in. */
export const runQueues = [deployQueue, publishQueue] as const;

/** The queue of a run: by whether it builds, or publishes the result of another run (`source_id`). */
export function queueOf({ source_id }: { readonly source_id: string | null }): Queue<{ instanceId: string }> {
  return source_id === null ? deployQueue : publishQueue;
}

/** Runs that publish without a build, of one worker at the same time: each writes to the network, and little else. */
export const PUBLISHING_RUNS = 3;
/** How many of these one user may have. */
export const PUBLISHING_RUNS_OF_USER = 1;

/** A run that was cut off this often by the end of its server may be the cause, and is not started again. */
export const MAX_CRASHES = 2;
