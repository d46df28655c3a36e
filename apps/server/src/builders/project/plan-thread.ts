import { readInThread } from '../source/read-in-thread.ts';
import type { ProjectFiles } from '../tenant/project-files.ts';
import type { Project } from './plan.ts';
import type { PlanRequest, ReadPlan } from './read-plan.ts';

const SETTINGS = {
  what: 'The settings of the project (dfx.json, icp.yaml, mops.toml)',
  advice: 'Make them shorter and simpler.',
} as const;

/** Reads a project, in a thread. @throws ProjectFileError as `readPlan` and `readInThread` */
export function readPlanInThread(
  files: ProjectFiles,
  request: PlanRequest,
  signal: AbortSignal,
): Promise<ReadPlan> {
  return readInThread<ReadPlan>({
    module: new URL('./plan-worker.ts', import.meta.url),
    request,
    files,
    signal,
    ...SETTINGS,
  });
}

/** Reads what a project consists of and nothing of what it is compiled from, in a thread. @throws ProjectFileError */
export function readCanistersInThread(
  files: ProjectFiles,
  request: PlanRequest,
  signal: AbortSignal,
): Promise<Project> {
  return readInThread<Project>({
    module: new URL('./canisters-worker.ts', import.meta.url),
    request,
    files,
    signal,
    ...SETTINGS,
  });
}
