import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Releases of Debian that the pages name. */
export type Release = 'bookworm' | 'trixie';

const MIRROR = 'http://deb.debian.org/debian';
/** What each server has that was installed from Debian's own media, and `minbase` has not. */
const INCLUDED = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates'];
/** Systemd of a root without other services is up after a second or two. */
const BOOT_MS = 60_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * How this machine reaches package registries: the variables that tell programs of a proxy and of authorities. A machine
 * behind none has none of them.
 */
const WAY_OUT = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** A root of Debian with its systemd as process 1, beside the machine that it runs on, whose network it shares. */
export interface BareMachine {
  /** The folder of its root. */
  readonly root: string;
  /** Runs lines of a shell as somebody who types them. @throws Error with all that was printed when they fail */
  run(lines: string, as?: { readonly user?: string; readonly folder?: string }): Promise<string>;
  /** Starts lines of a shell that go on until they are stopped, as a user. */
  start(lines: string, as: { readonly user: string; readonly folder: string }): ChildProcess;
  /** Ends all its processes; its root stays. */
  stop(): Promise<void>;
}

/** Why no bare machine can be made here; null when it can. */
export function whyNoBareMachine(): string | null {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0)
    return 'Only root on Linux makes bare machines.';
  const isMissing = spawnSync('debootstrap', ['--version'], { stdio: 'ignore' }).error !== undefined;
  if (isMissing) return 'debootstrap is missing: apt-get install debootstrap';
  return controlGroups() === undefined ? 'This machine shows no control groups of version 2.' : null;
}

function controlGroups(): string | undefined {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  return mounts.map((line) => line.split(' ')).find(([, , type]) => type === 'cgroup2')?.[1];
}

/** Makes a root by debootstrap; takes a minute or two. @throws Error when it cannot */
export function makeRoot(root: string, release: Release): void {
  execFileSync(
    'debootstrap',
    ['--variant=minbase', `--include=${INCLUDED.join(',')}`, release, root, MIRROR],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  // Nobody sits there to say yes.
  writeFileSync(
    join(root, 'etc/apt/apt.conf.d/90-yes'),
    'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n',
  );
  // Debian's installer writes it, debootstrap does not.
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost ip6-localhost\n');
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']) {
    const file = process.env[name];
    if (file === undefined) continue;
    mkdirSync(join(root, dirname(file)), { recursive: true });
    copyFileSync(file, join(root, file));
  }
}

/**
 * Mounts what a machine has at its start, makes the root the only one, and becomes systemd. Mounts are shared with the namespaces of
 * services, which systemd takes for granted in a container: credentials come to a service that way.
 */
const BOOT = `set -e
mount --bind "$1" "$1" && cd "$1"
mount -t proc proc proc && mount -t sysfs sys sys && mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 dev dev && mkdir dev/pts dev/shm
for node in null zero full random urandom tty; do touch "dev/$node" && mount --bind "/dev/$node" "dev/$node"; done
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts && ln -s pts/ptmx dev/ptmx
mount -t tmpfs -o mode=1777 shm dev/shm && ln -s /proc/self/fd dev/fd
mount -t tmpfs run run
mkdir -p old && pivot_root . old && umount -l /old && mount --make-rshared /
exec env -i container=cannery PATH="$2" /sbin/init`;

/** Joins a control group, so that the systemd inside sees that one as the root of all. */
const JOIN = 'echo $$ > "$1/cgroup.procs" && shift && exec "$@"';

function makeGroup(name: string): string {
  const group = join(controlGroups() ?? '', `cannery-walk-${process.pid}-${name}`);
  mkdirSync(group, { recursive: true });
  return group;
}

/** A group goes when those in it have gone. */
function removeGroup(group: string): void {
  if (!existsSync(group)) return;
  for (const entry of readdirSync(group, { withFileTypes: true }))
    if (entry.isDirectory()) removeGroup(join(group, entry.name));
  rmdirSync(group);
}

/** The process that is process 1 inside: the only child of `unshare`. */
async function firstProcess(parent: number): Promise<string> {
  for (const end = Date.now() + BOOT_MS; Date.now() < end; await delay(50)) {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
    if (children !== '') return children;
  }
  throw new Error('The bare machine did not begin to start.');
}

/** Boots a root. @throws Error when its systemd does not come up */
export async function boot(root: string): Promise<BareMachine> {
  const group = makeGroup(basename(root));
  const namespaces = ['--mount', '--pid', '--uts', '--ipc', '--cgroup', '--fork', '--propagation', 'private'];
  const inside = ['unshare', ...namespaces, '--kill-child', 'sh', '-c', BOOT, 'sh', root, PATH];
  const machine = spawn('sh', ['-c', JOIN, 'sh', group, ...inside], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  machine.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  if (machine.pid === undefined) throw new Error('The bare machine cannot be started.');
  const first = await firstProcess(machine.pid);
  const wayOut = WAY_OUT.flatMap((name) =>
    process.env[name] === undefined ? [] : [`${name}=${process.env[name]}`],
  );
  const authorities = process.env['NODE_EXTRA_CA_CERTS'];
  if (authorities !== undefined) wayOut.push(`npm_config_cafile=${authorities}`);

  const start = (lines: string, as: { readonly user?: string; readonly folder?: string }): ChildProcess => {
    const { user = 'root', folder = '/root' } = as;
    const home = user === 'root' ? '/root' : `/home/${user}`;
    const env = ['env', '-i', `HOME=${home}`, `USER=${user}`, `PATH=${PATH}`, 'LANG=C.UTF-8', ...wayOut];
    const shell = ['bash', '-e', '-c', `cd "$1" && ${lines}`, 'bash', folder];
    const entered = ['--target', first, '--mount', '--pid', '--uts', '--ipc', '--cgroup', '--root'];
    return spawn('nsenter', [...entered, 'env', '--chdir=/', 'runuser', '-u', user, '--', ...env, ...shell], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of processes, as a terminal makes one.
      detached: true,
    });
  };
  const run: BareMachine['run'] = async (lines, as = {}) => {
    const child = start(lines, as);
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`This ended with ${code}:\n${lines}\nIt printed:\n${printed}`);
    return printed;
  };
  const stop = async (): Promise<void> => {
    const ended = once(machine, 'close');
    process.kill(Number(first), 'SIGKILL');
    await ended;
    removeGroup(group);
  };
  try {
    // 'degraded' is up as well: units of hardware fail where there is none.
    await run(
      'until systemctl is-system-running 2>/dev/null | grep -qE "running|degraded"; do sleep 0.1; done',
    );
  } catch (error) {
    await stop().catch(() => undefined);
    throw new Error(`The bare machine did not start. It said:\n${complaints}`, { cause: error });
  }
  return { root, run, start, stop };
}
