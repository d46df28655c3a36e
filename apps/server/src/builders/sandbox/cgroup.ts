import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxLimits } from './sandbox.ts';

/** A control group of one build: what is started in it shares one bound on memory and processes. */
export interface ControlGroup {
  /** Files into which a process writes '0' to join. */
  readonly joinFiles: readonly string[];
  /** Whether it bounds processes as well; memory it always does. */
  readonly boundsProcesses: boolean;
  /** Whether the kernel has ended a process in it, since all of them together used too much memory. */
  isExceeded(): Promise<boolean>;
  /** Ends every process in it, wherever in the machine's tree of processes it has gone to. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

const ROOT = '/sys/fs/cgroup';
const GROUP_PREFIX = 'cannery-build-';
/** Controllers of version 1 that bound a build. */
const CONTROLLERS = ['memory', 'pids', 'cpu'] as const;
/**
 * How much of a busy processor a build gets, compared with 100 of everything else. Niceness alone is no bound: where
 * sessions compete, a build can make as many as it likes (`fairness/step-back.ts`).
 */
const CPU_WEIGHT = 10;
/** Version 1 counts the same in 1024 parts. */
const CPU_SHARES = Math.round((CPU_WEIGHT / 100) * 1024);
const REMOVE_TRIES = 20;
const REMOVE_PAUSE_MS = 50;
const KILL_PAUSE_MS = 10;

async function removeFolders(folders: readonly string[]): Promise<void> {
  for (let attempt = 0; attempt < REMOVE_TRIES; attempt += 1) {
    const results = await Promise.allSettled(folders.map((folder) => rmdir(folder)));
    if (results.every((result) => result.status === 'fulfilled')) return;
    // The kernel lets a group go a moment after its last process.
    await new Promise((resolve) => setTimeout(resolve, REMOVE_PAUSE_MS));
  }
}

/** Ends what is in a group, until nothing is: what is being started meanwhile is found in the next round. */
async function killMembers(joinFiles: readonly string[]): Promise<void> {
  for (let attempt = 0; attempt < REMOVE_TRIES; attempt += 1) {
    const lists = await Promise.all(joinFiles.map((file) => readFile(file, 'utf8').catch(() => '')));
    const pids = new Set(lists.flatMap((list) => list.split('\n')).filter((line) => line !== ''));
    if (pids.size === 0) return;
    for (const pid of pids) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, KILL_PAUSE_MS));
  }
}

/** @param events file in which the kernel counts the processes that it has ended */
function groupAt(
  folders: readonly [string, ...string[]],
  events: string,
  boundsProcesses: boolean,
): ControlGroup {
  const joinFiles = folders.map((folder) => join(folder, 'cgroup.procs'));
  return {
    joinFiles,
    boundsProcesses,
    async isExceeded() {
      const counted = await readFile(join(folders[0], events), 'utf8').catch(() => '');
      return /^oom_kill [1-9]/m.test(counted);
    },
    kill: () => killMembers(joinFiles),
    remove: () => removeFolders(folders),
  };
}

type Settings = readonly (readonly [file: string, value: string, required: boolean])[];

async function makeGroup(folder: string, settings: Settings): Promise<boolean> {
  try {
    await mkdir(folder);
    for (const [file, value, required] of settings) {
      const written = writeFile(join(folder, file), value);
      await (required ? written : written.catch(() => undefined));
    }
    return true;
  } catch {
    await rmdir(folder).catch(() => undefined);
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function ownPath(controller: string): Promise<string | undefined> {
  const own = await readFile('/proc/self/cgroup', 'utf8');
  if (controller === '') return own.match(/^0::(.*)$/m)?.[1];
  return own.match(new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm'))?.[1];
}

/** Folders below which our groups may be made: version 2 first, then one for each controller of version 1. */
async function unifiedParents(): Promise<string[]> {
  return [ROOT, join(ROOT, (await ownPath('')) ?? '/', '..')];
}

async function splitParent(controller: string): Promise<string | null> {
  const path = await ownPath(controller);
  return path === undefined ? null : join(ROOT, controller, path);
}

/** Version 2: one tree; controllers reach our group when the parent passes them on. */
async function unified(name: string, limits: SandboxLimits): Promise<ControlGroup | null> {
  if (!(await exists(join(ROOT, 'cgroup.controllers')))) return null;
  for (const parent of await unifiedParents()) {
    const folder = join(parent, name);
    const made = await makeGroup(folder, [
      ['memory.max', String(limits.memoryBytes), true],
      ['pids.max', String(limits.processes), true],
      ['memory.swap.max', '0', false],
      ['memory.oom.group', '1', false],
      ['cpu.weight', String(CPU_WEIGHT), false],
    ]);
    if (made) return groupAt([folder], 'memory.events', true);
  }
  return null;
}

/** Version 1: one tree for each controller. */
async function split(name: string, limits: SandboxLimits): Promise<ControlGroup | null> {
  const settings: Record<(typeof CONTROLLERS)[number], Settings> = {
    memory: [
      ['memory.limit_in_bytes', String(limits.memoryBytes), true],
      ['memory.memsw.limit_in_bytes', String(limits.memoryBytes), false],
    ],
    pids: [['pids.max', String(limits.processes), true]],
    cpu: [['cpu.shares', String(CPU_SHARES), true]],
  };
  const folders: string[] = [];
  for (const controller of CONTROLLERS) {
    const parent = await splitParent(controller);
    const folder = parent === null ? null : join(parent, name);
    if (folder !== null && (await makeGroup(folder, settings[controller]))) folders.push(folder);
  }
  const [first, ...others] = folders;
  // Without a bound on memory it is no bound.
  if (first === undefined || !first.startsWith(join(ROOT, 'memory'))) {
    await removeFolders(folders);
    return null;
  }
  const boundsProcesses = others.some((folder) => folder.startsWith(join(ROOT, 'pids')));
  return groupAt([first, ...others], 'memory.oom_control', boundsProcesses);
}

/**
 * Removes empty groups of a server that was killed. The kernel lets no group go that still has a process, so only a
 * group that is just being joined must be spared.
 */
export async function removeStaleGroups(olderThanMs: number): Promise<void> {
  const split = await Promise.all(CONTROLLERS.map((controller) => splitParent(controller).catch(() => null)));
  const unified = await unifiedParents().catch(() => []);
  for (const parent of [...unified, ...split.filter((path) => path !== null)]) {
    for (const name of await readdir(parent).catch(() => [])) {
      const folder = join(parent, name);
      const found = name.startsWith(GROUP_PREFIX) ? await stat(folder).catch(() => null) : null;
      if (found !== null && Date.now() - found.mtimeMs > olderThanMs)
        await rmdir(folder).catch(() => undefined);
    }
  }
}

/** Makes a control group where this machine lets us, else null: then only the limits of single processes hold. */
export async function createControlGroup(limits: SandboxLimits): Promise<ControlGroup | null> {
  const name = GROUP_PREFIX + randomUUID();
  try {
    return (await unified(name, limits)) ?? (await split(name, limits));
  } catch {
    return null;
  }
}
