import { balanceRanges, type BalanceRange, type CanisterBalances } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { repeat, type Repeated } from '../../../jobs/repeat.ts';
import { askCanisters } from '../core/ask-canisters.ts';
import {
  type Balance,
  claimDue,
  countCanisters,
  findBalances,
  findTopUps,
  keepBalances,
} from './balance-store.ts';
import { type CanisterState, findCanister, saveSeenStates, stateOf } from '../core/store.ts';
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

/** What the network said of the canisters of one user. */
interface Told {
  readonly states: Map<string, CanisterState>;
  readonly balances: Map<string, Balance>;
}

/** Reads the balances of the canisters whose turn has come, and keeps them, those of one user at once. */
async function sampleBalances(ctx: AppContext): Promise<void> {
  const share = Math.ceil(((await countCanisters(ctx.db)) * STEP_MS) / EVERY_MS);
  const most = Math.min(MOST_AT_A_STEP, Math.max(FEWEST_AT_A_STEP, share));
  const askedAt = new Date();
  const since = new Date(askedAt.getTime() - EVERY_MS);
  const due = await ctx.transact((tx) => claimDue(tx, { since, most }));
  const told = new Map<string, Told>();
  await askCanisters(ctx, due, QUERIES_AT_ONCE, ({ id, user_id: userId }, report, takenAt) => {
    const { states, balances } = told.get(userId) ?? { states: new Map(), balances: new Map() };
    states.set(id, stateOf(report));
    balances.set(id, { cycles: report.cycles, takenAt });
    told.set(userId, { states, balances });
  });
  for (const [userId, { states, balances }] of told) {
    try {
      await ctx.transact(async (tx) => {
        // First, since it locks all of them in order; what is seen locks those of which nothing newer is known.
        await keepBalances(tx, balances);
        await saveSeenStates(tx, userId, states, askedAt);
      });
    } catch (error) {
      // The others' have come as well, and their turn has been taken.
      ctx.log.error({ err: error, userId }, 'The balances of the canisters of a user could not be kept');
    }
  }
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
