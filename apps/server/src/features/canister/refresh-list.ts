import type { AppContext } from '../../context.ts';
import { askCanisters } from './ask-canisters.ts';
import { type CanisterRow, type CanisterState, saveSeenState, stateOf } from './store.ts';

/** What was asked less than this ago is not asked again, in milliseconds. */
const FRESH_MS = 3000;
/** Each answer is verified in this process; more of them at once would keep other requests waiting. */
const QUERIES_AT_ONCE = 3;
/** Most canisters one round asks for; the longest unasked come first. */
const ROUND = 200;

/** Keeps the listed canisters current by queries in the background, while the list is answered from the database. */
export function createListRefresher(
  ctx: AppContext,
): (userId: string, shown: readonly CanisterRow[]) => void {
  const running = new Set<string>();
  return (userId, shown) => {
    if (running.has(userId)) return;
    const now = Date.now();
    const stale = shown
      .filter((row) => row.action_id === null && now - (row.refreshed_at?.getTime() ?? 0) > FRESH_MS)
      .toSorted((a, b) => (a.refreshed_at?.getTime() ?? 0) - (b.refreshed_at?.getTime() ?? 0))
      .slice(0, ROUND);
    if (stale.length === 0) return;
    running.add(userId);
    refresh(ctx, userId, stale)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'Refreshing the canister list failed'))
      .finally(() => running.delete(userId));
  };
}

async function refresh(ctx: AppContext, userId: string, stale: readonly CanisterRow[]): Promise<void> {
  const askedAt = new Date();
  const answers = new Map<string, CanisterState>();
  // The last good data of the others stay.
  await askCanisters(ctx, stale, QUERIES_AT_ONCE, ({ id }, report) => void answers.set(id, stateOf(report)));
  if (answers.size === 0) return;
  await ctx.transact(async (tx) => {
    for (const [id, state] of answers) await saveSeenState(tx, { id, userId }, state, askedAt);
  });
}
