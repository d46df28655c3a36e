import { posix } from 'node:path';
import { Glob, GlobError } from '../../glob/glob.ts';
import { splitFlags } from './flags.ts';
import { ProjectFileError } from './project-file-error.ts';
import { listFiles, projectPath, readProjectFile } from './project-files.ts';
import { parseLenientJson, parseToml, parseYaml } from './settings-text.ts';

/** A Motoko canister of a project. */
export interface MotokoCanister {
  name: string;
  /** Path of the main file in the repository. */
  main: string;
  /** Compiler flags as the project gives them. */
  flags: string[];
  /** Candid text of the install arguments; null when the project gives none. */
  initArg: string | null;
}

export interface MotokoProject {
  canisters: MotokoCanister[];
  /** The file that told, or null when only the sources were looked at. */
  settings: string | null;
  /** Names and kinds of what the project has besides, such as 'frontend (assets)'. */
  others: string[];
}

/** Bytes of install arguments as text; the call that carries them has 2 MiB at most. */
const ARGUMENT_LIMIT = 2 * 1024 * 1024;
/** How many names a message lists. */
const NAMED = 20;

type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function flagsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? splitFlags(value) : [];
}

async function initArgOf(root: string, file: string, direct: unknown, path: unknown): Promise<string | null> {
  const named = textOf(path);
  if (named === null) return textOf(direct);
  const text = await readProjectFile(root, projectPath(file, named), ARGUMENT_LIMIT);
  if (text === null)
    throw new ProjectFileError(`${file} names the argument file ${named}, which is not there.`);
  return text;
}

async function fromDfx(root: string): Promise<MotokoProject | null> {
  const file = 'dfx.json';
  const text = await readProjectFile(root, file);
  if (text === null) return null;
  const settings = fieldsOf(parseLenientJson(text, file));
  const shared = fieldsOf(fieldsOf(settings.defaults).build).args;
  const project: MotokoProject = { canisters: [], settings: file, others: [] };
  for (const [name, value] of Object.entries(fieldsOf(settings.canisters))) {
    const fields = fieldsOf(value);
    const type = textOf(fields.type) ?? 'motoko';
    const main = textOf(fields.main);
    if (type !== 'motoko') project.others.push(`${name} (${type})`);
    else if (main === null) throw new ProjectFileError(`${file}: the canister ${name} has no "main" file.`);
    else {
      const initArg = await initArgOf(root, file, fields.init_arg, fields.init_arg_file);
      const flags = flagsOf(fields.args ?? shared);
      project.canisters.push({ name, main: projectPath(file, main), flags, initArg });
    }
  }
  return project;
}

/** Canisters of mops.toml by name: `name = "main.mo"` or a table with `main` and `args`. */
function mopsCanisters(
  mops: Fields,
): Map<string, { main: string | null; flags: string[]; initArg: unknown }> {
  const shared = flagsOf(fieldsOf(mops.moc).args);
  const entries = Object.entries(fieldsOf(mops.canisters)).map(([name, value]) => {
    const fields: Fields = typeof value === 'string' ? { main: value } : fieldsOf(value);
    const flags = fields.args === undefined ? shared : flagsOf(fields.args);
    return [name, { main: textOf(fields.main), flags, initArg: fields.initArg ?? fields.init_arg }] as const;
  });
  return new Map(entries);
}

async function readMops(root: string, folder = ''): Promise<Fields | null> {
  const file = posix.join(folder, 'mops.toml');
  const text = await readProjectFile(root, file);
  return text === null ? null : parseToml(text, file);
}

async function fromMops(root: string): Promise<MotokoProject | null> {
  const mops = await readMops(root);
  const canisters = mops === null ? null : mopsCanisters(mops);
  if (canisters === null || canisters.size === 0) return null;
  const project: MotokoProject = { canisters: [], settings: 'mops.toml', others: [] };
  for (const [name, { main, flags, initArg }] of canisters) {
    if (main === null) throw new ProjectFileError(`mops.toml: the canister ${name} has no "main" file.`);
    const path = projectPath('mops.toml', main);
    project.canisters.push({ name, main: path, flags, initArg: textOf(initArg) });
  }
  return project;
}

/** Entries of icp.yaml with the folder they belong to; an entry that is text names folders with a canister.yaml. */
async function icpEntries(root: string, listed: unknown): Promise<{ folder: string; fields: Fields }[]> {
  const entries: { folder: string; fields: Fields }[] = [];
  const files = await listFiles(root, ['canister.yaml']);
  for (const entry of Array.isArray(listed) ? listed : []) {
    if (typeof entry !== 'string') {
      entries.push({ folder: '', fields: fieldsOf(entry) });
      continue;
    }
    const folders = globOf(projectPath('icp.yaml', entry));
    for (const file of files.filter((path) => folders.matches(posix.dirname(path)))) {
      const text = (await readProjectFile(root, file)) ?? '';
      entries.push({ folder: posix.dirname(file), fields: fieldsOf(parseYaml(text, file)) });
    }
  }
  return entries;
}

