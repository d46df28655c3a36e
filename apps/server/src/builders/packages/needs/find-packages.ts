import { posix } from 'node:path';
import { BUNDLED, registryName, versionText } from './dependency.ts';
import { sourceFolder } from './package-settings.ts';
import { resolvePackages, type ResolvedPackage } from './resolve.ts';
import { compareVersions } from './versions.ts';
import { listFiles } from '../../source/project-files.ts';
import type { ProjectFiles } from '../../tenant/project-files.ts';

export interface MotokoPackages {
  /** Name in `import "mo:name/..."` to the package's source folder in the repository. */
  folders: Map<string, string>;
  /** Folders of whole packages that `listFiles` leaves out, since sources reach outside the source folder. */
  extraSources: string[];
  /** Versions the project asks for, by name, whether the package is there or not. */
  wanted: Map<string, string>;
  /** What to say of a package that is not there, by name: where it is named, and what helps. */
  missing: Map<string, string>;
  /** Names of versions of core and base that are told apart by their major version, such as 'core@1'. */
  aliases: string[];
}

/**
 * Folder of the settings that count for a main file: the closest one above it with a mops.toml or a vessel.dhall.
 * @returns a path relative to the checkout; empty for the checkout itself
 */
export async function packageRoot(root: ProjectFiles, main: string): Promise<string> {
  for (let folder = posix.dirname(main); folder !== '.'; folder = posix.dirname(folder)) {
    for (const file of ['mops.toml', 'vessel.dhall']) {
      if ((await root.kindOf(posix.join(folder, file))) === 'file') return folder;
    }
  }
  return '';
}

/** Why a package is not there, as the end of a sentence, and what helps. */
function adviceFor({ name, source, namedIn }: ResolvedPackage, sets: readonly string[]): string {
  if (source?.kind === 'folder') {
    return `${namedIn} names the folder ${source.path}, which is not in the repository. Add it.`;
  }
  if (source === null) {
    const where =
      sets.length === 0 ? 'and no package set has it' : `and the set ${sets[0]} is not supported here`;
    return `${namedIn} names it, ${where}. Add it to the additions of package-set.dhall, or run 'mops add ${name}'.`;
  }
  const tool = namedIn.endsWith('.dhall') ? 'vessel install' : 'mops install';
  const folder = namedIn.endsWith('.dhall') ? '.vessel' : '.mops';
  const from = source.kind === 'git' ? source.git.url : 'the mops registry';
  return (
    `${namedIn} names it. Make ${from} reachable for this server, ` +
    `or run '${tool}', commit the folder ${folder}, and push.`
  );
}

/** The highest version of each package below `.mops`, for a repository without a mops.toml. */
async function committedPackages(root: ProjectFiles): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for (const file of await listFiles(root, ['mops.toml'], '.mops')) {
    const [, name, version] = /^\.mops\/([^/@]+)@([^/]+)\/mops\.toml$/.exec(file) ?? [];
    if (name === undefined || version === undefined) continue;
    const other = versions.get(name);
    if (other === undefined || compareVersions(other, version) < 0) versions.set(name, version);
  }
  return new Map([...versions].map(([name, version]) => [name, `.mops/${name}@${version}`]));
}

async function sourcesIn(root: ProjectFiles, { source }: ResolvedPackage, folder: string): Promise<string> {
  const sources = await sourceFolder(root, folder);
  // A package in a folder of the project may have its sources right there.
  return source?.kind === 'folder' && !(await root.isFolder(sources)) ? folder : sources;
}

/**
 * The packages of a project and where the repository has them: path dependencies, and what was committed or fetched below
 * `.mops` and `.vessel`. One version of a name counts, as mops decides it.
 * @param project folder with mops.toml or vessel.dhall, relative to the checkout; empty for the checkout itself
 * @throws ProjectFileError when a settings file cannot be read.
 */
export async function findPackages(root: ProjectFiles, project = ''): Promise<MotokoPackages> {
  const found: MotokoPackages = {
    folders: new Map(),
    extraSources: [],
    wanted: new Map(),
    missing: new Map(),
    aliases: [],
  };
  const { packages, unreadSets } = await resolvePackages(root, project);
  for (const one of packages) {
    const version = versionText(one.source);
    found.wanted.set(one.name, version);
    if (one.folder !== null) {
      found.folders.set(one.name, await sourcesIn(root, one, one.folder));
      if (one.folder.split('/').includes('.vessel')) found.extraSources.push(one.folder);
    } else if (!BUNDLED.has(registryName(one.name))) {
      found.missing.set(one.name, adviceFor(one, unreadSets));
    } else if (one.name.includes('@')) found.aliases.push(one.name);
  }
  if (packages.length > 0) return found;
  for (const [name, folder] of await committedPackages(root)) {
    found.folders.set(name, await sourceFolder(root, folder));
  }
  return found;
}
