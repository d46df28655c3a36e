import type { RepositoryUses } from '@cannery/contract';
import { sql } from 'kysely';
import type { Reader } from '../../db/tx.ts';

type Use = Required<RepositoryUses['deploys'][number]>;

/** The deploys of a user that take their code from a repository, by name, each with its canisters and the run that is live. */
export async function usesOf(
  db: Reader,
  { userId, repositoryId }: { userId: string; repositoryId: string },
): Promise<Use[]> {
  const { rows } = await sql<Use>`
    select d.id, d.name, d.branch,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by dc.created_at, c.id)
        from deploy_canisters dc join canisters c on c.id = dc.canister_id
        where dc.deploy_id = d.id and c.user_id = ${userId}
      ), '[]') as canisters,
      (
        select jsonb_build_object('id', r.id, 'commit_sha', r.commit_sha, 'number',
          (select count(*) from deploy_instances one where one.deploy_id = d.id and one.seq <= r.seq))
        from deploy_instances r where r.id = d.live_run_id
      ) as live
    from deploys d
    where d.user_id = ${userId} and d.repository_id = ${repositoryId}
    order by d.name, d.id`.execute(db);
  return rows;
}

/** The dapps in the marketplace by which a user names a repository as their source. @param addresses of the repository's page */
export function dappsOf(
  db: Reader,
  { userId, addresses }: { userId: string; addresses: readonly string[] },
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('dapps')
    .select(['id', 'name'])
    .where('user_id', '=', userId)
    .where('withdrawn_at', 'is', null)
    .where(
      sql<string>`lower(git_url)`,
      'in',
      addresses.map((address) => address.toLowerCase()),
    )
    .orderBy('name')
    .orderBy('id')
    .execute();
}
