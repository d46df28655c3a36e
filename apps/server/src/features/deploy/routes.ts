import type { Readable } from 'node:stream';
import {
  type DeployAnswer,
  deployEndpoints,
  type DeployInstanceAnswer,
  isFinished,
  planEndpoints,
  runEndpoints,
} from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { eventRoute, largeRoute, type Route, route } from '../../http/route.ts';
import { userTenant } from '../../fairness/callers.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { logPieces, readInstanceLog } from '../../jobs/instance-log.ts';
import { addRunModule } from './artifacts/add-run-module.ts';
import { pictureAddress } from '../../http/site-pictures.ts';
import { cancelRun } from './runs/cancel-run.ts';
import { compareRun } from './runs/compare-run.ts';
import { createDeploy } from './settings/create-deploy.ts';
import { deleteDeploy } from './settings/delete-deploy.ts';
import { detectSite } from './settings/detect-site.ts';
import { findInstance, type RunRow, latestInstances, listRuns, warningsOf } from './store/run-store.ts';
import { artifactsOf, awaitingOf } from './artifacts/keep-artifact.ts';
import { planDeploy, planDraft } from './settings/plan-deploy.ts';
import { publishAnyway, rollBack } from './runs/publish-again.ts';
import { redeployRun } from './runs/redeploy-run.ts';
import { runWithLog } from './runs/run-with-log.ts';
import { canistersOf, type DeployRow, findDeploy, listDeploys } from './store/store.ts';
import { namesOf } from './store/site-names.ts';
import { deployAnswer, instanceAnswer } from './store/to-answer.ts';
import { createLogStreams } from './runs/stream-log.ts';
import { triggerDeploy } from './runs/trigger-deploy.ts';
import { undoRollback } from './runs/undo-rollback.ts';
import { updateDeploy } from './settings/update-deploy.ts';
import { variablesOf } from './store/variables.ts';
import { waitingOf } from './store/queue.ts';

const LINE_NUMBER = /^\d{1,9}$/;

/** Answers with a whole log that a user is given at a time, and how long one may take to be taken, in milliseconds. */
const LOGS_PER_USER = 8;
const LOG_TAKEN_MS = 120_000;

