import { runInThread, ThreadError, ThreadRefusal } from '../../thread/run-in-thread.ts';
import { ProjectFileError } from './project-file-error.ts';
import type { ReadProject } from './read-project.ts';

/** Bounds of reading the settings of a project; the slowest of those surveyed takes 0.1 s and 20 MB. */
const TIMEOUT_MS = 20_000;
const HEAP_MEGABYTES = 256;

/**
 * Reads a Motoko project in a thread with bounds, since its settings are text of a tenant.
 * @throws ProjectFileError as `readProject`, or when a bound is reached
 */
export async function readProjectInThread(root: string, signal: AbortSignal): Promise<ReadProject> {
  try {
    return await runInThread<ReadProject>({
      module: new URL('./read-project-worker.ts', import.meta.url),
      request: root,
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
