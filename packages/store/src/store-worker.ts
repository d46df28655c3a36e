import { parentPort, workerData } from 'node:worker_threads';
import { writeBackup } from './backup/write-backup.ts';
import { writeCheckpoint } from './pages/write-checkpoint.ts';
import type { StoreJob } from './store-thread.ts';

/** Entry of the thread that does one long job for a store, so that commits go on meanwhile. */

const job = workerData as StoreJob;
parentPort?.postMessage(
  job.kind === 'checkpoint'
    ? writeCheckpoint(job.directory, job.through)
    : writeBackup(job.directory, job.to),
);
