import { readdir, readFile, readlink, lstat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Free bytes the machine keeps for itself; a build that eats into them is ended. */
const DISK_RESERVE = 512 * 1024 * 1024;
const INTERVAL_MS = 1_000;
/** A folder is measured again only after this many times the time its measuring took. */
const MEASURE_PAUSE = 20;
const PAGE_BYTES = 4096;

/** Bytes of all files below a folder, as far as it can be read; counting ends beyond `limit`. */
export async function folderBytes(folder: string, limit: number): Promise<number> {
  let total = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined && total <= limit; next = pending.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else
        total += await lstat(path).then(
          (found) => found.blocks * 512,
          () => 0,
        );
    }
  }
  return total;
}

/** The pid namespace that the children of a process are born in; null when it cannot be told. */
function namespaceOf(pid: number | 'self'): Promise<string | null> {
  return readlink(`/proc/${pid}/ns/pid_for_children`).catch(() => null);
}

/** Fields of `/proc/PID/stat` after the name in parentheses: state, parent, ... */
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** A process and everything it started that has not been handed to another parent. */
async function treeOf(pid: number, all: readonly number[]): Promise<number[]> {
  const parents = await Promise.all(all.map(parentOf));
  const tree = [pid];
  for (const member of tree) tree.push(...all.filter((_, index) => parents[index] === member));
  return tree;
}

/**
 * Resident bytes of a step: of all processes in its pid namespace, or of the process and its descendants while, or
 * because, it shares the namespace of this server. 0 when it cannot be told.
 * @param pid the process that starts the step
 */
export async function residentBytes(pid: number): Promise<number> {
  const namespace = await namespaceOf(pid);
  if (namespace === null) return 0;
  const all = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  let members: readonly number[];
  if (namespace === (await namespaceOf('self'))) members = await treeOf(pid, all);
  else {
    const homes = await Promise.all(all.map((id) => readlink(`/proc/${id}/ns/pid`).catch(() => null)));
    members = all.filter((_, index) => homes[index] === namespace);
  }
  let total = 0;
  for (const member of members) {
    const fields = (await readFile(`/proc/${member}/statm`, 'utf8').catch(() => '')).split(' ');
    total += Number(fields[1] ?? 0) * PAGE_BYTES;
  }
  return total;
}

export interface WatchOptions {
  folder: string;
  diskBytes: number;
  /** Set where no control group bounds memory. */
  memory: { pid: number; bytes: number } | null;
  onExceeded(reason: string): void;
}

/** Watches what no limit of the kernel bounds: the size of a build folder, the free disk and, if needed, memory. */
export function watchResources(options: WatchOptions): { stop(): void } {
  let running = true;
  let measureAt = 0;
  const check = async (): Promise<string | null> => {
    const disk = await statfs(options.folder);
    if (disk.bavail * disk.bsize < DISK_RESERVE) return 'the disk of the server is nearly full';
    if (options.memory !== null && (await residentBytes(options.memory.pid)) > options.memory.bytes) {
      return `it used more than ${Math.round(options.memory.bytes / 1024 ** 2)} MB of memory`;
    }
    if (Date.now() < measureAt) return null;
    const start = Date.now();
    const size = await folderBytes(options.folder, options.diskBytes);
    measureAt = Date.now() + (Date.now() - start) * MEASURE_PAUSE;
    return size > options.diskBytes
      ? `it wrote more than ${Math.round(options.diskBytes / 1024 ** 2)} MB to disk`
      : null;
  };
  const loop = async (): Promise<void> => {
    while (running) {
      const reason = await check().catch(() => null);
      if (reason !== null && running) {
        options.onExceeded(reason);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS).unref());
    }
  };
  void loop();
  return {
    stop() {
      running = false;
    },
  };
}
