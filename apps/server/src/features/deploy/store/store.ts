import { randomUUID } from 'node:crypto';
import type { DeployPartKind, DeployType } from '@cannery/contract';
import { type Selectable, sql } from 'kysely';
import { type DeploySettings, USUAL_SETTINGS } from '../../../db/tables/deploy-settings.ts';
import type { DeploysTable } from '../../../db/tables/deploy-tables.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { jsonText } from '../../../db/json-text.ts';
import { notFound } from '../../../errors.ts';
import { servesHttp } from '../../canister/core/serves-http.ts';
import { addDeploy } from './deploy-quotas.ts';
import { releaseName } from './site-names.ts';
import type { RecordedRepository } from '../../repository/repository-place.ts';

type KeptDeploy = Selectable<DeploysTable>;
export type DeployRow = Omit<KeptDeploy, 'settings'> & { readonly settings: DeploySettings };

const rowOf = (kept: KeptDeploy): DeployRow => ({
  ...kept,
  settings: { ...USUAL_SETTINGS, ...kept.settings },
});

/** That pushes of some tags start a run of the deploy. */
const runsOnTags = sql<boolean>`coalesce(deploys.settings ->> 'deploy_tags', '') <> ''`;

/** That a push of its branch starts a run of the deploy. */
const runsOnPush = sql<boolean>`deploys.settings ->> 'on_push' = 'true'`;

/** That such pushes are not paused. */
const isNotPaused = sql<boolean>`deploys.settings ->> 'push_paused_at' is null`;

export interface NewDeploy {
  readonly userId: string;
  readonly name: string;
  readonly type: DeployType;
  readonly branch: string;
  readonly repository: RecordedRepository;
  readonly isPublic: boolean;
  readonly settings: Partial<DeploySettings>;
}

/** @throws AppError quota_reached */
export async function insertDeploy(tx: Tx, deploy: NewDeploy): Promise<string> {
  return addDeploy(tx, deploy.userId, () => insert(tx, deploy));
}

async function insert(tx: Tx, deploy: NewDeploy): Promise<string> {
  const id = randomUUID();
  await tx
    .insertInto('deploys')
    .values({
      id,
      user_id: deploy.userId,
      name: deploy.name,
      type: deploy.type,
      branch: deploy.branch,
      ...deploy.repository,
      is_public: deploy.isPublic,
      settings: jsonText(deploy.settings),
    })
    .execute();
  return id;
}

/** @throws AppError not_found, also for somebody else's deploy */
export async function findDeploy(db: Reader, userId: string, id: string): Promise<DeployRow> {
  const row = await db
    .selectFrom('deploys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Deploy');
  return rowOf(row);
}

/**
 * The deploy, kept from being run and deleted until the transaction ends.
 * @throws AppError not_found, also for somebody else's deploy
 */
