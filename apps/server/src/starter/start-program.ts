import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { NAME_LENGTH, type ProgramEnd, type StarterReport, type StarterRequest } from './messages.ts';

/** A program that runs for a tenant. */
export interface Program {
  readonly pid: number;
  /** Writes to its input, where that was asked for. What the program does not read is lost without an error. */
  readonly input: Writable | null;
  /**
   * Reads its output. It has a connection apart from the input: when a program ends without having read its input, that
   * connection breaks, and what has not been read from it yet is lost.
   */
  readonly output: Socket;
  /** Reads its error output, where that was asked for. */
  readonly errors: Socket | null;
  /** How it ended; nothing of its group runs then. Both are null when the starter ended first. */
  readonly ended: Promise<ProgramEnd>;
  /** Ends it and all that it has started (SIGKILL). */
  kill(): void;
}

export interface ProgramOptions {
  /** Where it is started. */
  readonly cwd?: string | undefined;
  /** Whether its input is written; otherwise it is empty. */
  readonly withInput?: boolean;
  /** Whether its error output is read; otherwise it is thrown away. */
  readonly withErrors?: boolean;
  /**
   * Most bytes of memory that it, and each program it starts, may ask for (RLIMIT_DATA); files that it only maps to read
   * do not count. Without effect where the machine has no `prlimit`.
   */
  readonly memoryBytes?: number;
  /**
   * `usual` for a program whose answers the server waits for one by one, and whose work is bounded; it is started by a
   * second process. `low` unless said otherwise.
   */
  readonly priority?: Priority;
}

type Priority = 'low' | 'usual';

/** A program could not be started. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

interface Pending {
  readonly started: PromiseWithResolvers<number>;
  readonly ended: PromiseWithResolvers<ProgramEnd>;
}

interface Starter {
  readonly child: ChildProcess;
  readonly pending: Map<string, Pending>;
  /** Connections that are waited for, by name. */
  readonly awaited: Map<string, (socket: Socket) => void>;
}

const LOST: ProgramEnd = { code: null, signal: null };

const entry = fileURLToPath(new URL('./starter-process.ts', import.meta.url));
const starters = new Map<Priority, Promise<Starter>>();

/** Reads the line by which a connection names its program; what follows is the program's output. */
async function nameOf(socket: Socket): Promise<string> {
  for (;;) {
    const name = socket.read(NAME_LENGTH) as Buffer | null;
    if (name !== null) return name.toString('latin1', 0, NAME_LENGTH - 1);
    if (socket.readableEnded || socket.destroyed) return '';
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
}

async function launch(priority: Priority): Promise<Starter> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-start-'));
  const path = join(folder, 'socket');
  const pending: Starter['pending'] = new Map();
  const awaited: Starter['awaited'] = new Map();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    // A program may end while it is written to.
    socket.on('error', () => undefined);
    void nameOf(socket).then((name) => {
      const take = awaited.get(name);
      awaited.delete(name);
      if (take === undefined) socket.destroy();
      else take(socket);
    });
  });
  server.listen(path).unref();
  await once(server, 'listening');
  const child = fork(entry, [path, priority], {
    env: { PATH: process.env.PATH ?? '' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A separate session, which gives way to the server's as a whole.
    detached: true,
  });
  child.unref();
  child.channel?.unref();
  const lose = (reason: string): void => {
    starters.delete(priority);
    server.close();
    for (const asked of pending.values()) {
      asked.started.reject(new StartError(reason));
      asked.ended.resolve(LOST);
    }
    pending.clear();
  };
  child.on('message', (report: StarterReport) => {
    const asked = pending.get(report.id);
    if (report.kind === 'started') asked?.started.resolve(report.pid);
    else if (report.kind === 'ended') asked?.ended.resolve({ code: report.code, signal: report.signal });
    else {
      asked?.started.reject(new StartError(report.message));
      asked?.ended.resolve(LOST);
    }
  });
  child.once('error', (error) => lose(error.message));
  child.once('exit', () => lose('The process that starts programs has ended.'));
  return { child, pending, awaited };
}

/** A launch that fails, such as on a full disk or for lack of descriptors, is tried again by the next program. */
function launchAgain(priority: Priority): Promise<Starter> {
  const starter = launch(priority);
  starters.set(priority, starter);
  starter.catch(() => {
    if (starters.get(priority) === starter) starters.delete(priority);
  });
  return starter;
}

/**
 * Starts a program for a tenant in a small process beside the server, which copying itself would keep from its other
 * work (decision 0031). It ends with the server.
 * @throws StartError when it cannot be started
 */
export async function startProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: ProgramOptions = {},
): Promise<Program> {
  const { cwd, memoryBytes, priority = 'low' } = options;
  const starter = starters.get(priority) ?? launchAgain(priority);
  const { child, pending, awaited } = await starter;
  const id = randomUUID();
  const inputId = options.withInput ? randomUUID() : undefined;
  const errorsId = options.withErrors ? randomUUID() : undefined;
  const asked: Pending = { started: Promise.withResolvers(), ended: Promise.withResolvers() };
  pending.set(id, asked);
  const connection = (name: string): Promise<Socket> => new Promise((take) => awaited.set(name, take));
  const connections = [
    connection(id),
    inputId === undefined ? null : connection(inputId),
    errorsId === undefined ? null : connection(errorsId),
  ] as const;
  // Only what runs keeps this process alive.
  child.channel?.ref();
  const send = (request: StarterRequest): void => {
    child.send(request, (error) => {
      if (error !== null) asked.started.reject(new StartError(error.message));
    });
  };
  send({ kind: 'start', id, inputId, errorsId, file, args, env, cwd, memoryBytes });
  const over = (): void => {
    pending.delete(id);
    if (pending.size === 0) child.channel?.unref();
  };
  try {
    // A short program may have ended before its connections are here.
    const [pid, output, input, errors] = await Promise.all([asked.started.promise, ...connections]);
    // Nothing is ever written to where the program writes.
    output.end();
    errors?.end();
    void asked.ended.promise.then(() => {
      input?.destroy();
      over();
    });
    return {
      pid,
      input,
      output,
      errors,
      ended: asked.ended.promise,
      kill: () => send({ kind: 'kill', id }),
    };
  } catch (error) {
    for (const waiting of connections) void waiting?.then((socket) => socket.destroy());
    // Those that have not come yet are not waited for any longer.
    for (const name of [id, inputId, errorsId]) if (name !== undefined) awaited.delete(name);
    over();
    throw error;
  }
}
