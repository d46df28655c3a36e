import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFinished } from '@cannery/contract';
import { type Api, type Product, pushFolder } from '@cannery/dev-env';
import { type GitObjects, gitObjects } from '../../../apps/server/test/builds/git-objects.ts';
import { hostileTrees, type Targets } from '../../../apps/server/test/builds/hostile-trees.ts';
import type { Attack } from '../attack.ts';
import type { Probe } from '../probe.ts';
import type { World } from '../world.ts';

const MILLIS = 10_000;
const LOOK_MILLIS = 50;
const SECRET = 'a secret of the server';

/** A deploy of eve, and her repository as a folder of the server's: what she could not push is written past it. */
interface Attacked {
  readonly api: Api;
  readonly git: GitObjects;
  readonly targets: Targets;
  readonly deployId: string;
  /** Some pages of what is live. */
  readonly pages: (...paths: readonly string[]) => Promise<string[]>;
}

const opened = new WeakMap<Product, Promise<Attacked>>();

async function open({ product, eve, folder }: World): Promise<Attacked> {
  const source = mkdtempSync(join(folder, 'first-'));
  writeFileSync(join(source, 'index.html'), 'site');
  await pushFolder({ productUrl: product.url, api: eve, folder: source, owner: 'eve', name: 'attack' });
  const { id } = await eve.call<{ id: string }>('POST', '/deploy', {
    name: 'attack',
    branch: 'main',
    owner: 'eve',
    repo_name: 'attack',
    deploy_type: 'STATIC_SITE',
    build_command: 'test ! -f build.sh || sh build.sh',
  });
  const targets = {
    secret: join(product.dataDir, 'probe-secret'),
    trace: join(product.dataDir, 'probe-trace'),
  };
  writeFileSync(targets.secret, SECRET);
  return {
    api: eve,
    git: gitObjects(join(product.dataDir, 'git', 'eve', 'attack.git')),
    targets,
    deployId: id,
    async pages(...paths) {
      const { canisters } = await eve.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
      const addresses = paths.map((path) => new URL(path, product.networkUrl));
      for (const { searchParams } of addresses) searchParams.set('canisterId', canisters[0] ?? '');
      return Promise.all(addresses.map(async (address) => (await fetch(address)).text()));
    },
  };
}

/** Runs the newest commit, and notes how that ended; a run that takes too long is cancelled. */
async function run(attack: Attack, { api, deployId, targets, pages }: Attacked): Promise<void> {
  const { id } = await api.call<{ id: string }>('POST', `/deploy/${deployId}/trigger`, {});
  const path = `/deploy/${deployId}/instances/${id}`;
  const status = async (): Promise<string> => (await api.call<{ status: string }>('GET', path)).status;
  let now = await status();
  let isCancelled = false;
  for (; !isFinished(now); now = await status()) {
    await delay(LOOK_MILLIS);
    if (!attack.isOver || isCancelled) continue;
    isCancelled = true;
    await api.call('POST', `${path}/cancel`, {});
  }
  attack.note(now);
  const live = now === 'COMPLETED' ? await pages('/', '/key.html', '/out/probe-secret') : [];
  if (existsSync(targets.trace) || live.some((page) => page.includes(SECRET))) attack.note('reached');
}

function build(name: string, make: (attacked: Attacked) => string): Probe {
  return {
    name: `build: ${name}`,
    at: 'server',
    millis: MILLIS,
    async run(attack, world) {
      const waiting = opened.get(world.product) ?? open(world);
      opened.set(world.product, waiting);
      const attacked = await waiting;
      attacked.git.commit(make(attacked));
      await run(attack, attacked);
    },
  };
}

const FILE = '100644';

