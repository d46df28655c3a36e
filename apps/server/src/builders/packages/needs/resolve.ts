import { posix } from 'node:path';
import { ProjectFileError } from '../../source/project-file-error.ts';
import { projectPath } from '../../source/project-files.ts';
import { type Dependency, isPackageName, mopsFolder, type PackageSource, sourceText } from './dependency.ts';
import { type LockFile, readLockFile } from './lock-file.ts';
import { readMopsSettings, readVesselSettings, vesselFolder } from './package-settings.ts';
import { isHigher } from './versions.ts';
import type { ProjectFiles } from '../../tenant/project-files.ts';

/** A package that a project needs. */
export interface ResolvedPackage {
  readonly name: string;
  /** Null for a package that a vessel.dhall names and no set that is read here has. */
  readonly source: PackageSource | null;
  /** The file that names it. */
  readonly namedIn: string;
  /** Its folder in the repository; null when it is not there. */
  readonly folder: string | null;
  /** Where it belongs when it is fetched; null for a folder of the repository. */
  readonly place: string | null;
}

export interface Resolution {
  readonly packages: readonly ResolvedPackage[];
  readonly lock: LockFile | null;
  /** Addresses of package sets that are not read here. */
  readonly unreadSets: readonly string[];
}

/** Most packages of a project; the largest surveyed has 60. */
const PACKAGE_LIMIT = 500;

interface Choice {
  readonly dependency: Dependency;
  readonly isRoot: boolean;
  readonly place: string | null;
  readonly folder: string | null;
  readonly namedIn: string;
}

/** Tells a package from every other one, and from itself in another version. */
function identityOf({ dependency, folder }: Pick<Choice, 'dependency' | 'folder'>): string {
  const { name, source } = dependency;
  return source.kind === 'folder' ? `folder ${folder}` : `${name} ${sourceText(source)}`;
}

/** Walks the dependencies of one project as mops does: of two versions the project's own counts, else the higher one. */
class Walk {
  readonly #root: ProjectFiles;
  readonly #project: string;
  readonly #chosen = new Map<string, Choice>();
  /** Names that each package needs. */
  readonly #needs = new Map<string, readonly string[]>();

  constructor(root: ProjectFiles, project: string) {
    this.#root = root;
    this.#project = project;
  }

