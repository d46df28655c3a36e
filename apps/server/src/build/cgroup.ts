import { mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxLimits } from './sandbox.ts';

/** A control group of one build: what is started in it shares one bound on memory and processes. */
export interface ControlGroup {
  /** Files into which a process writes '0' to join. */
  readonly joinFiles: readonly string[];
  remove(): Promise<void>;
}

const ROOT = '/sys/fs/cgroup';
const REMOVE_TRIES = 20;
const REMOVE_PAUSE_MS = 50;

async function removeFolders(folders: readonly string[]): Promise<void> {
  for (let attempt = 0; attempt < REMOVE_TRIES; attempt += 1) {
    const results = await Promise.allSettled(folders.map((folder) => rmdir(folder)));
    if (results.every((result) => result.status === 'fulfilled')) return;
    // The kernel lets a group go a moment after its last process.
    await new Promise((resolve) => setTimeout(resolve, REMOVE_PAUSE_MS));
  }
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

/** Version 2: one tree; controllers reach our group when the parent passes them on. */
async function unified(name: string, limits: SandboxLimits): Promise<ControlGroup | null> {
  if (!(await exists(join(ROOT, 'cgroup.controllers')))) return null;
  const own = (await readFile('/proc/self/cgroup', 'utf8')).match(/^0::(.*)$/m)?.[1] ?? '/';
  for (const parent of [ROOT, join(ROOT, own, '..')]) {
    const folder = join(parent, name);
    const made = await makeGroup(folder, [
      ['memory.max', String(limits.memoryBytes), true],
      ['pids.max', String(limits.processes), true],
      ['memory.swap.max', '0', false],
      ['memory.oom.group', '1', false],
    ]);
    if (made) {
      return { joinFiles: [join(folder, 'cgroup.procs')], remove: () => removeFolders([folder]) };
    }
  }
  return null;
}

/** Version 1: one tree for each controller. */
async function split(name: string, limits: SandboxLimits): Promise<ControlGroup | null> {
  const settings: Record<string, Settings> = {
    memory: [
      ['memory.limit_in_bytes', String(limits.memoryBytes), true],
      ['memory.memsw.limit_in_bytes', String(limits.memoryBytes), false],
    ],
    pids: [['pids.max', String(limits.processes), true]],
  };
  const own = await readFile('/proc/self/cgroup', 'utf8');
  const folders: string[] = [];
  for (const [controller, values] of Object.entries(settings)) {
    const path = own.match(new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm'))?.[1];
    const folder = join(ROOT, controller, path ?? '/', name);
    if (path !== undefined && (await makeGroup(folder, values))) folders.push(folder);
  }
  if (folders.length === 0) return null;
  return {
    joinFiles: folders.map((folder) => join(folder, 'cgroup.procs')),
    remove: () => removeFolders(folders),
  };
}

/** Makes a control group where this machine lets us, else null: then only the limits of single processes hold. */
export async function createControlGroup(name: string, limits: SandboxLimits): Promise<ControlGroup | null> {
  try {
    return (await unified(name, limits)) ?? (await split(name, limits));
  } catch {
    return null;
  }
}
