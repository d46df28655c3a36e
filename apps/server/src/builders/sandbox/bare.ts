import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { startProgram } from '../../starter/start-program.ts';
import { beforeFirstStep, runContained } from './contained-run.ts';
import { gitConfigFile, gitEnvironmentOf, proxyEnvironment } from '../process/step-environment.ts';
import { folderCommand, folderProgram } from './root-plan.ts';
import type { Sandbox, SandboxLimits, TenantBase } from './sandbox.ts';
import { diskOf } from '../tenant/disk-of.ts';
import { type Toolchain, writeCommands } from './toolchain.ts';

export interface BareOptions {
  readonly toolchain: Toolchain;
  readonly limits: SandboxLimits;
  readonly warning: string;
}

const MARK = 'CANNERY_STEP';
const KILL_ROUNDS = 20;

/** Processes that carry the mark of a step in their environment, wherever they have gone to. */
async function marked(mark: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(entry)) continue;
    const environ = await readFile(`/proc/${entry}/environ`, 'latin1').catch(() => '');
    if (environ.includes(`${MARK}=${mark}\0`)) found.push(Number(entry));
  }
  return found;
}

async function killMarked(mark: string): Promise<void> {
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    const pids = await marked(mark);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
  }
}

/** Starts the folder program with the rights of the server: where no code of a project is kept from having them. */
export function openBare(base: TenantBase): ReturnType<typeof startProgram> {
  const [file = '', ...args] = folderCommand({
    node: process.execPath,
    program: folderProgram,
    base: diskOf(base),
  });
  return startProgram(file, args, { PATH: '/usr/bin:/bin' }, { withInput: true, priority: 'usual' });
}

/**
 * No isolation: a clean environment, a separate process group, limits and a warning. The way out is only named in the
 * environment: npm and git follow it, and keep away from what it refuses, but code of a project can reach whatever the
 * machine can. Only for a console that nobody but its own machine's user can reach.
 */
export function bareSandbox(options: BareOptions): Sandbox {
  const prepare = beforeFirstStep(({ root }) => writeCommands(root, options.toolchain));
  return {
    name: 'bare',
    warning: options.warning,
    ownRoot: false,
    hasUsers: false,
    seen: {
      source: ({ source }) => diskOf(source),
      home: ({ home }) => diskOf(home),
      cache: (folder) => diskOf(folder),
      program: ({ disk }) => disk,
    },
    adopt: async () => undefined,
    open: (_root, base) => openBare(base),
    prepare,
    async run(folders, step) {
      await prepare(folders);
      const mark = randomUUID();
      const [file = 'sh', ...args] = step.argv;
      const source = diskOf(folders.source);
      const home = diskOf(folders.home);
      const env = {
        PATH: [
          ...(step.programs ?? []).map(({ disk, bin }) => join(disk, bin)),
          join(folders.root, 'commands'),
          '/usr/local/bin',
          '/usr/bin',
          '/bin',
          '/opt/homebrew/bin',
          ...(step.packagesIn === undefined
            ? []
            : [join(source, step.packagesIn, 'node_modules', '.bin'), join(source, 'node_modules', '.bin')]),
          join(folders.root, 'stand-ins'),
        ].join(delimiter),
        HOME: home,
        TMPDIR: home,
        LANG: 'C.UTF-8',
        ...gitEnvironmentOf(gitConfigFile),
        ...(step.way === null ? {} : proxyEnvironment(step.way)),
        ...step.env,
        [MARK]: mark,
      };
      const command = { file, args, env, cwd: source };
      return runContained(folders, step, options.limits, command, { killRest: () => killMarked(mark) });
    },
  };
}
