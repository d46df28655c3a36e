import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { freePort, isFree } from '@cannery/dev-env';
import { fillWorld, goOn, lookAt, type ReleaseKeys, type ReleaseRecord } from '../releases/release-world.ts';
import { type DeployWork, workAt } from '../support/deploy-client.ts';
import { type SignInElsewhere, startSignIn } from './sign-in-elsewhere.ts';
import { type BareMachine, boot, makeRoot, type Release } from './bare-machine.ts';
import { packReleases } from './pack-releases.ts';
import { blockAt, places, type Step } from './plan.ts';

/** A first start fetches packages; the machine may be busy. */
const PATIENCE_MS = 300_000;
const LATER_STARTS = 5;
/** Addresses of a Cannery without settings. */
const DEFAULT_PORTS = [4000, 4943] as const;

type Say = (text: string) => void;

/** Carries a block of a page out, as it is written. */
async function follow(machine: BareMachine, step: Step, say: Say): Promise<string> {
  const block = blockAt(places[step]);
  say(`${block.page}, ${block.heading}:\n  ${block.lines.replaceAll('\n', '\n  ')}`);
  const start = performance.now();
  const printed = await machine.run(block.lines);
  say(`  done after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return printed;
}

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`Not so: ${what}`);
}

function mustBeAsBefore(now: unknown, before: unknown, when: string): void {
  if (isDeepStrictEqual(now, before)) return;
  const [one, other] = [before, now].map((facts) => JSON.stringify(facts, undefined, 1).split('\n'));
  const first = (one ?? []).findIndex((line, index) => line !== other?.[index]);
  throw new Error(`${when} something is not as before:\n${one?.[first]}\n${other?.[first]}`);
}

/** Starts the program as somebody who tries it and stops it with Ctrl+C; answers the milliseconds until it was ready. */
async function tryOut(machine: BareMachine, lines: string, folder: string): Promise<number> {
  const begin = performance.now();
  const child = machine.start(lines, { user: 'ada', folder });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  while (!printed.includes('Cannery is ready: http://localhost:4000')) {
    must(child.exitCode === null, `${lines} goes on. It printed:\n${printed}`);
    must(performance.now() - begin < PATIENCE_MS, `${lines} is ready in time. It printed:\n${printed}`);
    await delay(10);
  }
  const took = performance.now() - begin;
  const page = await (await fetch('http://localhost:4000')).text();
  must(page.includes('<div id="root">'), 'the console is shown');
  must((await fetch('http://localhost:4000/api/health')).ok, 'it is healthy');
  // A terminal sends it to all that run in front.
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended;
  return took;
}

interface Server {
  readonly machine: BareMachine;
  readonly url: string;
  readonly networkUrl: string;
}

async function freePair(): Promise<Omit<Server, 'machine'>> {
  const [port, networkPort] = await Promise.all([freePort(), freePort()]);
  return { url: `http://localhost:${port}`, networkUrl: `http://localhost:${networkPort}` };
}

/** Answers when the service does. @throws Error with its journal when it does not */
async function ready({ machine, url }: Server): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await delay(100)) {
    const isReady = await fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    const state = await machine.run('systemctl is-active cannery || true');
    if (state.trim() === 'failed') break;
  }
  throw new Error(
    `The service is not ready:\n${await machine.run('journalctl -u cannery --no-pager | tail -50')}`,
  );
}

/** Brings a bare machine as far as the page has it before the start, and decides what the page leaves to its reader. */
async function installServer(server: Server, signIn: SignInElsewhere, say: Say): Promise<Server> {
  const { root } = server.machine;
  await follow(server.machine, 'install', say);
  // No other machine reaches this one, so it has no proxy; ports are those that are free here.
  const ports = `PORT=${new URL(server.url).port}\nNETWORK_PORT=${new URL(server.networkUrl).port}\n`;
  writeFileSync(join(root, 'etc/cannery/cannery.env'), `${ports}${signIn.settings}`);
  writeFileSync(join(root, 'etc/cannery/secrets/oidc-client-secret'), `${signIn.secret}\n`, { mode: 0o600 });
  return server;
}

