import { posix } from 'node:path';
import { projectPath, readProjectFile } from '../../source/project-files.ts';
import { parseToml } from '../../source/settings-text.ts';
import type { ProjectFiles } from '../../tenant/project-files.ts';
import { checkedVersion, type Dependency, gitAt, readDependency } from './dependency.ts';
import { type DhallValue, readDhall } from './dhall.ts';

/** What a mops.toml says of packages. */
interface MopsSettings {
  readonly dependencies: readonly Dependency[];
  /** Packages for tests; they count only for the project itself, not where it is a package of another one. */
  readonly devDependencies: readonly Dependency[];
  /** All of these as the file writes them, by name. */
  readonly named: ReadonlyMap<string, string>;
  /** Folder of the sources, relative to the file; null when it does not say. */
  readonly baseDir: string | null;
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * Reads the mops.toml of a folder of the repository; null when there is none. `[toolchain]` and `[requirements]` do not
 * count: the compiler is the server's.
 * @throws ProjectFileError when it cannot be read
 */
export async function readMopsSettings(root: ProjectFiles, folder: string): Promise<MopsSettings | null> {
  const file = posix.join(folder, 'mops.toml');
  const text = await readProjectFile(root, file);
  if (text === null) return null;
  const settings = parseToml(text, file);
  const listed = (table: unknown): Dependency[] =>
    Object.entries(tableOf(table)).map(([name, value]) => readDependency(file, name, value));
  const { baseDir } = tableOf(settings.package);
  const all = { ...tableOf(settings.dependencies), ...tableOf(settings['dev-dependencies']) };
  return {
    dependencies: listed(settings.dependencies),
    devDependencies: listed(settings['dev-dependencies']),
    named: new Map(Object.entries(all).map(([name, value]) => [name, String(value)])),
    baseDir: typeof baseDir === 'string' ? baseDir : null,
  };
}

/**
 * Folder of the sources of a package: what its own mops.toml names, else `src`.
 * @throws ProjectFileError when it leads out of the repository
 */
export async function sourceFolder(root: ProjectFiles, folder: string): Promise<string> {
  const own = await readMopsSettings(root, folder);
  return projectPath(posix.join(folder, 'mops.toml'), folder, own?.baseDir ?? 'src');
}

/** A package of a vessel set. */
interface VesselPackage {
  readonly dependency: Dependency;
  /** Names of the packages it needs. */
  readonly needs: readonly string[];
}

/** What vessel.dhall and package-set.dhall say. */
interface VesselSettings {
  /** Names of the packages that the project asks for. */
  readonly wanted: readonly string[];
  readonly set: ReadonlyMap<string, VesselPackage>;
  /** Addresses of sets that are not read here. */
  readonly unread: readonly string[];
}

/** Bytes of a package set; the public one has 60 kB. */
const SET_LIMIT = 1024 * 1024;

function fieldOf(value: DhallValue, name: string): DhallValue | undefined {
  return value.kind === 'record' ? value.fields.get(name) : undefined;
}

function textsOf(value: DhallValue | undefined): string[] {
  if (value?.kind !== 'list') return [];
  return value.items.flatMap((item) => (item.kind === 'text' ? [item.text] : []));
}

function packageOf(file: string, value: DhallValue): VesselPackage | null {
  const [name, repo, version] = ['name', 'repo', 'version'].map((field) => {
    const text = fieldOf(value, field);
    return text?.kind === 'text' ? text.text : undefined;
  });
  if (name === undefined || repo === undefined || version === undefined) return null;
  // A name is checked as mops names are; both become parts of paths.
  readDependency(file, name, '1.0.0');
  const git = gitAt(file, name, { url: repo, ref: checkedVersion(file, name, version), commit: '' });
  return {
    dependency: { name, source: { kind: 'git', git } },
    needs: textsOf(fieldOf(value, 'dependencies')),
  };
}

/**
 * Reads vessel.dhall and package-set.dhall of a folder of the repository; null when there is no vessel.dhall.
 * @throws ProjectFileError when one cannot be read
 */
export async function readVesselSettings(root: ProjectFiles, folder: string): Promise<VesselSettings | null> {
  const file = posix.join(folder, 'vessel.dhall');
  const text = await readProjectFile(root, file);
  if (text === null) return null;
  const wanted = textsOf(fieldOf(readDhall(text, file), 'dependencies'));
  const setFile = posix.join(folder, 'package-set.dhall');
  const setText = await readProjectFile(root, setFile, SET_LIMIT);
  const list = setText === null ? null : readDhall(setText, setFile);
  const set = new Map<string, VesselPackage>();
  for (const item of list?.kind === 'list' ? list.items : []) {
    const found = packageOf(setFile, item);
    // What comes last counts: additions and overrides stand behind the set they change.
    if (found !== null) set.set(found.dependency.name, found);
  }
  const unread = list?.kind === 'list' ? list.imports : list?.kind === 'import' ? [list.address] : [];
  return { wanted, set, unread };
}

/** Folder of a fetched package below `.vessel`, as vessel itself lays them out. */
export function vesselFolder({ name, source }: Dependency): string | null {
  return source.kind === 'git' ? `.vessel/${name}/${source.git.ref}` : null;
}
