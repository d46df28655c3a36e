import { exhaustionTime } from '../cycles/rent.ts';
import { replicaErrors } from '@cannery/ic/errors';
import type { Environment } from '../execution/environment.ts';
import { chargeRent } from '../execution/rent.ts';
import { rejectionOutcome } from '../execution/respond.ts';
import { billFor, standingAccount } from '../execution/spending.ts';
import { expireStopRequests } from '../execution/stopping.ts';
import { HEARTBEAT_INTERVAL_MS, MAX_HISTORY_REPLY_BYTES } from '@cannery/ic/limits';
import type { Canister } from '../state/canister.ts';
import type { BoundedCall, Committed } from '../state/committed.ts';
import { Alarms } from './alarms.ts';
import type { Scheduler } from './scheduler.ts';
import { PatientTime } from '../clock.ts';

const HEARTBEAT_NANOS = BigInt(HEARTBEAT_INTERVAL_MS) * 1_000_000n;
/** Less time than this until a canister is out of cycles is waited for exactly. */
const NEAR_NANOS = 3_600_000_000_000n;
const HISTORY_SWEEP_NANOS = 30_000_000_000n;

/** Work that becomes due by time: global timers, heartbeats, bounded calls, stop requests, old request statuses. */
export class DueWork {
  readonly #env: Environment;
  readonly #scheduler: Scheduler;
  readonly #alarms: Alarms;
  /** What is done now and then, and not made up for when time is set ahead. */
  readonly #rounds: Alarms;
  /** By this time requests are forgotten. */
  readonly #patient: PatientTime;
  /** Called after work was put in a queue. */
  readonly #onWork: () => void;

  constructor(env: Environment, scheduler: Scheduler, onWork: () => void) {
    this.#env = env;
    this.#scheduler = scheduler;
    this.#onWork = onWork;
    this.#alarms = new Alarms(env.clock);
    this.#rounds = new Alarms(env.clock);
    this.#patient = new PatientTime(env.clock, env.state.record.timeNanos);
    for (const canister of env.state.canisters.values()) {
      this.#watch(canister);
      for (const { id, deadline } of canister.callbacks.values()) {
        if (deadline > 0n) this.#expect({ canister, callback: id, deadlineNanos: deadline });
      }
    }
    this.#sweepLater();
  }

  /** Looks at what a commit changed. */
  afterCommit(committed: Committed): void {
    for (const canister of committed.changed) this.#watch(canister);
    for (const call of committed.bounded) this.#expect(call);
    this.#forgetReplies();
  }

  /** When something is due for which time that is set ahead has to stop, if there is such a thing. */
  get next(): bigint | undefined {
    return this.#alarms.next;
  }

  /** Time was set ahead: does what has become due. */
  ring(): void {
    this.#alarms.ring();
    this.#rounds.ring();
  }

  /** A round of a network whose rounds are asked for begins: does what is due, and every heartbeat. */
  beginRound(): void {
    this.#alarms.ring();
    this.#rounds.ring(this.#env.clock.now() + HEARTBEAT_NANOS);
  }

  stop(): void {
    this.#alarms.stop();
    this.#rounds.stop();
  }

  #watch(canister: Canister): void {
    const { record, key } = canister;
    const { code } = record;
    const wanted = record.globalTimer > 0n || code?.exports.heartbeat || code?.exports.onLowWasmMemory;
    const active = wanted && record.status === 'running' && code && this.#canRun(canister);
    if (active && record.globalTimer > 0n) {
      this.#alarms.set(`timer/${key}`, record.globalTimer, () =>
        this.#task(canister, 'canister_global_timer'),
      );
    } else {
      this.#alarms.clear(`timer/${key}`);
    }
    if (active && code?.exports.heartbeat) this.#beatLater(canister);
    if (active && code?.exports.onLowWasmMemory && record.lowMemoryHook === 'ready') {
      this.#scheduler.addTask(canister, 'canister_on_low_wasm_memory');
    }
    this.#watchStop(canister);
    this.#watchRent(canister);
  }

  /** Without the cycles for a task there is no point in trying; the commit that brings them looks again. */
  #canRun(canister: Canister): boolean {
    const bill = billFor(this.#env, canister.record, this.#env.limits.update);
    const { account, balance } = standingAccount(this.#env, canister, this.#env.clock.now());
    return account.refusal(balance, bill.prepaid) === undefined;
  }

  /**
   * Uninstalls the canister when it runs out of cycles, also when nothing else happens to it. Messages bring that time
   * nearer all the while, so the alarm is set half way to it as long as it is far.
   */
  #watchRent(canister: Canister): void {
    const name = `rent/${canister.key}`;
    const at = exhaustionTime(this.#env.fees, canister);
    if (at === undefined) {
      this.#alarms.clear(name);
      return;
    }
    const known = this.#alarms.dueTime(name);
    if (known !== undefined && known <= at) return;
    const now = this.#env.clock.now();
    const far = at - now > NEAR_NANOS;
    this.#alarms.set(name, far ? now + (at - now) / 2n : at, () => {
      if (this.#env.state.canisters.get(canister.key) !== canister) return;
      if (!far) this.#scheduler.change((tx) => chargeRent(this.#env, tx, canister));
      this.#watchRent(canister);
      this.#onWork();
    });
  }

  #watchStop(canister: Canister): void {
    const name = `stop/${canister.key}`;
    const [first] = canister.record.stopRequests;
    if (!first) {
      this.#alarms.clear(name);
      return;
    }
    this.#alarms.set(name, first.deadlineNanos, () => {
      if (this.#env.state.canisters.get(canister.key) !== canister) return;
      this.#scheduler.change((tx) => expireStopRequests(tx, canister));
      this.#onWork();
    });
  }

  #task(canister: Canister, task: 'canister_global_timer' | 'canister_heartbeat'): void {
    if (this.#env.state.canisters.get(canister.key) !== canister) return;
    if (canister.record.status !== 'running') return;
    this.#scheduler.addTask(canister, task);
    this.#onWork();
  }

  #beatLater(canister: Canister): void {
    const name = `heartbeat/${canister.key}`;
    if (this.#rounds.has(name)) return;
    this.#rounds.set(name, this.#env.clock.now() + HEARTBEAT_NANOS, () =>
      this.#task(canister, 'canister_heartbeat'),
    );
  }

  /** A bounded call that is not answered in time gets an answer that leaves its fate open. */
  #expect({ canister, callback, deadlineNanos }: BoundedCall): void {
    this.#alarms.set(`call/${canister.key}/${callback}`, deadlineNanos, () => {
      if (!canister.callbacks.has(callback)) return;
      const outcome = rejectionOutcome(replicaErrors.callTimeout());
      this.#scheduler.change((tx) =>
        tx.enqueue(canister.key, { kind: 'response', callback, outcome, refund: 0n }),
      );
      this.#onWork();
    });
  }

  #forgetReplies(): void {
    const beyond = this.#env.state.requests.beyond(MAX_HISTORY_REPLY_BYTES);
    if (beyond.length === 0) return;
    this.#scheduler.change((tx) => {
      for (const request of beyond) tx.setRequest(request, { status: 'done' });
    });
  }

  #sweepLater(): void {
    const { clock, state } = this.#env;
    this.#rounds.set('history', clock.now() + HISTORY_SWEEP_NANOS, () => {
      const gone = state.requests.expired(this.#patient.now());
      if (gone.length > 0) {
        this.#scheduler.change((tx) => {
          for (const id of gone) tx.forgetRequest(id);
        });
      }
      this.#sweepLater();
    });
  }
}