/** What a server answers now, to a user who signs in. */
async function lookAgain(
  server: Server,
  folder: string,
  keys: ReleaseKeys,
): Promise<[DeployWork, ReleaseRecord['facts']]> {
  await ready(server);
  const work = await workAt(server, folder);
  return [work, await lookAt(work, keys)];
}

/** Somebody who has a bare machine and tries the program. */
async function tryAsNewcomer(machine: BareMachine, say: Say): Promise<void> {
  await follow(machine, 'packages', say);
  await machine.run(
    'useradd --create-home --shell /bin/bash ada && mkdir /home/ada/try /home/ada/own && cp /root/*1.0.0.tgz /home/ada/try && chown -R ada: /home/ada',
  );
  const { lines } = blockAt(places.tryIt);
  say(`install.md, To try it, as an ordinary user: ${lines}`);
  const firstStart = await tryOut(machine, lines, '/home/ada/try');
  say(`  ready after ${(firstStart / 1000).toFixed(1)} s`);
  const own = { user: 'ada', folder: '/home/ada/own' };
  await machine.run('npm install ../try/cannery-1.0.0.tgz && node_modules/.bin/cannery prepare', own);
  const laterStarts: number[] = [];
  for (let number = 0; number <= LATER_STARTS; number += 1)
    laterStarts.push(await tryOut(machine, 'exec node_modules/.bin/cannery', own.folder));
  // The first one makes its data folder.
  laterStarts.shift();
  say(`  later starts: ${laterStarts.map((ms) => (ms / 1000).toFixed(2)).join(', ')} s`);
}

/** Rights of what the pages say is readable by the server only. */
async function lookAtRights(machine: BareMachine): Promise<void> {
  const data = join(machine.root, 'var/lib/cannery/data');
  must((statSync(data).mode & 0o777) === 0o700, 'the data folder has mode 0700');
  for (const name of ['secrets.key', 'ic-identity.json'])
    must((statSync(join(data, name)).mode & 0o777) === 0o600, `${name} has mode 0600`);
  const user = await machine.run('stat -c %U "/proc/$(systemctl show -p MainPID --value cannery)"');
  must(user.trim() === 'cannery', `the service runs as cannery, not as ${user}`);
}

/** A setting that cannot be used ends the service for good, and the journal says which (setups.md). */
async function misconfigure({ machine, ...addresses }: Server): Promise<void> {
  const file = join(machine.root, 'etc/cannery/cannery.env');
  const settings = readFileSync(file, 'utf8');
  writeFileSync(file, `${settings}LOG_LEVEL=loud\n`);
  await machine.run('systemctl restart cannery; while systemctl is-active cannery; do sleep 0.1; done');
  const state = await machine.run('systemctl show cannery -p ExecMainStatus -p NRestarts -p SubState');
  must(
    /^NRestarts=0$/m.test(state) && /^ExecMainStatus=78$/m.test(state),
    `it is not started again: ${state}`,
  );
  must(
    (await machine.run('journalctl -u cannery -n 20')).includes('LOG_LEVEL'),
    'the journal names the setting',
  );
  writeFileSync(file, settings);
  await machine.run('systemctl start cannery');
  await ready({ machine, ...addresses });
}

async function mustBeVersion(machine: BareMachine, version: string): Promise<void> {
  const shown = await machine.run('/opt/cannery/node_modules/.bin/cannery --version');
  must(shown.trim() === version, `it is ${version}`);
}

