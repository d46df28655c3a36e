import { posix } from 'node:path';
import { Glob, GlobError } from '../../../glob/glob.ts';
import type { ProjectPackage } from '../../source/package-files.ts';
import { readPackageFile } from '../../source/package-files-thread.ts';
import type { TenantFolder } from '../../tenant/tenant-folder.ts';
import { chooseTool, type LockFile, lockFiles, type NamedTools, type PackageTool } from './choose-tool.ts';

/** Where the packages of a folder are installed, and how. */
export interface InstallRoot {
  /** Relative to the checkout; empty for the checkout itself. */
  readonly folder: string;
  readonly own: ProjectPackage;
  /** The package in whose folder the command runs, when that is a workspace below. */
  readonly member: { readonly folder: string; readonly own: ProjectPackage } | null;
  readonly tool: PackageTool;
  /** Whether several packages are installed together. */
  readonly workspaces: boolean;
  /** Whether settings of pnpm lie above the folder that are those of other packages: pnpm must not take them for its. */
  readonly underOthers: boolean;
  /** The Node that is asked for, and the file that asks; null when none does. */
  readonly node: { readonly wish: string; readonly because: string } | null;
}

/** Bytes of a file whose beginning is read. */
const HEAD_BYTES = 2_048;
const PNPM_WORKSPACE = 'pnpm-workspace.yaml';
/** Bytes of that file which are looked at, and the line that makes packages below its: without it, it has settings alone. */
const WORKSPACE_BYTES = 64 * 1024;
const HAS_PACKAGES = /^["']?packages["']?[ \t]{0,9}:/m;
const NODE_FILES: readonly string[] = ['.nvmrc', '.node-version'];
/** Most characters of a line that names a version of Node. */
const LONGEST_WISH = 100;

/** The first bytes of a plain file as text; null when there is none. */
async function headOf(source: TenantFolder, path: string, bytes = HEAD_BYTES): Promise<string | null> {
  const found = await source.read(path, bytes, { head: true });
  return typeof found === 'string' ? null : found.toString('utf8');
}

async function locksIn(source: TenantFolder, folder: string): Promise<LockFile[]> {
  const heads = await Promise.all(lockFiles.map((name) => headOf(source, posix.join(folder, name))));
  return lockFiles.flatMap((name, index) => {
    const head = heads[index] ?? null;
    return head === null ? [] : [{ name, head }];
  });
}

/** A folder and those above it, up to the checkout. */
function upwards(folder: string): string[] {
  const chain = [folder];
  for (let next = folder; next !== ''; ) {
    next = posix.dirname(next) === '.' ? '' : posix.dirname(next);
    chain.push(next);
  }
  return chain;
}

/** Whether a folder is one of the workspaces that patterns name; a later pattern with '!' takes folders out again. */
export function isMember(patterns: readonly string[], path: string): boolean {
  let member = false;
  for (const pattern of patterns) {
    const isOut = pattern.startsWith('!');
    const text = pattern.replace(/^!/, '').replace(/^\.\//, '').replace(/\/$/, '');
    try {
      if (new Glob(text, { acrossFolders: false }).matches(path)) member = !isOut;
    } catch (error) {
      if (!(error instanceof GlobError)) throw error;
    }
  }
  return member;
}

/**
 * Finds where the packages of a folder are installed: in the folder itself, or in the root of the workspaces that it
 * belongs to. Null when the folder has no package.json.
 * @param folder relative to the checkout, inside it
 * @param named the tools that the build command names
 */
export async function findInstallRoot(
  source: TenantFolder,
  folder: string,
  named: NamedTools,
  signal: AbortSignal,
): Promise<InstallRoot | null> {
  const read = (at: string): Promise<ProjectPackage | null> =>
    readPackageFile('project', source, posix.join(at, 'package.json'), signal);
  const first = await read(folder);
  if (first === null) return null;
  const chain: { folder: string; own: ProjectPackage | null }[] = [{ folder, own: first }];
  // One after the other: a package.json may be large, and is read in a thread then.
  for (const above of upwards(folder).slice(1)) chain.push({ folder: above, own: await read(above) });

  let root = { folder, own: first };
  const settings = new Map<string, string>();
  for (const { folder: at } of chain) {
    const text = await headOf(source, posix.join(at, PNPM_WORKSPACE), WORKSPACE_BYTES);
    if (text !== null) settings.set(at, text);
  }
  let pnpmWorkspace = settings.has(folder);
  if (!pnpmWorkspace && (await locksIn(source, folder)).length === 0) {
    for (const { folder: above, own } of chain.slice(1)) {
      const asPnpm = HAS_PACKAGES.test(settings.get(above) ?? '');
      if (!asPnpm && (own === null || !isMember(own.workspaces, posix.relative(above, folder)))) continue;
      root = { folder: above, own: own ?? { ...first, scripts: [] } };
      pnpmWorkspace = asPnpm;
      break;
    }
  }
  const declared = chain.find(({ own }) => own !== null && own.packageManager !== null)?.own?.packageManager;
  const workspaces = pnpmWorkspace || root.own.workspaces.length > 0;
  return {
    folder: root.folder,
    own: { ...root.own, needsPackages: root.own.needsPackages || workspaces },
    member: root.folder === folder ? null : { folder, own: first },
    tool: chooseTool(declared ?? null, await locksIn(source, root.folder), named),
    workspaces,
    underOthers:
      !pnpmWorkspace &&
      upwards(root.folder)
        .slice(1)
        .some((at) => settings.has(at)),
    node: await nodeWish(source, chain),
  };
}

/** The nearest file that asks for a Node. package.json counts first: what it says is what the project works with. */
async function nodeWish(
  source: TenantFolder,
  chain: readonly { folder: string; own: ProjectPackage | null }[],
): Promise<InstallRoot['node']> {
  for (const { folder, own } of chain) {
    if (own !== null && own.node !== null) return { wish: own.node, because: 'package.json' };
    const heads = await Promise.all(NODE_FILES.map((name) => headOf(source, posix.join(folder, name))));
    for (const [index, name] of NODE_FILES.entries()) {
      const line = heads[index]
        ?.split('\n')
        .map((text) => text.trim())
        .find((text) => text !== '' && !text.startsWith('#'));
      if (line !== undefined && line.length <= LONGEST_WISH) return { wish: line, because: name };
    }
  }
  return null;
}
