import { expect, test } from 'vitest';
import { runProcess } from './run-process.ts';

/** Lines of 4 kB, which is as much as is read without a look at the clock. */
const LINES = 300;
const FLOOD = `for (let n = 0; n < ${LINES}; n += 1) console.log('x'.repeat(4095));`;

/** Work on the main thread for some milliseconds. */
function busy(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test('a program that floods its output waits for its reader, who takes a share of the main thread only', async () => {
  let lines = 0;
  let end = 0;
  let start = 0;
  const { exitCode } = await runProcess(
    { file: process.execPath, args: ['-e', FLOOD], env: {} },
    {
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      onLine() {
        if (lines === 0) start = performance.now();
        busy(1);
        lines += 1;
        end = performance.now();
      },
    },
  );
  expect({ exitCode, lines }).toEqual({ exitCode: 0, lines: LINES });
  // 300 ms of work, at 4 ms or a little more in each 29.
  expect(end - start).toBeGreaterThan(1_200);
});
