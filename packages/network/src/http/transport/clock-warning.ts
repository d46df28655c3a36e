import type { SubnetTime } from '@cannery/replica/clock';

const LOOK_EVERY_MILLIS = 1_000;
/** Less is the ordinary correction of a clock. */
const WORTH_SAYING_NANOS = 2_000_000_000n;
const NANOS_PER_SECOND = 1_000_000_000n;

/**
 * Says on the standard error that the machine's clock was set back, once for each time, and that it has been caught up with.
 * Ends with `clearInterval`.
 */
export function warnOfClock(time: SubnetTime): NodeJS.Timeout {
  let isAhead = false;
  const timer = setInterval(() => {
    const ahead = time.aheadNanos();
    if (!isAhead && ahead > WORTH_SAYING_NANOS) {
      isAhead = true;
      process.emitWarning(
        `The clock of this machine is ${ahead / NANOS_PER_SECOND} s behind the time of the network: it was set back, or was ` +
          'wrong before. The network goes on from its last time, at half the pace, until both agree.',
      );
    } else if (isAhead && ahead === 0n) {
      isAhead = false;
      process.emitWarning('The clock of this machine has caught up with the time of the network.');
    }
  }, LOOK_EVERY_MILLIS);
  timer.unref();
  return timer;
}
