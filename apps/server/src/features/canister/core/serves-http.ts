import { CandidError } from '@cannery/candid';
import { onCandid } from '../../../candid/candid-thread.ts';
import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { CanisterRow } from './store.ts';

/** What the gateway calls of a canister (HTTP gateway protocol specification, "Canister HTTP interface"). */
export const HTTP_METHOD = 'http_request';
/** Canisters whose interface is asked for at most in one round of a list. */
const LEARNED_AT_ONCE = 20;

type Known = Pick<CanisterRow, 'module_hash' | 'origin' | 'origin_hash' | 'told_http' | 'told_http_hash'>;

/**
 * Whether a canister answers HTTP: by what was written down of the code that it has, else by its interface. Undefined while
 * nobody has asked for that, null where it is not known.
 */
export function servesHttp(row: Known): boolean | null | undefined {
  const { module_hash: hash, origin, origin_hash: recorded } = row;
  if (hash === null) return false;
  if (hash === recorded && origin.servesHttp !== undefined) return origin.servesHttp;
  return hash === row.told_http_hash ? row.told_http : undefined;
}

/**
 * Asks the network for the interfaces of canisters of a user of whose code nothing is known: others have put it in, or it was there
 * before such things were written down. Each is asked once for each code that it has. What is told counts for that canister alone,
 * since it is a text that whoever controls the canister has chosen.
 */
export async function learnHttp(
  ctx: AppContext,
  userId: string,
  rows: readonly (Known & { readonly id: string })[],
): Promise<void> {
  const unknown = rows.filter((row) => servesHttp(row) === undefined).slice(0, LEARNED_AT_ONCE);
  for (const { id, module_hash: hash } of unknown) {
    try {
      const told = await toldHttp(ctx, id);
      await ctx.db
        .updateTable('canisters')
        .set({ told_http: told, told_http_hash: hash })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .execute();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      ctx.log.debug({ err: error, canisterId: id }, 'The interface of a canister could not be read');
      return;
    }
  }
}

/** Whether the interface that a canister publishes has the method; null where it publishes none that can be read. */
async function toldHttp(ctx: AppContext, canisterId: string): Promise<boolean | null> {
  const content = await ctx.ic.metadata(canisterId, 'candid:service');
  if (content === undefined) return null;
  try {
    return await onCandid('hasQuery', Buffer.from(content).toString('utf8'), HTTP_METHOD);
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    return null;
  }
}
