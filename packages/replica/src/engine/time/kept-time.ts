import { StoreFailedError } from '@cannery/store/files/errors';
import { SubnetTime } from '../../clock.ts';
import type { Environment } from '../../execution/environment.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import type { SubnetRecord } from '../../state/subnet-state.ts';

/** How long time passes at most without being written down, in nanoseconds: a record of the log each minute costs an idle disk little. */
export const KEPT_EVERY_NANOS = 60_000_000_000n;
const LOOK_EVERY_MILLIS = 60_000;

/** See `EngineConfiguration`. */
interface TimeSettings {
  readonly time?: SharedArrayBuffer;
  readonly stopTime?: boolean;
  readonly steps?: { readonly startNanos: bigint };
}

/** The time shared with the host, where the last run of the network left it. */
export function openTime(
  { time, stopTime, steps }: TimeSettings,
  { timeNanos, closedAtNanos, timeOffsetNanos }: SubnetRecord,
): SubnetTime {
  const subnetTime = new SubnetTime(time);
  subnetTime.offsetNanos = timeOffsetNanos;
  // Who was killed may have told later times than the one that is written; where the clock has run on they are past.
  const isBehind = subnetTime.machine() < timeNanos;
  const stands = stopTime === true || steps !== undefined;
  const mayHaveToldMore = isBehind && closedAtNanos < timeNanos && !stands;
  subnetTime.continueFrom(mayHaveToldMore ? timeNanos + KEPT_EVERY_NANOS : timeNanos);
  if (stands) subnetTime.stop(timeNanos > 0n ? timeNanos : (steps?.startNanos ?? subnetTime.now()));
  return subnetTime;
}

/**
 * Writes down the time that queries and certificates tell while nothing is committed, so that it does not run back over a restart
 * with an earlier clock.
 */
export class KeptTime {
  readonly #env: Pick<Environment, 'clock' | 'state'>;
  readonly #scheduler: Pick<Scheduler, 'change'>;
  readonly #timer: NodeJS.Timeout;

  /** `onFailure` hears that nothing can be written any more. */
  constructor(
    env: Pick<Environment, 'clock' | 'state'>,
    scheduler: Pick<Scheduler, 'change'>,
    onFailure: (error: unknown) => void,
  ) {
    this.#env = env;
    this.#scheduler = scheduler;
    this.#timer = setInterval(() => {
      try {
        this.#keep();
      } catch (error) {
        onFailure(error);
      }
    }, LOOK_EVERY_MILLIS).unref();
  }

  /** The last time that was told, as the engine ends. */
  close(): void {
    clearInterval(this.#timer);
    const { clock, state } = this.#env;
    if (clock.now() <= state.record.timeNanos) return;
    try {
      this.#scheduler.change((tx) => {
        tx.state.record.closedAtNanos = tx.timeNanos;
      });
    } catch (error) {
      // A disk that takes nothing any more does not keep the network from its end.
      if (!(error instanceof StoreFailedError)) throw error;
    }
  }

  #keep(): void {
    const { clock, state } = this.#env;
    if (clock.now() - state.record.timeNanos >= KEPT_EVERY_NANOS) this.#scheduler.change(() => undefined);
  }
}
