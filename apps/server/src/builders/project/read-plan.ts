import { posix } from 'node:path';
import type { CompileRequest } from '../motoko/compile.ts';
import { findPackages, packageRoot } from '../packages/needs/find-packages.ts';
import { ProjectFileError } from '../source/project-file-error.ts';
import { listFiles, listSizes, projectPath, readProjectFile } from '../source/project-files.ts';
import { rootsText } from '../source/likely-roots.ts';
import { parseLenientJson } from '../source/settings-text.ts';
import { expectRoomForCanister } from './canister-settings.ts';
import { type NetworkName, readDfx } from './dfx-settings.ts';
import { fieldsOf, textOf } from '../source/fields.ts';
import { readIcp } from './icp-settings.ts';
import { importedCanisters, mainBySources, readMopsCanisters } from './motoko-sources.ts';
import type { MotokoCanister, Project } from './plan.ts';
import { projectRoots } from './project-roots.ts';
import { fromCargo } from './rust-canister.ts';
import type { ProjectFiles } from '../tenant/project-files.ts';

/** What is asked of the thread that reads projects. */
export interface PlanRequest {
  readonly network: NetworkName;
}

/** A project with what its Motoko canisters are compiled from. */
export interface ReadPlan {
  readonly project: Project;
  /** Source paths the compiler may see; none when nothing is compiled. */
  readonly sources: string[];
  /** The packages of each Motoko canister, by its name. */
  readonly packages: readonly (readonly [canister: string, packages: PackageSet])[];
}

/** What a canister is compiled with besides its sources. */
export type PackageSet = Pick<CompileRequest, 'packages' | 'wanted' | 'missing' | 'aliases'>;

/** Bytes of all sources together: the compiler keeps them in memory. The largest project surveyed has 9 MB. */
export const SOURCES_LIMIT = 64 * 1024 * 1024;
/** Characters of a canister's name, which becomes part of file names and variables. */
const NAME = /^[A-Za-z0-9_][\w.-]{0,99}$/;

const NO_DETAILS = { envFile: null, declarations: {}, remarks: [] } as const;

/**
 * Reads what a project is made of: dfx.json, icp.yaml, canister.json or mops.toml tell, else the usual names of main files.
 * @throws ProjectFileError when the settings cannot be read or lead nowhere
 */
export async function readPlan(root: ProjectFiles, request: PlanRequest): Promise<ReadPlan> {
  const project = await readCanisters(root, request);
  const compiled = project.canisters.filter((one) => one.kind === 'motoko');
  if (compiled.length === 0) return { project, sources: [], packages: [] };
  const packages: [string, PackageSet][] = [];
  const extraSources = new Set<string>();
  for (const { name, main } of compiled) {
    const found = await findPackages(root, await packageRoot(root, main));
    for (const folder of found.extraSources) extraSources.add(folder);
    packages.push([
      name,
      {
        packages: [...found.folders],
        wanted: [...found.wanted],
        missing: [...found.missing],
        aliases: found.aliases,
      },
    ]);
  }
  return { project, sources: await sourcesOf(root, [...extraSources]), packages };
}

/** The canisters of a project, as far as its settings and the names of its files tell. @throws ProjectFileError as `readPlan` */
export async function readCanisters(root: ProjectFiles, { network }: PlanRequest): Promise<Project> {
  const project = await readProject(root, network);
  for (const { name } of project.canisters) {
    if (!NAME.test(name))
      throw new ProjectFileError(
        `${project.settings ?? 'The project'} has a canister named '${name.slice(0, 100)}'. A name has letters, digits, '_', '-' and '.' only.`,
      );
  }
  return project;
}

