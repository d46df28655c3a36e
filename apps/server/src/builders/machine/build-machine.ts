import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, isLoopback } from '../../config/config.ts';
import { CRATES_INDEX } from '../../config/env.ts';
import { textOf } from '../../errors.ts';
import type { EgressProxy, WayOut } from '../../egress/egress-proxy.ts';
import { packageEgress } from '../../egress/hosts.ts';
import { hasGit } from '../../git/repository/run-git.ts';
import type { Logger } from '../../log/logger.ts';
import { openBare } from '../sandbox/bare.ts';
import { chooseSandbox } from './choose-sandbox.ts';
import { DiskRoom } from '../disks/disk-room.ts';
import { findImages } from '../disks/find-images.ts';
import { userIdsBeside } from '../disks/tenant-disk.ts';
import type { ImageStore } from '../disks/image-store.ts';
import { type OperatorNpm, readOperatorNpm } from '../step/operator-npm.ts';
import { packageMachine, type PackageMachine, packagesFolder } from '../packages/programs/package-machine.ts';
import type { ProgramStore } from '../packages/programs/fetch-program.ts';
import { pathsSeen } from '../sandbox/root-plan.ts';
import { defaultLimits, NoSandboxError, type Sandbox } from '../sandbox/sandbox.ts';
import { findMeans, gapsOf } from '../sandbox/step-bounds.ts';
import { BuildError } from '../build-error.ts';
import { openWorkspace, startResident, type WorkspaceMachine } from '../disks/workspace.ts';
import { PROGRAMS_OWNER, tidyUp } from './tidy-up.ts';
import type { RustToolchain } from '../sandbox/rust-toolchain.ts';
import { findToolchain, NoNpmError, type Toolchain } from '../sandbox/toolchain.ts';

/** What this machine offers to builds; found out once, when the worker starts. */
export interface BuildMachine extends WorkspaceMachine {
  readonly sandbox: Sandbox;
  readonly toolchain: Toolchain;
  /** What compiles Rust canisters; null where nothing does. */
  readonly rust: RustToolchain | null;
  readonly programs: ProgramStore;
  /** Folder of the Motoko modules that are kept for a user: nobody is told by a quick build what others have compiled. */
  keptModulesOf(userId: string): string;
  /** Removes what no build needs: folders of builds that ended long ago and caches that have grown too large. */
  tidy(): Promise<void>;
  readonly operator: OperatorNpm;
  /** Opens a way out to registries and git hosts for one build. */
  openWay(onNote: (text: string) => void): Promise<WayOut>;
  readonly packages: PackageMachine;
  /** Lets go of what no build has; builds that run end first. */
  close(): Promise<void>;
  /** What the operator should know; empty when all is well. */
  readonly warnings: readonly string[];
}

/** The index of crates that the operator names; it may be private, which that of crates.io may not. */
function ownIndex({ rust }: Config): string[] {
  return rust.indexUrl === CRATES_INDEX ? [] : [rust.indexUrl];
}

const PROJECT_ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const NO_GIT = 'git was not found on the PATH of the server. Install it: repositories and deploys need it.';

/** Stands where no sandbox works: it runs nothing and says why. */
function noSandbox(reason: string): Sandbox {
  return {
    name: 'none',
    warning: null,
    ownRoot: false,
    hasUsers: false,
    seen: pathsSeen,
    adopt: async () => undefined,
    prepare: async () => undefined,
    // No code of a tenant runs here, so that nothing but plain files and folders is in its folders.
    open: (_root, base) => openBare(base),
    run: async () => {
      throw new BuildError(reason);
    },
  };
}

/** Finds the tools and the sandbox for builds. A machine without them still compiles Motoko, which needs neither. */
export async function findBuildMachine(
  config: Config,
  log: Logger,
  env: NodeJS.ProcessEnv,
  egress: EgressProxy,
  rust: RustToolchain | null = null,
): Promise<BuildMachine> {
  const buildsFolder = join(config.dataDir, 'builds');
  const tenantsFolder = join(config.dataDir, 'tenants');
  const programsFolder = join(config.dataDir, 'cache', 'programs');
  const modulesFolder = join(config.dataDir, 'cache', 'motoko');
  for (const folder of [buildsFolder, tenantsFolder, programsFolder, modulesFolder])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  const warnings = (await hasGit()) ? [] : [NO_GIT];
  const room = new DiskRoom(config.dataDir);
  // Beside the small step that shows whether a sandbox works.
  const finding = findImages({
    folder: join(config.dataDir, 'disks'),
    users: userIdsBeside(tenantsFolder),
    most: { bytes: defaultLimits.diskBytes, entries: defaultLimits.entries },
    log,
  });
  const machineWith = (sandbox: Sandbox, images?: ImageStore) => {
    const machine: WorkspaceMachine = { sandbox, buildsFolder, tenantsFolder, images, room };
    images?.keepReady((disk) => startResident(machine, disk));
    // What the server fetches moves from there into the store, which only a folder on the same disk does at once.
    const apart = { ...machine, images: undefined };
    const folders = {
      modules: modulesFolder,
      packages: packagesFolder(config.dataDir),
      programs: programsFolder,
    };
    return {
      sandbox,
      buildsFolder,
      tenantsFolder,
      images,
      room,
      programs: {
        folder: programsFolder,
        openWorkspace: () => openWorkspace(apart, { owner: PROGRAMS_OWNER, id: randomUUID() }),
      },
      keptModulesOf: (userId: string) => join(modulesFolder, userId),
      tidy: () => tidyUp(machine, folders),
      close: async () => images?.close(),
    };
  };
  try {
    const toolchain = await findToolchain(env);
    const sandbox = await chooseSandbox({
      toolchain,
      hidden: { dataDir: config.dataDir, projectRoot: PROJECT_ROOT.replace(/\/$/, '') },
      limits: {
        ...defaultLimits,
        memoryBytes: config.build.memoryMegabytes * 1024 ** 2,
        processes: config.build.processes,
      },
      buildsFolder,
      tenantsFolder,
      searchPath: env.PATH ?? '',
      allowBare: config.identity.embedded && isLoopback(config.host),
      log,
    });
    log.info({ sandbox: sandbox.name }, 'builds run in a sandbox');
    const operator = await readOperatorNpm(toolchain, env);
    const { images, gaps } = await finding;
    return {
      // Without a separate root a step would not find its disk.
      ...machineWith(sandbox, sandbox.ownRoot ? images : undefined),
      toolchain,
      rust,
      operator,
      packages: packageMachine(config, egress, sandbox.ownRoot ? 'socket' : 'loopback'),
      openWay: (onNote) =>
        egress.open({
          hosts: packageEgress(config.egress, [...operator.registries, ...ownIndex(config)]),
          at: sandbox.ownRoot ? 'socket' : 'loopback',
          onNote,
        }),
      warnings: [
        ...warnings,
        ...(sandbox.warning === null ? [] : [sandbox.warning]),
        ...(process.platform === 'linux' ? gapsOf(await findMeans()) : []),
        ...gaps,
      ],
    };
  } catch (error) {
    if (!(error instanceof NoSandboxError || error instanceof NoNpmError)) throw error;
    const reason = textOf(error);
    log.error(reason);
    const toolchain = { node: process.execPath, npm: '' };
    return {
      ...machineWith(noSandbox(reason)),
      toolchain,
      rust: null,
      operator: await readOperatorNpm(toolchain, env),
      packages: packageMachine(config, egress, 'loopback'),
      openWay: async () => {
        throw new BuildError(reason);
      },
      warnings: [...warnings, reason],
    };
  }
}
