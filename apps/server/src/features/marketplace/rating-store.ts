import type { OwnRating } from '@cannery/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OneStatement, Reader } from '../../db/tx.ts';
import { isInstance } from './installed-dapp-store.ts';

/** Whose rating of which dapp. */
interface RatingPlace {
  readonly dappId: string;
  readonly userId: string;
}

/** That a user may rate a dapp `d` of the marketplace: somebody else has published it, and the user has a canister with it. */
const mayRate = (userId: string): RawBuilder<boolean> => sql`(
  d.user_id <> ${userId} and exists (
    select 1 from canisters c
    where c.user_id = ${userId} and c.origin ->> 'dappId' = d.id and ${isInstance}
  )
)`;

/** What a user has rated a dapp of the marketplace, and whether the user may; undefined when there is no such dapp. */
export async function findRating(
  db: Reader,
  { dappId, userId }: RatingPlace,
): Promise<OwnRating | undefined> {
  const { rows } = await sql<OwnRating>`
    select r.stars, ${mayRate(userId)} as may_rate
    from dapps d left join dapp_ratings r on r.dapp_id = d.id and r.user_id = ${userId}
    where d.id = ${dappId} and d.withdrawn_at is null`.execute(db);
  return rows[0];
}

/**
 * Keeps a rating, instead of an earlier one of the user. Whether the user may is part of the statement: nothing that was read
 * before it counts.
 * @returns false when the user may not, or there is no such dapp
 */
export async function saveRating(
  db: OneStatement,
  { dappId, userId, stars }: RatingPlace & { readonly stars: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into dapp_ratings (dapp_id, user_id, stars)
    select d.id, ${userId}::text, ${stars}::smallint
    from dapps d
    where d.id = ${dappId} and d.withdrawn_at is null and ${mayRate(userId)}
    on conflict (dapp_id, user_id) do update set stars = excluded.stars, rated_at = now()
    returning dapp_id`.execute(db);
  return rows.length > 0;
}

/** Takes a rating away; nothing where there is none. */
export async function deleteRating(db: OneStatement, { dappId, userId }: RatingPlace): Promise<void> {
  await db.deleteFrom('dapp_ratings').where('dapp_id', '=', dappId).where('user_id', '=', userId).execute();
}