  async #placed(dependency: Dependency, file: string, isRoot: boolean): Promise<Choice> {
    const { name, source } = dependency;
    if (source.kind === 'folder') {
      const folder = projectPath(file, posix.dirname(file), source.path);
      const isThere = await this.#root.isFolder(folder);
      return { dependency, isRoot, place: null, folder: isThere ? folder : null, namedIn: file };
    }
    const place = posix.join(this.#project, mopsFolder(dependency) ?? '');
    const others = [mopsFolder(dependency), vesselFolder({ name, source })].filter((other) => other !== null);
    for (const folder of [place, ...others]) {
      if (await this.#root.isFolder(folder)) return { dependency, isRoot, place, folder, namedIn: file };
    }
    return { dependency, isRoot, place, folder: null, namedIn: file };
  }

  /** What a package needs, by its own settings. A package of git has those of vessel. */
  async #nested({
    dependency,
    folder,
  }: Choice): Promise<{ file: string; dependencies: readonly Dependency[] }> {
    if (folder === null) return { file: '', dependencies: [] };
    if (dependency.source.kind === 'git') {
      const vessel = await readVesselSettings(this.#root, folder);
      if (vessel !== null) {
        const found = vessel.wanted.map((name) => vessel.set.get(name)?.dependency);
        return {
          file: posix.join(folder, 'vessel.dhall'),
          dependencies: found.filter((one) => one !== undefined),
        };
      }
    }
    const mops = await readMopsSettings(this.#root, folder);
    return { file: posix.join(folder, 'mops.toml'), dependencies: mops?.dependencies ?? [] };
  }

  async add(file: string, dependencies: readonly Dependency[], isRoot: boolean): Promise<void> {
    for (const dependency of dependencies) {
      const next = await this.#placed(dependency, file, isRoot);
      const current = this.#chosen.get(dependency.name);
      const replaces =
        isRoot ||
        current === undefined ||
        (!current.isRoot && isHigher(dependency.source, current.dependency.source));
      if (replaces) this.#chosen.set(dependency.name, next);
      const identity = identityOf(next);
      if (this.#needs.has(identity)) continue;
      if (this.#needs.size >= PACKAGE_LIMIT) {
        throw new ProjectFileError(`${file} leads to more than ${PACKAGE_LIMIT} packages.`);
      }
      const nested = await this.#nested(next);
      this.#needs.set(
        identity,
        nested.dependencies.map(({ name }) => name),
      );
      await this.add(nested.file, nested.dependencies, false);
    }
  }

  /** Puts what a lock file has resolved in place of what was chosen. */
  async fix(lock: LockFile): Promise<void> {
    for (const dependency of lock.resolved ?? []) {
      this.#chosen.set(dependency.name, await this.#placed(dependency, lock.path, true));
    }
  }

  /** The packages that the names lead to; a package that only a version needs which was not chosen is none of them. */
  packages(names: readonly string[]): ResolvedPackage[] {
    const reached = new Map<string, ResolvedPackage>();
    const pending = [...names];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const choice = this.#chosen.get(name);
      if (choice === undefined || reached.has(name)) continue;
      const { dependency, namedIn, folder, place } = choice;
      reached.set(name, { name, source: dependency.source, namedIn, folder, place });
      pending.push(...(this.#needs.get(identityOf(choice)) ?? []));
    }
    return [...reached.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

async function byMops(root: ProjectFiles, project: string): Promise<Resolution> {
  const settings = await readMopsSettings(root, project);
  if (settings === null) return { packages: [], lock: null, unreadSets: [] };
  const walk = new Walk(root, project);
  const own = [...settings.dependencies, ...settings.devDependencies];
  await walk.add(posix.join(project, 'mops.toml'), own, true);
  const lock = await readLockFile(root, project, settings.named);
  if (lock !== null) await walk.fix(lock);
  const names = [...own, ...(lock?.resolved ?? [])].map(({ name }) => name);
  return { packages: walk.packages(names), lock, unreadSets: [] };
}

/** Folder of a package that no set tells of, when the repository has exactly one version of it. */
async function onlyVersion(root: ProjectFiles, project: string, name: string): Promise<string | null> {
  if (!isPackageName(name)) return null;
  const parent = posix.join(project, '.vessel', name);
  const [only, ...more] = await root.foldersIn(parent);
  return only === undefined || more.length > 0 ? null : posix.join(parent, only);
}

async function byVessel(root: ProjectFiles, project: string): Promise<Resolution> {
  const settings = await readVesselSettings(root, project);
  if (settings === null) return { packages: [], lock: null, unreadSets: [] };
  const reached = new Map<string, ResolvedPackage>();
  const pending = [...settings.wanted];
  const namedIn = posix.join(project, 'vessel.dhall');
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (reached.has(name)) continue;
    const listed = settings.set.get(name);
    const below = listed === undefined ? null : vesselFolder(listed.dependency);
    const place = below === null ? null : posix.join(project, below);
    const folder = place === null ? await onlyVersion(root, project, name) : place;
    const isThere = folder !== null && (await root.isFolder(folder));
    const source = listed?.dependency.source ?? null;
    reached.set(name, { name, source, namedIn, folder: isThere ? folder : null, place });
    pending.push(...(listed?.needs ?? []));
    if (reached.size > PACKAGE_LIMIT) throw new ProjectFileError(`${namedIn} leads to too many packages.`);
  }
  return { packages: [...reached.values()], lock: null, unreadSets: settings.unread };
}

/**
 * The packages that a project needs, by its mops.toml and its vessel.dhall; what both name is taken from mops.
 * @param project folder of these files, relative to the checkout; empty for the checkout itself
 * @throws ProjectFileError when a settings file cannot be read
 */
export async function resolvePackages(root: ProjectFiles, project: string): Promise<Resolution> {
  const mops = await byMops(root, project);
  const vessel = await byVessel(root, project);
  const names = new Set(mops.packages.map(({ name }) => name));
  return {
    packages: [...mops.packages, ...vessel.packages.filter(({ name }) => !names.has(name))],
    lock: mops.lock,
    unreadSets: vessel.unreadSets,
  };
}
