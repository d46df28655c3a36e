import type { ChildProcess } from 'node:child_process';
import type { Logger } from './log/logger.ts';

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;
/** A process that has run this long starts again without a longer pause. */
const HEALTHY_MS = 30_000;

/** A child process that is started again whenever it ends. */
export interface KeptProcess {
  /** Process id of the running child; undefined while it is being started again. */
  pid(): number | undefined;
  /** Ends the child, also one that is just being started. */
  stop(): Promise<void>;
}

interface Parts {
  /** For the log, such as 'The database'. */
  readonly name: string;
  readonly log: Pick<Logger, 'error'>;
  /** Starts the process; resolves when it serves. */
  start(): Promise<ChildProcess>;
  /** Ends a process in good order. */
  end(child: ChildProcess): Promise<void>;
}

/** Starts a process and keeps it running, with pauses that grow. Rejects when it does not start the first time. */
export async function keepRunning({ name, log, start, end }: Parts): Promise<KeptProcess> {
  let stopping = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;
  let child: ChildProcess | undefined;

  const launch = async (): Promise<void> => {
    const startedAt = performance.now();
    const next = await start();
    child = next;
    const ended = (): void => {
      child = undefined;
      if (stopping) return;
      if (performance.now() - startedAt > HEALTHY_MS) retryMs = FIRST_RETRY_MS;
      log.error({ code: next.exitCode, signal: next.signalCode }, `${name} has ended and is started again`);
      launchLater();
    };
    if (hasEnded(next)) ended();
    else next.once('exit', ended);
  };
  const launchLater = (): void => {
    timer = setTimeout(() => {
      starting = launch().catch((error: unknown) => {
        log.error({ err: error }, `${name} could not be started`);
        if (!stopping) launchLater();
      });
    }, retryMs);
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  };
  await launch();

  return {
    pid: () => child?.pid,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await starting;
      if (child !== undefined) await end(child);
    },
  };
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
