import { readInThread } from '../read-in-thread.ts';
import type { PlanRequest, ReadPlan } from './read-plan.ts';

/** Reads a project, in a thread. @throws ProjectFileError as `readPlan` and `readInThread` */
export function readPlanInThread(request: PlanRequest, signal: AbortSignal): Promise<ReadPlan> {
  return readInThread<ReadPlan>({
    module: new URL('./plan-worker.ts', import.meta.url),
    request,
    signal,
    what: 'The settings of the project (dfx.json, icp.yaml, mops.toml)',
    advice: 'Make them shorter and simpler.',
  });
}
