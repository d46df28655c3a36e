import { runInThread, ThreadError } from '../../thread/run-in-thread.ts';
import type { TenantFolder } from '../tenant/tenant-folder.ts';
import { askPackageFile, type PackageAnswers, type PackageQuestion } from './package-files.ts';

/** JSON of at most this many bytes is read on the spot, in a millisecond. */
const SHORT = 64 * 1024;
/** Bytes of a package file that is read; the largest lock file known has 6 MB. */
const READ_LIMIT = 32 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const HEAP_MEGABYTES = 1_024;

/** What a package file says; null when there is none, or none that can be read within bounds of memory and time. */
export async function readPackageFile<About extends keyof PackageAnswers>(
  about: About,
  folder: TenantFolder,
  path: string,
  signal: AbortSignal,
): Promise<PackageAnswers[About] | null> {
  const found = await folder.read(path, READ_LIMIT);
  if (typeof found === 'string') return null;
  const request: PackageQuestion = { about, bytes: found };
  if (found.length <= SHORT && about !== 'yarnSettings')
    return askPackageFile(request) as PackageAnswers[About] | null;
  try {
    return await runInThread<PackageAnswers[About] | null>({
      module: new URL('./package-files-worker.ts', import.meta.url),
      request,
      heapMegabytes: HEAP_MEGABYTES,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    if (error instanceof ThreadError) return null;
    throw error;
  }
}