export async function lockDeploy(tx: Tx, userId: string, id: string): Promise<DeployRow> {
  const row = await tx
    .selectFrom('deploys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound('Deploy');
  return rowOf(row);
}

/** Its runs with their logs and results go with it; its canisters only leave it, and its name is let go. The deploy must be locked. */
export async function deleteDeployRow(tx: Tx, deploy: { id: string; userId: string }): Promise<void> {
  await releaseName(tx, deploy.id);
  await tx.deleteFrom('deploys').where('id', '=', deploy.id).where('user_id', '=', deploy.userId).execute();
}

/** Newest first. */
export async function listDeploys(db: Reader, userId: string): Promise<DeployRow[]> {
  const rows = await db
    .selectFrom('deploys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(rowOf);
}

export interface DeployChange {
  readonly name?: string | undefined;
  /** Another repository for it. */
  readonly repository?: RecordedRepository | undefined;
  readonly settings: { readonly [Name in keyof DeploySettings]?: DeploySettings[Name] | undefined };
}

/** Changes what is given. @throws AppError not_found, also for somebody else's deploy */
export async function changeDeploy(
  tx: Tx,
  userId: string,
  id: string,
  change: DeployChange,
): Promise<DeployRow> {
  const { name, repository, settings } = change;
  const row = await tx
    .updateTable('deploys')
    .set({ ...(name !== undefined && { name }), updated_at: new Date() })
    .set({ ...repository, ...(repository !== undefined && { repository_deleted: false }) })
    .set({ settings: sql<string>`settings || ${jsonText(settings)}::jsonb` })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw notFound('Deploy');
  return rowOf(row);
}

/** Writes down that a run is live from now on, and which one was until then. */
export async function noteLive(tx: Tx, run: { id: string; deploy_id: string }): Promise<void> {
  const { live_run_id: before } = await tx
    .selectFrom('deploys')
    .select('live_run_id')
    .where('id', '=', run.deploy_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('deploy_instances')
    .set({ replaced_run_id: before })
    .where('id', '=', run.id)
    .execute();
  await tx.updateTable('deploys').set({ live_run_id: run.id }).where('id', '=', run.deploy_id).execute();
}

/** The deploys of a user that a push of these branches to the embedded git host starts, and those that one of tags may start. */
export async function deploysOnPush(
  db: Reader,
  userId: string,
  { repositoryId, branches, tags }: { repositoryId: string; branches: readonly string[]; tags: boolean },
): Promise<DeployRow[]> {
  const rows = await db
    .selectFrom('deploys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('repository_id', '=', repositoryId)
    .where((where) =>
      where.or([
        ...(branches.length > 0 ? [where.and([runsOnPush, where('branch', 'in', branches)])] : []),
        ...(tags ? [runsOnTags] : []),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(rowOf);
}

/**
 * The deploys that a push to a repository at GitHub starts, each with its user: of everybody who has connected the
 * installation that tells of the push.
 */
export async function deploysOnGitHubPush(
  db: Reader,
  { repositoryId, installationId, branch }: { repositoryId: number; installationId: number; branch: string },
): Promise<{ id: string; user: { id: string; username: string } }[]> {
  const rows = await db
    .selectFrom('deploys')
    .innerJoin('users', 'users.id', 'deploys.user_id')
    .innerJoin('github_installations', 'github_installations.user_id', 'deploys.user_id')
    .select(['deploys.id', 'users.id as user_id', 'users.username'])
    .where('deploys.github_repository_id', '=', repositoryId)
    .where('github_installations.installation_id', '=', installationId)
    .where('deploys.branch', '=', branch)
    .where(runsOnPush)
    .where(isNotPaused)
    .orderBy('deploys.id')
    .execute();
  return rows.map(({ id, user_id, username }) => ({ id, user: { id: user_id, username } }));
}

/**
 * Locks several deploys, then their users, each in one order: a run that is begun for one of them alone locks the deploy first, too.
 * What is begun for all of them in one transaction finds every lock taken.
 */
export async function lockDeploys(
  tx: Tx,
  deploys: readonly { readonly id: string; readonly user: { readonly id: string } }[],
): Promise<void> {
  if (deploys.length === 0) return;
  const locked = (table: 'deploys' | 'users', ids: readonly string[]) =>
    tx
      .selectFrom(table)
      .select('id')
      .where('id', 'in', [...new Set(ids)])
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
  await locked(
    'deploys',
    deploys.map(({ id }) => id),
  );
  await locked(
    'users',
    deploys.map(({ user }) => user.id),
  );
}

/** A canister of a deploy. */
export interface DeployCanister {
  readonly canisterId: string;
  readonly name: string | null;
  readonly kind: DeployPartKind | null;
  /** Whether it is known to answer HTTP. */
  readonly servesHttp: boolean;
  /** The run that the picture of its website shows; null when there is none. */
  readonly pictureOf: string | null;
}

/** Canisters of deploys, oldest first, by deploy. */
export async function canistersOf(
  db: Reader,
  deployIds: readonly string[],
): Promise<Map<string, DeployCanister[]>> {
  const found = new Map<string, DeployCanister[]>();
  if (deployIds.length === 0) return found;
  const rows = await db
    .selectFrom('deploy_canisters')
    .innerJoin('canisters', 'canisters.id', 'deploy_canisters.canister_id')
    .leftJoin('site_pictures', 'site_pictures.canister_id', 'deploy_canisters.canister_id')
    .select(['deploy_canisters.deploy_id', 'deploy_canisters.canister_id as canisterId', 'kind'])
    .select(['deploy_canisters.name', 'module_hash', 'origin', 'origin_hash', 'told_http', 'told_http_hash'])
    .select('site_pictures.instance_id as pictureOf')
    .where('deploy_canisters.deploy_id', 'in', deployIds)
    .orderBy('deploy_canisters.created_at')
    .orderBy('deploy_canisters.canister_id')
    .execute();
  for (const row of rows) {
    const { deploy_id, canisterId, name, kind, pictureOf } = row;
    const canister = { canisterId, name, kind, servesHttp: servesHttp(row) === true, pictureOf };
    found.set(deploy_id, [...(found.get(deploy_id) ?? []), canister]);
  }
  return found;
}

/** Gives a canister of a deploy its name in the project. */
export async function nameCanister(
  tx: Tx,
  { deployId, canisterId, name }: { deployId: string; canisterId: string; name: string },
): Promise<void> {
  await tx
    .updateTable('deploy_canisters')
    .set({ name })
    .where('deploy_id', '=', deployId)
    .where('canister_id', '=', canisterId)
    .execute();
}

/** Notes what a canister of a deploy is filled with. */
export async function notePartKind(
  tx: Tx,
  { deployId, canisterId, kind }: { deployId: string; canisterId: string; kind: DeployPartKind },
): Promise<void> {
  await tx
    .updateTable('deploy_canisters')
    .set({ kind })
    .where('deploy_id', '=', deployId)
    .where('canister_id', '=', canisterId)
    .execute();
}

/** Whether a canister for the deploy is being created, by an earlier run whose network call has no outcome yet. */
export async function isCreationOpen(db: Reader, deployId: string): Promise<boolean> {
  const open = await db
    .selectFrom('intents')
    .select('id')
    .where('deploy_id', '=', deployId)
    .where('kind', '=', 'create')
    .executeTakeFirst();
  return open !== undefined;
}
