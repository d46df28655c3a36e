import { posix } from 'node:path';
import { projectPath, readProjectFile } from '../../source/project-files.ts';
import { parseToml } from '../../source/settings-text.ts';
import { type Dependency, readDependency } from './dependency.ts';
import type { ProjectFiles } from '../../tenant/project-files.ts';

/** What a mops.toml says of packages. */
export interface MopsSettings {
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
