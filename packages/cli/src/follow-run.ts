import {
  type DeployInstanceAnswer,
  deployEndpoints,
  deployTimers,
  isFinished,
  type LogEndEvent,
  logEndEvent,
  logLinesEvent,
} from '@cannery/contract';
import { setTimeout as delay } from 'node:timers/promises';
import { type Api, WaitError } from './api.ts';
import { CliError } from './cli-error.ts';

/** A stream that was open for so long shows that the server is there, in milliseconds. */
const HELD_MS = 5_000;
/** The pause before a stream is opened again, in milliseconds. */
const REOPEN_MS = 500;

/** A run of a deploy, by their ids. */
export interface RunId {
  readonly deployId: string;
  readonly runId: string;
}

/** A line of a log. */
export interface LogLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** The phase it was printed in. */
  readonly phase: string | null;
}

const paramsOf = ({ deployId, runId }: RunId) => ({ id: deployId, instanceId: runId });

/** A run as it is now, without its log. */
function readRun(api: Api, run: RunId): Promise<DeployInstanceAnswer> {
  return api.call(deployEndpoints.instance, { params: paramsOf(run), minimal: true });
}

/** Waits until a run is over. @returns how it ended */
export async function awaitRun(api: Api, run: RunId): Promise<LogEndEvent> {
  for (;;) {
    const { status, left_out: leftOut } = await readRun(api, run);
    if (isFinished(status)) return { status, left_out: leftOut ?? undefined };
    await delay(deployTimers.pollInstance);
  }
}

/**
 * Hands out the lines of a run's log as they come, each once, until the run is over. After a cut it goes on behind the last
 * line.
 * @returns how the run ended
 * @throws CliError
 */
export async function followRun(api: Api, run: RunId, take: (line: LogLine) => void): Promise<LogEndEvent> {
  let last = 0;
  const takeLines = (data: unknown): void => {
    const { first, text, phase } = logLinesEvent.parse(data);
    for (const [place, line] of text.split('\n').entries()) {
      const number = first + place;
      if (number <= last) continue;
      last = number;
      take({ number, text: line, phase });
    }
  };

  /** Reads one stream to its end. @returns how the run ended, when it is over */
  async function readOnce(): Promise<LogEndEvent> {
    const lastEventId = last === 0 ? undefined : String(last);
    const events = await api.events(deployEndpoints.log, { params: paramsOf(run), lastEventId });
    const [before, openedAt] = [last, Date.now()];
    // Where the server is there and proxies cut streams, the patience begins again with each stream.
    const cut = (cause?: unknown): Error =>
      last > before || Date.now() - openedAt >= HELD_MS
        ? new CutError('The connection to the log was lost.')
        : new WaitError('The connection to the log was lost.', undefined, { cause });
    try {
      for await (const { type, data } of events) {
        const value = parsed(data);
        if (type === 'lines') takeLines(value);
        if (type === 'end') return logEndEvent.parse(value);
      }
    } catch (error) {
      if (error instanceof CliError) throw error;
      throw cut(error);
    }
    throw cut();
  }

  for (;;) {
    try {
      return await api.persist(readOnce);
    } catch (error) {
      if (!(error instanceof CutError)) throw error;
      await delay(REOPEN_MS);
    }
  }
}

/** A stream was cut that had brought lines, or was open for a while. */
class CutError extends Error {
  override readonly name = 'CutError';
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
