import { Worker } from 'node:worker_threads';
import { StoreFailedError } from './files/errors.ts';
import type { WrittenCheckpoint } from './pages/write-checkpoint.ts';

export type StoreJob =
  | { readonly kind: 'checkpoint'; readonly directory: string; readonly through: number }
  | { readonly kind: 'backup'; readonly directory: string; readonly to: string };

function runJob(job: StoreJob): Promise<unknown> {
  const worker = new Worker(new URL('./store-worker.ts', import.meta.url), { workerData: job });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.once('message', resolve);
  worker.once('error', (error) => reject(error instanceof Error ? error : new Error(String(error))));
  worker.once('exit', () => reject(new StoreFailedError(`The thread for the ${job.kind} has ended.`)));
  return promise;
}

/** `writeCheckpoint` in its own thread. */
export async function checkpointInThread(directory: string, through: number): Promise<WrittenCheckpoint> {
  return (await runJob({ kind: 'checkpoint', directory, through })) as WrittenCheckpoint;
}

/** `writeBackup` in its own thread. */
export async function backupInThread(directory: string, to: string): Promise<void> {
  await runJob({ kind: 'backup', directory, to });
}
