import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { ProjectFileError } from '../../source/project-file-error.ts';
import { readProjectFile } from '../../source/project-files.ts';
import { type Dependency, readDependency } from './dependency.ts';
import type { ProjectFiles } from '../../tenant/project-files.ts';

/** What a mops.lock says. */
export interface LockFile {
  /** Path of the file in the repository. */
  readonly path: string;
  /** The resolved packages when they belong to the mops.toml beside it, else null. */
  readonly resolved: readonly Dependency[] | null;
  /** Hashes of files (SHA-256, hexadecimal) by package, such as 'ic@4.0.0', and by path, such as 'ic@4.0.0/mops.toml'. */
  readonly hashes: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Bytes of a mops.lock; a project with 50 packages has 100 kB. */
const LOCK_LIMIT = 4 * 1024 * 1024;

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The hash by which a mops.lock knows the mops.toml it was made of: of names and values, sorted by name. */
export function hashOfDependencies(named: ReadonlyMap<string, string>): string {
  const sorted = Object.fromEntries([...named.keys()].sort().map((name) => [name, named.get(name)]));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

/**
 * Reads the mops.lock of a folder; null when there is none.
 * @param named what the mops.toml beside it names: values by name, those for tests included
 * @throws ProjectFileError when it cannot be read
 */
export async function readLockFile(
  root: ProjectFiles,
  folder: string,
  named: ReadonlyMap<string, string>,
): Promise<LockFile | null> {
  const path = posix.join(folder, 'mops.lock');
  const text = await readProjectFile(root, path, LOCK_LIMIT);
  if (text === null) return null;
  const lock = tableOf(parsed(text, path));
  const fits = lock.version === 3 && lock.mopsTomlDepsHash === hashOfDependencies(named);
  const hashes = Object.entries(tableOf(lock.hashes)).map(([id, files]) => {
    const ofFiles = Object.entries(tableOf(files)).map(([file, hash]) => [file, String(hash)] as const);
    return [id, new Map(ofFiles)] as const;
  });
  return { path, resolved: fits ? resolvedOf(path, tableOf(lock.deps)) : null, hashes: new Map(hashes) };
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProjectFileError(`${path} is not valid JSON. Delete it and run 'mops install'.`, {
      cause: error,
    });
  }
}

/** Packages of registries and git; folders are where mops.toml says, since a lock holds the paths of another machine. */
function resolvedOf(path: string, deps: Readonly<Record<string, unknown>>): Dependency[] {
  return Object.entries(deps)
    .filter(([, value]) => typeof value === 'string' && !/^(?:\.{0,2}\/|[A-Za-z]:)/.test(value))
    .map(([name, value]) => readDependency(path, name, value));
}
