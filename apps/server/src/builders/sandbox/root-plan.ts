import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kindOf } from '../process/machine-paths.ts';
import { gitConfigFile, gitEnvironmentOf, proxyEnvironment } from '../process/step-environment.ts';
import type { BuildFolders, SandboxStep, SeenPaths, TenantBase } from './sandbox.ts';
import { cachePath, homePath, sourcePath, tenantPath } from './sandbox.ts';
import { BuildError } from '../build-error.ts';
import { diskOf, mountedDiskOf } from '../tenant/disk-of.ts';
import type { TenantFolder } from '../tenant/tenant-folder.ts';
import type { Toolchain } from './toolchain.ts';

/** One entry of the small root file system that a build sees. */
export type Mount =
  | { readonly kind: 'ro' | 'rw' | 'copy'; readonly source: string; readonly target: string }
  | { readonly kind: 'link'; readonly text: string; readonly target: string }
  | { readonly kind: 'tmpfs'; readonly bytes: number; readonly entries: number; readonly target: string };

/** Where a build sees the server's tools; no system has this folder. */
const TOOLS = '/opt/cannery';
const COMMANDS = `${TOOLS}/bin`;
const STAND_INS = `${TOOLS}/stand-ins`;
const BUILD = '/build';
/** Where a step sees the socket of its way out, and the program that brings it to a port of the step's own loopback. */
const WAY = `${TOOLS}/way`;
const BRIDGE = `${TOOLS}/bridge.mjs`;
const GIT_CONFIG = `${TOOLS}/gitconfig`;
/** The port that HTTP proxies have by custom; the step has a separate loopback. */
const BRIDGE_PORT = 3128;

/** The proxy that a step with a way out finds on its loopback. */
export const wayAddress = `http://127.0.0.1:${BRIDGE_PORT}`;

const bridge = fileURLToPath(new URL('./bridge.mjs', import.meta.url));
/** The folder program; see its main.mjs. */
export const folderProgram = fileURLToPath(new URL('../folder-program', import.meta.url));
/** Where the sandbox shows it. */
const FOLDER_PROGRAM = `${TOOLS}/folder-program`;

/** Programs and libraries of the machine; read-only, and a build needs nothing else of it. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];

/** Where programs find their libraries. */
const LIBRARY_SETTINGS = ['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d'];

/** Other settings that programs expect to find; none of them is secret. */
const SETTINGS = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/pki/tls/certs',
  '/etc/protocols',
  '/etc/services',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
];

/** Programs of installed packages, in the folder of their package.json. */
const BINS = 'node_modules/.bin';

/** Most files and folders in /tmp and in /dev/shm, which lie in memory: each takes about 1 kB of it. */
const TEMPORARY_ENTRIES = 100_000;
/** Bytes of a folder that only hides what is below. */
const COVER_BYTES = 4096;

async function shared(path: string): Promise<Mount[]> {
  const kind = await kindOf(path);
  if (kind === 'none') return [];
  if (kind === 'link' && dirname(path) === '/') {
    return [{ kind: 'link', text: await readlink(path), target: path }];
  }
  if (kind === 'folder') return [{ kind: 'ro', source: path, target: path }];
  // A link such as resolv.conf may lead to a folder that the build does not get: take what it leads to.
  const content = await stat(path).catch(() => null);
  return content?.isFile() ? [{ kind: 'copy', source: path, target: path }] : [];
}

