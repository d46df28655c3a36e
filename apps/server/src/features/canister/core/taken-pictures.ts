import type { Reader } from '../../../db/tx.ts';
import type { CanisterRow } from './store.ts';

/** The picture of a canister that was taken at its owner's word. */
export interface TakenPicture {
  /** Hash of the module that it shows. */
  readonly module_hash: string;
  readonly digest: string;
  readonly taken_at: Date;
}

/** The pictures of canisters of a user that were taken at the user's word, by canister. @param canisterId only this one */
export async function takenPictures(
  db: Reader,
  userId: string,
  canisterId?: string,
): Promise<ReadonlyMap<string, TakenPicture>> {
  let query = db
    .selectFrom('canister_pictures')
    .innerJoin('canisters', 'canisters.id', 'canister_pictures.canister_id')
    .select(['canister_id', 'canister_pictures.module_hash', 'digest', 'taken_at'])
    .where('canisters.user_id', '=', userId);
  if (canisterId !== undefined) query = query.where('canister_id', '=', canisterId);
  return new Map((await query.execute()).map((row) => [row.canister_id, row]));
}

/** The picture, if it shows the code that the canister has. */
export function currentPicture(
  row: Pick<CanisterRow, 'module_hash'>,
  taken: TakenPicture | undefined,
): TakenPicture | undefined {
  return taken !== undefined && taken.module_hash === row.module_hash ? taken : undefined;
}
