import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stepBack } from '../fairness/step-back.ts';
import { LineSplitter } from './line-splitter.ts';
import { readPaced } from './read-paced.ts';
import { killGroup } from '../starter/kill-group.ts';

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

async function drained(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, DRAIN_MS);
  await Promise.race([closed, late]);
  clearTimeout(timer);
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/**
 * Runs a program in its own process group and hands out its output line by line.
 * Never leaves the group alive: it is killed at the time limit, on `signal`, and after the program's own end.
 * @throws Error when the program cannot be started.
 */
export async function runProcess(command: ProcessCommand, options: ProcessOptions): Promise<ProcessResult> {
  options.signal.throwIfAborted();
  const child = spawn(command.file, [...command.args], {
    cwd: command.cwd,
    env: { ...command.env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  stepBack(child.pid);
  let stopped: string | null = null;
  const stop = (reason: string): void => {
    stopped ??= reason;
    killGroup(child);
  };
  const onAbort = (): void =>
    stop(options.signal.reason instanceof Error ? options.signal.reason.message : 'stopped');
  const seconds = Math.round(options.timeoutMs / 1000);
  const timer = setTimeout(() => stop(`it ran longer than the limit of ${seconds} s`), options.timeoutMs);
  options.signal.addEventListener('abort', onAbort, { once: true });
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    const splitter = new LineSplitter(options.onLine);
    await readPaced(stream, (bytes) => splitter.push(bytes));
    splitter.end();
  });
  // A process that ends before reading its input closes the pipe; its exit code tells the story.
  child.stdin.on('error', () => undefined);
  child.stdin.end(command.input ?? '');
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    if (child.pid !== undefined) options.onStart?.(child.pid);
    const [exitCode, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    killGroup(child);
    await options.killRest?.();
    await drained(child, closed);
    return { exitCode, signal, stopped };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', onAbort);
    await Promise.all(reading);
  }
}
