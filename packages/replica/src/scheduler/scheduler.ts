import type { Environment } from '../execution/environment.ts';
import { replicaErrors } from '@cannery/ic/errors';
import { type RecordedRun, FailingRunner, ReplayingRunner, errorOf } from '../execution/run/recorded-run.ts';
import { markProcessing } from '../execution/respond.ts';
import { type Runner, type SlicedRunner, SliceExceeded } from '../execution/run/run.ts';
import { managementTarget } from '../management/dispatch.ts';
import { type Canister, memoryIdentity } from '../state/canister.ts';
import { type IdKey, MANAGEMENT_KEY } from '../state/canister-id.ts';
import { causedByMessages } from '../state/consumed-cycles.ts';
import type { Message, Queued, TaskName } from '../state/message.ts';
import type { Committed } from '../state/committed.ts';
import { Transaction } from '../state/transaction.ts';
import { executeMessage } from './execute-message.ts';
import { SlowMethodHistory, habitOf } from './slow-method-history.ts';
import { type HeavyOutcome, type HeavyWork, Locks } from './heavy-work.ts';
import { NextRound } from './next-round.ts';

/** How often a message is carried out in another thread before it fails, when its outcome cannot be committed. */
const MOST_ATTEMPTS = 100;

export interface SchedulerHooks {
  readonly onCommit: (committed: Committed) => void;
  /** Work was put in a queue by something else than a step. */
  readonly onWork: () => void;
  /** A message was carried out and is committed: weighted instructions, and the cycles that it caused its canister to pay. */
  readonly onExecuted?: (
    owner: IdKey,
    message: Message,
    used: { readonly instructions: bigint; readonly cycles: bigint },
  ) => void;
}

/** The environment of the engine thread. */
export interface SlicedEnvironment extends Environment {
  readonly runner: SlicedRunner;
}

/**
 * Takes messages from the input queues, one at a time: first in first out within a canister, canisters in turn.
 * Messages between two canisters therefore keep their order. Each message is one commit. A message that needs more
 * than a slice is carried out again in another thread; its canister is locked meanwhile, and the others go on.
 */
export class Scheduler {
  readonly #env: SlicedEnvironment;
  readonly #heavy: HeavyWork;
  readonly #hooks: SchedulerHooks;
  /** Queues with work, in the order they get their turn. */
  readonly #ready = new Set<IdKey>();
  readonly #locks = new Locks();
  /** Canisters that begin nothing for a moment, so that queries find the state that is certified. */
  readonly #held = new Set<IdKey>();
  readonly #nextRound = new NextRound();
  readonly #habits = new SlowMethodHistory();
  /** How often the outcome of a message could not be committed. */
  readonly #attempts = new WeakMap<Queued, number>();
  #heavyInstructions = 0n;

  constructor(env: SlicedEnvironment, heavy: HeavyWork, hooks: SchedulerHooks) {
    this.#env = env;
    this.#heavy = heavy;
    this.#hooks = hooks;
    if (env.state.managementQueue.length > 0) this.#ready.add(MANAGEMENT_KEY);
    for (const canister of env.state.canisters.values())
      if (canister.queue.length > 0) this.#ready.add(canister.key);
  }

  /** There is nothing to do now; messages may be under way in other threads. */
  get idle(): boolean {
    return this.#ready.size === 0;
  }

  /** Some messages wait for nothing but the next round. */
  get awaitsRound(): boolean {
    return this.#nextRound.isAwaited;
  }

  /** No message waits, but for the next round, and none is under way. */
  get settled(): boolean {
    return this.idle && this.#locks.size === 0 && this.#held.size === 0;
  }

