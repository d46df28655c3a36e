import { BuildError } from './step-runner.ts';
import type { NoBytes, TenantFolder } from './tenant/tenant-folder.ts';

/** Bytes of a module; the network takes none above 100 MB. */
export const MODULE_LIMIT = 100 * 1024 * 1024;
/** Bytes of an interface that is read from a file. */
export const INTERFACE_LIMIT = 1024 * 1024;

const PROBLEMS: Readonly<Record<NoBytes, (path: string, most: number) => string>> = {
  none: (path) => `${path} is not there after the build.`,
  outside: (path) => `${path} leads out of the repository.`,
  other: (path) => `${path} is not a file.`,
  large: (path, most) => `${path} is larger than ${Math.floor(most / 1024 ** 2)} MB.`,
};

/**
 * Bytes of a file of the checkout, in which commands of a tenant may have run; links are followed as long as they stay inside.
 * @param most bytes that are read
 * @throws BuildError when it is not there, is no file, leads out of the checkout or is too large
 */
export async function readFromCheckout(root: TenantFolder, path: string, most: number): Promise<Buffer> {
  const found = await root.read(path, most, { links: true });
  if (typeof found === 'string') throw new BuildError(PROBLEMS[found](path, most));
  return found;
}
