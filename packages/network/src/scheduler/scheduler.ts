import { replicaErrors } from '../errors.ts';
import { executeCall } from '../execution/call.ts';
import type { Environment } from '../execution/environment.ts';
import { rejectionOutcome, respond } from '../execution/respond.ts';
import { executeResponse } from '../execution/response.ts';
import { settleStopping } from '../execution/stopping.ts';
import { executeTask } from '../execution/system-task.ts';
import { executeManagement } from '../management/dispatch.ts';
import type { Canister } from '../state/canister.ts';
import { type IdKey, idKey, MANAGEMENT_KEY } from '../state/canister-id.ts';
import type { Queued, RequestMessage, TaskName } from '../state/message.ts';
import { type Committed, Transaction } from '../state/transaction.ts';

/**
 * Takes messages from the input queues, one at a time: first in first out within a canister, canisters in turn.
 * Messages between two canisters therefore keep their order. Each message is one commit.
 */
export class Scheduler {
  readonly #env: Environment;
  readonly #onCommit: (committed: Committed) => void;
  /** Queues with work, in the order they get their turn. */
  readonly #ready = new Set<IdKey>();

  constructor(env: Environment, onCommit: (committed: Committed) => void) {
    this.#env = env;
    this.#onCommit = onCommit;
    if (env.state.managementQueue.length > 0) this.#ready.add(MANAGEMENT_KEY);
    for (const canister of env.state.canisters.values())
      if (canister.queue.length > 0) this.#ready.add(canister.key);
  }

  get idle(): boolean {
    return this.#ready.size === 0;
  }

  /** Puts a system task in the queue unless it is there already; tasks go before messages. */
  addTask(canister: Canister, task: TaskName): void {
    const waiting = canister.queue.some(({ message }) => message.kind === 'task' && message.task === task);
    if (!waiting) canister.queue.unshift({ message: { kind: 'task', task } });
    this.#ready.add(canister.key);
  }

  /** Commits changes that no queued message made. */
  change(action: (tx: Transaction) => void): Committed {
    const tx = new Transaction(this.#env.state, this.#env.store, this.#env.clock.now());
    action(tx);
    return this.#commit(tx);
  }

  /** Carries out the next message; false when there is none. */
  step(): boolean {
    const [key] = this.#ready;
    if (key === undefined) return false;
    this.#ready.delete(key);
    const queue = this.#env.state.queueOf(key);
    const queued = queue?.shift();
    if (!queue || !queued) return !this.idle;
    if (queue.length > 0) this.#ready.add(key);
    const tx = new Transaction(this.#env.state, this.#env.store, this.#env.clock.now());
    tx.consume(key, queued);
    if (key === MANAGEMENT_KEY) this.#executeManagement(tx, queued);
    else this.#execute(tx, key, queued);
    this.#commit(tx);
    this.#env.codes.trim();
    return true;
  }

  #commit(tx: Transaction): Committed {
    const committed = tx.commit();
    for (const key of committed.woken) this.#ready.add(key);
    this.#onCommit(committed);
    return committed;
  }

  #executeManagement(tx: Transaction, { message }: Queued): void {
    if (message.kind === 'request' && !this.#timedOut(tx, message)) executeManagement(this.#env, tx, message);
  }

  #execute(tx: Transaction, key: IdKey, { message }: Queued): void {
    const canister = this.#env.state.canisters.get(key);
    if (!canister) return;
    if (message.kind === 'task') executeTask(this.#env, tx, canister, message.task);
    else if (message.kind === 'response') executeResponse(this.#env, tx, canister, message);
    else if (!this.#timedOut(tx, message)) executeCall(this.#env, tx, canister, message);
    settleStopping(tx, canister);
  }

  /** An ingress message that waited beyond its expiry is not carried out any more. */
  #timedOut(tx: Transaction, message: RequestMessage): boolean {
    const { origin } = message;
    if (origin.kind !== 'ingress' || message.deadline > tx.timeNanos) return false;
    respond(tx, origin, rejectionOutcome(replicaErrors.ingressTimeout(idKey(origin.requestId))), 0n);
    return true;
  }
}
