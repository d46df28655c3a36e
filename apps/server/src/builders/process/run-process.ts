import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { startProgram } from '../../starter/start-program.ts';
import { LineSplitter } from './line-splitter.ts';
import { readPaced } from './read-paced.ts';

export interface ProcessCommand {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** Bytes for standard input, which is empty otherwise. */
  input?: string;
}

export interface ProcessOptions {
  /** Wall-clock limit in milliseconds. */
  timeoutMs: number;
  /** Stops the process when it fires; the reason's message tells why. */
  signal: AbortSignal;
  onLine(line: string): void;
  /** Called as soon as the process has an id. */
  onStart?(pid: number): void;
  /** Ends what killing the process group does not reach. */
  killRest?(): Promise<void>;
}

export interface ProcessResult {
  /** Null when the process was ended by a signal. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Why we ended it ourselves; null when it ended by itself. */
  stopped: string | null;
}

/** How long output is still read after the process has ended, in milliseconds. */
const DRAIN_MS = 3_000;

async function drained(streams: readonly Socket[]): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, DRAIN_MS);
  const ends = streams.map((stream) => finished(stream, { writable: false }).catch(() => undefined));
  await Promise.race([Promise.all(ends), late]);
  clearTimeout(timer);
  for (const stream of streams) stream.destroy();
}

/**
 * Runs a program in its own process group and hands out its output line by line.
 * Never leaves the group alive: it is killed at the time limit, on `signal`, and after the program's own end.
 * @throws StartError when the program cannot be started.
 */
export async function runProcess(command: ProcessCommand, options: ProcessOptions): Promise<ProcessResult> {
  options.signal.throwIfAborted();
  const program = await startProgram(command.file, command.args, command.env, {
    cwd: command.cwd,
    withInput: command.input !== undefined,
    withErrors: true,
  });
  let stopped: string | null = null;
  const stop = (reason: string): void => {
    stopped ??= reason;
    program.kill();
  };
  const onAbort = (): void =>
    stop(options.signal.reason instanceof Error ? options.signal.reason.message : 'stopped');
  const seconds = Math.round(options.timeoutMs / 1000);
  const timer = setTimeout(() => stop(`it ran longer than the limit of ${seconds} s`), options.timeoutMs);
  options.signal.addEventListener('abort', onAbort, { once: true });
  // It may have fired while the program was started.
  if (options.signal.aborted) onAbort();
  const streams = [program.output, program.errors].filter((stream) => stream !== null);
  const reading = streams.map(async (stream) => {
    const splitter = new LineSplitter(options.onLine);
    await readPaced(stream, (bytes) => splitter.push(bytes));
    splitter.end();
  });
  program.input?.end(command.input);
  try {
    options.onStart?.(program.pid);
    const { code, signal } = await program.ended;
    if (code === null && signal === null) stopped ??= 'the process that starts programs has ended';
    await options.killRest?.();
    await drained(streams);
    return { exitCode: code, signal, stopped };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', onAbort);
    await Promise.all(reading);
  }
}
