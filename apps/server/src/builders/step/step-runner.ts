import type { RunPhase } from '@cannery/contract';
import { BuildError } from '../build-error.ts';
import { MORE_MEMORY } from './failure-signs.ts';
import type { Workspace } from '../disks/workspace.ts';
import type { ProgramFolder, Sandbox } from '../sandbox/sandbox.ts';
import type { TenantFolder } from '../tenant/tenant-folder.ts';

/** One build under way: where it happens, how long it may still take and who reads along. */
export interface BuildRun {
  readonly sandbox: Sandbox;
  readonly folders: Workspace;
  /** When the build has to be over, by performance.now(). */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** A line of the build's output. */
  onLine(line: string): void;
  /** A line of the server's own; `phase` is the one that begins with it. */
  say(line: string, phase?: RunPhase): void;
  /** Leaves work for when the run is over and its folders are still there: nobody waits for it, and it has no log. */
  afterwards(work: () => Promise<void>): void;
}

/** Milliseconds that are left. @throws BuildError when the time is over. */
export function timeLeft(run: BuildRun): number {
  const left = run.deadline - performance.now();
  if (left <= 0)
    throw new BuildError(
      'The build took longer than allowed. Make it do less, or ask the operator for a higher BUILD_TIMEOUT_S.',
    );
  return left;
}

export interface StepOptions {
  readonly argv: readonly string[];
  /** Address of the step's way out; null for no network. */
  readonly way: string | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly cache?: TenantFolder;
  readonly hasEmptyHome?: boolean;
  readonly files?: ReadonlyMap<string, string>;
  readonly programs?: readonly ProgramFolder[];
  readonly packagesIn?: string;
  /** Also sees each line, to recognise an error. */
  readonly watch?: (line: string) => void;
  /** Whether its lines are for the log only when it fails. */
  readonly quiet?: boolean;
}

/** How many of the last lines of a quiet step are told when it fails. */
const QUIET_LINES = 20;

/**
 * Runs one step of a build with what is left of its time.
 * @returns its exit code
 * @throws BuildError when the step had to be ended
 */
export async function runStep(run: BuildRun, options: StepOptions): Promise<number> {
  const { watch, quiet = false, ...step } = options;
  const kept: string[] = [];
  const result = await run.sandbox.run(run.folders, {
    env: {},
    ...step,
    timeoutMs: timeLeft(run),
    signal: run.signal,
    onLine: (line) => {
      watch?.(line);
      if (!quiet) run.onLine(line);
      else if (kept.push(line) > QUIET_LINES) kept.shift();
    },
  });
  if (result.exitCode !== 0) for (const line of kept) run.onLine(line);
  run.signal.throwIfAborted();
  if (result.stopped !== null) {
    const advice = result.isOutOfMemory ? ` ${MORE_MEMORY}` : '';
    throw new BuildError(`The build was stopped: ${result.stopped}.${advice}`);
  }
  return result.exitCode ?? 1;
}

/** '3.2 s' of the time since a moment. */
export function since(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** How long a build may say nothing while packages are installed, in milliseconds. */
const SILENCE_MS = 5_000;

/**
 * Does work that may be silent for long; the log then has a line with the seconds gone by at least every five seconds.
 * @param what the beginning of that line
 */
export async function withPatience<T>(
  run: BuildRun,
  what: string,
  work: (run: BuildRun) => Promise<T>,
): Promise<T> {
  const start = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      run.say(`${what}: ${Math.round((performance.now() - start) / 1000)} s`);
      wait();
    }, SILENCE_MS);
  };
  wait();
  try {
    return await work({
      ...run,
      onLine(line) {
        wait();
        run.onLine(line);
      },
      say(line, phase) {
        wait();
        run.say(line, phase);
      },
    });
  } finally {
    clearTimeout(timer);
  }
}
