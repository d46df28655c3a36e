import { lstat } from 'node:fs/promises';
import { runInThread, ThreadError } from '../thread/run-in-thread.ts';
import { askPackageFile, type PackageAnswers, type PackageQuestion } from './package-files.ts';

/** JSON of at most this many bytes is read on the spot, in a millisecond. */
const SHORT = 64 * 1024;
const TIMEOUT_MS = 20_000;
const HEAP_MEGABYTES = 1_024;

/** What a package file says; null when there is none, or none that can be read within bounds of memory and time. */
export async function readPackageFile<About extends keyof PackageAnswers>(
  about: About,
  path: string,
  signal: AbortSignal,
): Promise<PackageAnswers[About] | null> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile()) return null;
  const request: PackageQuestion = { about, path };
  if (found.size <= SHORT && about !== 'yarnSettings')
    return (await askPackageFile(request)) as PackageAnswers[About] | null;
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
