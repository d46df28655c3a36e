import { balanceRanges, type BalanceRange, type CanisterBalances } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import type { Actor } from '../../../http/actor.ts';
import { spreadOut } from './balance-slots.ts';
import { findBalances, findTopUps } from './balance-store.ts';
import { findCanister } from '../core/store.ts';

/** What a chart can show apart. */
const MOST_SAMPLES = 400;
/** Marks that stand apart; of more the newest are told. */
const MOST_TOP_UPS = 100;

/** The balance of a canister of the user over a stretch of time that ends now. */
export async function readBalances(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; range: BalanceRange },
): Promise<CanisterBalances> {
  const { id } = await findCanister(ctx.db, user.id, input.canisterId);
  const since = new Date(Date.now() - balanceRanges[input.range] * 1000);
  const samples = await findBalances(ctx.db, id, since);
  const topUps = await findTopUps(ctx.db, { id, userId: user.id }, since);
  return {
    samples: spreadOut(samples, MOST_SAMPLES).map(toMoment),
    top_ups: topUps.slice(-MOST_TOP_UPS).map(toMoment),
  };
}

function toMoment({ taken_at, cycles }: { taken_at: Date; cycles: bigint }): { at: string; cycles: string } {
  return { at: taken_at.toISOString(), cycles: cycles.toString() };
}
