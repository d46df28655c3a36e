import type { NotNull } from 'kysely';
import type { Reader, Tx } from '../../../db/tx.ts';
import type { ChangeCause, Ending } from '../../canister/change/change-cause.ts';
import { type CodeChange, forgetChange } from '../../canister/change/change-store.ts';
import { CUT_OFF } from '../../canister/core/store.ts';

/** Upgrades by runs of deploys: while its run is under way, an upgraded canister can go back to the snapshot taken of it. */
export const runCause: ChangeCause = {
  name: 'run',
  what: 'An upgrade by a deploy',
  steps: {
    upgrade: 'deploy',
    halted: 'deploy.halted',
    restored: 'deploy.restored',
    resumed: 'deploy.resumed',
  },
  // The run goes on after a crash.
  resumesReturns: true,
  noteTaken: noteAutomatic,
  // A snapshot stays after the run; the next run replaces it.
  tidy: async () => undefined,
  settle,
};

/** Notes the newest snapshot of a canister that a run has taken. */
async function noteAutomatic(tx: Tx, canisterId: string, snapshotId: string): Promise<void> {
  const taken = { snapshot_id: snapshotId };
  await tx
    .insertInto('automatic_snapshots')
    .values({ canister_id: canisterId, ...taken })
    .onConflict((conflict) => conflict.column('canister_id').doUpdateSet(taken))
    .execute();
}

/** The newest snapshot of a canister that a run has taken; the user may have deleted it since. */
export async function automaticSnapshotOf(db: Reader, canisterId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('automatic_snapshots')
    .select('snapshot_id')
    .where('canister_id', '=', canisterId)
    .executeTakeFirst();
  return row?.snapshot_id;
}

/** Keeps what the run may still take back, and what it has taken back. Of a run that is over nothing is kept. */
async function settle(tx: Tx, _user: unknown, { change, outcome, hash }: Ending): Promise<void> {
  const { canister_id: id, instance_id: run, snapshot_id: snapshot } = change;
  const left = leftOf(outcome, hash);
  const isOpen = left !== null && snapshot !== null && (await isOpenRun(tx, run));
  if (!isOpen) return forgetChange(tx, id);
  await tx.updateTable('code_changes').set(left).where('canister_id', '=', id).execute();
}

function leftOf(
  outcome: Ending['outcome'],
  hash: string | null,
): Partial<Pick<CodeChange, 'phase' | 'target_hash'>> | null {
  if (outcome === 'returned') return { phase: 'returned' };
  const stays = outcome === 'upgraded' || outcome === 'not returned';
  return stays && hash !== null ? { phase: 'upgraded', target_hash: hash } : null;
}

async function isOpenRun(tx: Tx, instanceId: string | null): Promise<boolean> {
  const open = await tx
    .selectFrom('deploy_instances')
    .select('id')
    .where('id', '=', instanceId)
    .where('status', 'in', ['SCHEDULED', 'RUNNING'])
    .forUpdate()
    .executeTakeFirst();
  return open !== undefined;
}

/** Forgets the changes of a run that ends; a canister that may still be stopped is seen to first. */
export async function forgetChangesOf(tx: Tx, instanceId: string): Promise<void> {
  await tx
    .deleteFrom('code_changes')
    .where('instance_id', '=', instanceId)
    .where('phase', 'not in', CUT_OFF)
    .execute();
}

/** Marks all that a run has upgraded as to be put back. */
export async function beginReturns(tx: Tx, instanceId: string): Promise<void> {
  await tx
    .updateTable('code_changes')
    .set({ phase: 'restoring' })
    .where('instance_id', '=', instanceId)
    .where('phase', '=', 'upgraded')
    .execute();
}

/** A change of a run, with the name that the canister has in the project. */
export type RunChange = CodeChange & { readonly name: string };

/** The changes of a run, in their order. */
export async function changesOf(db: Reader, instanceId: string): Promise<RunChange[]> {
  return db
    .selectFrom('code_changes')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .$narrowType<{ name: NotNull }>()
    .orderBy('seq')
    .execute();
}

/** Canisters of a deploy that a run has left in the middle of its upgrade. */
export async function cutOffIn(db: Reader, deployId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('code_changes')
    .innerJoin('deploy_canisters', 'deploy_canisters.canister_id', 'code_changes.canister_id')
    .select('code_changes.canister_id')
    .where('deploy_canisters.deploy_id', '=', deployId)
    .where('cause', '=', 'run')
    .where('phase', 'in', CUT_OFF)
    .execute();
  return rows.map((row) => row.canister_id);
}
