import { randomUUID } from 'node:crypto';
import { type DeployStatus, isDeployMove, type LeftOut, type SiteWarning } from '@cannery/contract';
import { type Selectable, sql } from 'kysely';
import type { DeployInstancesTable } from '../../../db/tables/deploy-tables.ts';
import { Quota } from '../../../db/quota.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { jsonText } from '../../../db/json-text.ts';
import { AppError, notFound } from '../../../errors.ts';
import { plainLine } from '../../../jobs/clean-line.ts';
import { logNews } from '../../../jobs/instance-log.ts';
import { tell } from '../../../jobs/notices.ts';
import { logBytesOf, makeLogRoom } from './log-room.ts';
import { forgetChangesOf } from './run-changes.ts';

export type RunRow = Selectable<DeployInstancesTable>;

/**
 * The next turn of a user: behind the user's own runs, but not behind what other users have lined up. Whoever has nothing
 * in line is next after the runs that have started. Runs that build and runs that only publish have each their own turns.
 */
async function nextTurn(tx: Tx, { userId, source }: Omit<NewInstance, 'turn'>): Promise<number> {
  const runs = tx
    .selectFrom('deploy_instances')
    .select(({ fn }) => fn.max('turn').as('turn'))
    .where('source_id', source === undefined ? 'is' : 'is not', null);
  const started = await runs.where('status', '<>', 'SCHEDULED').executeTakeFirst();
  const own = await runs.where('user_id', '=', userId).executeTakeFirst();
  return Math.max(started?.turn ?? 0, (own?.turn ?? -1) + 1);
}

/** Keeps others from scheduling and starting runs of a deploy, and from deleting it, until the transaction ends. */
export async function lockRuns(tx: Tx, deployId: string): Promise<void> {
  await tx.selectFrom('deploys').select('id').where('id', '=', deployId).forNoKeyUpdate().execute();
}

/** The runs of a deploy that wait or are under way, oldest first. */
export async function openRunsOf(db: Reader, deployId: string): Promise<RunRow[]> {
  return db
    .selectFrom('deploy_instances')
    .selectAll()
    .where('deploy_id', '=', deployId)
    .where('status', 'in', ['SCHEDULED', 'RUNNING'])
    .orderBy('seq')
    .execute();
}

/** Digits of the id of a commit that are shown. */
const ID_SHOWN = 7;

export interface NewInstance {
  readonly deployId: string;
  readonly userId: string;
  readonly triggerBy: string;
  readonly turn: number;
  /** False while it waits for the run before it of its deploy; true where absent. */
  readonly jobSent?: boolean;
  /** The run whose artifact it publishes again. */
  readonly source?: RunRow | undefined;
  /** The canisters that it is limited to; null for the whole project. */
  readonly chosen?: readonly string[] | null;
  /** The tag whose commit it builds; absent for the branch. */
  readonly tag?: TaggedCommit | undefined;
  /** The run whose commit it builds again. */
  readonly rebuilt?: RunRow | undefined;
}

/** A tag, and the commit that it named when it was pushed. */
export interface TaggedCommit {
  readonly name: string;
  readonly commit: string;
}

/** Runs that are scheduled or running. */
const openRuns = new Quota({
  name: 'open runs',
  used: (userId) => sql<number>`(select count(*) from deploy_instances
    where user_id = ${userId} and status in ('SCHEDULED', 'RUNNING'))`,
  refusal: (limit) =>
    new AppError(
      'quota_reached',
      `You have ${limit} deploys running or waiting. Wait until one of them has ended.`,
      { detail: 'The operator can change OPEN_BUILDS_PER_USER.' },
    ),
});

/**
 * Schedules a run.
 * @param limit runs of the user that may be open
 * @throws AppError quota_reached, before anything is written
 */
export async function insertInstance(
  tx: Tx,
  instance: Omit<NewInstance, 'turn'>,
  limit: number,
): Promise<{ id: string; turn: number }> {
  const { userId } = instance;
  return openRuns.add(tx, { userId, limit, adds: 1 }, async () => {
    const turn = await nextTurn(tx, instance);
    return { id: await insert(tx, { ...instance, turn }), turn };
  });
}

