import { chown, lchown, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runContained } from './contained-run.ts';
import {
  baseEnvironment,
  commandOf,
  type HiddenFolders,
  type Mount,
  rootPlan,
  toolchainSeen,
} from './root-plan.ts';
import type { BuildFolders, Sandbox, SandboxLimits } from './sandbox.ts';
import { boundsOf, limitsOf } from './step-bounds.ts';
import { type Toolchain, writeCommands } from './toolchain.ts';

const enterRoot = fileURLToPath(new URL('enter-root.sh', import.meta.url));

/** uid and gid of builds when the server is root: one that no distribution gives to anybody. */
export const BUILD_UID = 61_970;

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
      folders.add((await stat(mount.source)).isDirectory() ? target : folder);
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

/** Gives a folder and all in it to another user, never following a link out of it. */
async function give(folder: string, uid: number): Promise<void> {
  await chown(folder, uid, uid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await give(path, uid);
    else await lchown(path, uid, uid);
  }
}

/** Writes what a build sees as its machine: the list of users, and the commands that come first on its path. */
export async function prepareRoot(folders: BuildFolders, seen: Toolchain, uid: number): Promise<void> {
  await mkdir(join(folders.root, 'etc'), { recursive: true });
  await mkdir(join(folders.root, 'root'), { recursive: true });
  await writeFile(
    join(folders.root, 'etc', 'passwd'),
    `build:x:${uid}:${uid}:build:/build/home:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n`,
  );
  await writeFile(join(folders.root, 'etc', 'hosts'), '127.0.0.1 localhost\n::1 localhost\n');
  // Without it the C library asks a name server first, which a build has none of, and ends there.
  await writeFile(
    join(folders.root, 'etc', 'nsswitch.conf'),
    'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n',
  );
  await writeFile(join(folders.root, 'etc', 'group'), `build:x:${uid}:\nnogroup:x:65534:\n`);
  await writeCommands(folders.root, seen);
}

/** Isolation made of `unshare`, `mount`, `pivot_root` and `setpriv` of util-linux, which every Linux has. */
export function namespaceSandbox(options: NamespaceOptions): Sandbox {
  const { toolchain, hidden, asRoot } = options;
  const seen = toolchainSeen(toolchain, hidden);
  const user = asRoot ? [] : ['--user', '--map-root-user'];
  return {
    name: 'namespaces',
    warning: null,
    ownRoot: true,
    async adopt(folders) {
      await prepareRoot(folders, seen, asRoot ? BUILD_UID : 0);
      if (asRoot) {
        await give(folders.source, BUILD_UID);
        await give(folders.home, BUILD_UID);
      }
    },
    async run(folders, step) {
      if (asRoot && step.cache !== undefined) await chown(step.cache, BUILD_UID, BUILD_UID);
      const limits = limitsOf(options.limits, step);
      const bounds = await boundsOf(limits);
      const plan = await rootPlan(toolchain, hidden, folders, step, bounds.temporaryBytes);
      const command = {
        file: 'setpriv',
        args: [
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
          join(folders.root, 'root'),
          asRoot ? String(BUILD_UID) : '-',
          ...[bounds.processes ?? '-', limits.fileBytes, limits.openFiles, bounds.processBytes ?? '-'].map(
            String,
          ),
          '--',
          ...bounds.filter,
          ...commandOf(step),
        ],
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        input: await planText(plan, { ...baseEnvironment(step), ...step.env }),
      };
      return runContained(folders, step, limits, command);
    },
  };
}
