import { readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { StartError } from './errors.ts';

const FILE = 'server.lock';
const ATTEMPTS = 5;
/** A server that was told to stop, or whose caller was killed, may still be closing down. */
const PATIENCE_MS = 4_000;
const RETRY_MS = 100;

/**
 * Makes sure that one server at a time uses a data folder. The lock of a process that has died is taken over; one that
 * is running is given a moment to end.
 * @param patience milliseconds
 * @throws StartError when another server is running on the folder
 */
export async function lockDataDir(dataDir: string, patience = PATIENCE_MS): Promise<{ release(): void }> {
  const path = join(dataDir, FILE);
  const mine = `${process.pid} ${startOf(process.pid)}`;
  const deadline = Date.now() + patience;
  for (let attempt = 0; attempt < ATTEMPTS; ) {
    try {
      await writeFile(path, mine, { flag: 'wx' });
      return {
        release: () => {
          if (readFileSync(path, 'utf8') === mine) rmSync(path, { force: true });
        },
      };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = await readFile(path, 'utf8').catch(() => '');
    const [pid = '', start = ''] = holder.split(' ');
    if (isRunning(Number(pid), start)) {
      if (Date.now() < deadline) {
        await setTimeout(RETRY_MS);
        continue;
      }
      throw new StartError(
        `Cannery is already running on ${dataDir} (process ${pid}). Stop it first, or set DATA_DIR, PORT and NETWORK_PORT to run a second one.`,
      );
    }
    await rm(path, { force: true });
    attempt += 1;
  }
  throw new StartError(`The lock file ${path} cannot be taken. Delete it when no Cannery is running.`);
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

/** When a process was started, where the system tells (Linux); process ids are used again after a while. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22, counted after the name in brackets, which may itself contain spaces and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
