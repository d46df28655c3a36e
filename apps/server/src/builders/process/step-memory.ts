import { readdir, readFile, readlink, stat, statfs } from 'node:fs/promises';

/** Bytes that a file or folder in memory takes besides its content. */
const ENTRY_BYTES = 1024;
const BLOCK_BYTES = 512;
const KIB = 1024;
/** Where a step has folders in memory. */
const IN_MEMORY = ['/', '/tmp', '/dev', '/dev/shm'] as const;
/** TMPFS_MAGIC of statfs(2). */
const TMPFS = 0x0102_1994;
/** Open files of one process that are looked at for those in memory; the rest is the kernel's to bound. */
const MOST_FILES = 1_000;

function namespaceOf(pid: number | 'self', kind: 'pid' | 'mnt'): Promise<string | null> {
  return readlink(`/proc/${pid}/ns/${kind}`).catch(() => null);
}

async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'latin1').catch(() => '')),
  );
  return lists
    .flatMap((list) => list.split(' '))
    .filter((text) => text !== '')
    .map(Number);
}

/**
 * A process and everything it started. In a pid namespace nothing leaves this tree: what loses its parent is given to the first
 * process of the namespace.
 */
async function treeOf(pid: number): Promise<number[]> {
  const tree = [pid];
  for (const member of tree) tree.push(...(await childrenOf(member)));
  return tree;
}

/** Bytes that only this process, or what lies in memory, accounts for: the pages of mapped files can be given up at any time. */
async function mappedBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  let total = 0;
  for (const [, kib] of status.matchAll(/^(?:RssAnon|RssShmem|VmPTE|VmSwap):\s+(\d+) kB$/gm))
    total += Number(kib) * KIB;
  return total;
}

/** Bytes of the files without a place that a process has open (memfd), by what tells them from others. */
async function placelessFiles(pid: number, found: Map<string, number>): Promise<void> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const name of names.slice(0, MOST_FILES)) {
    const path = `/proc/${pid}/fd/${name}`;
    if (!(await readlink(path).catch(() => '')).startsWith('/memfd:')) continue;
    const file = await stat(path).catch(() => null);
    if (file !== null) found.set(`${file.dev}:${file.ino}`, file.blocks * BLOCK_BYTES);
  }
}

/**
 * Bytes of the folders in memory that a process sees, less those that are the server's too: a step sees them until it has its own, and what
 * other programs of the machine keep there is not its.
 */
async function folderBytesSeen(pid: number): Promise<number> {
  let total = 0;
  for (const folder of IN_MEMORY) {
    const seen = `/proc/${pid}/root${folder}`;
    const found = await statfs(seen).catch(() => null);
    if (found?.type !== TMPFS) continue;
    const deviceOf = async (path: string) => (await stat(path).catch(() => null))?.dev;
    const own = await deviceOf(folder);
    if (own !== undefined && (await deviceOf(seen)) === own) continue;
    total += (found.blocks - found.bfree) * found.bsize + (found.files - found.ffree) * ENTRY_BYTES;
  }
  return total;
}

/** The first of these processes that has folders apart from the server's; it is none of the step's own. */
async function firstApart(pids: readonly number[]): Promise<number | null> {
  const own = await namespaceOf('self', 'mnt');
  for (const pid of pids) {
    const namespaces = await Promise.all([namespaceOf(pid, 'mnt'), namespaceOf(pid, 'pid')]);
    if (
      namespaces[0] !== null &&
      namespaces[0] !== own &&
      namespaces[1] !== (await namespaceOf('self', 'pid'))
    )
      return pid;
  }
  return null;
}

/**
 * Bytes of memory of a step: of its processes, of the files they have open that have no place, and of the folders that lie
 * in memory. 0 when it cannot be told.
 * @param pid the process that starts the step
 */
export async function stepBytes(pid: number): Promise<number> {
  const tree = await treeOf(pid);
  const placeless = new Map<string, number>();
  let total = 0;
  for (const member of tree) {
    total += await mappedBytes(member);
    await placelessFiles(member, placeless);
  }
  for (const bytes of placeless.values()) total += bytes;
  const apart = await firstApart(tree);
  return apart === null ? total : total + (await folderBytesSeen(apart));
}
