import { balanceRanges, type BalanceRange, type CanisterBalances } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { repeat, type Repeated } from '../../../jobs/repeat.ts';
import { askCanisters } from '../core/ask-canisters.ts';
import { claimDue, countCanisters, findBalances, findTopUps, keepBalance } from './balance-store.ts';
import { findCanister, saveSeenState, stateOf } from '../core/store.ts';
import type { Actor } from '../../../http/actor.ts';
import { spreadOut } from './balance-slots.ts';

/**
 * How often a balance is read, in milliseconds. A status query costs the canister nothing and the network little; five
 * minutes show within the hour that something drains a canister.
 */
const EVERY_MS = 5 * 60_000;
/** Canisters take their turns in steps of this, in milliseconds, so that the network never gets all queries at once. */
const STEP_MS = 5_000;
/** Most queries of a step, 10 a second. With more than 3,000 canisters the turns come more slowly instead. */
const MOST_AT_A_STEP = 50;
/** Fewest, so that the first balances of new canisters are not waited for. */
const FEWEST_AT_A_STEP = 10;
const QUERIES_AT_ONCE = 4;

/** Reads the balances of the canisters whose turn has come, and keeps them; answers how many were kept. */
async function sampleBalances(ctx: AppContext): Promise<number> {
  const share = Math.ceil(((await countCanisters(ctx.db)) * STEP_MS) / EVERY_MS);
  const most = Math.min(MOST_AT_A_STEP, Math.max(FEWEST_AT_A_STEP, share));
  const since = new Date(Date.now() - EVERY_MS);
  const due = await ctx.transact((tx) => claimDue(tx, { since, most }));
  return askCanisters(ctx, due, QUERIES_AT_ONCE, ({ id, user_id: userId }, report, takenAt) =>
    ctx.transact(async (tx) => {
      await saveSeenState(tx, { id, userId }, stateOf(report), takenAt);
      await keepBalance(tx, id, { cycles: report.cycles, takenAt });
    }),
  );
}

/** Reads balances by turns until stopped. */
export function startSampler(ctx: AppContext): Repeated {
  return repeat(() => sampleBalances(ctx), {
    pauseMs: STEP_MS,
    failed: (error) => ctx.log.error({ err: error }, 'Reading the balances of canisters failed'),
  });
}

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
