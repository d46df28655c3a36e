import { lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedPostgresError } from './postgres-command.ts';
import { writePrivateFile } from './write-private-file.ts';

/** Beside the cluster: says where it listens, and which cluster that is, so that a copy of the folder does not share it. */
const RECORD_FILE = 'postgres.sockets';

/**
 * The folder of the database's socket: in the temporary folder, since a socket's path may have 107 bytes at most and the data folder can
 * be deep. Its name is not to be guessed. That of an earlier start is used again while it is still ours alone.
 */
export function takeSocketFolder(cluster: string): string {
  const earlier = recordedFolder(cluster);
  if (earlier !== undefined) return earlier;
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-sockets-'));
  writePrivateFile(recordOf(cluster), `${folder}\n${cluster}\n`);
  return folder;
}

/** Where the database of a cluster listens. @throws EmbeddedPostgresError when it was not started */
export function socketFolderOf(cluster: string): string {
  const folder = recordedFolder(cluster);
  if (folder !== undefined) return folder;
  throw new EmbeddedPostgresError(`The database in ${path.dirname(cluster)} does not run.`);
}

/** Removes the folder of a database that has ended. */
export function removeSocketFolder(cluster: string): void {
  const folder = recordedFolder(cluster);
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  rmSync(recordOf(cluster), { force: true });
}

function recordOf(cluster: string): string {
  return path.join(path.dirname(cluster), RECORD_FILE);
}

function recordedFolder(cluster: string): string | undefined {
  let record: string;
  try {
    record = readFileSync(recordOf(cluster), 'utf8');
  } catch {
    return undefined;
  }
  const [folder = '', of] = record.split('\n');
  return of === cluster && isOursAlone(folder) ? folder : undefined;
}

/** Whether a path is a folder, no link to one, of this user and closed to all others. */
function isOursAlone(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  return found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}
