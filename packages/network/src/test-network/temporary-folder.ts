import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory on Linux: nothing there waits for a disk. */
const MEMORY = '/dev/shm';

/** Folders that are there; a test that forgets to close its network leaves none behind when the process ends. */
const folders = new Set<string>();

/** A new folder, readable by its owner only: in memory where the machine has a place for that, else with the temporary files. */
export function makeFolder(): string {
  const folder = mkdtempSync(
    join(isWritable(MEMORY) ? MEMORY : tmpdir(), `cannery-test-network-${process.pid}-`),
  );
  if (folders.size === 0) process.once('exit', removeAll);
  folders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
  if (folders.size === 0) process.off('exit', removeAll);
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
