import type { BuildRun } from './step-runner.ts';

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
  const start = Date.now();
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      run.say(`${what}: ${Math.round((Date.now() - start) / 1000)} s`);
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
