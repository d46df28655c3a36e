import { runInThread, ThreadError, ThreadRefusal } from '../../thread/run-in-thread.ts';
import { ProjectFileError } from '../motoko/project-file-error.ts';
import type { PlanRequest, ReadPlan } from './read-plan.ts';

/** Bounds of reading the settings of a project; the slowest of those surveyed takes 0.1 s and 20 MB. */
const TIMEOUT_MS = 20_000;
const HEAP_MEGABYTES = 256;

/**
 * Reads a project in a thread with bounds, since its settings are text of a tenant.
 * @throws ProjectFileError as `readPlan`, or when a bound is reached
 */
export async function readPlanInThread(request: PlanRequest, signal: AbortSignal): Promise<ReadPlan> {
  try {
    return await runInThread<ReadPlan>({
      module: new URL('./plan-worker.ts', import.meta.url),
      request,
      heapMegabytes: HEAP_MEGABYTES,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    if (error instanceof ThreadRefusal) throw new ProjectFileError(error.message, { cause: error });
    if (!(error instanceof ThreadError)) throw error;
    throw new ProjectFileError(
      `The settings of the project (dfx.json, icp.yaml, mops.toml) cannot be read: ${error.message}. ` +
        'Make them shorter and simpler.',
      { cause: error },
    );
  }
}
