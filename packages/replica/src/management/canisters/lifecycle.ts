import { replicaErrors } from '@cannery/ic/errors';
import { rejectionOutcome, respond } from '../../execution/respond.ts';
import { settleStopping } from '../../execution/stopping.ts';
import { uninstall } from '../../execution/uninstall.ts';
import { STOP_TIMEOUT_NANOS } from '@cannery/ic/limits';
import { sameId } from '../../state/canister-id.ts';
import { ANSWERED_LATER, canisterOf, changeOrigin, managementMethod } from '../method/method.ts';

export const startCanister = managementMethod({
  name: 'start_canister',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run({ env, tx }, arg) {
    const canister = canisterOf(env, arg.canister_id);
    const record = tx.edit(canister);
    for (const request of record.stopRequests) {
      respond(tx, request.origin, rejectionOutcome(replicaErrors.stopCancelled(canister.id)), request.cycles);
    }
    record.stopRequests = [];
    record.status = 'running';
    record.version += 1n;
    tx.saveCanister(canister);
  },
});

export const stopCanister = managementMethod({
  name: 'stop_canister',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    const { env, tx, origin } = call;
    const canister = canisterOf(env, arg.canister_id);
    const record = tx.edit(canister);
    record.version += 1n;
    if (record.status === 'stopped') {
      tx.saveCanister(canister);
      return undefined;
    }
    record.status = 'stopping';
    record.stopRequests = [
      ...record.stopRequests,
      { origin, cycles: call.cycles, deadlineNanos: tx.timeNanos + STOP_TIMEOUT_NANOS },
    ];
    tx.saveCanister(canister);
    settleStopping(tx, canister);
    return ANSWERED_LATER;
  },
});

export const deleteCanister = managementMethod({
  name: 'delete_canister',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run({ env, tx, sender }, arg) {
    const canister = canisterOf(env, arg.canister_id);
    if (sameId(canister.id, sender)) throw replicaErrors.deleteSelf(canister.id);
    if (canister.record.status !== 'stopped') throw replicaErrors.deleteNotStopped(canister.id);
    // System tasks of a stopped canister do nothing, so they are no reason to wait.
    if (canister.queue.some(({ message }) => message.kind !== 'task'))
      throw replicaErrors.queueNotEmpty(canister.id);
    env.codes.forget(canister);
    tx.removeCanister(canister);
  },
});

export const uninstallCode = managementMethod({
  name: 'uninstall_code',
  callers: { kind: 'controllers' },
  target: (arg) => arg.canister_id,
  run(call, arg) {
    const { env, tx } = call;
    const canister = canisterOf(env, arg.canister_id);
    uninstall(env, tx, canister);
    tx.addChange(canister, {
      timestampNanos: tx.timeNanos,
      canisterVersion: canister.record.version,
      origin: changeOrigin(call, arg.sender_canister_version),
      details: { kind: 'uninstall' },
    });
    settleStopping(tx, canister);
  },
});
