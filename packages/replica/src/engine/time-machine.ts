import { SubnetTime } from '../clock.ts';
import type { Environment } from '../execution/environment.ts';
import type { DueWork } from '../scheduler/due-work.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { EngineConfiguration } from './protocol.ts';

/** Steps are at least this far apart, as rounds are: a timer that is always due again must not stop time. */
const ROUND_NANOS = 1_000_000_000n;

/** The time shared with the host, where the last run of the network left it. */
export function openTime(
  { time, stopTime, steps }: Pick<EngineConfiguration, 'time' | 'stopTime' | 'steps'>,
  { timeNanos, timeOffsetNanos }: { readonly timeNanos: bigint; readonly timeOffsetNanos: bigint },
): SubnetTime {
  const subnetTime = new SubnetTime(time);
  subnetTime.offsetNanos = timeOffsetNanos;
  subnetTime.continueFrom(timeNanos);
  if (steps) subnetTime.stop(timeNanos > 0n ? timeNanos : steps.startNanos);
  else if (stopTime) subnetTime.stop(timeNanos > 0n ? timeNanos : subnetTime.now());
  return subnetTime;
}

/** What setting the time needs of the engine. */
export interface TimeMachineParts {
  readonly env: Environment;
  readonly time: SubnetTime;
  readonly scheduler: Scheduler;
  readonly dueWork: DueWork;
  /** Resolves when no message waits, but for the next round, or runs; false when the engine is closing. */
  readonly idle: () => Promise<boolean>;
}

/** Sets subnet time ahead, so that a month passes in a test. One request at a time; later ones wait. */
export class TimeMachine {
  readonly #parts: TimeMachineParts;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: TimeMachineParts) {
    this.#parts = parts;
  }

  /** See `Engine.setTime`. */
  setTime(nanos: bigint): Promise<void> {
    const arrived = this.#last.then(() => this.#travel(nanos));
    this.#last = arrived.catch(() => undefined);
    return arrived;
  }

  async #travel(target: bigint): Promise<void> {
    const { env, time, scheduler, dueWork, idle } = this.#parts;
    let earliest = env.clock.now();
    while (await idle()) {
      const now = env.clock.now();
      if (now >= target) return;
      const due = scheduler.awaitsRound ? earliest : (dueWork.next ?? target);
      const step = due < earliest ? earliest : due;
      time.set(step < target ? step : target);
      earliest = env.clock.now() + ROUND_NANOS;
      // The offset is stored before anything happens at the new time.
      scheduler.change((tx) => {
        tx.state.record.timeOffsetNanos = time.offsetNanos;
      });
      dueWork.ring();
      scheduler.beginRound();
    }
  }
}