async function readProject(root: ProjectFiles, network: NetworkName): Promise<Project> {
  const told = (await readDfx(root, network)) ?? (await readIcp(root, network));
  if (told !== null && told.canisters.length > 0) return told;
  const settled = (await fromCanisterJson(root)) ?? (await fromMops(root));
  if (settled !== null) return settled;
  const hasMotoko = (await listFiles(root, ['.mo'])).length > 0;
  const cargo = hasMotoko ? null : await fromCargo(root);
  if (cargo !== null) return cargo;
  const main = await mainOrRoots(root);
  const name = (posix.basename(posix.dirname(posix.resolve('/', main))) || 'main').replace(/[^\w.-]/g, '_');
  const elsewhere = rootsText(await projectRoots(root));
  const remarks = elsewhere === '' ? [] : [elsewhere];
  return { canisters: [await canister(root, { name, main })], settings: null, ...NO_DETAILS, remarks };
}

/** The main file by convention. @throws ProjectFileError that also says where the settings of a project are */
async function mainOrRoots(root: ProjectFiles): Promise<string> {
  try {
    return await mainBySources(root, '');
  } catch (error) {
    if (!(error instanceof ProjectFileError)) throw error;
    const where = rootsText(await projectRoots(root)) || (await withoutCanister(root));
    throw where === '' ? error : new ProjectFileError(`${error.message} ${where}`, { cause: error });
  }
}

/** What to do with a Rust project that has neither settings nor a package that could be a canister. */
async function withoutCanister(root: ProjectFiles): Promise<string> {
  if ((await root.kindOf('Cargo.toml')) !== 'file') return '';
  return 'This is a Rust project in which no package is a canister: write crate-type = ["cdylib"] under [lib] in the Cargo.toml of the canister, or describe the project in dfx.json or icp.yaml.';
}

/** A Motoko canister of which only its place, flags and argument are known. */
async function canister(
  root: ProjectFiles,
  given: Pick<MotokoCanister, 'name' | 'main'> & Partial<Pick<MotokoCanister, 'flags' | 'argument'>>,
): Promise<MotokoCanister> {
  return {
    kind: 'motoko',
    folder: '',
    dependencies: await importedCanisters(root, given.main),
    argument: null,
    settings: {},
    flags: [],
    ...given,
  };
}

/** canister.json, which names one canister of the folder it is in (caffeine and older templates). */
async function fromCanisterJson(root: ProjectFiles): Promise<Project | null> {
  const file = 'canister.json';
  const text = await readProjectFile(root, file);
  if (text === null) return null;
  const fields = fieldsOf(parseLenientJson(text, file));
  const main = textOf(fields.main);
  if (main === null) return null;
  const name = textOf(fields.name) ?? 'main';
  const one = await canister(root, { name, main: projectPath(file, main) });
  return { canisters: [one], settings: file, ...NO_DETAILS };
}

async function fromMops(root: ProjectFiles): Promise<Project | null> {
  const listed = await readMopsCanisters(root);
  if (listed === null || listed.size === 0) return null;
  const canisters: MotokoCanister[] = [];
  for (const [name, { main, flags, argument }] of listed) {
    expectRoomForCanister(canisters.length);
    if (main === null) throw new ProjectFileError(`mops.toml: the canister ${name} has no "main" file.`);
    const path = projectPath('mops.toml', main);
    const given = argument === null ? null : ({ kind: 'text', text: argument } as const);
    canisters.push(await canister(root, { name, main: path, flags, argument: given }));
  }
  return { canisters, settings: 'mops.toml', ...NO_DETAILS };
}

async function sourcesOf(root: ProjectFiles, extraFolders: readonly string[]): Promise<string[]> {
  const sources = await listSizes(root, ['.mo', '.did']);
  for (const folder of extraFolders) sources.push(...(await listSizes(root, ['.mo', '.did'], folder)));
  const bytes = sources.reduce((sum, { size }) => sum + size, 0);
  if (bytes > SOURCES_LIMIT)
    throw new ProjectFileError(`The sources are larger than ${SOURCES_LIMIT / 1024 ** 2} MB together.`);
  return sources.map(({ path }) => path);
}
