import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { findPackages } from '../motoko/find-packages.ts';
import { ProjectFileError } from '../motoko/project-file-error.ts';
import { listFiles } from '../motoko/project-files.ts';
import { registryName } from './dependency.ts';
import type { LockFile } from './lock-file.ts';
import { isPlainFolder } from './plain-folder.ts';
import { type ResolvedPackage, resolvePackages } from './resolve.ts';

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
async function projectFolders(root: string): Promise<string[]> {
  const files = await listFiles(root, ['mops.toml', 'vessel.dhall']);
  const named = files.filter((file) => ['mops.toml', 'vessel.dhall'].includes(posix.basename(file)));
  const folders = named.map((file) => posix.dirname(file)).map((folder) => (folder === '.' ? '' : folder));
  const own = folders.filter((folder) => !folder.split('/').includes('.mops'));
  return [...new Set(own)].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
}

/** @throws ProjectFileError when a file of a package differs from its hash in the project's lock file */
async function checkHashes(
  root: string,
  lock: LockFile,
  packages: readonly ResolvedPackage[],
): Promise<void> {
  for (const { name, source, folder } of packages) {
    if (source?.kind !== 'registry' || folder === null) continue;
    const id = `${registryName(name)}@${source.version}`;
    for (const [file, hash] of lock.hashes.get(id) ?? []) {
      const path = posix.normalize(posix.join(posix.dirname(folder), file));
      const isInside = path.startsWith(`${folder}/`) && (await isPlainFolder(root, posix.dirname(path)));
      const found = isInside ? await lstat(join(root, path)).catch(() => null) : null;
      const isReadable = found?.isFile() === true && found.size <= FILE_LIMIT;
      const content = isReadable ? await readFile(join(root, path)) : Buffer.alloc(0);
      if (!isReadable || createHash('sha256').update(content).digest('hex') !== hash) {
        throw new ProjectFileError(
          `${lock.path} has another hash for ${file.slice(0, 200)} than the file that is there. ` +
            "Run 'mops install' to bring both together, and push.",
        );
      }
    }
  }
}

async function mopsSources(root: string): Promise<string> {
  const { folders } = await findPackages(root);
  return [...folders].map(([name, folder]) => `--package ${name} ${folder}\n`).join('');
}

/**
 * The packages that the projects of a checkout need, by the mops.toml and vessel.dhall of the checkout and its folders.
 * @throws ProjectFileError when settings cannot be read, or a package differs from what a lock file says
 */
export async function readPackageNeeds(root: string): Promise<PackageNeeds> {
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
