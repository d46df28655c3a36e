import { Worker } from 'node:worker_threads';

/** How long a process has to end in good order once the one that started it is gone, in milliseconds. */
const GRACE_MILLIS = 10_000;

/** Heap of the watching thread: Node 26.10 starts none of a TypeScript file in 8 MB. */
const WATCH_HEAP_MB = 32;

/** Who had started this process when it began: later, its parent may be somebody who took it over. */
const STARTED_BY = process.ppid;

/** What the watching thread is given. */
export interface ParentWatch {
  readonly parent: number;
  readonly graceMillis: number;
}

/**
 * Ends this process some seconds after the process that started it, also when the main thread hangs and hears of nothing:
 * a thread looks who the parent is.
 */
export function endWithParent(): void {
  const watcher = new Worker(new URL('./parent-watch-worker.ts', import.meta.url), {
    workerData: { parent: STARTED_BY, graceMillis: GRACE_MILLIS } satisfies ParentWatch,
    resourceLimits: { maxOldGenerationSizeMb: WATCH_HEAP_MB, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  });
  watcher.unref();
  // Without it the main thread still hears of the end of its parent, as long as it does not hang.
  watcher.on('error', (error) =>
    process.stderr.write(`The thread that ends this process with its parent has failed: ${String(error)}\n`),
  );
}
