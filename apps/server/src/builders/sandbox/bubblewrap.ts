import { startProgram } from '../../starter/start-program.ts';
import { beforeFirstStep, runContained } from './contained-run.ts';
import { prepareRoot } from './namespaces.ts';
import {
  baseEnvironment,
  commandOf,
  folderCommandSeen,
  folderPlan,
  type HiddenFolders,
  type Mount,
  pathsSeen,
  rootPlan,
  toolchainSeen,
} from './root-plan.ts';
import type { BuildPlace, Sandbox, SandboxLimits } from './sandbox.ts';
import { boundsOf, limitsOf, type StepBounds } from './step-bounds.ts';
import type { Toolchain } from './toolchain.ts';

export interface BubblewrapOptions {
  /** The bwrap program. */
  readonly program: string;
  readonly toolchain: Toolchain;
  readonly hidden: HiddenFolders;
  readonly limits: SandboxLimits;
}

/** uid and gid a build believes to have. */
const UID = 1000;

function mountArguments(mount: Mount): string[] {
  switch (mount.kind) {
    case 'ro':
    case 'copy':
      return ['--ro-bind', mount.source, mount.target];
    case 'rw':
      return ['--bind', mount.source, mount.target];
    case 'link':
      return ['--symlink', mount.text, mount.target];
    case 'tmpfs':
      return ['--size', String(mount.bytes), '--tmpfs', mount.target];
  }
}

/** Isolation by bubblewrap, where the machine has it. */
export function bubblewrapSandbox(options: BubblewrapOptions): Sandbox {
  const { toolchain, hidden } = options;
  const seen = toolchainSeen(toolchain, hidden);
  const prepare = beforeFirstStep(({ root }) => prepareRoot(root, seen, UID));
  const entering = (
    mounts: readonly Mount[],
    { entry }: BuildPlace,
    limits: SandboxLimits,
    bounds: StepBounds,
    argv: readonly string[],
  ) => {
    const [file = '', ...args] = [
      ...entry,
      'prlimit',
      '--core=0',
      `--fsize=${limits.fileBytes}`,
      `--nofile=${limits.openFiles}`,
      '--',
      options.program,
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-cgroup-try',
      '--unshare-net',
      '--uid',
      String(UID),
      '--gid',
      String(UID),
      '--die-with-parent',
      '--new-session',
      '--cap-drop',
      'ALL',
      '--proc',
      '/proc',
      // Kernel settings belong to uid 0 of the machine, which a build is behind its user namespace when the console
      // runs as root. bwrap covers the folder only where it may be written to itself, and not what is in it.
      '--ro-bind',
      '/proc/sys',
      '/proc/sys',
      '--dev',
      '/dev',
      ...mounts.flatMap(mountArguments),
      '--remount-ro',
      '/',
      // A folder in memory that has no bounds.
      '--remount-ro',
      '/dev',
      '--chdir',
      '/build/source',
      '--',
      'prlimit',
      // Counted in the user namespace of this step only.
      `--nproc=${limits.processes}`,
      ...(bounds.processBytes === null ? [] : [`--data=${bounds.processBytes}`]),
      '--',
      ...bounds.filter,
      ...argv,
    ];
    return { file, args };
  };
  return {
    name: 'bubblewrap',
    warning: null,
    ownRoot: true,
    hasUsers: false,
    seen: pathsSeen,
    adopt: async () => undefined,
    async open(_root, base) {
      const { limits } = options;
      const plan = await folderPlan(toolchain, hidden, base);
      // Its code is the server's, which needs no filter.
      const bounds = { ...(await boundsOf(limits)), filter: [] };
      const { file, args } = entering(plan, base, limits, bounds, folderCommandSeen);
      return startProgram(file, args, baseEnvironment({ way: null }), { withInput: true, priority: 'usual' });
    },
    prepare,
    async run(folders, step) {
      await prepare(folders);
      const limits = limitsOf(options.limits, step);
      const bounds = await boundsOf(limits);
      const mounts = await rootPlan(toolchain, hidden, folders, step, bounds.temporaryBytes);
      const env = { ...baseEnvironment(step), ...step.env };
      return runContained(folders, step, limits, {
        ...entering(mounts, folders, limits, bounds, commandOf(step)),
        env,
      });
    },
  };
}
