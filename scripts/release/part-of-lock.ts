/** What is used of a package in a lock file of npm (version 3). */
export interface LockedPackage {
  readonly version?: string;
  readonly name?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly os?: readonly string[] | string;
  readonly cpu?: readonly string[] | string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  /** Of a link: the folder of the workspace. */
  readonly resolved?: string;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

const MODULES = 'node_modules/';

/** The name of a package by its place, or the one that it is published by where that is another one. */
export function nameOf(location: string, { name }: LockedPackage): string {
  return name ?? location.slice(location.lastIndexOf(MODULES) + MODULES.length);
}

/** A lock file lacks what it should have. */
class LockError extends Error {
  override readonly name = 'LockError';
}

/** Path of the package that `name` means for the one at `from`: the nearest folder of packages above. */
function found(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    const entry = packages[path];
    if (entry !== undefined) return entry.link === true ? entry.resolved : path;
    if (folder === '') return undefined;
  }
}

/**
 * Paths of all packages that some need, themselves too, by the lock file of the checkout.
 * @param without names of packages that are left out, with what only they need
 * @throws LockError when one is missing that is not optional
 */
export function neededPackages(
  packages: LockedPackages,
  names: readonly string[],
  without: readonly string[] = [],
): string[] {
  const needed = new Set<string>();
  const visit = (from: string, name: string, isOptional: boolean): void => {
    if (without.includes(name)) return;
    const path = found(packages, from, name);
    if (path === undefined && isOptional) return;
    const entry = path === undefined ? undefined : packages[path];
    if (path === undefined || entry === undefined)
      throw new LockError(`${name}, needed by ${from || 'the product'}, is not in package-lock.json.`);
    if (needed.has(path)) return;
    needed.add(path);
    const meta = entry.peerDependenciesMeta ?? {};
    for (const dependency of Object.keys(entry.dependencies ?? {})) visit(path, dependency, false);
    for (const dependency of Object.keys(entry.optionalDependencies ?? {})) visit(path, dependency, true);
    for (const peer of Object.keys(entry.peerDependencies ?? {}))
      visit(path, peer, meta[peer]?.optional === true);
  };
  for (const name of names) visit('', name, false);
  return [...needed].sort();
}

/**
 * Manifest and lock file of a folder in which npm installs some packages of the checkout, with the same versions and hashes.
 * @param optional packages that only some platforms take
 */
export function partOfLock(
  packages: LockedPackages,
  { name, required, optional }: { name: string; required: readonly string[]; optional: readonly string[] },
): { manifest: object; lock: object } {
  const wanted = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      names.map((each) => {
        const { version = '', name: real } = packages[`node_modules/${each}`] ?? {};
        return [each, real === undefined ? version : `npm:${real}@${version}`];
      }),
    );
  const own = { name, dependencies: wanted(required), optionalDependencies: wanted(optional) };
  const always = new Set(neededPackages(packages, required));
  const entries = neededPackages(packages, [...required, ...optional]).map((path) => {
    const { dev: _dev, devOptional: _devOptional, peer: _peer, optional: _, ...entry } = packages[path] ?? {};
    return [path, always.has(path) ? entry : { ...entry, optional: true }];
  });
  return {
    manifest: { ...own, private: true },
    lock: { name, lockfileVersion: 3, requires: true, packages: { '': own, ...Object.fromEntries(entries) } },
  };
}
