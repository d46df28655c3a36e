import type { Reader } from '../../../db/tx.ts';

/** The deploy that fills a canister. */
export interface CanisterPlace {
  readonly canister_id: string;
  readonly deploy_id: string;
  readonly name: string;
  readonly repo_owner: string;
  readonly repo_name: string;
  readonly repo_url: string | null;
  readonly repository_id: string | null;
  readonly repository_deleted: boolean;
  readonly branch: string;
  /** The run that the picture of its website shows; null when there is none. */
  readonly picture_of: string | null;
  readonly picture_taken_at: Date | null;
}

/**
 * The deploys that fill canisters of a user, by canister; of several the oldest.
 * @param canisterId only this one
 */
export async function placesOf(
  db: Reader,
  userId: string,
  canisterId?: string,
): Promise<ReadonlyMap<string, CanisterPlace>> {
  let query = db
    .selectFrom('deploy_canisters')
    .innerJoin('deploys', 'deploys.id', 'deploy_canisters.deploy_id')
    .leftJoin('site_pictures', (join) =>
      join
        .onRef('site_pictures.canister_id', '=', 'deploy_canisters.canister_id')
        .onRef('site_pictures.deploy_id', '=', 'deploy_canisters.deploy_id'),
    )
    .select(['deploy_canisters.canister_id', 'deploys.id as deploy_id', 'deploys.name', 'branch'])
    .select(['repo_owner', 'repo_name', 'repo_url', 'repository_id', 'repository_deleted'])
    .select(['site_pictures.instance_id as picture_of', 'site_pictures.taken_at as picture_taken_at'])
    .where('deploys.user_id', '=', userId)
    // Of several the last stays in the map.
    .orderBy('deploy_canisters.created_at', 'desc');
  if (canisterId !== undefined) query = query.where('deploy_canisters.canister_id', '=', canisterId);
  return new Map((await query.execute()).map((place) => [place.canister_id, place]));
}
