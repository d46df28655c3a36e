import { replicaErrors } from '@cannery/ic/errors';
import { inspectMessage, requireIngressFee } from '../../execution/ingress.ts';
import { SliceExceeded } from '../../execution/run/run.ts';
import { MAX_INGRESS_HISTORY } from '@cannery/ic/limits';
import { admitManagement } from '../../management/dispatch.ts';
import type { IngressMessage } from '../../messages.ts';
import { SlowMethodHistory } from '../../scheduler/slow-method-history.ts';
import type { SlicedEnvironment } from '../../scheduler/scheduler.ts';
import type { Canister } from '../../state/canister.ts';
import type { HeavyPool } from './heavy-pool.ts';

/** Decides which ingress messages enter a queue. */
export class IngressAdmission {
  readonly #env: SlicedEnvironment;
  readonly #heavy: HeavyPool;
  readonly #habits = new SlowMethodHistory();

  constructor(env: SlicedEnvironment, heavy: HeavyPool) {
    this.#env = env;
    this.#heavy = heavy;
  }

  /**
   * Asks the canister, at once where a slice suffices; returns what to wait for where it does not. Throws, or rejects
   * with, `ReplicaError` when the message must not enter a queue.
   */
  inspect(message: IngressMessage): Promise<void> | undefined {
    if (message.canisterId.length === 0) return undefined;
    const canister = this.check(message);
    if (!canister || this.#inspect(canister, message)) return undefined;
    this.#habits.note(canister.key, '');
    return this.#heavy.inspect(message).then((refusal) => {
      if (refusal) throw refusal;
    });
  }

  /** False when the inspection needs another thread. */
  #inspect(canister: Canister, message: IngressMessage): boolean {
    if (this.#habits.isHeavy(canister.key, '')) return false;
    const { runner, codes } = this.#env;
    runner.begin('query');
    try {
      inspectMessage(this.#env, canister, message);
      runner.end();
      return true;
    } catch (error) {
      if (error instanceof SliceExceeded) return false;
      runner.end();
      throw error;
    } finally {
      codes.trim();
    }
  }

  /**
   * Everything but what the canister itself says; returns the canister that pays for the message, if any. Throws
   * `ReplicaError`. Nothing may come between this and the commit that takes the message in.
   */
  check(message: IngressMessage): Canister | undefined {
    const { state } = this.#env;
    if (state.forgotten.cover(message.expiryNanos)) throw replicaErrors.expiryForgotten();
    if (state.requests.size >= MAX_INGRESS_HISTORY) throw replicaErrors.historyFull(MAX_INGRESS_HISTORY);
    if (message.canisterId.length === 0) {
      const payer = admitManagement(this.#env, message);
      if (payer) requireIngressFee(this.#env, payer, message);
      return payer;
    }
    const canister = state.find(message.canisterId);
    if (!canister) throw replicaErrors.canisterNotFound(message.canisterId);
    const { status, code } = canister.record;
    if (status === 'stopped') throw replicaErrors.stopped(canister.id);
    if (status === 'stopping') throw replicaErrors.stopping(canister.id);
    if (!code) throw replicaErrors.noWasmModuleToCall();
    requireIngressFee(this.#env, canister, message);
    return canister;
  }
}
