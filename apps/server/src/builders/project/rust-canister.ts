import { posix } from 'node:path';
import { Glob, GlobError } from '../../glob/glob.ts';
import { ProjectFileError } from '../source/project-file-error.ts';
import { listFiles, projectPath, readProjectFile } from '../source/project-files.ts';
import { parseToml } from '../source/settings-text.ts';
import type { ProjectFiles } from '../tenant/project-files.ts';
import { expectRoomForCanister } from './canister-settings.ts';
import { type Fields, fieldsOf, textOf, textsOf } from '../source/fields.ts';
import type { PlannedCanister, Project, RustCanister } from './plan.ts';

const MANIFEST = 'Cargo.toml';
/** Patterns of members, and packages, of a workspace that are looked at; the largest known has 400 packages. */
const MOST = 1_000;
/** What cargo takes for the name of a package; it becomes an argument of cargo and a part of paths. */
const PACKAGE = /^[A-Za-z_][\w-]{0,99}$/;

/** A Rust canister of the settings of a project. @throws ProjectFileError for a name that no package has */
export function rustCanister(
  common: Pick<PlannedCanister, 'name' | 'folder' | 'dependencies' | 'argument' | 'settings'>,
  given: Pick<RustCanister, 'package' | 'crate' | 'candid' | 'realId'>,
  file: string,
): RustCanister {
  for (const name of [given.package, given.crate ?? given.package]) {
    if (!PACKAGE.test(name))
      throw new ProjectFileError(
        `${file}: '${name.slice(0, 100)}' of ${common.name.slice(0, 100)} is no name of a Cargo package.`,
      );
  }
  return { ...common, kind: 'rust', ...given };
}

/** The canisters of a Cargo workspace without settings: its packages with a library of the kind `cdylib`. Null when there is none. */
export async function fromCargo(root: ProjectFiles): Promise<Project | null> {
  const text = await readProjectFile(root, MANIFEST);
  if (text === null) return null;
  const workspace = fieldsOf(parseToml(text, MANIFEST)).workspace;
  const members = workspace === undefined ? [] : await membersOf(root, fieldsOf(workspace));
  const folders = ['', ...members.filter((folder) => folder !== '.')];
  const canisters: RustCanister[] = [];
  for (const folder of folders) {
    const name = await libraryOf(root, posix.join(folder, MANIFEST));
    if (name === null) continue;
    expectRoomForCanister(canisters.length);
    const common = { name: name.package, folder, dependencies: [], argument: null, settings: {} };
    const candid = await interfaceIn(root, folder, name.package);
    canisters.push(rustCanister(common, { ...name, candid, realId: null }, posix.join(folder, MANIFEST)));
  }
  if (canisters.length === 0) return null;
  return { canisters, settings: MANIFEST, envFile: null, declarations: {}, remarks: [] };
}

/** Folders of the members that a workspace names. */
async function membersOf(root: ProjectFiles, workspace: Fields): Promise<string[]> {
  const named = textsOf(workspace.members).length + textsOf(workspace.exclude).length;
  if (named > MOST)
    throw new ProjectFileError(`${MANIFEST} names more than ${MOST} members of the workspace.`);
  const patterns = textsOf(workspace.members).map((one) => globOf(projectPath(MANIFEST, one)));
  const excluded = textsOf(workspace.exclude).map((one) => globOf(projectPath(MANIFEST, one)));
  const folders = (await listFiles(root, [MANIFEST]))
    .filter((path) => posix.basename(path) === MANIFEST)
    .map((path) => posix.dirname(path));
  const members = folders.filter(
    (folder) =>
      patterns.some((pattern) => pattern.matches(folder)) &&
      !excluded.some((pattern) => pattern.matches(folder)),
  );
  if (members.length > MOST) throw new ProjectFileError(`The workspace has more than ${MOST} packages.`);
  return members;
}

function globOf(pattern: string): Glob {
  try {
    return new Glob(pattern.replace(/\/$/, ''), { acrossFolders: false });
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new ProjectFileError(`${MANIFEST}: ${error.message}.`, { cause: error });
  }
}

/** The package of a manifest with a library that becomes a module; null where it has none. */
async function libraryOf(
  root: ProjectFiles,
  file: string,
): Promise<Pick<RustCanister, 'package' | 'crate'> | null> {
  const text = await readProjectFile(root, file);
  if (text === null) return null;
  const manifest = fieldsOf(parseToml(text, file));
  const library = fieldsOf(manifest.lib);
  const name = textOf(fieldsOf(manifest.package).name);
  const kinds = [...textsOf(library['crate-type']), ...textsOf(library['crate_type'])];
  if (name === null || !kinds.includes('cdylib')) return null;
  return { package: name, crate: textOf(library.name) };
}

/** The interface beside a package: `<package>.did`, or the only one there is. */
async function interfaceIn(root: ProjectFiles, folder: string, name: string): Promise<string | null> {
  const found = await listFiles(root, ['.did'], folder);
  const beside = found.filter((path) => posix.dirname(path) === (folder === '' ? '.' : folder));
  const named = [name, name.replaceAll('-', '_')].map((one) => posix.join(folder, `${one}.did`));
  return beside.find((path) => named.includes(path)) ?? (beside.length === 1 ? (beside[0] ?? null) : null);
}
