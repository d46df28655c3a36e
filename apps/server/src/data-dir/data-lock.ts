import { readFileSync, rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { StartError } from '../errors.ts';
import { makeOnce } from './make-once.ts';

const FILE = 'server.lock';
const ATTEMPTS = 5;
/** A server that was told to stop, or whose caller was killed, may still be closing down. */
const PATIENCE_MS = 4_000;
const RETRY_MS = 100;
/** Longer than another server needs to remove a lock that was left behind. */
const TAKEOVER_MS = 20;

/**
 * Makes sure that one server at a time uses a data folder. The lock of a process that has died is taken over; one that
 * is running is given a moment to end.
 * @param patience milliseconds
 * @throws StartError when another server is running on the folder
 */
export async function lockDataDir(dataDir: string, patience = PATIENCE_MS): Promise<{ release(): void }> {
  const path = join(dataDir, FILE);
  const mine = `${process.pid} ${startOf(process.pid)}`;
  const deadline = performance.now() + patience;
  for (let attempt = 0; attempt < ATTEMPTS; ) {
    if (await take(path, mine)) {
      return {
        release: () => {
          if (readFileSync(path, 'utf8') === mine) rmSync(path, { force: true });
        },
      };
    }
    const holder = await readFile(path, 'utf8').catch(() => '');
    const [pid = '', start = ''] = holder.split(' ');
    if (isRunning(Number(pid), start)) {
      if (performance.now() < deadline) {
        await setTimeout(RETRY_MS);
        continue;
      }
      throw new StartError(
        `Cannery is already running on ${dataDir} (process ${pid}). Stop it first, or set DATA_DIR, PORT and NETWORK_PORT to run a second one.`,
      );
    }
    await removeStale(path, holder, mine);
    attempt += 1;
  }
  throw new StartError(`The lock file ${path} cannot be taken. Delete it when no Cannery is running.`);
}

/** Whether a server is running on a data folder. */
export async function isDataDirLocked(dataDir: string): Promise<boolean> {
  const holder = await readFile(join(dataDir, FILE), 'utf8').catch(() => '');
  const [pid = '', start = ''] = holder.split(' ');
  return isRunning(Number(pid), start);
}

/** Puts the lock file in its place with its content; false when there is one. */
function take(path: string, content: string): Promise<boolean> {
  return makeOnce(path, content, { lasting: false });
}

/**
 * Removes the lock of a dead server. Only the holder of a second lock may, and looks again once it has that: another
 * server may have put its own lock in the place since.
 */
async function removeStale(path: string, holder: string, mine: string): Promise<void> {
  const claim = `${path}.takeover`;
  if (!(await take(claim, mine))) {
    const [pid = '', start = ''] = (await readFile(claim, 'utf8').catch(() => mine)).split(' ');
    if (!isRunning(Number(pid), start)) await rm(claim, { force: true });
    await setTimeout(TAKEOVER_MS);
    return;
  }
  try {
    if ((await readFile(path, 'utf8').catch(() => undefined)) === holder) await rm(path, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
}

function isRunning(pid: number, start: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  // A number that the system has given to another process since then does not count.
  return start === startOf(pid);
}

/** When a process that has not ended was started, where the system tells (Linux); process ids are used again after a while. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields 3 and 22, counted after the name in brackets, which may itself contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // What has ended and was not waited for holds nothing: the first process of a container may never wait.
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  } catch {
    return '';
  }
}
