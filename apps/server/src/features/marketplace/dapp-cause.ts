import type { Actor, AppContext } from '../../context.ts';
import { keepAnswer } from '../../db/answer-once.ts';
import type { Tx } from '../../db/tx.ts';
import type { ChangeCause, Ending } from '../canister/change/change-cause.ts';
import { type CodeChange, forgetChange } from '../canister/change/change-store.ts';
import { type CanisterRow, findCanister } from '../canister/core/store.ts';
import { dropSnapshot } from '../canister/snapshots/snapshots.ts';
import { findWayBack, forgetWayBack, keepWayBack } from './installed-dapp-store.ts';

/** Changes of an installed dapp from one version to another: the snapshot of the last upgrade is the one way back. */
export const dappCause: ChangeCause = {
  name: 'dapp',
  what: 'An upgrade or a way back',
  steps: { upgrade: 'upgrade', halted: 'back.stopped', restored: 'back.restored', resumed: 'back.started' },
  resumesReturns: false,
  noteTaken: async () => undefined,
  tidy,
  settle,
};

const isDone = ({ outcome }: Ending): boolean => outcome === 'upgraded' || outcome === 'returned';

/** Deletes the snapshot that is no way back, or not any more; others may have deleted any of them. */
async function tidy(ctx: AppContext, user: Actor, ending: Ending): Promise<void> {
  const { canister_id: id, phase, snapshot_id } = ending.change;
  const there = (await ctx.ic.snapshots.list(id)).map((snapshot) => snapshot.id);
  const earlier = (await findWayBack(ctx.db, { userId: user.id, canisterId: id }))?.snapshot_id;
  const taken = phase === 'upgrading' ? snapshot_id : null;
  const dropped = isDone(ending) ? earlier : taken;
  if (dropped !== undefined && dropped !== null && there.includes(dropped))
    await dropSnapshot(ctx, user, id, dropped);
  // Where there was room for no other one, the snapshot of the upgrade has taken the place of the way back.
  if (earlier !== undefined && !there.includes(earlier)) {
    await ctx.transact((tx) => forgetWayBack(tx, id));
  }
}

/** Keeps the way back and the answer to the request; the change is over in any case. */
async function settle(tx: Tx, user: Actor, ending: Ending): Promise<void> {
  const { change, outcome } = ending;
  const { canister_id: id, user_id: userId, request_key: key, request_hash: hash } = change;
  if (outcome === 'returned') await forgetWayBack(tx, id);
  if (outcome === 'upgraded') await keepWayBack(tx, wayBackOf(change, await findCanister(tx, user.id, id)));
  if (isDone(ending) && key !== null && hash !== null)
    await keepAnswer(tx, { userId, key, hash, answer: id });
  await forgetChange(tx, id);
}

function wayBackOf(change: CodeChange, { origin }: CanisterRow): Parameters<typeof keepWayBack>[1] {
  const { canister_id: canisterId, user_id: userId, snapshot_id: snapshotId } = change;
  const { before_version: version, before_hash: moduleHash } = change;
  if (snapshotId === null || version === null) {
    throw new Error(`The upgrade of ${canisterId} has installed code without a snapshot.`);
  }
  const toVersion = origin.kind === 'dapp' ? origin.versionId : null;
  return { canisterId, userId, snapshotId, version, moduleHash, toVersion };
}