/** Deploys and their runs. */
export function deployRoutes(ctx: AppContext): Route[] {
  const streams = createLogStreams(ctx);
  async function answers(rows: readonly DeployRow[]): Promise<DeployAnswer[]> {
    const ids = rows.map(({ id }) => id);
    const [latest, canisters, variables, names] = await Promise.all([
      latestInstances(ctx.db, ids),
      canistersOf(ctx.db, ids),
      variablesOf(ctx.db, ids),
      namesOf(ctx.db, ids),
    ]);
    const awaiting = await awaitingOf(ctx.db, [...latest.values()]);
    return rows.map((row) =>
      deployAnswer(row, {
        latest: latest.get(row.id),
        awaitsApproval: awaiting.has(latest.get(row.id)?.id ?? ''),
        canisters: canisters.get(row.id),
        variables: variables.get(row.id),
        siteName: names.get(row.id),
        pictureAddress: (canisterId, instanceId) => pictureAddress(ctx.addresses, canisterId, instanceId),
      }),
    );
  }
  async function answer(row: DeployRow): Promise<DeployAnswer> {
    const [one = deployAnswer(row)] = await answers([row]);
    return one;
  }
  /** Runs without their logs. */
  async function runAnswers(rows: readonly RunRow[]): Promise<DeployInstanceAnswer[]> {
    const completed = rows.filter(({ status }) => status === 'COMPLETED');
    const kept = await artifactsOf(
      ctx.db,
      completed.map(({ id }) => id),
    );
    const awaiting = await awaitingOf(ctx.db, rows);
    const answers = rows.map(async (row) => ({
      ...instanceAnswer(row, { kept: kept.get(row.id), awaitsApproval: awaiting.has(row.id) }),
      waiting: await waitingOf(ctx, row),
    }));
    return Promise.all(answers);
  }
  const logs = new FairSemaphore({ most: 400, perTenant: LOGS_PER_USER, waitingPerTenant: 0, what: 'logs' });
  async function runAnswer(row: RunRow): Promise<DeployInstanceAnswer> {
    const [answer = instanceAnswer(row)] = await runAnswers([row]);
    // They come with the end of a run, and this is asked for every two seconds until then.
    const warnings = isFinished(row.status) ? await warningsOf(ctx.db, row.id) : [];
    return { ...answer, warnings: [...warnings] };
  }
  /** @throws AppError rate_limited when the user has too many logs under way */
  async function runAnswerWithLog(row: RunRow): Promise<Readable> {
    const answer = await runAnswer(row);
    const leave = await logs.enter(userTenant(row.user_id));
    const stream = runWithLog(answer, logPieces(ctx.db, row.id));
    const timer = setTimeout(() => stream.destroy(), LOG_TAKEN_MS);
    return stream.once('close', () => {
      clearTimeout(timer);
      leave();
    });
  }
  return [
    route(deployEndpoints.list, async ({ user, grant }) => {
      const rows = await listDeploys(ctx.db, user.id);
      const only = grant?.deployIds ?? null;
      return answers(only === null ? rows : rows.filter(({ id }) => only.includes(id)));
    }),
    route(deployEndpoints.one, async ({ user, params }) =>
      answer(await findDeploy(ctx.db, user.id, params.id)),
    ),
    route(deployEndpoints.detect, ({ user, body }) => detectSite(ctx, user, body)),
    route(planEndpoints.draft, ({ user, body }) => planDraft(ctx, user, body)),
    route(planEndpoints.ofDeploy, async ({ user, params }) =>
      planDeploy(ctx, user, await findDeploy(ctx.db, user.id, params.id)),
    ),
    route(deployEndpoints.create, ({ user, body, idempotencyKey: key }) =>
      createDeploy(ctx, user, body, key),
    ),
    route(deployEndpoints.update, async ({ user, params, body }) => ({
      success: true,
      data: await answer(await updateDeploy(ctx, user, params.id, body)),
    })),
    route(deployEndpoints.trigger, ({ user, params, body, idempotencyKey: key }) =>
      triggerDeploy(ctx, user, { deployId: params.id, key, canisters: body.canisters }),
    ),
    route(deployEndpoints.instances, async ({ user, params }) => {
      await findDeploy(ctx.db, user.id, params.id);
      const rows = await listRuns(ctx.db, user.id, params.id);
      return { data: await runAnswers(rows) };
    }),
    largeRoute(deployEndpoints.instance, async ({ user, params, isMinimal }) => {
      const row = await findInstance(ctx.db, user.id, params.id, params.instanceId);
      return isMinimal ? runAnswer(row) : runAnswerWithLog(row);
    }),
    eventRoute(deployEndpoints.log, ({ user, token, params, lastEventId = '' }) =>
      streams.open(user, {
        deployId: params.id,
        instanceId: params.instanceId,
        after: LINE_NUMBER.test(lastEventId) ? Number(lastEventId) : 0,
        token,
      }),
    ),
    route(deployEndpoints.rollback, ({ user, params, idempotencyKey: key }) =>
      rollBack(ctx, user, { deployId: params.id, instanceId: params.instanceId, key }),
    ),
    route(deployEndpoints.addModule, async ({ user, params, body, idempotencyKey: key }) => {
      const { id: deployId, instanceId } = params;
      const id = await addRunModule(ctx, user, { deployId, instanceId, ...body, key });
      return { data: id, id };
    }),
    route(deployEndpoints.publish, ({ user, params, idempotencyKey: key }) =>
      publishAnyway(ctx, user, { deployId: params.id, instanceId: params.instanceId, key }),
    ),
    route(deployEndpoints.cancel, async ({ user, grant, params }) => {
      const row = await cancelRun(ctx, user, { deployId: params.id, instanceId: params.instanceId });
      // Whoever may run deploys need not be allowed to read what they print.
      const isReader = grant === undefined || grant.scopes.includes('deploys:read');
      // The run is cancelled already: too many logs under way are no reason to refuse this.
      return { ...(await runAnswer(row)), logs: isReader ? await readInstanceLog(ctx.db, row.id) : null };
    }),
    route(runEndpoints.redeploy, ({ user, params, idempotencyKey: key }) =>
      redeployRun(ctx, user, { deployId: params.id, instanceId: params.instanceId, key }),
    ),
    route(runEndpoints.undo, ({ user, params, idempotencyKey: key }) =>
      undoRollback(ctx, user, { deployId: params.id, instanceId: params.instanceId, key }),
    ),
    route(runEndpoints.compare, ({ user, params }) =>
      compareRun(ctx, user, { deployId: params.id, instanceId: params.instanceId }),
    ),
    route(deployEndpoints.delete, async ({ user, params, query: { canisters } }) => {
      const { message, refunded } = await deleteDeploy(ctx, user, { deployId: params.id, canisters });
      return { message, refunded: refunded.toString() };
    }),
  ];
}