async function insert(tx: Tx, instance: NewInstance): Promise<string> {
  const id = randomUUID();
  const { source, tag } = instance;
  const commitOf = source ?? instance.rebuilt;
  await tx
    .insertInto('deploy_instances')
    .values({
      id,
      deploy_id: instance.deployId,
      user_id: instance.userId,
      status: 'SCHEDULED',
      turn: instance.turn,
      job_sent: instance.jobSent ?? true,
      trigger_by: instance.triggerBy,
      source_id: source?.id ?? null,
      chosen_canisters: instance.chosen ? jsonText(instance.chosen) : null,
      commit_id: commitOf?.commit_id ?? tag?.commit.slice(0, ID_SHOWN) ?? null,
      commit_sha: commitOf?.commit_sha ?? tag?.commit ?? null,
      commit_message: commitOf?.commit_message ?? null,
      commit_author: commitOf?.commit_author ?? null,
      tag: commitOf?.tag ?? tag?.name ?? null,
      rebuild_of: instance.rebuilt?.id ?? null,
      duration_ms: null,
      started_at: null,
      finished_at: null,
    })
    .execute();
  return id;
}

/** Runs that are listed at most: the list is made as a whole by the thread that serves everybody. */
export const MOST_RUNS_LISTED = 500;

/** The latest runs of a deploy, newest first. */
export async function listRuns(db: Reader, userId: string, deployId: string): Promise<RunRow[]> {
  return db
    .selectFrom('deploy_instances')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deploy_id', '=', deployId)
    .orderBy('seq', 'desc')
    .limit(MOST_RUNS_LISTED)
    .execute();
}

/** @throws AppError not_found, also for a run of somebody else's deploy */
export async function findInstance(
  db: Reader,
  userId: string,
  deployId: string,
  id: string,
): Promise<RunRow> {
  const row = await db
    .selectFrom('deploy_instances')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deploy_id', '=', deployId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Run');
  return row;
}

/** The latest run of each deploy, by deploy. */
export async function latestInstances(
  db: Reader,
  deployIds: readonly string[],
): Promise<Map<string, RunRow>> {
  if (deployIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('deploy_instances')
    .selectAll()
    .distinctOn('deploy_id')
    .where('deploy_id', 'in', deployIds)
    .orderBy('deploy_id')
    .orderBy('seq', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.deploy_id, row]));
}

/** Runs that are scheduled or running, of all users: the worker's view. */
export async function openInstances(db: Reader): Promise<RunRow[]> {
  return db
    .selectFrom('deploy_instances')
    .selectAll()
    .where('status', 'in', ['SCHEDULED', 'RUNNING'])
    .orderBy('seq')
    .execute();
}

/** The run has been moved on by somebody else: another worker took it over, or it was given up. */
export class LostRunError extends Error {
  override readonly name = 'LostRunError';
}

/**
 * The run, kept from being moved by anybody else until the transaction ends: whoever writes of its end writes behind this.
 * @throws LostRunError when the run is not where the caller believes it to be
 */
export async function lockMovable(
  tx: Tx,
  run: { id: string; attempt: number },
  to: DeployStatus,
): Promise<RunRow> {
  const current = await tx
    .selectFrom('deploy_instances')
    .selectAll()
    .where('id', '=', run.id)
    .forUpdate()
    .executeTakeFirst();
  if (current === undefined || current.attempt !== run.attempt || !isDeployMove(current.status, to)) {
    throw new LostRunError(`A run is ${current?.status ?? 'gone'} and cannot become ${to}.`);
  }
  return current;
}

/**
 * The one function by which the status of a run changes. A worker that was taken for dead holds an older attempt and
 * can change nothing any more.
 * @throws LostRunError when the run is not where the caller believes it to be
 */
