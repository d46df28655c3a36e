import { readInThread } from '../../source/read-in-thread.ts';
import type { ProjectFiles } from '../../tenant/project-files.ts';
import type { PackageNeeds } from './read-needs.ts';

/** Reads what packages a checkout needs, in a thread. @throws ProjectFileError as `readPackageNeeds` and `readInThread` */
export function packageNeedsInThread(files: ProjectFiles, signal: AbortSignal): Promise<PackageNeeds> {
  return readInThread<PackageNeeds>({
    module: new URL('./needs-worker.ts', import.meta.url),
    request: null,
    files,
    signal,
    what: 'What the project says of packages (mops.toml, vessel.dhall)',
  });
}
