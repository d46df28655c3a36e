import { posix } from 'node:path';
import { type Fields, fieldsOf } from '../source/fields.ts';

/** What the package.json of a site, and the settings beside it, tell. */
export interface Project {
  /** Folder of its package.json. */
  readonly folder: string;
  readonly packages: ReadonlySet<string>;
  /** Whether it needs other packages of its workspace by name (`workspace:*`). */
  readonly needsWorkspace: boolean;
  readonly scripts: ReadonlyMap<string, string>;
  readonly packageManager: string | null;
  readonly node: string | null;
  /** Text of the first file of that name, with any of the usual endings; empty when there is none. */
  settings(name: string): string;
}

/** Most characters of a settings file that is looked at. */
export const SETTINGS_LIMIT = 64 * 1024;
/** How names of settings files end. */
export const ENDINGS: readonly string[] = ['js', 'mjs', 'ts', 'mts', 'cjs'];

/** Reads the package.json of a folder; null where there is none, or it is no JSON. For a thread. */
export function readProject(
  { texts }: { readonly texts: ReadonlyMap<string, string> },
  folder: string,
): Project | null {
  const text = texts.get(posix.join(folder, 'package.json'));
  if (text === undefined) return null;
  let file: Fields;
  try {
    file = fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
  const { scripts, dependencies, devDependencies, engines, packageManager } = file;
  const commands = Object.entries(fieldsOf(scripts)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && /^[\w:.-]{1,60}$/.test(entry[0]),
  );
  // `build` comes before `docs:build`, whatever their order in the file.
  commands.sort(([a], [b]) => Number(b === 'build') - Number(a === 'build'));
  const { node } = fieldsOf(engines);
  const packages = { ...fieldsOf(dependencies), ...fieldsOf(devDependencies) };
  return {
    folder,
    packages: new Set(Object.keys(packages)),
    needsWorkspace: Object.values(packages).some(
      (version) => typeof version === 'string' && version.startsWith('workspace:'),
    ),
    scripts: new Map(commands),
    packageManager: typeof packageManager === 'string' ? packageManager.slice(0, 200) : null,
    node: typeof node === 'string' ? node.slice(0, 50) : null,
    settings: (name) =>
      [...ENDINGS, 'json']
        .map((ending) => texts.get(posix.join(folder, `${name}.${ending}`)))
        .find((one) => one !== undefined)
        ?.slice(0, SETTINGS_LIMIT) ?? '',
  };
}
