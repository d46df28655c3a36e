import type { AppContext } from '../../context.ts';
import type { Push, PushWatcher } from '../../git/host/push.ts';
import { newestOf } from '../../git/repository/read-refs.ts';
import { hasDone, markStep } from './first-steps.ts';

/** Branches of one push that are looked at: a first push has one or a few. */
const LOOKED_AT = 10;

/** Whether git has taken a branch of a push, of which it may have refused some. */
async function isTaken({ repository: { gitDir }, branches }: Push): Promise<boolean> {
  for (const [branch, commit] of [...branches].slice(0, LOOKED_AT))
    if ((await newestOf(gitDir, branch)) === commit) return true;
  return false;
}

/** A watcher that also writes down that its user has pushed, which is one of the first steps. */
export function notingFirstPush(ctx: AppContext, watcher: PushWatcher): PushWatcher {
  const note = async (push: Push): Promise<void> => {
    const { id } = push.user;
    if (await hasDone(ctx.db, id, 'push')) return;
    if (await isTaken(push)) await markStep(ctx.db, id, 'push');
  };
  return {
    async arrived(push) {
      await note(push).catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'a first push was not written down'),
      );
      return watcher.arrived(push);
    },
  };
}
