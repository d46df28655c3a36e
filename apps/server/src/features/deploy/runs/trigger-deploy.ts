import { isDeepStrictEqual } from 'node:util';
import type { Actor, AppContext } from '../../../context.ts';
import { answerOnce } from '../../../db/answer-once.ts';
import type { Tx } from '../../../db/tx.ts';
import { AppError } from '../../../errors.ts';
import { outsideRequest } from '../../../log/request-context.ts';
import { insertInstance, lockRuns, openRunsOf, type RunRow, type TaggedCommit } from '../store/run-store.ts';
import { refuseWhileDeleted } from '../../canister/payment/being-deleted.ts';
import { dropAwaiting } from '../artifacts/keep-artifact.ts';
import { queueOf } from '../store/queue.ts';
import { lockDeploy } from '../store/store.ts';

/**
 * What starts a run: the user, a push of the deploy's branch or of a tag, the user who wants an earlier result back, the user who
 * publishes what was refused for its interface, or the user who wants the commit of an earlier run built again.
 */
export type Trigger = 'MANUAL' | 'PUSH' | 'ROLLBACK' | 'APPROVAL' | 'REDEPLOY';

/**
 * Schedules a run of a deploy, or answers the one that waits already and has not begun. The run and its job are one
 * commit: neither exists without the other. While another run of the deploy is under way the job comes with its end.
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @param input.canisters names in the project of the canisters that the run is limited to; absent for the whole project
 * @param input.tag what it builds; absent for the newest commit of the branch
 * @throws AppError not_found, deploy_busy while it is being deleted, quota_reached when the user has too many runs in line, invalid_input for the key of another
 *   request and for a part of a site
 */
export async function triggerDeploy(
  ctx: AppContext,
  user: Actor,
  {
    deployId,
    key,
    triggerBy = 'MANUAL',
    canisters,
    tag,
  }: {
    deployId: string;
    key?: string | undefined;
    triggerBy?: Trigger;
    canisters?: readonly string[] | undefined;
    tag?: TaggedCommit | undefined;
  },
): Promise<{ id: string }> {
  // Sorted, so that one choice is one request whatever the order of its names.
  const chosen = canisters === undefined ? null : [...new Set(canisters)].sort();
  const request = { userId: user.id, key, content: ['deploy.trigger', deployId, ...(chosen ?? [])] };
  return ctx.transact(async (tx) => ({
    id: await answerOnce(tx, request, () => scheduleRun(ctx, tx, user, { deployId, triggerBy, chosen, tag })),
  }));
}

/**
 * Schedules a run within a transaction, or answers the one that waits already, has not begun and does the same.
 * @param run.source the run whose artifact it publishes; absent for a run that builds
 * @param run.tag what it builds; absent for the newest commit of the branch
 * @param run.rebuilt the run whose commit it builds again; absent for every other one
 * @param run.chosen the canisters that it is limited to; by itself those of its source or of the run that it rebuilds
 * @throws AppError not_found, deploy_busy, quota_reached, invalid_input for a part of a site
 */
export async function scheduleRun(
  ctx: AppContext,
  tx: Tx,
  user: Actor,
  {
    deployId,
    triggerBy,
    source,
    rebuilt,
    chosen = (source ?? rebuilt)?.chosen_canisters ?? null,
    tag,
  }: {
    deployId: string;
    triggerBy: Trigger;
    source?: RunRow;
    rebuilt?: RunRow;
    chosen?: readonly string[] | null;
    tag?: TaggedCommit | undefined;
  },
): Promise<string> {
  const deploy = await lockDeploy(tx, user.id, deployId);
  if (chosen !== null && deploy.type === 'STATIC_SITE') {
    throw new AppError(
      'invalid_input',
      'A site has one canister, so there is no part of it to deploy alone.',
    );
  }
  refuseWhileDeleted(deploy);
  const open = await openRunsOf(tx, deploy.id);
  const sourceId = source?.id ?? null;
  const tagged = source ?? rebuilt ?? { tag: tag?.name ?? null, commit_sha: tag?.commit ?? null };
  const waiting = open.find(
    (run) =>
      run.status === 'SCHEDULED' &&
      run.attempt === 0 &&
      run.source_id === sourceId &&
      (run.rebuild_of === null) === (rebuilt === undefined) &&
      run.tag === tagged.tag &&
      run.commit_sha === tagged.commit_sha &&
      isDeepStrictEqual(run.chosen_canisters, chosen),
  );
  if (waiting !== undefined) return waiting.id;
  const jobSent = open.length === 0;
  const run = { deployId: deploy.id, userId: user.id, triggerBy, jobSent, source, rebuilt, chosen, tag };
  const { id, turn } = await insertInstance(tx, run, ctx.config.build.openRunsOfUser);
  await dropAwaiting(tx, run);
  const queue = queueOf({ source_id: sourceId });
  if (jobSent) await ctx.jobs.send(tx, queue, { instanceId: id }, { tenant: user.id, turn });
  return id;
}

/** Puts the run that waits for its turn within a deploy in the line of all runs of its kind, once no other of the deploy is there. */
export async function startNext(ctx: AppContext, deployId: string): Promise<void> {
  await ctx.transact(async (tx) => {
    await lockRuns(tx, deployId);
    const open = await openRunsOf(tx, deployId);
    const [next] = open;
    if (next === undefined || open.some(({ job_sent }) => job_sent)) return;
    const sent = { job_sent: true };
    await tx.updateTable('deploy_instances').set(sent).where('id', '=', next.id).execute();
    const place = { tenant: next.user_id, turn: Number(next.turn) };
    // Another request has asked for this run than for the one that has ended.
    await outsideRequest(() => ctx.jobs.send(tx, queueOf(next), { instanceId: next.id }, place));
  });
}