/** A server with users: backups, another key, an upgrade, the way back, the end. */
async function runServer(
  server: Server,
  folder: string,
  say: Say,
): Promise<[ReleaseKeys, ReleaseRecord['facts']]> {
  const { machine } = server;
  await follow(machine, 'start', say);
  await ready(server);
  const keys = await fillWorld(await workAt(server, folder));
  await lookAtRights(machine);
  const [, facts] = await lookAgain(server, folder, keys);

  await follow(machine, 'backup', say);
  must((await follow(machine, 'check', say)).includes('The backup is whole.'), 'the backup is whole');
  await follow(machine, 'withKeys', say);
  await follow(machine, 'rotate', say);
  await machine.run('systemctl restart cannery');
  mustBeAsBefore((await lookAgain(server, folder, keys))[1], facts, 'With another key of secrets');

  await follow(machine, 'upgrade', say);
  const [work, upgraded] = await lookAgain(server, folder, keys);
  mustBeAsBefore(upgraded, facts, 'After the upgrade');
  await mustBeVersion(machine, '1.1.0');
  await goOn(work, keys);
  await follow(machine, 'wayBack', say);
  mustBeAsBefore((await lookAgain(server, folder, keys))[1], facts, 'On the way back');
  await mustBeVersion(machine, '1.0.0');
  await misconfigure(server);
  return [keys, facts];
}

/** Brings what was saved onto an empty machine. */
async function restoreOn(
  server: Server,
  from: string,
  folder: string,
  [keys, facts]: readonly [ReleaseKeys, ReleaseRecord['facts']],
  say: Say,
): Promise<void> {
  const { machine } = server;
  for (const path of ['srv/backups/2026-11-29', 'etc/cannery/backup.passphrase']) {
    mkdirSync(join(machine.root, path, '..'), { recursive: true });
    cpSync(join(from, path), join(machine.root, path), { recursive: true });
  }
  await machine.run('chown -R cannery: /srv/backups /etc/cannery/backup.passphrase');
  await follow(machine, 'restore', say);
  const [work, restored] = await lookAgain(server, folder, keys);
  mustBeAsBefore(restored, facts, 'On the other machine');
  await goOn(work, keys);
}

async function removeAll(machine: BareMachine, say: Say): Promise<void> {
  await follow(machine, 'remove', say);
  const left = await machine.run(
    'systemctl is-active cannery || true; ls -d /opt/cannery* /etc/cannery /var/lib/cannery 2>/dev/null || true',
  );
  must(left.trim() === 'inactive', `nothing is left, but there is:\n${left}`);
}

/**
 * Follows the pages for operators on two machines with nothing but Debian.
 * @param folder for their roots; some 4 GB
 * @throws Error with what was printed when a page does not lead where it says
 */
export async function walkOperations(release: Release, folder: string, say: Say): Promise<void> {
  for (const port of DEFAULT_PORTS)
    must(await isFree(port), `port ${port} of this machine is free; stop what uses it`);
  const work = mkdtempSync(join(tmpdir(), 'cannery-walk-'));
  const machines: BareMachine[] = [];
  let signIn: SignInElsewhere | undefined;
  const bareMachine = async (name: string): Promise<BareMachine> => {
    const root = join(folder, name);
    execFileSync('cp', ['-a', join(folder, 'bare'), root]);
    for (const file of readdirSync(join(folder, 'packages')))
      cpSync(join(folder, 'packages', file), join(root, 'root', file));
    const machine = await boot(root);
    machines.push(machine);
    say(`A bare machine: ${readFileSync(join(root, 'etc/debian_version'), 'utf8').trim()}`);
    return machine;
  };
  try {
    packReleases(join(folder, 'packages'));
    makeRoot(join(folder, 'bare'), release);
    const first = await bareMachine('first');
    await tryAsNewcomer(first, say);
    const [one, other, provider] = [await freePair(), await freePair(), await freePort()];
    signIn = await startSignIn(provider, [one.url, other.url]);
    const server = { machine: first, ...one };
    const world = await runServer(await installServer(server, signIn, say), work, say);
    const second = { machine: await bareMachine('second'), ...other };
    await restoreOn(await installServer(second, signIn, say), first.root, work, world, say);
    await removeAll(first, say);
  } finally {
    signIn?.stop();
    for (const machine of machines) await machine.stop();
    rmSync(work, { recursive: true, force: true });
  }
}
