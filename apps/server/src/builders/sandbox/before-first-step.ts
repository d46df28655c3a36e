import type { BuildFolders, WrittenFolder } from './sandbox.ts';

/**
 * What has to be written in a build's folder before its first step, and only once: later steps mount it. A build without a
 * step does without.
 */
export function beforeFirstStep(
  write: (folders: BuildFolders) => Promise<void>,
): (folders: BuildFolders) => Promise<void> {
  const written = new WeakMap<WrittenFolder, Promise<void>>();
  return (folders) => {
    const { written: build } = folders;
    const begun = written.get(build) ?? write(folders);
    written.set(build, begun);
    return begun;
  };
}
