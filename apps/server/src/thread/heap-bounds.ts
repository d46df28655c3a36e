import type { ResourceLimits } from 'node:worker_threads';

/**
 * Megabytes for young objects. A third of them may become old ones in one go, beyond the bound of a thread as well; there Node allows
 * 16 MB more (`kExtraHeapAllowance` in its `node_worker.cc`), behind which V8 ends the whole process and not the thread alone. Without
 * this V8 takes 96 MB.
 */
const YOUNG_MEGABYTES = 24;

/** The bounds of a thread that is ended when its objects take more than a number of megabytes. */
export function heapBounds(megabytes: number): ResourceLimits {
  return { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: YOUNG_MEGABYTES };
}
