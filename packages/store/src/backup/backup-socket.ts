import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { BackupMoment } from './backup-moment.ts';
import { BackupError } from '../files/errors.ts';

/** Longest path of a Unix socket that every system takes, in bytes. */
const MAX_SOCKET_PATH_BYTES = 100;
const SOCKET = 'control.sock';
/** Says where the socket is, when that is not in the directory. */
const RECORD = 'control.folder';

interface Request {
  readonly backupTo: string;
  /** Whether the asker says when the moment may come, by another line: `Go`. */
  readonly hasMoment?: boolean;
}

interface Go {
  readonly go: true;
}

/** The last one has no step. */
interface Answer {
  readonly step?: 'ready' | 'taken';
  readonly error?: string;
}

/** Makes a backup in a new folder. */
type Backup = (to: string, moment?: BackupMoment) => Promise<void>;

/** Where the owner of a directory listens, when that is in the directory itself; undefined where the path is too long for a socket. */
function fixedPath(directory: string): string | undefined {
  if (process.platform === 'win32') {
    const name = createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 16);
    return `\\\\.\\pipe\\cannery-${name}`;
  }
  const inside = join(resolve(directory), SOCKET);
  return Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES ? inside : undefined;
}

/** A socket in a new folder that nobody can guess, named by a file in the directory. */
function makePath(directory: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-control-'));
  const draft = join(directory, `${RECORD}.new`);
  rmSync(draft, { force: true });
  writeFileSync(draft, folder, { flag: 'wx', mode: 0o600 });
  renameSync(draft, join(directory, RECORD));
  return join(folder, SOCKET);
}

/** The socket that the file names, while its folder is this user's alone. */
function madePath(directory: string): string | undefined {
  try {
    const folder = readFileSync(join(directory, RECORD), 'utf8');
    const { uid, mode } = lstatSync(folder);
    return uid === process.geteuid?.() && (mode & 0o077) === 0 ? join(folder, SOCKET) : undefined;
  } catch {
    return undefined;
  }
}

async function answer(socket: Socket, backup: Backup): Promise<void> {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const say = (reply: Answer): boolean => socket.write(`${JSON.stringify(reply)}\n`);
  const first = await lines.next();
  if (first.done === true) return;
  const { backupTo, hasMoment = false } = JSON.parse(first.value) as Request;
  const moment: BackupMoment = {
    async ready() {
      say({ step: 'ready' });
      const next = await lines.next();
      // Who has gone, or says something else, gets no backup.
      if (next.done === true || !(JSON.parse(next.value) as Partial<Go>).go)
        throw new BackupError('Whoever asked for the backup has gone.');
    },
    taken: () => void say({ step: 'taken' }),
  };
  const reply: Answer = await backup(backupTo, hasMoment ? moment : undefined).then(
    () => ({}),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  socket.end(`${JSON.stringify(reply)}\n`);
}

/** Lets other processes of the same user ask the owner of `directory` for a backup, until `close`. */
export async function serveBackups(directory: string, backup: Backup): Promise<{ close(): Promise<void> }> {
  const fixed = fixedPath(directory);
  const path = fixed ?? makePath(directory);
  const isFile = process.platform !== 'win32';
  // Only the owner gets here, so what stands there is what a killed owner left.
  if (isFile) rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    answer(socket, backup).catch(() => socket.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  if (isFile) chmodSync(path, 0o600);
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      if (fixed === undefined) rmSync(dirname(path), { recursive: true, force: true });
    },
  };
}

/**
 * Asks the running owner of `directory` for a backup. False when nobody listens there. Throws `BackupError` with what
 * the owner says went wrong, and what `moment.ready` throws.
 */
export async function requestBackup(directory: string, to: string, moment?: BackupMoment): Promise<boolean> {
  const path = fixedPath(directory) ?? madePath(directory);
  if (path === undefined) return false;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch {
    return false;
  }
  const hasMoment = moment !== undefined;
  socket.write(`${JSON.stringify({ backupTo: resolve(to), hasMoment } satisfies Request)}\n`);
  try {
    for await (const line of createInterface({ input: socket })) {
      const { step, error } = JSON.parse(line) as Answer;
      if (error !== undefined) throw new BackupError(error);
      if (step === undefined) return true;
      if (step === 'taken') moment?.taken();
      else {
        await moment?.ready();
        socket.write(`${JSON.stringify({ go: true } satisfies Go)}\n`);
      }
    }
  } finally {
    socket.destroy();
  }
  throw new BackupError('The network ended before the backup was complete.');
}
