import { lchown, mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../../starter/start-program.ts';
import { beforeFirstStep, runContained } from './contained-run.ts';
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
import { BUILD_UID } from '../process/build-user.ts';
import type { BuildPlace, Sandbox, SandboxLimits } from './sandbox.ts';
import { boundsOf, limitsOf, type StepBounds } from './step-bounds.ts';
import { diskOf } from '../tenant/disk-of.ts';
import { type Toolchain, writeCommands } from './toolchain.ts';

const enterRoot = fileURLToPath(new URL('enter-root.sh', import.meta.url));

export interface NamespaceOptions {
  readonly toolchain: Toolchain;
  readonly hidden: HiddenFolders;
  readonly limits: SandboxLimits;
  /** True where the server is root and may mount without a user namespace. */
  readonly asRoot: boolean;
}

/** Values by their keys, in the order of the keys. */
function grouped(pairs: readonly (readonly [string, string])[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const [key, value] of pairs) groups.set(key, [...(groups.get(key) ?? []), value]);
  return [...groups].map(([key, values]) => [key, ...values]);
}

/** The plan as lines of fields: folders, then what lies in them, then what is mounted on them, in its order. */
async function planLines(mounts: readonly Mount[]): Promise<string[][]> {
  const folders = new Set<string>();
  const copies: [string, string][] = [];
  const links: [string, string][] = [];
  const mounted: string[][] = [];
  for (const mount of mounts) {
    const { kind, target } = mount;
    const folder = dirname(target);
    if (kind === 'link' || kind === 'copy') {
      const from = kind === 'link' ? mount.text : mount.source;
      folders.add(folder);
      if (basename(from) === basename(target)) (kind === 'link' ? links : copies).push([folder, from]);
      else mounted.push([kind, from, target]);
    } else if (kind === 'tmpfs') {
      folders.add(target);
      mounted.push([kind, `size=${mount.bytes},nr_inodes=${mount.entries}`, target]);
    } else {
      // What a build may write is a folder, always.
      folders.add(kind === 'rw' || (await stat(mount.source)).isDirectory() ? target : folder);
      mounted.push([kind, mount.source, target]);
    }
  }
  folders.delete('/');
  return [
    ['folders', '.', ...[...folders].map((folder) => `.${folder}`)],
    ...grouped(copies).map((fields) => ['copies', ...fields]),
    ...grouped(links).map((fields) => ['links', ...fields]),
    ...mounted,
  ];
}

/** The plan as enter-root.sh reads it. @throws RangeError for text that would break its lines. */
async function planText(mounts: readonly Mount[], env: Readonly<Record<string, string>>): Promise<string> {
  const lines = await planLines(mounts);
  for (const [name, value] of Object.entries(env)) lines.push(['env', `${name}=${value}`]);
  for (const field of lines.flat()) {
    // oxlint-disable-next-line no-control-regex -- control characters are exactly what must not get through
    if (/[\x00-\x1f]/.test(field))
      throw new RangeError('A path or value of the build has a control character.');
  }
  return `${lines.map((line) => line.join('\t')).join('\n')}\n`;
}

/** Writes what a build sees as its machine: the list of users, and the commands that come first on its path. */
export async function prepareRoot(root: string, seen: Toolchain, uid: number): Promise<void> {
  await mkdir(join(root, 'etc'), { recursive: true });
  await mkdir(join(root, 'root'), { recursive: true });
  await writeFile(
    join(root, 'etc', 'passwd'),
    `build:x:${uid}:${uid}:build:/build/home:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n`,
  );
  await writeFile(join(root, 'etc', 'hosts'), '127.0.0.1 localhost\n::1 localhost\n');
  // Without it the C library asks a name server first, which a build has none of, and ends there.
  await writeFile(
    join(root, 'etc', 'nsswitch.conf'),
    'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n',
  );
  await writeFile(join(root, 'etc', 'group'), `build:x:${uid}:\nnogroup:x:65534:\n`);
  await writeCommands(root, seen);
}

/** A command behind the words that let it see the disk of its build. */
function startOf({ entry }: BuildPlace, words: readonly string[]) {
  const [file = '', ...args] = [...entry, ...words];
  return { file, args, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } };
}

/** Isolation made of `unshare`, `mount`, `pivot_root` and `setpriv` of util-linux, which every Linux has. */
export function namespaceSandbox(options: NamespaceOptions): Sandbox {
  const { toolchain, hidden, asRoot } = options;
  const seen = toolchainSeen(toolchain, hidden);
  const user = asRoot ? [] : ['--user', '--map-root-user'];
  const userOf = (build: Pick<BuildPlace, 'user'>): number => build.user ?? BUILD_UID;
  const prepare = beforeFirstStep((folders) => prepareRoot(folders.root, seen, asRoot ? userOf(folders) : 0));
  /** The words that move into a root made for a build, and become `argv` there. */
  const entering = (
    root: string,
    build: BuildPlace,
    limits: SandboxLimits,
    bounds: StepBounds,
    argv: readonly string[],
  ) =>
    startOf(build, [
      'setpriv',
      '--pdeathsig',
      'KILL',
      '--',
      'unshare',
      ...user,
      '--mount',
      '--propagation',
      'private',
      '--pid',
      '--fork',
      '--kill-child=KILL',
      '--ipc',
      '--uts',
      '--net',
      '--',
      'sh',
      enterRoot,
      join(root, 'root'),
      asRoot ? String(userOf(build)) : '-',
      ...[bounds.processes ?? '-', limits.fileBytes, limits.openFiles, bounds.processBytes ?? '-'].map(
        String,
      ),
      '--',
      ...bounds.filter,
      ...argv,
    ]);
  return {
    name: 'namespaces',
    warning: null,
    ownRoot: true,
    hasUsers: asRoot,
    seen: pathsSeen,
    async adopt(empty, user) {
      if (asRoot)
        for (const folder of empty) await lchown(diskOf(folder), userOf({ user }), userOf({ user }));
    },
    async open(root, base) {
      await mkdir(join(root, 'root'), { recursive: true });
      const plan = await folderPlan(toolchain, hidden, base);
      const text = await planText(plan, baseEnvironment({ way: null }));
      const { limits } = options;
      // Its code is the server's, which needs no filter.
      const bounds = { ...(await boundsOf(limits)), filter: [] };
      const { file, args, env } = entering(root, base, limits, bounds, folderCommandSeen);
      const program = await startProgram(file, args, env, { withInput: true, priority: 'usual' });
      program.input?.write(`${text}input\n`);
      return program;
    },
    prepare,
    async run(folders, step) {
      await prepare(folders);
      const limits = limitsOf(options.limits, step);
      const bounds = await boundsOf(limits);
      const plan = await rootPlan(toolchain, hidden, folders, step, bounds.temporaryBytes);
      const command = {
        ...entering(folders.root, folders, limits, bounds, commandOf(step)),
        input: `${await planText(plan, { ...baseEnvironment(step), ...step.env })}machine\n`,
      };
      return runContained(folders, step, limits, command);
    },
  };
}