  /** Messages in the queues that have any. */
  get waiting(): { readonly messages: number; readonly queues: number } {
    let messages = 0;
    for (const key of this.#ready) messages += this.#env.state.queueOf(key)?.length ?? 0;
    return { messages, queues: this.#ready.size };
  }

  /** Canisters whose message is carried out in another thread. */
  get locked(): number {
    return this.#locks.size;
  }

  /** Weighted instructions of messages that were carried out in other threads. */
  get heavyInstructions(): bigint {
    return this.#heavyInstructions;
  }

  /** Puts a system task in the queue unless it is there or under way already; tasks go before messages. */
  addTask(canister: Canister, task: TaskName): void {
    const isIt = ({ message }: Queued): boolean => message.kind === 'task' && message.task === task;
    const inFlight = this.#locks.inFlight(canister.key);
    if (inFlight && isIt(inFlight)) return;
    if (!canister.queue.some(isIt)) canister.queue.unshift({ message: { kind: 'task', task } });
    this.#ready.add(canister.key);
  }

  /** The canister begins none of its messages until it is released; management calls about it are carried out. */
  hold(key: IdKey): void {
    this.#held.add(key);
  }

  release(key: IdKey): void {
    if (!this.#held.delete(key) || !this.#env.state.queueOf(key)?.length) return;
    this.#ready.add(key);
    this.#hooks.onWork();
  }

  /** Begins the next round; it begins by itself once other work had its turn. */
  beginRound(): void {
    const held = this.#nextRound.take();
    if (held.length === 0) return;
    this.#env.state.managementQueue.unshift(...held);
    this.#ready.add(MANAGEMENT_KEY);
    this.#hooks.onWork();
  }

  /** Commits changes that no queued message made; where `action` throws, nothing is changed. */
  change(action: (tx: Transaction) => void): Committed {
    const tx = this.#transaction();
    try {
      action(tx);
    } catch (error) {
      tx.abandon();
      throw error;
    }
    return this.#commit(tx);
  }

  /** Carries out the next message, or hands it over to another thread; false when there is none. */
  step(): boolean {
    const [owner] = this.#ready;
    if (owner === undefined) return false;
    this.#ready.delete(owner);
    if (this.#locks.has(owner) || this.#held.has(owner)) return !this.idle;
    const queue = this.#env.state.queueOf(owner);
    const queued = queue?.shift();
    if (!queue || !queued) return !this.idle;
    if (queue.length > 0) this.#ready.add(owner);
    if (owner === MANAGEMENT_KEY && this.#nextRound.hold(queued, () => setImmediate(() => this.beginRound())))
      return !this.idle;
    if (owner === MANAGEMENT_KEY && this.#locks.size > 0) {
      const target = managementTarget(queued.message);
      if (target !== undefined && this.#locks.has(target)) {
        this.#locks.park(target, queued);
        return !this.idle;
      }
    }
    if (owner !== MANAGEMENT_KEY && this.#habits.isHeavy(owner, habitOf(queued.message)))
      this.#handOver(owner, queued);
    else this.#execute(owner, queued);
    return true;
  }

  /** Carries out a message that is not in its queue any more. */
  #execute(owner: IdKey, queued: Queued): void {
    const tx = this.#transaction();
    tx.consume(owner, queued);
    const { runner } = this.#env;
    const [usedBefore, paidBefore] = [runner.used, this.#paidBy(owner)];
    runner.begin('message');
    try {
      executeMessage(this.#env, tx, owner, queued.message);
    } catch (error) {
      if (!(error instanceof SliceExceeded)) throw error;
      tx.abandon();
      this.#env.codes.trim();
      if (owner !== MANAGEMENT_KEY) this.#habits.note(owner, habitOf(queued.message));
      this.#handOver(owner, queued);
      return;
    }
    runner.end();
    tx.state.record.updateTransactions += 1;
    this.#commit(tx);
    this.#tellOf(owner, queued.message, runner.used - usedBefore, paidBefore);
    this.#env.codes.trim();
  }

  /** The canister whose state the message changes. */
  #targetOf(owner: IdKey, { message }: Queued): Canister | undefined {
    const key = owner === MANAGEMENT_KEY ? managementTarget(message) : owner;
    return key === undefined ? undefined : this.#env.state.canisters.get(key);
  }

  #handOver(owner: IdKey, queued: Queued): void {
    const canister = this.#targetOf(owner, queued);
    if (!canister) throw new Error('Only code of a canister can need another thread.');
    const { message } = queued;
    this.#locks.lock(canister.key, queued);
    if (message.kind === 'request' && message.origin.kind === 'ingress')
      this.change((tx) => markProcessing(tx, message.origin));
    let timeNanos = 0n;
    let identity = '';
    const start = (): bigint => {
      timeNanos = this.#env.clock.now();
      identity = memoryIdentity(canister.record);
      return timeNanos;
    };
    this.#heavy.submit({ canister, owner, message, start }, (outcome) => {
      const isSame = memoryIdentity(canister.record) === identity;
      const kept = isSame && this.#keep(owner, queued, timeNanos, outcome);
      const goesOn = kept || this.#countAttempt(queued) < MOST_ATTEMPTS;
      if (!goesOn) {
        const error = replicaErrors.engineFault(canister.id, 'the state the message ran on kept changing');
        this.#keep(owner, queued, timeNanos, { kind: 'lost', error });
      }
      this.#release(canister);
      if (!kept && goesOn) this.#putBack(owner, queued);
      this.#hooks.onWork();
      return kept;
    });
  }

  #countAttempt(queued: Queued): number {
    const attempts = (this.#attempts.get(queued) ?? 0) + 1;
    this.#attempts.set(queued, attempts);
    return attempts;
  }

  /** What an abandoned transaction does not do: it was this scheduler that took the message from its queue. */
  #putBack(owner: IdKey, queued: Queued): void {
    this.#env.state.queueOf(owner)?.unshift(queued);
    this.#ready.add(owner);
  }

  /** Commits the outcome; false when the message has to run again, because the state it ran on is not there any more. */
  #keep(owner: IdKey, queued: Queued, timeNanos: bigint, outcome: HeavyOutcome): boolean {
    const tx = new Transaction(this.#env.state, this.#env.store, timeNanos);
    tx.consume(owner, queued);
    const refusal = outcome.kind === 'lost' ? outcome.error : outcome.refusal && errorOf(outcome.refusal);
    const paidBefore = this.#paidBy(owner);
    const runner = outcome.kind === 'lost' ? new FailingRunner(outcome.error) : replaying(outcome.runs);
    try {
      this.#env.codes.modules.refusing(refusal, () =>
        executeMessage({ ...this.#env, runner }, tx, owner, queued.message),
      );
    } catch (error) {
      if (!(error instanceof SliceExceeded)) throw error;
      tx.abandon();
      return false;
    }
    tx.state.record.updateTransactions += 1;
    let used = 0n;
    if (outcome.kind === 'done') for (const { instructions } of outcome.runs) used += instructions;
    this.#heavyInstructions += used;
    this.#commit(tx);
    this.#tellOf(owner, queued.message, used, paidBefore);
    this.#env.codes.trim();
    return true;
  }

  /** What the messages of a canister have made it pay so far. */
  #paidBy(owner: IdKey): bigint {
    const canister = this.#env.state.canisters.get(owner);
    return canister ? causedByMessages(canister.record.consumed) : 0n;
  }

  #tellOf(owner: IdKey, message: Message, instructions: bigint, paidBefore: bigint): void {
    this.#hooks.onExecuted?.(owner, message, { instructions, cycles: this.#paidBy(owner) - paidBefore });
  }

  #release(canister: Canister): void {
    const parked = this.#locks.release(canister.key);
    if (canister.queue.length > 0) this.#ready.add(canister.key);
    if (parked.length === 0) return;
    this.#env.state.managementQueue.unshift(...parked);
    this.#ready.add(MANAGEMENT_KEY);
  }

  #transaction(): Transaction {
    return new Transaction(this.#env.state, this.#env.store, this.#env.clock.now());
  }

  #commit(tx: Transaction): Committed {
    const committed = tx.commit();
    for (const key of committed.woken) this.#ready.add(key);
    this.#hooks.onCommit(committed);
    return committed;
  }
}

/** The recorded executions in their order; asks for the message to run again when there are more than were recorded. */
function replaying(runs: readonly RecordedRun[]): Runner {
  const rest = runs.values();
  return new ReplayingRunner(() => {
    const next = rest.next();
    if (next.done) throw new SliceExceeded();
    return next.value;
  });
}
