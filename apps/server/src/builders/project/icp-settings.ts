import { posix } from 'node:path';
import { Glob, GlobError } from '../../glob/glob.ts';
import { flagAliases } from '../source/aliases.ts';
import { filterFlags, splitFlags } from '../source/flags.ts';
import { ProjectFileError } from '../source/project-file-error.ts';
import { listFiles, projectPath, readProjectFile } from '../source/project-files.ts';
import { parseYaml } from '../source/settings-text.ts';
import { expectRoomForCanister, readSettings } from './canister-settings.ts';
import { isAddress, type NetworkName } from './dfx-settings.ts';
import { type Fields, fieldsOf, listOf, textOf, textsOf } from '../source/fields.ts';
import { flagsOf, importedCanisters, mainBySources, readMopsCanisters } from './motoko-sources.ts';
import type { PlannedCanister, Project } from './plan.ts';
import { icpArgument } from './read-argument.ts';
import { rustCanister } from './rust-canister.ts';
import type { ProjectFiles } from '../tenant/project-files.ts';

const FILE = 'icp.yaml';

type Common = Pick<PlannedCanister, 'name' | 'folder' | 'dependencies' | 'argument' | 'settings'>;

/**
 * Reads icp.yaml with the canister.yaml files it names; null when there is none.
 * @throws ProjectFileError when it cannot be read or leads nowhere
 */
export async function readIcp(root: ProjectFiles, network: NetworkName): Promise<Project | null> {
  const text = await readProjectFile(root, FILE);
  if (text === null) return null;
  const settings = fieldsOf(parseYaml(text, FILE));
  const environment = environmentOf(settings, network);
  const wanted = Array.isArray(environment.canisters) ? textsOf(environment.canisters) : null;
  const canisters: PlannedCanister[] = [];
  const remarks: string[] = [];
  for (const { folder, fields } of await entries(root, settings.canisters)) {
    const name = textOf(fields.name) ?? posix.basename(folder);
    if (wanted !== null && !wanted.includes(name)) continue;
    expectRoomForCanister(canisters.length);
    const own = { ...fieldsOf(fields.settings), ...fieldsOf(fieldsOf(environment.settings)[name]) };
    const { settings: applied, notApplied } = readSettings(own);
    if (notApplied.length > 0)
      remarks.push(`Settings of ${name} that are not applied: ${notApplied.join(', ')}.`);
    const argument = fieldsOf(environment.init_args)[name] ?? fields.init_args;
    const common: Common = {
      name,
      folder,
      dependencies: [],
      argument: await icpArgument(root, FILE, folder, argument),
      settings: applied,
    };
    const canister = await canisterOf(root, common, fields);
    canisters.push(canister);
    const scripts = stepsOf(fields.sync).filter((step) => step.type === 'script');
    if (scripts.length > 0) remarks.push(`Scripts after the deploy of ${name} (sync) are not run.`);
  }
  for (const name of listOf(settings.dependencies).map(
    (one) => textOf(fieldsOf(one).name) ?? 'without a name',
  ))
    remarks.push(`The project ${name} that ${FILE} depends on is not deployed. Deploy it separately.`);
  return { canisters, settings: FILE, envFile: null, declarations: {}, remarks };
}

/** The environment of the network: a project may say what differs there. */
function environmentOf(settings: Fields, network: NetworkName): Fields {
  return (
    listOf(settings.environments)
      .map(fieldsOf)
      .find(({ name }) => name === network) ?? {}
  );
}

/** Entries of icp.yaml with the folder they belong to; an entry that is text names folders or files of canister.yaml. */
async function entries(root: ProjectFiles, listed: unknown): Promise<{ folder: string; fields: Fields }[]> {
  const found: { folder: string; fields: Fields }[] = [];
  const files = await listFiles(root, ['.yaml', '.yml']);
  for (const entry of listOf(listed)) {
    if (typeof entry !== 'string') {
      found.push({ folder: '', fields: fieldsOf(entry) });
      continue;
    }
    const pattern = projectPath(FILE, entry).replace(/\/$/, '');
    const glob = globOf(pattern);
    const namesFiles = /\.ya?ml$/.test(pattern);
    const matching = files.filter((path) =>
      namesFiles
        ? glob.matches(path)
        : posix.basename(path) === 'canister.yaml' && glob.matches(posix.dirname(path)),
    );
    if (matching.length === 0 && !pattern.includes('*'))
      throw new ProjectFileError(`${FILE} names ${entry}, which has no canister.yaml.`);
    for (const file of matching) {
      const text = (await readProjectFile(root, file)) ?? '';
      found.push({ folder: posix.dirname(file), fields: fieldsOf(parseYaml(text, file)) });
    }
  }
  return found;
}

function globOf(pattern: string): Glob {
  try {
    return new Glob(pattern, { acrossFolders: false });
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new ProjectFileError(`${FILE}: ${error.message}.`, { cause: error });
  }
}

function stepsOf(phase: unknown): Fields[] {
  return listOf(fieldsOf(phase).steps).map(fieldsOf);
}

/** Commands of the script steps of a phase. */
function commandsOf(steps: readonly Fields[]): string[] {
  return steps
    .filter(({ type }) => type === 'script')
    .flatMap(({ command, commands }) => [...textsOf(command), ...textsOf(commands)]);
}

/**
 * What compiles Motoko in a build script: `moc a.mo`, `$(mops toolchain bin moc) a.mo`, `$MOC_PATH a.mo`, or mops by the name
 * of the canister.
 */
