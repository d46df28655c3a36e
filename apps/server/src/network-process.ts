import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { StartError } from './errors.ts';
import type { Logger } from './logger.ts';

const READY = /^network ready: (http:\/\/\S+)$/;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;
/** A process that has run this long starts again without waiting. */
const HEALTHY_MS = 30_000;

/** The embedded network: a child process that is started again whenever it dies. */
export interface NetworkProcess {
  /** Address of its IC HTTP interface on this computer; stays the same over restarts. */
  readonly url: string;
  readonly port: number;
  /** Process id of the running child; undefined while it is being started again. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

interface Settings {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Name of the fee schedule. */
  readonly fees: string;
}

/** @throws StartError when the network does not come up the first time */
export async function startNetwork(settings: Settings & { log: Logger }): Promise<NetworkProcess> {
  const { log } = settings;
  let stopping = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | undefined;
  const first = await launch(settings, log);
  const port = Number(new URL(first.url).port);
  let child: ChildProcess | undefined = first.child;

  const watch = (watched: ChildProcess, startedAt: number): void => {
    watched.once('exit', (code, signal) => {
      child = undefined;
      if (stopping) return;
      if (Date.now() - startedAt > HEALTHY_MS) retryMs = FIRST_RETRY_MS;
      log.error({ code, signal }, 'The network process has ended and is started again');
      restartLater();
    });
  };
  const restartLater = (): void => {
    timer = setTimeout(() => {
      restart().catch((error: unknown) => {
        log.error({ err: error }, 'The network process could not be started');
        if (!stopping) restartLater();
      });
    }, retryMs);
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  };
  const restart = async (): Promise<void> => {
    const startedAt = Date.now();
    const next = await launch({ ...settings, port }, log);
    if (stopping) {
      await end(next.child);
      return;
    }
    child = next.child;
    watch(next.child, startedAt);
    if (next.child.exitCode !== null || next.child.signalCode !== null) restartLater();
  };
  watch(first.child, Date.now());

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: () => child?.pid,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      if (child !== undefined) await end(child);
    },
  };
}

async function launch(settings: Settings, log: Logger): Promise<{ child: ChildProcess; url: string }> {
  const cli = fileURLToPath(new URL('cli.ts', import.meta.resolve('@cannery/network')));
  const { dataDir, host, port, fees } = settings;
  const options = [cli, '--data-dir', dataDir, '--host', host, '--port', String(port)];
  options.push('--fees', fees, '--exit-with-parent');
  // Its standard input is a pipe from here: when this process ends in whatever way, the pipe does, and so does it.
  const child = spawn(
    process.execPath,
    options,
    // A process group of its own keeps Ctrl+C in a terminal from reaching it before its server.
    { stdio: ['pipe', 'pipe', 'pipe'], detached: true },
  );
  child.stdin?.on('error', () => {});
  const complaints: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    complaints.push(line);
    if (complaints.length > 20) complaints.shift();
    log.warn({ part: 'network' }, line);
  });
  const ready = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const match = READY.exec(line);
    if (match?.[1] !== undefined) ready.resolve(match[1]);
    else log.info({ part: 'network' }, line);
  });
  const failed = (reason: string): void => {
    const isTaken = complaints.some((line) => /\bin use\b/.test(line));
    const sentence = isTaken
      ? `NETWORK_PORT ${port} is taken by another program. Stop it, or set NETWORK_PORT to another one.`
      : `The embedded network did not start: ${[reason, ...complaints.slice(-3)].join('\n')}`;
    ready.reject(new StartError(sentence));
  };
  child.once('error', (error) => failed(error.message));
  child.once('exit', (code, signal) => failed(`it ended with ${signal ?? `code ${code}`}.`));
  const timeout = setTimeout(() => failed('it took too long.'), START_TIMEOUT_MS);
  try {
    return { child, url: await ready.promise };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timeout);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timeout);
}