function globOf(pattern: string): Glob {
  try {
    return new Glob(pattern, { acrossFolders: false });
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new ProjectFileError(`icp.yaml: ${error.message}.`, { cause: error });
  }
}

/** Main file in a script that calls the compiler itself, as `moc src/main.mo`. */
function mainOfSteps(build: unknown): string | null {
  const steps = fieldsOf(build).steps;
  const commands = (Array.isArray(steps) ? steps : []).flatMap((step) => fieldsOf(step).commands);
  for (const command of commands) {
    const main = /(?:^|[\s;&|])moc\s[^\n]*?([\w./-]+\.mo)(?=\s|$)/.exec(String(command))?.[1];
    if (main !== undefined) return main;
  }
  return null;
}

async function fromIcp(root: string): Promise<MotokoProject | null> {
  const file = 'icp.yaml';
  const text = await readProjectFile(root, file);
  if (text === null) return null;
  const project: MotokoProject = { canisters: [], settings: file, others: [] };
  for (const { folder, fields } of await icpEntries(root, fieldsOf(parseYaml(text, file)).canisters)) {
    const name = textOf(fields.name) ?? posix.basename(folder);
    const recipe = fieldsOf(fields.recipe);
    const type = textOf(recipe.type) ?? '';
    const own = mainOfSteps(fields.build);
    if (!type.includes('motoko') && own === null) {
      project.others.push(`${name} (${type === '' ? 'own build steps' : type})`);
      continue;
    }
    const configuration = fieldsOf(recipe.configuration);
    const mops = mopsCanisters((await readMops(root, folder)) ?? (await readMops(root)) ?? {}).get(name);
    const main = textOf(configuration.main) ?? mops?.main ?? own ?? (await mainBySources(root, folder));
    const flags = configuration.args === undefined ? (mops?.flags ?? []) : flagsOf(configuration.args);
    const initArg =
      textOf(fields.init_args) ?? textOf(fieldsOf(fields.init_args).value) ?? textOf(mops?.initArg);
    project.canisters.push({ name, main: projectPath(file, folder, main), flags, initArg });
  }
  return project;
}

/** The main file by convention, relative to `folder`. @throws ProjectFileError when none or several may be meant. */
async function mainBySources(root: string, folder: string): Promise<string> {
  const sources = (await listFiles(root, ['.mo'], folder))
    .map((path) => posix.relative(folder, path))
    .filter((path) => !path.startsWith('.mops/'));
  for (const usual of ['main.mo', 'Main.mo', 'src/main.mo', 'src/Main.mo']) {
    if (sources.includes(usual)) return usual;
  }
  const named = sources.filter((path) => posix.basename(path).toLowerCase() === 'main.mo');
  const candidates = named.length > 0 ? named : sources;
  const [only, ...more] = candidates;
  if (only === undefined) {
    throw new ProjectFileError(
      'No Motoko source (*.mo) was found. Choose the repository or branch that holds the canister.',
    );
  }
  if (more.length > 0) {
    throw new ProjectFileError(
      `Several files may be the main one: ${candidates.slice(0, 10).join(', ')}. ` +
        'Name it in dfx.json ("main") or in mops.toml ([canisters]).',
    );
  }
  return only;
}

/**
 * The Motoko canisters of a project, as dfx.json, icp.yaml or mops.toml tell, else by the usual names of main files.
 * @throws ProjectFileError when a settings file cannot be read or no main file can be told.
 */
export async function findCanisters(root: string): Promise<MotokoProject> {
  const told = (await fromDfx(root)) ?? (await fromIcp(root)) ?? (await fromMops(root));
  if (told !== null && (told.canisters.length > 0 || told.others.length > 0)) return told;
  const main = await mainBySources(root, '');
  const name = posix.basename(posix.dirname(posix.resolve('/', main))) || 'main';
  return { canisters: [{ name, main, flags: [], initArg: null }], settings: null, others: [] };
}

/**
 * The one canister of a project.
 * @throws ProjectFileError that says which ones were found when it is not exactly one.
 */
export function onlyCanister(project: MotokoProject): MotokoCanister {
  const [canister, ...more] = project.canisters;
  if (canister === undefined) {
    throw new ProjectFileError(
      `${project.settings ?? 'The repository'} has no Motoko canister, only ${project.others.slice(0, NAMED).join(', ')}.`,
    );
  }
  if (more.length > 0) {
    const shown = project.canisters.slice(0, NAMED).map(({ name, main }) => `${name} (${main})`);
    const names = more.length >= NAMED ? `${shown.join(', ')} and more` : shown.join(', ');
    throw new ProjectFileError(
      `This project has ${project.canisters.length} Motoko canisters: ${names}. ` +
        'A deploy of type MOTOKO makes one canister; projects of several need the type CUSTOM.',
    );
  }
  return canister;
}