/** What stays out of sight although it may lie under a system folder. */
export interface HiddenFolders {
  readonly dataDir: string;
  readonly projectRoot: string;
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Path of the npm package as a build sees it: in place when that is visible anyway. */
function npmSeen(toolchain: Toolchain, hidden: HiddenFolders): string {
  const visible =
    SYSTEM.some((folder) => isUnder(toolchain.npm, folder)) &&
    !isUnder(toolchain.npm, hidden.projectRoot) &&
    !isUnder(toolchain.npm, hidden.dataDir);
  return visible ? toolchain.npm : `${TOOLS}/npm`;
}

/** Node and npm under the paths a build sees. */
export function toolchainSeen(toolchain: Toolchain, hidden: HiddenFolders): Toolchain {
  return { node: `${TOOLS}/node`, npm: npmSeen(toolchain, hidden) };
}

const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Where a step sees the programs that were fetched for its build, by their places in its list. */
export function programsSeen(index: number): string {
  return `${TOOLS}/programs/${index}`;
}

/** The paths where steps have a separate root. */
export const pathsSeen: SeenPaths = {
  source: () => sourcePath,
  home: () => homePath,
  cache: () => cachePath,
  program: (_program, index) => programsSeen(index),
};

/**
 * Search path inside: our node before that of the machine, then what the machine has, and only then programs of installed
 * packages: no program of ours or of the system is replaced by one of a project.
 */
function searchPath({ programs = [], packagesIn }: Pick<SandboxStep, 'programs' | 'packagesIn'>): string {
  const source = `${BUILD}/source`;
  const bins = packagesIn === undefined ? [] : [join(source, packagesIn, BINS), join(source, BINS)];
  return [
    ...programs.map(({ bin }, index) => join(programsSeen(index), bin)),
    COMMANDS,
    ...SYSTEM_PATH,
    ...new Set(bins),
    STAND_INS,
  ].join(':');
}

/** A folder of a tenant as a mount; it is where the server has made it. @throws BuildError when it is not */
async function tenantMount(folder: TenantFolder | TenantBase, target: string): Promise<Mount> {
  const own = diskOf(folder);
  const source = mountedDiskOf(folder);
  // On the disk of a build all folders above it are the server's, and its path begins with a link to that disk.
  const isInPlace = own === source ? (await realpath(own)) === own : (await lstat(own)).isDirectory();
  if (!isInPlace) throw new BuildError('A folder of the build is not where it was made.');
  return { kind: 'rw', source, target };
}

/** Programs of the machine, and our node. */
async function programsPlan({ node }: Toolchain, hidden: HiddenFolders): Promise<Mount[]> {
  const system = (await Promise.all([...SYSTEM, ...LIBRARY_SETTINGS].map(shared))).flat();
  const under = [hidden.dataDir, hidden.projectRoot].filter((path) =>
    SYSTEM.some((folder) => isUnder(path, folder)),
  );
  return [
    ...system,
    ...under.map((target): Mount => ({ kind: 'tmpfs', bytes: COVER_BYTES, entries: 1, target })),
    { kind: 'ro', source: node, target: `${TOOLS}/node` },
  ];
}

/** A folder in memory. */
function temporary(target: string, bytes: number): Mount {
  return { kind: 'tmpfs', bytes, entries: TEMPORARY_ENTRIES, target };
}

/** The machine as a build sees it, without any folder of a tenant. */
async function machinePlan(
  toolchain: Toolchain,
  hidden: HiddenFolders,
  root: string,
  temporaryBytes: number,
): Promise<Mount[]> {
  const npm = npmSeen(toolchain, hidden);
  return [
    ...(await programsPlan(toolchain, hidden)),
    ...(await Promise.all(SETTINGS.map(shared))).flat(),
    { kind: 'copy', source: join(root, 'etc', 'passwd'), target: '/etc/passwd' },
    { kind: 'copy', source: join(root, 'etc', 'group'), target: '/etc/group' },
    { kind: 'copy', source: join(root, 'etc', 'hosts'), target: '/etc/hosts' },
    { kind: 'copy', source: join(root, 'etc', 'nsswitch.conf'), target: '/etc/nsswitch.conf' },
    { kind: 'copy', source: gitConfigFile, target: GIT_CONFIG },
    { kind: 'ro', source: join(root, 'commands'), target: COMMANDS },
    { kind: 'ro', source: join(root, 'stand-ins'), target: STAND_INS },
    ...['/tmp', '/dev/shm'].map((target) => temporary(target, temporaryBytes)),
    ...(npm === toolchain.npm ? [] : [{ kind: 'ro', source: toolchain.npm, target: npm } satisfies Mount]),
  ];
}

/**
 * Everything a step sees, in the order it has to be put in place.
 * @param temporaryBytes most bytes of each of its folders that lie in memory
 * @throws BuildError for a folder that is not where it was made
 */
export async function rootPlan(
  toolchain: Toolchain,
  hidden: HiddenFolders,
  folders: BuildFolders,
  step: Pick<SandboxStep, 'way' | 'cache' | 'files' | 'programs' | 'hasEmptyHome'>,
  temporaryBytes: number,
): Promise<Mount[]> {
  const plan = await machinePlan(toolchain, hidden, folders.root, temporaryBytes);
  plan.push(
    await tenantMount(folders.source, sourcePath),
    step.hasEmptyHome === true
      ? temporary(homePath, temporaryBytes)
      : await tenantMount(folders.home, homePath),
  );
  if (step.way !== null) {
    plan.push({ kind: 'ro', source: step.way, target: WAY });
    plan.push({ kind: 'ro', source: bridge, target: BRIDGE });
  }
  if (step.cache !== undefined) plan.push(await tenantMount(step.cache, cachePath));
  for (const [index, { disk }] of (step.programs ?? []).entries())
    plan.push({ kind: 'ro', source: await realpath(disk), target: programsSeen(index) });
  for (const [target, source] of step.files ?? []) plan.push({ kind: 'copy', source, target });
  return plan;
}

/** Bytes of its folders in memory. */
const FOLDER_TEMPORARY = 16 * 1024 ** 2;

/**
 * Everything the folder program sees: one tenant's folders, and no home or checkout of a build but in them. It starts with each
 * run, and each mount takes a millisecond of that.
 */
export async function folderPlan(
  toolchain: Toolchain,
  hidden: HiddenFolders,
  base: TenantBase,
): Promise<Mount[]> {
  return [
    ...(await programsPlan(toolchain, hidden)),
    temporary('/tmp', FOLDER_TEMPORARY),
    { kind: 'tmpfs', bytes: COVER_BYTES, entries: 1, target: `${BUILD}/source` },
    { kind: 'ro', source: folderProgram, target: FOLDER_PROGRAM },
    await tenantMount(base, tenantPath),
  ];
}

/** MB of memory for objects of the folder program. */
const FOLDER_HEAP = 512;

/** The command that is the folder program. @param at where it is, and the folders it works on */
export function folderCommand(at: { node: string; program: string; base: string }): readonly string[] {
  return [at.node, `--max-old-space-size=${FOLDER_HEAP}`, join(at.program, 'main.mjs'), at.base];
}

/** The same inside. */
export const folderCommandSeen = folderCommand({
  node: `${TOOLS}/node`,
  program: FOLDER_PROGRAM,
  base: tenantPath,
});

/** The command of a step, behind the bridge to its way out where it has one. */
export function commandOf(step: Pick<SandboxStep, 'argv' | 'way'>): readonly string[] {
  return step.way === null ? step.argv : [`${TOOLS}/node`, BRIDGE, WAY, String(BRIDGE_PORT), ...step.argv];
}

/** Environment every step has; a step's own values come on top. */
export function baseEnvironment(
  step: Pick<SandboxStep, 'way' | 'programs' | 'packagesIn'>,
): Record<string, string> {
  return {
    ...gitEnvironmentOf(GIT_CONFIG),
    ...(step.way === null ? {} : proxyEnvironment(wayAddress)),
    PATH: searchPath(step),
    HOME: `${BUILD}/home`,
    TMPDIR: '/tmp',
    SHELL: '/bin/sh',
    USER: 'build',
    LOGNAME: 'build',
    LANG: 'C.UTF-8',
  };
}
