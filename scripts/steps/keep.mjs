import { exitCodeOf, startHere, whenToEnd } from './become.mjs';

const PAUSES = { first: 500, longest: 30_000 };
/** A program that has served for so long starts again without a longer pause. */
const HEALTHY_MS = 60_000;
/** This many starts in a row that never come to serve are no accident. */
const MOST_FAILURES = 8;

/**
 * Keeps a program running that tells by the message 'ready' that it serves: one that dies then, such as for lack of memory, is started
 * again, after pauses that grow. One that ends by itself before it has ever served has said why, and so has one that ends
 * without an error; both end this process, too.
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {readonly string[]} args of Node
 * @param {{ first: number, longest: number }} pauses in ms
 */
export function keep(toolchain, args, pauses = PAUSES) {
  let isEnding = false;
  let hasServed = false;
  let failures = 0;
  let pauseMs = pauses.first;
  /** @type {NodeJS.Timeout | undefined} */
  let pause;
  let child = launch();

  function launch() {
    const startedAt = Date.now();
    let serves = false;
    const started = startHere(toolchain, args);
    started.on('message', (message) => {
      if (message !== 'ready') return;
      serves = hasServed = true;
      failures = 0;
    });
    started.on('exit', (code, signal) => {
      const hasSaidWhy = !hasServed && signal === null;
      if (isEnding || code === 0 || hasSaidWhy) process.exit(exitCodeOf(code, signal));
      if (!serves) failures += 1;
      const how = signal ?? `exit code ${code}`;
      if (failures >= MOST_FAILURES) {
        say(
          `Cannery has ended (${how}), and ${failures} starts in a row failed. It is not started again: see what it said above.`,
        );
        process.exit(1);
      }
      if (Date.now() - startedAt > HEALTHY_MS) pauseMs = pauses.first;
      say(`Cannery has ended (${how}) and is started again in ${pauseMs / 1000} s.`);
      pause = setTimeout(() => {
        pause = undefined;
        child = launch();
      }, pauseMs);
      pauseMs = Math.min(pauseMs * 2, pauses.longest);
    });
    return started;
  }

  whenToEnd((signal) => {
    isEnding = true;
    // Nothing runs in a pause.
    if (pause !== undefined) process.exit(0);
    child.kill(signal);
  });
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}
