import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, isLoopback } from '../config.ts';
import { textOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { chooseSandbox } from './choose-sandbox.ts';
import { removeFolder } from './remove-folder.ts';
import { defaultLimits, NoSandboxError, type Sandbox } from './sandbox.ts';
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
  readonly operator: NodeJS.ProcessEnv;
  /** What the operator should know; empty when all is well. */
  readonly warnings: readonly string[];
}

const PROJECT_ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Older build folders belong to no build: every limit of a build is shorter. */
const STALE_MS = 4 * 60 * 60 * 1000;

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

async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > STALE_MS) await removeFolder(path);
  }
}

/** Finds the tools and the sandbox for builds. A machine without them still compiles Motoko, which needs neither. */
export async function findBuildMachine(
  config: Config,
  log: Logger,
  operator: NodeJS.ProcessEnv,
): Promise<BuildMachine> {
  const buildsFolder = join(config.dataDir, 'builds');
  await mkdir(buildsFolder, { recursive: true, mode: 0o700 });
  await removeStale(buildsFolder);
  const common = {
    buildsFolder,
    operator,
    cacheOf: (userId: string) => join(config.dataDir, 'cache', 'npm', userId),
  };
  try {
    const toolchain = await findToolchain(operator);
    const sandbox = await chooseSandbox({
      toolchain,
      hidden: { dataDir: config.dataDir, projectRoot: PROJECT_ROOT.replace(/\/$/, '') },
      limits: { ...defaultLimits, memoryBytes: config.build.memoryMegabytes * 1024 ** 2 },
      buildsFolder,
      searchPath: operator.PATH ?? '',
      allowBare: config.identity.embedded && isLoopback(config.host),
      log,
    });
    log.info({ sandbox: sandbox.name }, 'builds run in a sandbox');
    return { ...common, toolchain, sandbox, warnings: sandbox.warning === null ? [] : [sandbox.warning] };
  } catch (error) {
    if (!(error instanceof NoSandboxError || error instanceof NoNpmError)) throw error;
    const reason = textOf(error);
    log.error(reason);
    return {
      ...common,
      toolchain: { node: process.execPath, npm: '' },
      sandbox: noSandbox(reason),
      warnings: [reason],
    };
  }
}