const MOC =
  /(?:^|[\s;&|/"(])(?:moc|\$\{?MOC(?:_PATH)?\}?)\)?"?\s[^\n]{0,2000}?([\w./-]{1,300}\.mo)(?=["'\s]|$)/;
const MOPS_BUILD = /(?:^|[\s;&|])mops\s+build\b/;

interface Compiled {
  readonly main: string;
  /** Flags that the compiler here knows; undefined when the command has none. Packages and output are the server's matter. */
  readonly flags: string[] | undefined;
}

/** What a command of a build script compiles; undefined when it compiles no Motoko. */
function compiledBy(command: string): Compiled | undefined {
  const found = MOC.exec(command);
  if (found?.[1] === undefined) return undefined;
  const words =
    command
      .slice(found.index)
      .split(/[\n;&|]/)
      .find((part) => part.includes('.mo')) ?? '';
  const { flags } = filterFlags(splitFlags(words).slice(1));
  return { main: found[1], flags: flags.length === 0 ? undefined : flags };
}

async function canisterOf(root: ProjectFiles, common: Common, fields: Fields): Promise<PlannedCanister> {
  const recipe = fieldsOf(fields.recipe);
  const type = textOf(recipe.type) ?? '';
  const configuration = fieldsOf(recipe.configuration);
  const steps = stepsOf(fields.build);
  const commands = commandsOf(steps);
  const compiled = commands.map(compiledBy).find((one) => one !== undefined);
  const recipeName = /^@dfinity\/([\w-]+)/.exec(type)?.[1] ?? '';
  const left = (reason: string): PlannedCanister => ({
    ...common,
    kind: 'left',
    type: type === '' ? 'own build steps' : type,
    reason,
    id: null,
    candid: null,
    realId: null,
  });
  if (recipeName === 'motoko' || compiled !== undefined || commands.some((one) => MOPS_BUILD.test(one))) {
    return motoko(root, common, { configuration, compiled });
  }
  if (recipeName === 'asset-canister' || recipeName === 'static-site') {
    const folder = textOf(configuration.dir) ?? 'dist';
    return site(common, [folder], [...textsOf(configuration.build), ...textsOf(configuration.presync)]);
  }
  if (recipeName === 'prebuilt') return prebuilt(common, configuration, []);
  if (recipeName === 'rust') {
    const candid = textOf(configuration.candid);
    const given = {
      package: textOf(configuration.package) ?? common.name,
      crate: null,
      candid: candid === null || isAddress(candid) ? candid : projectPath(FILE, common.folder, candid),
      realId: null,
    };
    return rustCanister(common, given, FILE);
  }
  if (type !== '') return left(`the recipe ${type.slice(0, 100)} is not known here`);
  const folders = stepsOf(fields.sync)
    .filter((step) => step.type === 'assets' || step.type === 'plugin')
    .flatMap((step) => [...textsOf(step.dir), ...textsOf(step.dirs)]);
  if (folders.length > 0) return site(common, folders, commands);
  const built = steps.find((step) => step.type === 'pre-built');
  if (built !== undefined) return prebuilt(common, built, commands);
  if (commands.length === 0) return left('it has no build steps');
  return { ...common, kind: 'module', commands, wasm: null, candid: null, realId: null, sha256: null };
}

async function motoko(
  root: ProjectFiles,
  common: Common,
  { configuration, compiled }: { configuration: Fields; compiled: Compiled | undefined },
): Promise<PlannedCanister> {
  const { name, folder } = common;
  const near = folder === '' ? null : await readMopsCanisters(root, folder);
  const mops = near?.get(name) ?? (await readMopsCanisters(root))?.get(name);
  const mopsFolder = near?.has(name) === true ? folder : '';
  const direct = textOf(configuration.main) ?? compiled?.main;
  const main =
    direct !== undefined
      ? projectPath(FILE, folder, direct)
      : mops?.main != null
        ? projectPath('mops.toml', mopsFolder, mops.main)
        : projectPath(FILE, folder, await mainBySources(root, folder));
  const own = configuration.args === undefined ? compiled?.flags : flagsOf(configuration.args);
  const flags = own ?? mops?.flags ?? [];
  const argument: PlannedCanister['argument'] =
    common.argument ?? (mops?.argument == null ? null : { kind: 'text', text: mops.argument });
  const named = [
    ...flagAliases(flags).map(({ canister }) => canister),
    ...(await importedCanisters(root, main)),
  ];
  return { ...common, dependencies: [...new Set(named)], argument, kind: 'motoko', main, flags };
}

function site(common: Common, folders: readonly string[], commands: readonly string[]): PlannedCanister {
  const sources = folders.map((folder) => projectPath(FILE, common.folder, folder));
  return { ...common, kind: 'site', sources, commands };
}

function prebuilt(common: Common, fields: Fields, commands: readonly string[]): PlannedCanister {
  const from = textOf(fields.path) ?? textOf(fields.url) ?? textOf(fields.wasm);
  if (from === null)
    throw new ProjectFileError(`${FILE}: the pre-built step of ${common.name} names no path or url.`);
  return {
    ...common,
    kind: 'module',
    commands,
    wasm: isAddress(from) ? from : projectPath(FILE, common.folder, from),
    candid: null,
    realId: null,
    sha256: textOf(fields.sha256)?.toLowerCase() ?? null,
  };
}