/** Commands that a tenant has a build run, in a shell. */
const COMMANDS: Readonly<Record<string, (targets: Targets) => string>> = {
  'a folder that is a link to the root of the machine': () => 'ln -s / root; ln -s /proc/self/root self',
  'a folder that is a link to that of the server': ({ secret }) => `ln -s "$(dirname ${secret})" out`,
  'a page that is a link to a secret': ({ secret }) => `ln -s ${secret} key.html`,
  'a page that is a link to a secret through the root of a process': ({ secret }) =>
    `ln -s /proc/1/root${secret} key.html`,
  'links in a circle': () => 'ln -s b a; ln -s a b; ln -s . c',
  '100,000 links': () => `mkdir l; perl -e 'symlink("/", "l/$_") for 1 .. 100000'`,
  'pipes, sockets and devices': () => 'mkfifo pipe; mknod zero c 1 5; mknod disk b 254 0; true',
  'folders 3,000 deep': () => `perl -e 'for (1 .. 3000) { mkdir "deep"; chdir "deep" }'`,
  'names of control characters': () => `perl -e 'open(F, ">", "a\\e[2J\\n$_") for 1 .. 1000'`,
  '200,000 files': () => `perl -e 'for (1 .. 200000) { open(F, ">", "f$_") }'`,
  'folders without rights': () => 'mkdir -p a/b/c; touch a/b/c/d; chmod 0 a/b/c a/b a',
  'a file of 500 GB that has nothing': () => 'truncate -s 500G big || true',
  'all of the disk at once': () => 'fallocate -l 100G big; fallocate -l 1G small; true',
  'writing without an end': () => 'cat /dev/zero > big',
  'memory without an end': () => `node -e 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))'`,
  'memory in /tmp without an end': () => 'cat /dev/zero > /tmp/big; cat /dev/zero > /dev/shm/big',
  'memory in files without a name': () =>
    `perl -e 'for (1 .. 100) { my $fd = syscall(319, "x", 0); open(my $f, ">&=", $fd); push @all, $f; print $f "x" x 1e8 }'`,
  'processes without an end': () => `perl -e 'while (1) { fork() }'`,
  'processes that outlive it': () => 'for i in 1 2 3; do setsid sleep 1000 & nohup sleep 1000 & done',
  'threads without an end': () =>
    `node -e 'const { Worker } = require("worker_threads"); for (let i = 0; i < 1000; i++) new Worker("setInterval(() => {}, 1e3)", { eval: true }).on("error", () => {})'`,
  'all cores': () => 'for i in 1 2 3 4 5 6 7 8; do (while :; do :; done) & done; wait',
  'sockets without an end': () =>
    `node -e 'const n = require("net"); const s = n.createServer().listen(0, () => { for (let i = 0; i < 20000; i++) n.connect(s.address().port).on("error", () => {}) })'`,
  'a line without an end': () => `tr '\\0' x < /dev/zero`,
  'lines without an end': () => 'yes',
  'lines of escapes': () => `yes "$(printf '\\033]0;title\\007\\033[31m\\r::set-output')" | head -200000`,
  'signals to every process': () => 'kill -STOP -1; kill -9 -1',
  'programs of its own on the path': () =>
    'mkdir -p node_modules/.bin; for i in node npm git sh rm find cp chmod; do printf "#!/bin/sh\\ncat /etc/shadow\\n" > node_modules/.bin/$i; chmod +x node_modules/.bin/$i; done; node --version',
  'settings of tools that lead away': ({ trace }) =>
    `printf 'modules-dir=/var/cache/npm\\nprefix=/\\ncache=/\\n' > .npmrc; printf '[core]\\n\\thooksPath=/tmp\\n\\tfsmonitor=touch ${trace}\\n' > .gitconfig; cp .gitconfig "$HOME"; npm config list; true`,
  'caches that are links': () =>
    'rm -rf /var/cache/npm/*; ln -s / /var/cache/npm/_cacache; ln -s / "$HOME/.cache"; true',
  'a way into the views of others': () =>
    'for i in /proc/[0-9]*; do nsenter -t "${i#/proc/}" -a true; ls $i/root; done; unshare -Ur true; mount -t tmpfs x /mnt; true',
};

/** What runs as a build of a tenant: each hostile commit as it is, and each command. */
export const builds: readonly Probe[] = [
  ...hostileTrees.map(({ what, make }) => build(`commit: ${what}`, ({ git, targets }) => make(git, targets))),
  ...Object.entries(COMMANDS).map(([what, command]) =>
    build(what, ({ git, targets }) =>
      git.tree([FILE, 'build.sh', git.blob(`${command(targets)}\n`)], [FILE, 'index.html', git.blob('site')]),
    ),
  ),
];
