import type { AppContext } from '../../../context.ts';
import { tell } from '../../../jobs/notices.ts';
import { isFree } from './action-lease.ts';
import { learnHttp } from './serves-http.ts';
import { askCanisters } from './ask-canisters.ts';
import { type CanisterRow, type CanisterState, saveSeenStates, stateOf } from './store.ts';

/** What was asked less than this ago is not asked again, in milliseconds. */
const FRESH_MS = 3000;
/** Each answer is verified in this process; more of them at once would keep other requests waiting. */
const QUERIES_AT_ONCE = 3;
/**
 * Milliseconds between a list and its round. Where the browser is on the same machine, as for whoever tries the console, it draws the list
 * first; one that is asked for every five seconds is as fresh for it.
 */
const DRAWN_MS = 1000;
/** Most canisters one round asks for; the longest unasked come first. */
const ROUND = 200;
/** A round without an answer after this many milliseconds counts as one that the network does not answer. */
const SLOW_MS = 3000;

export interface ListRefresher {
  /** Asks for the listed canisters in the background, unless a round of the user's is under way. */
  refresh(userId: string, shown: readonly CanisterRow[]): void;
  /** Whether the network left the user's last round, or the one under way, without an answer; in whichever process that was. */
  isBehind(userId: string): boolean;
}

/** The clock may have been put back since a canister was asked. */
function isOld(refreshedAt: Date | null, now: number): boolean {
  return refreshedAt === null || Math.abs(now - refreshedAt.getTime()) > FRESH_MS;
}

interface Round {
  answers: number;
}

/** Keeps the listed canisters current by queries in the background, while the list is answered from the database. */
export function createListRefresher(ctx: AppContext): ListRefresher {
  const running = new Set<string>();
  const unanswered = unansweredUsers(ctx);
  const run = async (userId: string, stale: readonly CanisterRow[]): Promise<void> => {
    const round: Round = { answers: 0 };
    const slow = setTimeout(() => {
      if (round.answers === 0) unanswered.set(userId, true);
    }, SLOW_MS);
    try {
      await refresh(ctx, userId, stale, round);
    } catch (error) {
      ctx.log.warn({ err: error }, 'Refreshing the canister list failed');
    } finally {
      clearTimeout(slow);
      running.delete(userId);
      unanswered.set(userId, round.answers === 0);
    }
  };
  return {
    refresh: (userId, shown) => {
      if (running.has(userId)) return;
      const now = Date.now();
      const stale = shown
        .filter((row) => isFree(row) && isOld(row.refreshed_at, now))
        .toSorted((a, b) => (a.refreshed_at?.getTime() ?? 0) - (b.refreshed_at?.getTime() ?? 0))
        .slice(0, ROUND);
      if (stale.length === 0) return;
      running.add(userId);
      setTimeout(() => void run(userId, stale), DRAWN_MS).unref();
    },
    isBehind: (userId) => unanswered.has(userId),
  };
}

/** Subject of news of users whose rounds get no answers, or get some again. */
const UNANSWERED = 'unanswered-rounds';

/**
 * The users whose last round got no answer. Processes tell each other when that changes: the next list of a user may be asked of
 * another process, which has not waited for the network yet. News that is lost is made up for by a round of the process itself.
 */
function unansweredUsers(ctx: AppContext): {
  has(userId: string): boolean;
  set(userId: string, is: boolean): void;
} {
  const users = new Set<string>();
  const put = (userId: string, is: boolean): boolean => {
    if (users.has(userId) === is) return false;
    if (is) users.add(userId);
    else users.delete(userId);
    return true;
  };
  ctx.notices.watch(UNANSWERED, (news) => {
    const [userId, is] = news?.split(' ') ?? [];
    if (userId !== undefined) put(userId, is === 'yes');
  });
  return {
    has: (userId) => users.has(userId),
    set(userId, is) {
      if (!put(userId, is)) return;
      ctx
        .transact((tx) => tell(tx, UNANSWERED, `${userId} ${is ? 'yes' : 'no'}`))
        .catch((error: unknown) => ctx.log.debug({ err: error }, 'other processes are not told of a round'));
    },
  };
}

async function refresh(
  ctx: AppContext,
  userId: string,
  stale: readonly CanisterRow[],
  round: Round,
): Promise<void> {
  const askedAt = new Date();
  const answers = new Map<string, CanisterState>();
  // The last good data of the others stay.
  await askCanisters(ctx, stale, QUERIES_AT_ONCE, ({ id }, report) => {
    answers.set(id, stateOf(report));
    round.answers += 1;
  });
  if (answers.size === 0) return;
  await ctx.transact((tx) => saveSeenStates(tx, userId, answers, askedAt));
  // As they were listed: code that this round has found is looked into by the next one.
  await learnHttp(
    ctx,
    userId,
    stale.filter(({ id }) => answers.has(id)),
  );
}