export async function moveInstance(
  tx: Tx,
  run: { id: string; attempt: number },
  to: DeployStatus,
): Promise<RunRow> {
  const current = await lockMovable(tx, run, to);
  const now = new Date();
  const startedAt = current.started_at ?? (to === 'RUNNING' ? now : null);
  const finished = to === 'COMPLETED' || to === 'FAILED';
  await tell(tx, logNews(run.id));
  if (finished) await forgetChangesOf(tx, run.id);
  const moved = await tx
    .updateTable('deploy_instances')
    .set({
      status: to,
      going_back: finished ? null : current.going_back,
      attempt: to === 'RUNNING' ? current.attempt + 1 : current.attempt,
      started_at: startedAt,
      finished_at: finished ? now : null,
      ...(finished && { log_bytes: logBytesOf(run.id) }),
      duration_ms: finished ? now.getTime() - (startedAt ?? now).getTime() : null,
    })
    .where('id', '=', run.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (finished) await makeLogRoom(tx, { id: run.id, userId: current.user_id });
  return moved;
}

/**
 * Takes a run for a worker. A run that another worker left behind goes back in line first, and that counts as a crash;
 * a worker that stops in good order puts its runs back itself. Null for a finished run.
 */
export async function claimInstance(tx: Tx, id: string): Promise<RunRow | null> {
  const current = await tx
    .selectFrom('deploy_instances')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (current === undefined || current.status === 'COMPLETED' || current.status === 'FAILED') return null;
  if (current.status === 'RUNNING') {
    await moveInstance(tx, current, 'SCHEDULED');
    await tx
      .updateTable('deploy_instances')
      .set({ crashes: current.crashes + 1 })
      .where('id', '=', id)
      .execute();
  }
  return moveInstance(tx, current, 'RUNNING');
}

/** An e-mail address behind its name; some use one as the name of an author. */
const ADDRESS = /(?<=\S)@\S+/g;
/** Characters of the name of an author that are looked at; fewer are kept. */
const AUTHOR_READ = 1_000;

/** The name of an author as everybody may see it: in one line, and no address. */
function shownAuthor(author: string): string {
  return plainLine(author.slice(0, AUTHOR_READ)).replaceAll(ADDRESS, '').trim();
}

/** Notes which commit a run deploys. */
export async function noteCommit(
  tx: Tx,
  id: string,
  commit: { id: string; subject: string; author: string },
): Promise<void> {
  await tx
    .updateTable('deploy_instances')
    .set({
      commit_id: commit.id.slice(0, ID_SHOWN),
      commit_sha: commit.id,
      commit_message: sql`left(${plainLine(commit.subject)}, 500)`,
      commit_author: sql`nullif(left(${shownAuthor(commit.author)}, 100), '')`,
    })
    .where('id', '=', id)
    .execute();
}

/** What is kept with a run at its end besides its status. */
export interface RunOutcome {
  /** What it leaves out of the project; null for nothing. */
  leftOut: LeftOut | null;
  /** What the check of its websites found. */
  warnings: readonly SiteWarning[];
}

/** Keeps the outcome of a run that ends. */
export async function noteOutcome(tx: Tx, id: string, { leftOut, warnings }: RunOutcome): Promise<void> {
  if (leftOut !== null) {
    await tx
      .updateTable('deploy_instances')
      .set({ left_out: jsonText(leftOut) })
      .where('id', '=', id)
      .execute();
  }
  if (warnings.length > 0) {
    await tx
      .insertInto('run_warnings')
      .values({ instance_id: id, warnings: jsonText(warnings) })
      .execute();
  }
}

/** What the check of a run's websites found. */
export async function warningsOf(db: Reader, id: string): Promise<readonly SiteWarning[]> {
  const row = await db
    .selectFrom('run_warnings')
    .select('warnings')
    .where('instance_id', '=', id)
    .executeTakeFirst();
  return row?.warnings ?? [];
}

/**
 * Writes down that a run has failed and puts its canisters back, and why: whatever becomes of its worker, it goes on with
 * that and builds nothing any more.
 * @throws LostRunError when another worker has the run
 */
export async function noteGoingBack(
  tx: Tx,
  run: { id: string; attempt: number },
  lastLine: string,
): Promise<void> {
  const noted = await tx
    .updateTable('deploy_instances')
    .set({ going_back: lastLine })
    .where('id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .where('status', '=', 'RUNNING')
    .returning('id')
    .executeTakeFirst();
  if (noted === undefined) throw new LostRunError('Another worker has taken the run over.');
}
