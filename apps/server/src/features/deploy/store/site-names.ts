import { sql } from 'kysely';
import type { OneStatement, Reader, Tx } from '../../../db/tx.ts';
import { AppError } from '../../../errors.ts';

/** Names that one user has and had lately. */
const MOST_OF_USER = 20;
/** Names in all: as many as the gateway keeps. */
const MOST = 10_000;
/** How long a name is kept for its last user: browsers have cookies, data and workers of the site that it was. */
const KEPT_DAYS = 30;

export interface NameClaim {
  readonly userId: string;
  readonly deployId: string;
  /** Null to let go of the one it has. */
  readonly name: string | null;
}

/**
 * Gives a deploy a name for its website in place of the one it has. The deploy must be locked.
 * @throws AppError already_exists for the name of another deploy, and for one that somebody else had lately; quota_reached
 */
export async function claimName(tx: Tx, { userId, deployId, name }: NameClaim): Promise<void> {
  // One at a time, so that the counts hold.
  await sql`select pg_advisory_xact_lock(hashtext('cannery.site-names'))`.execute(tx);
  if ((await namesOf(tx, [deployId])).get(deployId) === name) return;
  await releaseName(tx, deployId);
  await tx
    .deleteFrom('site_names')
    .where('released_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
  if (name === null) return;
  const taken = new AppError('already_exists', `The name '${name}' is taken.`);
  const known = await tx.selectFrom('site_names').selectAll().where('name', '=', name).executeTakeFirst();
  if (known !== undefined) {
    if (known.user_id !== userId || known.deploy_id !== null) throw taken;
    await tx
      .updateTable('site_names')
      .set({ deploy_id: deployId, released_at: null })
      .where('name', '=', name)
      .execute();
    return;
  }
  await requireRoom(tx, userId);
  await tx
    .insertInto('site_names')
    .values({ name, user_id: userId, deploy_id: deployId, released_at: null })
    .execute();
}

async function requireRoom(tx: Tx, userId: string): Promise<void> {
  const { all, own } = await tx
    .selectFrom('site_names')
    .select((with_) => [
      with_.fn.countAll<string>().as('all'),
      with_.fn.countAll<string>().filterWhere('user_id', '=', userId).as('own'),
    ])
    .executeTakeFirstOrThrow();
  if (Number(own) >= MOST_OF_USER) {
    throw new AppError(
      'quota_reached',
      `You have ${MOST_OF_USER} names, of which those count that you had in the last ${KEPT_DAYS} days.`,
    );
  }
  if (Number(all) >= MOST)
    throw new AppError('quota_reached', 'There are as many names as this server keeps.');
}

/** Lets go of the name of a deploy, if it has one. */
export async function releaseName(tx: Tx, deployId: string): Promise<void> {
  await tx
    .updateTable('site_names')
    .set({ deploy_id: null, released_at: new Date() })
    .where('deploy_id', '=', deployId)
    .execute();
}

/** Names of deploys, by deploy. */
export async function namesOf(db: Reader, deployIds: readonly string[]): Promise<Map<string, string>> {
  if (deployIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('site_names')
    .select(['deploy_id', 'name'])
    .where('deploy_id', 'in', deployIds)
    .execute();
  return new Map(rows.flatMap(({ deploy_id: id, name }) => (id === null ? [] : [[id, name] as const])));
}

/** The canister that each name serves: the oldest website of its deploy. A name whose deploy has none yet serves nothing. */
export async function servedNames(db: OneStatement): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('site_names')
    .innerJoin('deploy_canisters', 'deploy_canisters.deploy_id', 'site_names.deploy_id')
    .distinctOn('site_names.name')
    .select(['site_names.name', 'deploy_canisters.canister_id'])
    .where('deploy_canisters.kind', '=', 'site')
    .orderBy('site_names.name')
    .orderBy('deploy_canisters.created_at')
    .orderBy('deploy_canisters.canister_id')
    .execute();
  return new Map(rows.map(({ name, canister_id }) => [name, canister_id]));
}
