import { posix } from 'node:path';
import { ProjectFileError } from '../source/project-file-error.ts';
import { projectPath, readProjectFile } from '../source/project-files.ts';
import { parseLenientJson } from '../source/settings-text.ts';
import { expectRoomForCanister, readSettings } from './canister-settings.ts';
import { type Fields, fieldsOf, textOf, textsOf } from '../source/fields.ts';
import { flagsOf, importedCanisters } from './motoko-sources.ts';
import { leftReason } from './left-out.ts';
import type { Declarations, PlannedCanister, Project } from './plan.ts';
import { dfxArgument } from './read-argument.ts';
import { flagAliases } from '../source/aliases.ts';
import { rustCanister } from './rust-canister.ts';
import type { ProjectFiles } from '../tenant/project-files.ts';

const FILE = 'dfx.json';

/** The network's name in dfx.json. */
export type NetworkName = 'local' | 'ic';

/** Reads dfx.json; null when there is none. @throws ProjectFileError when it cannot be read or leads nowhere */
export async function readDfx(root: ProjectFiles, network: NetworkName): Promise<Project | null> {
  const text = await readProjectFile(root, FILE);
  if (text === null) return null;
  const settings = fieldsOf(parseLenientJson(text, FILE));
  const sharedFlags = flagsOf(fieldsOf(fieldsOf(settings.defaults).build).args);
  const canisters: PlannedCanister[] = [];
  const remarks: string[] = [];
  const declarations: Record<string, Declarations> = {};
  for (const [name, value] of Object.entries(fieldsOf(settings.canisters))) {
    expectRoomForCanister(canisters.length);
    const fields = fieldsOf(value);
    const { settings: applied, notApplied } = readSettings(fieldsOf(fields.initialization_values));
    if (notApplied.length > 0)
      remarks.push(`Settings of ${name} that are not applied: ${notApplied.join(', ')}.`);
    const common = {
      name,
      folder: '',
      dependencies: textsOf(fields.dependencies),
      argument: await dfxArgument(root, FILE, fields),
      settings: applied,
    };
    canisters.push(await canisterOf(root, common, fields, { network, sharedFlags }));
    const bindings = declarationsOf(fieldsOf(fields.declarations));
    if (bindings !== null)
      declarations[name] = { ...bindings, folder: bindings.folder || defaultFolder(name) };
  }
  const envFile = textOf(settings.output_env_file);
  return {
    canisters,
    settings: FILE,
    envFile: envFile === null ? null : projectPath(FILE, envFile),
    declarations,
    remarks,
  };
}

/** Where dfx puts the bindings of a canister unless told otherwise. */
export function defaultFolder(name: string): string {
  return `src/declarations/${name}`;
}

function declarationsOf(fields: Fields): Declarations | null {
  const output = textOf(fields.output);
  const idOverride = textOf(fields.env_override);
  if (output === null && idOverride === null) return null;
  return { folder: output === null ? '' : projectPath(FILE, output), idOverride };
}

async function canisterOf(
  root: ProjectFiles,
  common: Pick<PlannedCanister, 'name' | 'folder' | 'dependencies' | 'argument' | 'settings'>,
  fields: Fields,
  { network, sharedFlags }: { network: NetworkName; sharedFlags: readonly string[] },
): Promise<PlannedCanister> {
  const type = textOf(fields.type) ?? 'motoko';
  const { name } = common;
  const remoteId = textOf(fieldsOf(fieldsOf(fields.remote).id)[network]);
  const candid = textOf(fields.candid);
  const written = candid === null || isAddress(candid) ? candid : projectPath(FILE, candid);
  const realId = textOf(fieldsOf(fieldsOf(fields.remote).id).ic);
  const left = (reason: string, id: string | null = null): PlannedCanister => ({
    ...common,
    kind: 'left',
    type,
    reason,
    id,
    candid: written,
    realId,
  });
  if (remoteId !== null) return left(`it is ${remoteId} on this network`, remoteId);
  switch (type) {
    case 'motoko': {
      const main = textOf(fields.main);
      if (main === null) throw new ProjectFileError(`${FILE}: the canister ${name} has no "main" file.`);
      const flags = fields.args === undefined ? sharedFlags : flagsOf(fields.args);
      const path = projectPath(FILE, main);
      const dependencies = [
        ...new Set([
          ...common.dependencies,
          ...flagAliases(flags).map(({ canister }) => canister),
          ...(await importedCanisters(root, path)),
        ]),
      ];
      return { ...common, dependencies, kind: 'motoko', main: path, flags };
    }
    case 'assets': {
      const sources = textsOf(fields.source).map((source) => projectPath(FILE, source));
      return { ...common, kind: 'site', sources, commands: await siteCommands(root, fields, sources) };
    }
    case 'custom': {
      const wasm = textOf(fields.wasm);
      if (wasm === null) throw new ProjectFileError(`${FILE}: the canister ${name} has no "wasm" file.`);
      const path = isAddress(wasm) ? wasm : projectPath(FILE, wasm);
      return {
        ...common,
        kind: 'module',
        commands: textsOf(fields.build),
        wasm: path,
        candid: written,
        realId,
        sha256: null,
      };
    }
    case 'rust': {
      // As old templates of dfx: a package of the canister's name.
      const given = { package: textOf(fields.package) ?? name, crate: textOf(fields.crate) };
      return rustCanister(common, { ...given, candid: written, realId }, FILE);
    }
    case 'pull':
      return left('it is a canister of somebody else', textOf(fields.id));
    default:
      return left(leftReason(type));
  }
}

/** The commands of dfx that make a website: its own, else the npm script where there is a package.json. */
async function siteCommands(
  root: ProjectFiles,
  fields: Fields,
  sources: readonly string[],
): Promise<string[]> {
  const own = textsOf(fields.build);
  if (own.length > 0) return own;
  if ((await readProjectFile(root, 'package.json')) === null) return commandsAbove(root, sources);
  const workspace = textOf(fields.workspace);
  if (!isPlain(workspace)) return [];
  return [`npm run build --if-present${workspace === null ? '' : ` --workspace ${workspace}`}`];
}

/** How far above a folder of a website its package.json may lie. */
const FOLDERS_ABOVE = 3;

/**
 * The command that makes the folders of a website where dfx runs none and they are not committed: `frontend/dist` is made by the
 * package in `frontend`, which its owner would build by hand.
 */
async function commandsAbove(root: ProjectFiles, sources: readonly string[]): Promise<string[]> {
  for (const source of sources) if (await root.isFolder(source)) return [];
  for (const source of sources) {
    let folder = posix.dirname(source);
    for (let up = 0; up < FOLDERS_ABOVE && folder !== '.'; up++, folder = posix.dirname(folder)) {
      const kind = isPlain(folder) ? await root.kindOf(posix.join(folder, 'package.json')) : 'none';
      if (kind === 'file') return [`cd ${folder} && npm run build --if-present`];
    }
  }
  return [];
}

/** Whether a text is a file elsewhere, by its address. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** A name that means only itself to a shell. */
function isPlain(name: string | null): boolean {
  return name === null || /^[@\w./-]+$/.test(name);
}
