import { runInThread, ThreadError, ThreadRefusal } from '../../thread/run-in-thread.ts';
import { ProjectFileError } from '../motoko/project-file-error.ts';
import type { PackageNeeds } from './read-needs.ts';

/** Bounds of reading what a project says of packages; the slowest of those surveyed takes 0.2 s. */
const TIMEOUT_MS = 20_000;
const HEAP_MEGABYTES = 256;

/**
 * Reads what packages a checkout needs in a thread with bounds, since its settings are text of a tenant.
 * @throws ProjectFileError as `readPackageNeeds`, or when a bound is reached
 */
export async function packageNeedsInThread(root: string, signal: AbortSignal): Promise<PackageNeeds> {
  try {
    return await runInThread<PackageNeeds>({
      module: new URL('./needs-worker.ts', import.meta.url),
      request: root,
      heapMegabytes: HEAP_MEGABYTES,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    if (error instanceof ThreadRefusal) throw new ProjectFileError(error.message, { cause: error });
    if (!(error instanceof ThreadError)) throw error;
    throw new ProjectFileError(
      `What the project says of packages (mops.toml, vessel.dhall) cannot be read: ${error.message}.`,
      { cause: error },
    );
  }
}
