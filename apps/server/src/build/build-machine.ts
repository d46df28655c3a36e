import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, isLoopback } from '../config.ts';
import { textOf } from '../errors.ts';
import type { EgressProxy, WayOut } from '../egress/egress-proxy.ts';
import { packageEgress } from '../egress/hosts.ts';
import { hasGit } from '../git/run-git.ts';
import type { Logger } from '../logger.ts';
import { removeStaleGroups } from './cgroup.ts';
import { chooseSandbox } from './choose-sandbox.ts';
import { sizeOfFolder } from './folder-size.ts';
import { type OperatorNpm, readOperatorNpm } from './operator-npm.ts';
import { packageMachine, type PackageMachine, packagesFolder } from './packages/package-machine.ts';
import { removeFolder } from './remove-folder.ts';

import { defaultLimits, NoSandboxError, type Sandbox } from './sandbox.ts';
import { findMeans, gapsOf } from './step-bounds.ts';
import { BuildError } from './step-runner.ts';
import { findToolchain, NoNpmError, type Toolchain } from './toolchain.ts';

/** What this machine offers to builds; found out once, when the worker starts. */
export interface BuildMachine {
  readonly sandbox: Sandbox;
  readonly toolchain: Toolchain;
  /** Folder in which builds happen. */
  readonly buildsFolder: string;
  /** npm's cache of a user. No two users share one: what a cache gives back was put there by its owner's builds. */
  cacheOf(userId: string): string;
  /** Folder of the Motoko modules that are kept for a user: nobody is told by a quick build what others have compiled. */
  keptModulesOf(userId: string): string;
  /** Removes what no build needs: folders of builds that ended long ago and caches that have grown too large. */
  tidy(): Promise<void>;
  readonly operator: OperatorNpm;
  /** Opens a way out to registries and git hosts for one build. */
  openWay(onNote: (text: string) => void): Promise<WayOut>;
  readonly packages: PackageMachine;
  /** What the operator should know; empty when all is well. */
  readonly warnings: readonly string[];
}

const PROJECT_ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Older build folders belong to no build: every limit of a build is shorter. */
const STALE_MS = 4 * 60 * 60 * 1000;
/** A kept module that no run has used for so long, in milliseconds, is given up. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;
/** Bytes of what is fetched for one user, and of the packages kept for one; beyond that it starts empty. */
const CACHE_LIMIT = 4 * 1024 ** 3;
/** Files and folders of one of them that are counted. */
const CACHE_ENTRIES = 2_000_000;
const NO_GIT = 'git was not found on the PATH of the server. Install it: repositories and deploys need it.';

/** Stands where no sandbox works: it runs nothing and says why. */
function noSandbox(reason: string): Sandbox {
  return {
    name: 'none',
    warning: null,
    ownRoot: false,
    adopt: async () => undefined,
    run: async () => {
      throw new BuildError(reason);
    },
  };
}

async function entriesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => join(folder, name));
}

/** Removes what is in a folder and has not been changed for a time, in milliseconds. */
async function removeOld(
  folder: string,
  age: number,
  remove: (path: string) => Promise<void>,
): Promise<void> {
  for (const path of await entriesOf(folder)) {
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > age) await remove(path);
  }
}

interface TidiedFolders {
  readonly builds: string;
  /** npm's caches, a folder for each user. */
  readonly caches: string;
  /** Motoko modules, a folder for each user. */
  readonly modules: string;
  readonly packages: string;
}

async function tidyUp({ builds, caches, modules, packages }: TidiedFolders): Promise<void> {
  await removeStaleGroups(STALE_MS);
  await removeOld(builds, STALE_MS, removeFolder);
  const ofUsers = await entriesOf(modules);
  for (const folder of ofUsers) await removeOld(folder, UNUSED_MS, (path) => rm(path, { force: true }));
  for (const path of [packages, ...ofUsers, ...(await entriesOf(caches))]) {
    const { bytes, entries } = await sizeOfFolder(path, { bytes: CACHE_LIMIT, entries: CACHE_ENTRIES });
    if (bytes > CACHE_LIMIT || entries > CACHE_ENTRIES) await removeFolder(path);
  }
}

/** Finds the tools and the sandbox for builds. A machine without them still compiles Motoko, which needs neither. */
export async function findBuildMachine(
  config: Config,
  log: Logger,
  env: NodeJS.ProcessEnv,
  egress: EgressProxy,
): Promise<BuildMachine> {
  const buildsFolder = join(config.dataDir, 'builds');
  const cachesFolder = join(config.dataDir, 'cache', 'npm');
  const modulesFolder = join(config.dataDir, 'cache', 'motoko');
  for (const folder of [buildsFolder, cachesFolder, modulesFolder])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  const warnings = (await hasGit()) ? [] : [NO_GIT];
  const common = {
    buildsFolder,
    cacheOf: (userId: string) => join(cachesFolder, userId),
    keptModulesOf: (userId: string) => join(modulesFolder, userId),
    tidy: () =>
      tidyUp({
        builds: buildsFolder,
        caches: cachesFolder,
        modules: modulesFolder,
        packages: packagesFolder(config.dataDir),
      }),
  };
  try {
    const toolchain = await findToolchain(env);
    const sandbox = await chooseSandbox({
      toolchain,
      hidden: { dataDir: config.dataDir, projectRoot: PROJECT_ROOT.replace(/\/$/, '') },
      limits: { ...defaultLimits, memoryBytes: config.build.memoryMegabytes * 1024 ** 2 },
      buildsFolder,
      searchPath: env.PATH ?? '',
      allowBare: config.identity.embedded && isLoopback(config.host),
      log,
    });
    log.info({ sandbox: sandbox.name }, 'builds run in a sandbox');
    const operator = await readOperatorNpm(toolchain, env);
    return {
      ...common,
      toolchain,
      sandbox,
      operator,
      packages: packageMachine(config, egress, sandbox.ownRoot ? 'socket' : 'loopback'),
      openWay: (onNote) =>
        egress.open({
          hosts: packageEgress(config.egress, operator.registries),
          at: sandbox.ownRoot ? 'socket' : 'loopback',
          onNote,
        }),
      warnings: [
        ...warnings,
        ...(sandbox.warning === null ? [] : [sandbox.warning]),
        ...(process.platform === 'linux' ? gapsOf(await findMeans()) : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof NoSandboxError || error instanceof NoNpmError)) throw error;
    const reason = textOf(error);
    log.error(reason);
    const toolchain = { node: process.execPath, npm: '' };
    return {
      ...common,
      toolchain,
      operator: await readOperatorNpm(toolchain, env),
      packages: packageMachine(config, egress, 'loopback'),
      openWay: async () => {
        throw new BuildError(reason);
      },
      sandbox: noSandbox(reason),
      warnings: [...warnings, reason],
    };
  }
}
