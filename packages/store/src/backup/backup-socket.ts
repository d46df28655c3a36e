import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { BackupError } from '../files/errors.ts';

/** Longest path of a Unix socket that every system takes, in bytes. */
const MAX_SOCKET_PATH_BYTES = 100;
const SOCKET = 'control.sock';
/** Says where the socket is, when that is not in the directory. */
const RECORD = 'control.folder';

interface Request {
  readonly backupTo: string;
}

interface Answer {
  readonly error?: string;
}

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

async function answer(socket: Socket, backup: (to: string) => Promise<void>): Promise<void> {
  for await (const line of createInterface({ input: socket })) {
    const { backupTo } = JSON.parse(line) as Request;
    const reply: Answer = await backup(backupTo).then(
      () => ({}),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    socket.end(`${JSON.stringify(reply)}\n`);
  }
}

/** Lets other processes of the same user ask the owner of `directory` for a backup, until `close`. */
export async function serveBackups(
  directory: string,
  backup: (to: string) => Promise<void>,
): Promise<{ close(): Promise<void> }> {
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
 * the owner says went wrong.
 */
export async function requestBackup(directory: string, to: string): Promise<boolean> {
  const path = fixedPath(directory) ?? madePath(directory);
  if (path === undefined) return false;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch {
    return false;
  }
  socket.write(`${JSON.stringify({ backupTo: resolve(to) } satisfies Request)}\n`);
  for await (const line of createInterface({ input: socket })) {
    const { error } = JSON.parse(line) as Answer;
    if (error !== undefined) throw new BackupError(error);
    return true;
  }
  throw new BackupError('The network ended before the backup was complete.');
}
