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
  const earlier = readRecord(cluster);
  if (earlier.isOurs) return earlier.folder;
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-sockets-'));
  writePrivateFile(recordOf(cluster), `${folder}\n${cluster}\n`);
  return folder;
}

/** Where the database of a cluster listens. @throws EmbeddedPostgresError when it was not started, or has another temporary folder */
export function socketFolderOf(cluster: string): string {
  const { folder, isOurs } = readRecord(cluster);
  if (isOurs) return folder;
  const data = path.dirname(cluster);
  throw new EmbeddedPostgresError(
    folder === ''
      ? `The database in ${data} does not run.`
      : `The database in ${data} cannot be reached: its socket is in ${folder}, which is not there for this program. Where the server runs with a /tmp that others do not see (PrivateTmp of systemd), run this program with the same one; deploy/systemd/cannery does that.`,
  );
}

/** Removes the folder of a database that has ended. */
export function removeSocketFolder(cluster: string): void {
  const { folder, isOurs } = readRecord(cluster);
  if (isOurs) rmSync(folder, { recursive: true, force: true });
  rmSync(recordOf(cluster), { force: true });
}

function recordOf(cluster: string): string {
  return path.join(path.dirname(cluster), RECORD_FILE);
}

/** The folder that is written down for a cluster, or an empty text, and whether it is still ours alone. */
function readRecord(cluster: string): { readonly folder: string; readonly isOurs: boolean } {
  let record: string;
  try {
    record = readFileSync(recordOf(cluster), 'utf8');
  } catch {
    return { folder: '', isOurs: false };
  }
  const [folder = '', of] = record.split('\n');
  return of === cluster ? { folder, isOurs: isOursAlone(folder) } : { folder: '', isOurs: false };
}

/** Whether a path is a folder, no link to one, of this user and closed to all others. */
function isOursAlone(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  return found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}
