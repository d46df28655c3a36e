import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { findPackages } from './find-packages.ts';
import { ProjectFileError } from '../../source/project-file-error.ts';
import { listFiles } from '../../source/project-files.ts';
import { registryName } from './dependency.ts';
import type { LockFile } from './lock-file.ts';
import { type ResolvedPackage, resolvePackages } from './resolve.ts';
import type { ProjectFiles } from '../../tenant/project-files.ts';

/** A package that a project needs, and whether something has to be done for it. */
export interface NeededPackage extends ResolvedPackage {
  /** Whether the server brings exactly this version along. */
  readonly isBundled: boolean;
}

export interface PackageNeeds {
  readonly packages: readonly NeededPackage[];
  /** What `mops sources` and `vessel sources` answer in the checkout: arguments of the compiler, one package a line. */
  readonly sources: string;
}

/** Most folders with settings of packages that are looked at. */
const PROJECT_LIMIT = 20;
/** Bytes of a file whose hash a lock file gives. */
const FILE_LIMIT = 8 * 1024 * 1024;

const load = createRequire(import.meta.url);

/** Versions of the libraries that come with the compiler. */
function bundledVersions(): ReadonlyMap<string, string> {
  const versionOf = (file: string): string =>
    (load(file) as { version: string }).version.replace(/^(?:v|moc-)/, '');
  return new Map([
    ['core', versionOf('motoko/packages/latest/core.json')],
    ['base', versionOf('motoko-3/packages/latest/base.json')],
  ]);
}

/** Folders with a mops.toml or vessel.dhall, the checkout itself first; packages are none of them. */
async function projectFolders(root: ProjectFiles): Promise<string[]> {
  const files = await listFiles(root, ['mops.toml', 'vessel.dhall']);
  const named = files.filter((file) => ['mops.toml', 'vessel.dhall'].includes(posix.basename(file)));
  const folders = named.map((file) => posix.dirname(file)).map((folder) => (folder === '.' ? '' : folder));
  const own = folders.filter((folder) => !folder.split('/').includes('.mops'));
  return [...new Set(own)].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
}

/** @throws ProjectFileError when a file of a package differs from its hash in the project's lock file */
async function checkHashes(
  root: ProjectFiles,
  lock: LockFile,
  packages: readonly ResolvedPackage[],
): Promise<void> {
  for (const { name, source, folder } of packages) {
    if (source?.kind !== 'registry' || folder === null) continue;
    const id = `${registryName(name)}@${source.version}`;
    const wanted = [...(lock.hashes.get(id) ?? [])].map(([file, hash]) => {
      const path = posix.normalize(posix.join(posix.dirname(folder), file));
      return { file, hash, path: path.startsWith(`${folder}/`) ? path : null };
    });
    const paths = wanted.map(({ path }) => path).filter((path) => path !== null);
    const found = await root.hashesOf(paths, FILE_LIMIT);
    const hashes = new Map(paths.map((path, index) => [path, found[index]]));
    for (const { file, hash, path } of wanted) {
      if (path === null || hashes.get(path) !== hash) {
        throw new ProjectFileError(
          `${lock.path} has another hash for ${file.slice(0, 200)} than the file that is there. ` +
            "Run 'mops install' to bring both together, and push.",
        );
      }
    }
  }
}

async function mopsSources(root: ProjectFiles): Promise<string> {
  const { folders } = await findPackages(root);
  return [...folders].map(([name, folder]) => `--package ${name} ${folder}\n`).join('');
}

/**
 * The packages that the projects of a checkout need, by the mops.toml and vessel.dhall of the checkout and its folders.
 * @throws ProjectFileError when settings cannot be read, or a package differs from what a lock file says
 */
export async function readPackageNeeds(root: ProjectFiles): Promise<PackageNeeds> {
  const needed = new Map<string, NeededPackage>();
  const asPackages = new Set<string | null>();
  const bundled = bundledVersions();
  for (const project of (await projectFolders(root)).slice(0, PROJECT_LIMIT)) {
    // A package in a folder of another project has its needs counted there.
    if (asPackages.has(project)) continue;
    const { packages, lock } = await resolvePackages(root, project);
    if (lock !== null) await checkHashes(root, lock, packages);
    for (const one of packages) {
      if (one.source?.kind === 'folder') asPackages.add(one.folder);
      const version = one.source?.kind === 'registry' ? one.source.version : undefined;
      const isBundled = version !== undefined && bundled.get(registryName(one.name)) === version;
      needed.set(one.place ?? `${project} ${one.name}`, { ...one, isBundled });
    }
  }
  return { packages: [...needed.values()], sources: await mopsSources(root) };
}
