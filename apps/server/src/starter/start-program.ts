import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NAME_LENGTH, type StarterReport, type StarterRequest } from './messages.ts';

/** A program that runs for a tenant. */
export interface Program {
  /** Writes to its input, reads its output; ending it ends the input. */
  readonly stream: Socket;
  /** Its exit code; null when a signal, `kill` or the end of the starter ended it. */
  readonly ended: Promise<number | null>;
  /** Ends it and all that it has started (SIGKILL). */
  kill(): void;
}

/** A program could not be started. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

interface Pending {
  readonly started: PromiseWithResolvers<void>;
  readonly stream: PromiseWithResolvers<Socket>;
  readonly ended: PromiseWithResolvers<number | null>;
}

interface Starter {
  readonly child: ChildProcess;
  readonly pending: Map<string, Pending>;
}

const entry = fileURLToPath(new URL('./starter-process.ts', import.meta.url));
let starter: Promise<Starter> | undefined;

/** Reads the line by which a connection names its program; what follows is the program's output. */
async function nameOf(socket: Socket): Promise<string> {
  for (;;) {
    const name = socket.read(NAME_LENGTH) as Buffer | null;
    if (name !== null) return name.toString('latin1', 0, NAME_LENGTH - 1);
    if (socket.readableEnded || socket.destroyed) return '';
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
}

async function launch(): Promise<Starter> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-start-'));
  const path = join(folder, 'socket');
  const pending = new Map<string, Pending>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    // A program may end while it is written to.
    socket.on('error', () => undefined);
    void nameOf(socket).then((name) => {
      const asked = pending.get(name);
      if (asked === undefined) socket.destroy();
      else asked.stream.resolve(socket);
    });
  });
  server.listen(path).unref();
  await once(server, 'listening');
  const child = fork(entry, [path], {
    env: { PATH: process.env.PATH ?? '' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  const lose = (reason: string): void => {
    starter = undefined;
    server.close();
    for (const asked of pending.values()) {
      asked.started.reject(new StartError(reason));
      asked.ended.resolve(null);
    }
    pending.clear();
  };
  child.on('message', (report: StarterReport) => {
    const asked = pending.get(report.id);
    if (report.kind === 'started') asked?.started.resolve();
    else if (report.kind === 'ended') asked?.ended.resolve(report.code);
    else {
      asked?.started.reject(new StartError(report.message));
      asked?.ended.resolve(null);
    }
  });
  child.once('error', (error) => lose(error.message));
  child.once('exit', () => lose('The process that starts programs has ended.'));
  return { child, pending };
}

/**
 * Starts a program for a tenant in a small process beside the server, which copying itself would keep from its other
 * work (decision 0031). The program has no error output and runs at a low priority.
 * @throws StartError when it cannot be started
 */
export async function startProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Program> {
  starter ??= launch();
  const { child, pending } = await starter;
  const id = randomUUID();
  const asked: Pending = {
    started: Promise.withResolvers(),
    stream: Promise.withResolvers(),
    ended: Promise.withResolvers(),
  };
  pending.set(id, asked);
  // Only what runs keeps this process alive.
  child.channel?.ref();
  const send = (request: StarterRequest): void => {
    child.send(request, (error) => {
      if (error !== null) asked.started.reject(new StartError(error.message));
    });
  };
  send({ kind: 'start', id, file, args, env });
  // A short program may have ended before its connection is here.
  const over = (): void => {
    pending.delete(id);
    if (pending.size === 0) child.channel?.unref();
  };
  try {
    const [stream] = await Promise.all([asked.stream.promise, asked.started.promise]);
    void asked.ended.promise.then(over);
    return { stream, ended: asked.ended.promise, kill: () => send({ kind: 'kill', id }) };
  } catch (error) {
    void asked.stream.promise.then((stream) => stream.destroy());
    over();
    throw error;
  }
}
