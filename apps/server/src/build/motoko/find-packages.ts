import { posix } from 'node:path';
import { ProjectFileError } from './project-file-error.ts';
import { listFiles, projectPath, readProjectFile } from './project-files.ts';
import { parseToml } from './settings-text.ts';

export interface MotokoPackages {
  /** Name in `import "mo:name/..."` to the package's source folder in the repository. */
  folders: Map<string, string>;
  /** Versions the project asks for, by name, whether the package is there or not. */
  wanted: Map<string, string>;
}

function isPath(version: string): boolean {
  return version.startsWith('.') || version.startsWith('/');
}

/** Source folder of a package: what its own mops.toml names, else `src`. */
async function sourceFolder(root: string, folder: string): Promise<string> {
  const file = posix.join(folder, 'mops.toml');
  const text = await readProjectFile(root, file);
  const own = text === null ? {} : parseToml(text, file);
  const base = (own.package as Record<string, unknown> | undefined)?.baseDir;
  return projectPath(file, folder, typeof base === 'string' ? base : 'src');
}

/**
 * Packages that the repository brings along: path dependencies of mops.toml and packages committed under `.mops`.
 * @throws ProjectFileError when mops.toml cannot be read.
 */
export async function findPackages(root: string): Promise<MotokoPackages> {
  const packages: MotokoPackages = { folders: new Map(), wanted: new Map() };
  const text = await readProjectFile(root, 'mops.toml');
  if (text !== null) {
    const settings = parseToml(text, 'mops.toml');
    for (const [name, value] of Object.entries(settings.dependencies ?? {})) {
      const version = typeof value === 'string' ? value : '';
      packages.wanted.set(name, version);
      if (isPath(version)) {
        packages.folders.set(name, await sourceFolder(root, projectPath('mops.toml', version)));
      }
    }
  }
  // Mops keeps each package as `.mops/<name>@<version>`; one version of a name is all the compiler takes.
  for (const file of await listFiles(root, ['mops.toml'], '.mops')) {
    const match = /^\.mops\/([^/@]+)@([^/]+)\/mops\.toml$/.exec(file);
    const [, name, version] = match ?? [];
    if (name === undefined || packages.folders.has(name)) continue;
    const wanted = packages.wanted.get(name);
    if (wanted !== undefined && wanted !== version) {
      throw new ProjectFileError(`mops.toml wants ${name} ${wanted}, but .mops holds ${name} ${version}.`);
    }
    packages.folders.set(name, await sourceFolder(root, posix.dirname(file)));
  }
  return packages;
}
