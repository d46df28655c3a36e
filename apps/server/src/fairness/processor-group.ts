import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Where groups of version 1 that share out the processor are (cgroups(7)); with version 2 the tree is the machine's to lay out. */
const ROOT = '/sys/fs/cgroup/cpu';
const SERVER_GROUP = 'cannery-server-';
const PROGRAMS_GROUP = 'programs';
const NETWORK_GROUP = 'network';
/** What one session of a machine has (`kernel/sched/core.c`, weight of niceness 0). */
const SESSION = 1024;
/** Server, network and database are a session each where sessions compete: together they get what they had. */
const SERVER_SHARES = 3 * SESSION;
/** Weight of niceness 15 (`sched_prio_to_weight`): what the session of tenants' programs had among the server's. */
const PROGRAMS_SHARES = 36;
const TRIES = 3;

/** The group of this process, as a path of the file system; null where there are none of this kind. */
async function ownGroup(): Promise<string | null> {
  const own = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const path = /^\d+:(?:[^:\n]*,)?cpu(?:,[^:\n]*)?:(.*)$/m.exec(own)?.[1];
  return path === undefined ? null : join(ROOT, path);
}

/** @param process by its id; 0 is this one */
async function enter(folder: string, shares: number, process = 0): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'cpu.shares'), String(shares));
  await writeFile(join(folder, 'cgroup.procs'), String(process));
}

/** Removes what servers that have ended left; the kernel keeps each group that has a process. */
async function removeOld(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(SERVER_GROUP)) continue;
    const folder = join(parent, name);
    // A server that runs may just be making a group for a build.
    if ((await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '')) !== '') continue;
    const inner = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of inner)
      if (entry.isDirectory()) await rmdir(join(folder, entry.name)).catch(() => undefined);
    await rmdir(folder).catch(() => undefined);
  }
}

/**
 * Puts this process, and all that it starts from now on, into a control group. Builds then give way to the server and not
 * to everything else that the machine does: they compete inside the group, and the group competes with the rest.
 * Where no group can be made, nothing changes.
 */
export async function joinServerGroup(): Promise<void> {
  const parent = await ownGroup();
  if (parent === null) return;
  // Another server that starts now may take the empty group for an old one.
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      await removeOld(parent);
      await enter(join(parent, `${SERVER_GROUP}${randomUUID()}`), SERVER_SHARES);
      return;
    } catch {
      // Without the right to make one.
    }
  }
}

/** Puts this process, which starts programs for tenants, beside the server in its group, where they give way to it as a whole. */
export async function joinProgramsGroup(): Promise<void> {
  await enterInside(PROGRAMS_GROUP, PROGRAMS_SHARES);
}

/** The network has many threads: inside the group, too, all of them together weigh as much as the server's. */
export async function weighAsOne(network: number): Promise<void> {
  await enterInside(NETWORK_GROUP, SESSION, network);
}

async function enterInside(name: string, shares: number, process?: number): Promise<void> {
  const own = await ownGroup();
  if (own === null || !basename(own).startsWith(SERVER_GROUP)) return;
  await enter(join(own, name), shares, process).catch(() => undefined);
}
