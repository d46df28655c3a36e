import { LATEST_TIME_NANOS, type SubnetTime, TOO_FAR } from '../../clock.ts';
import type { Environment } from '../../execution/environment.ts';
import type { DueWork } from '../../scheduler/due-work.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';

/** Steps are at least this far apart, as rounds are: a timer that is always due again must not stop time. */
const ROUND_NANOS = 1_000_000_000n;

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
    const { env } = this.#parts;
    return this.#inTurn(() => this.#travel(() => nanos - env.clock.now()));
  }

  /** See `Engine.advanceTime`. */
  advance(nanos: bigint): Promise<void> {
    const { env } = this.#parts;
    return this.#inTurn(() => {
      if (env.clock.now() + nanos > LATEST_TIME_NANOS) throw new RangeError(TOO_FAR);
      return this.#travel((moved) => nanos - moved);
    });
  }

  #inTurn(journey: () => Promise<void>): Promise<void> {
    const arrived = this.#last.then(journey);
    this.#last = arrived.catch(() => undefined);
    return arrived;
  }

  /** `left`: how many nanoseconds are to go, after time was moved by `moved`. */
  async #travel(left: (moved: bigint) => bigint): Promise<void> {
    const { env, time, scheduler, dueWork, idle } = this.#parts;
    let earliest = env.clock.now();
    let moved = 0n;
    while (await idle()) {
      const now = env.clock.now();
      const toGo = left(moved);
      if (toGo <= 0n) return;
      const due = scheduler.awaitsRound ? earliest : (dueWork.next ?? now + toGo);
      const step = (due < earliest ? earliest : due) - now;
      const by = step < toGo ? step : toGo;
      time.moveBy(by);
      moved += by;
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
