import { findBuildMachine } from './builders/machine/build-machine.ts';
import type { AppContext } from './context.ts';
import {
  deployQueue,
  PUBLISHING_RUNS,
  PUBLISHING_RUNS_OF_USER,
  publishQueue,
  runQueues,
} from './features/deploy/store/queue.ts';
import { performRun } from './features/deploy/runs/perform-run.ts';
import { type PictureJob, pictureQueue } from './features/canister/pictures/picture-queue.ts';
import { takeOrdered } from './features/canister/pictures/take-ordered.ts';
import { WorkerStoppingError } from './features/deploy/runs/run-deploy.ts';
import { sweepFolders } from './features/deploy/runs/sweep-folders.ts';
import { sweepInstances } from './features/deploy/runs/sweep-instances.ts';
import { takePictures } from './features/deploy/pictures/take-pictures.ts';
import type { Queue, Task } from './jobs/job-queue.ts';
import { repeat } from './jobs/repeat.ts';
import { sandboxWeak, workerWarnings } from './metrics/instruments.ts';

/** Every queue there is; a process that only sends must know them too. */
export const queues: readonly Queue<object>[] = [...runQueues, pictureQueue];

/** What runs jobs in this process. */
export interface Worker {
  /** Whether jobs are being taken. */
  healthy(): boolean;
  /** What the operator should know about this machine. */
  readonly warnings: readonly string[];
  /** Ends what is running; it starts again with the next worker. */
  stop(): Promise<void>;
}

/** The same array each time: whoever shows warnings looks for another one. */
export const NO_WARNINGS: readonly string[] = [];

/** How often lost runs are looked for, in milliseconds. */
const SWEEP_MS = 30_000;
/** How often build folders and caches are tidied, in milliseconds. */
const TIDY_MS = 60 * 60 * 1000;

/**
 * A worker that takes jobs as soon as it is known what the machine offers to builds: that takes a second of processors and as many
 * processes as all the rest of a start, and only a build waits for it.
 * @param failed hears why it never will
 */
export function beginWorker(ctx: AppContext, failed: (error: unknown) => void): Worker {
  let worker: Worker | undefined;
  const begun = startWorker(ctx).then((started) => {
    worker = started;
  }, failed);
  return {
    healthy: () => worker?.healthy() ?? true,
    get warnings() {
      return worker?.warnings ?? NO_WARNINGS;
    },
    async stop() {
      await begun;
      await worker?.stop();
    },
  };
}

/** Starts taking jobs. */
export async function startWorker(ctx: AppContext): Promise<Worker> {
  const machine = await findBuildMachine(ctx.config, ctx.log, process.env, ctx.egress, ctx.rust);
  workerWarnings.set(machine.warnings.length);
  sandboxWeak.set(machine.sandbox.warning !== null || machine.sandbox.name === 'none' ? 1 : 0);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  const deployTask: Task<{ instanceId: string }> = {
    queue: deployQueue,
    concurrency: ctx.config.build.runsOfWorker,
    concurrencyPerTenant: ctx.config.build.runsOfUser,
    run: ({ instanceId }, taken) =>
      performRun(ctx, machine, instanceId, AbortSignal.any([taken, stopping.signal])),
  };
  // Nothing is built, so no build has to end for it.
  const publishTask: Task<{ instanceId: string }> = {
    ...deployTask,
    queue: publishQueue,
    concurrency: PUBLISHING_RUNS,
    concurrencyPerTenant: PUBLISHING_RUNS_OF_USER,
  };
  const pictureTask: Task<PictureJob> = {
    queue: pictureQueue,
    // A browser is not small, and nobody waits for a picture.
    concurrency: 1,
    run: (job, taken) => {
      const signal = AbortSignal.any([taken, stopping.signal]);
      return 'orderId' in job
        ? takeOrdered(ctx, machine, job.orderId, signal)
        : takePictures(ctx, machine, job.instanceId, signal);
    },
  };
  const workOn = <T extends object>(task: Task<T>): Promise<void> =>
    ctx.jobs.work({
      ...task,
      run: async (data, signal) => {
        const work = task.run(data, signal);
        running.add(work);
        await work.finally(() => running.delete(work));
      },
    });
  await workOn(deployTask);
  await workOn(publishTask);
  await workOn(pictureTask);
  const failed = (text: string) => (error: unknown) => ctx.log.error({ err: error }, text);
  const repeated = [
    repeat(() => sweepInstances(ctx), { pauseMs: SWEEP_MS, failed: failed('lost runs could not be ended') }),
    repeat(() => sweepFolders(ctx, machine), {
      pauseMs: SWEEP_MS,
      failed: failed('folders of ended runs could not be removed'),
    }),
    // A cache must not vanish from under a build; the next hour will do.
    repeat(async () => (running.size > 0 ? undefined : machine.tidy()), {
      pauseMs: TIDY_MS,
      failed: failed('build folders could not be tidied'),
    }),
  ];
  return {
    healthy: () => !stopping.signal.aborted,
    warnings: machine.warnings,
    async stop() {
      stopping.abort(new WorkerStoppingError('The worker is being stopped.'));
      await Promise.all(repeated.map((each) => each.stop()));
      await Promise.allSettled(running);
      await machine.close();
    },
  };
}
