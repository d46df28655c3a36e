import type { DeployType } from '@cannery/contract';
import type { Selectable } from 'kysely';
import type { GitHubInstallationsTable } from '../../db/tables/github-tables.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { jsonText } from '../../db/json-text.ts';
import type { GitHubVisitor } from '../../github/github-client.ts';
import { hashSecret } from '../../secrets.ts';

export type InstallationRow = Selectable<GitHubInstallationsTable>;

/** How long a person may take at GitHub. */
const ATTEMPT_MS = 30 * 60_000;

/** Connections of one session that may be under way; with another one the oldest ends. */
const MOST_ATTEMPTS = 20;

/** Keeps a connection that begins. @param attempt.token the bearer token of the session that begins it */
export async function keepAttempt(
  tx: Tx,
  attempt: { secret: string; token: string; deployType: DeployType },
): Promise<void> {
  const session = hashSecret(attempt.token);
  const newest = tx
    .selectFrom('github_attempts')
    .select('state_hash')
    .where('session_hash', '=', session)
    .orderBy('expires_at', 'desc')
    .limit(MOST_ATTEMPTS - 1);
  await tx
    .deleteFrom('github_attempts')
    .where('session_hash', '=', session)
    .where('state_hash', 'not in', newest)
    .execute();
  await tx
    .insertInto('github_attempts')
    .values({
      state_hash: hashSecret(attempt.secret),
      session_hash: session,
      deploy_type: attempt.deployType,
      expires_at: new Date(Date.now() + ATTEMPT_MS),
    })
    .execute();
}

/** Takes the connection that a secret belongs to, if the same session began it; it can be taken once. */
export async function takeAttempt(
  tx: Tx,
  found: { secret: string; token: string },
): Promise<{ deployType: DeployType } | undefined> {
  const attempt = await tx
    .deleteFrom('github_attempts')
    .where('state_hash', '=', hashSecret(found.secret))
    .where('session_hash', '=', hashSecret(found.token))
    .where('expires_at', '>', new Date())
    .returning('deploy_type')
    .executeTakeFirst();
  return attempt && { deployType: attempt.deploy_type };
}

/** Binds what a user has shown to be allowed to use, and ends what GitHub no longer lists for the same person. */
export async function bindInstallations(tx: Tx, userId: string, visitor: GitHubVisitor): Promise<void> {
  const { installations } = visitor;
  await tx
    .deleteFrom('github_installations')
    .where('user_id', '=', userId)
    .where((where) =>
      where.or([
        where('github_user_id', '=', visitor.id),
        where('installation_id', 'in', [0, ...installations.map(({ id }) => id)]),
      ]),
    )
    .execute();
  for (const { id, account, repositoryIds } of installations) {
    await tx
      .insertInto('github_installations')
      .values({
        user_id: userId,
        installation_id: id,
        account_login: account.login,
        account_id: account.id,
        github_user_id: visitor.id,
        github_login: visitor.login,
        repository_ids: repositoryIds === null ? null : jsonText(repositoryIds),
      })
      .execute();
  }
}

/** The installations of a user, oldest first. */
export async function installationsOf(db: Reader, userId: string): Promise<InstallationRow[]> {
  return db
    .selectFrom('github_installations')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('installation_id')
    .execute();
}

/** Ends an installation for all users: the app is gone from there. */
export async function endInstallation(tx: Tx, installationId: number): Promise<void> {
  await tx.deleteFrom('github_installations').where('installation_id', '=', installationId).execute();
}

/** Ends all that a person at GitHub has shown to be allowed to use. */
export async function endPerson(tx: Tx, githubUserId: number): Promise<void> {
  await tx.deleteFrom('github_installations').where('github_user_id', '=', githubUserId).execute();
}

/** An account has another name. */
export async function renameAccount(
  tx: Tx,
  { installationId, login }: { installationId: number; login: string },
): Promise<void> {
  await tx
    .updateTable('github_installations')
    .set({ account_login: login })
    .where('installation_id', '=', installationId)
    .execute();
}
